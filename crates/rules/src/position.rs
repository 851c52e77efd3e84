//! Positions: what is on the board and who is to move.

use crate::bit_position::{BitMove, BitPosition};
use crate::bits::{Bits, Wide};
use crate::grid::{Grid, GridPosition};
use crate::movegen::{self, MoveList};
use crate::moves::Move;
use crate::perft::perft;
use crate::refusal::{IllegalMove, refuse};
use crate::ruleset::{Ruleset, RulesetVisitor};
use crate::setup::{Piece, Setup, SetupError};
use crate::{Side, Square, Variant};

/// A position of a game: checked once, always sound.
///
/// ```
/// use kingme_rules::{Position, Variant};
///
/// let international = Variant::named("international")?;
/// let position = Position::from_fen(&international, "W:W35:B30,K40")?;
/// let moves: Vec<String> = position
///     .legal_moves()
///     .iter()
///     .map(|mv| position.move_text(mv))
///     .collect();
/// assert_eq!(moves, ["35x24", "35x44"]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    variant: Variant,
    body: AnyPosition,
}

/// A position in the width that its board needs.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyPosition {
    Small(BitPosition<u64>),
    Medium(BitPosition<u128>),
    Large(Box<BitPosition<Wide>>),
    /// Square by square, where the board is too large for bits.
    Grid(Box<GridPosition>),
}

/// From and to [`AnyPosition`]; a board's width never changes, so this never fails.
#[doc(hidden)]
pub trait Width: Sized {
    fn get(any: &AnyPosition) -> &BitPosition<Self>;
    fn put(position: BitPosition<Self>) -> AnyPosition;
}

macro_rules! width {
    ($bits:ty, $variant:ident, $wrap:expr) => {
        impl Width for $bits {
            #[inline(always)]
            fn get(any: &AnyPosition) -> &BitPosition<Self> {
                match any {
                    AnyPosition::$variant(position) => position,
                    _ => unreachable!("a position of another width"),
                }
            }

            #[inline(always)]
            fn put(position: BitPosition<Self>) -> AnyPosition {
                AnyPosition::$variant($wrap(position))
            }
        }
    };
}

width!(u64, Small, std::convert::identity);
width!(u128, Medium, std::convert::identity);
width!(Wide, Large, Box::new);

/// Something to do with a position in bits, whatever its rules and its width.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Does it.
    fn visit<R: Ruleset>(self, rules: R, position: &BitPosition<R::Bits>) -> Self::Output;
}

struct WithPosition<'a, V>(V, &'a AnyPosition);

impl<V: Visitor> RulesetVisitor for WithPosition<'_, V> {
    type Output = V::Output;
    fn visit<R: Ruleset>(self, rules: R) -> V::Output {
        self.0.visit(rules, R::Bits::get(self.1))
    }
}

/// A visitor that can do without bits.
trait Look: Visitor {
    /// Does it on a board that has none.
    fn on_grid(self, grid: Grid<'_>) -> Self::Output;
}

/// Implements [`Look`] for a closure-like struct in few lines: in bits, and on a grid.
macro_rules! visitor {
    ($name:ident { $($field:ident: $type:ty),* } -> $output:ty,
     |$rules:ident, $position:ident| $body:expr, |$grid:ident| $on_grid:expr) => {{
        struct $name<'a> { $($field: $type,)* _life: std::marker::PhantomData<&'a ()> }
        impl<'a> Visitor for $name<'a> {
            type Output = $output;
            fn visit<R: Ruleset>(
                self,
                $rules: R,
                $position: &BitPosition<R::Bits>,
            ) -> $output {
                $(let $field = self.$field;)*
                $body
            }
        }
        impl<'a> Look for $name<'a> {
            fn on_grid(self, $grid: Grid<'_>) -> $output {
                $(let $field = self.$field;)*
                $on_grid
            }
        }
        $name { $($field,)* _life: std::marker::PhantomData }
    }};
}

/// Why a board has bits if it has no grid.
const BITS: &str = "a board has bits or a grid";

impl Position {
    /// Checks a set-up.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn new(variant: &Variant, setup: &Setup) -> Result<Position, SetupError> {
        let board = variant.board();
        let definition = variant.definition();
        let mut seen = vec![false; board.len()];
        for &(square, piece) in &setup.pieces {
            if square.index() >= board.len() {
                return Err(SetupError::Square {
                    index: square.index(),
                    squares: board.len(),
                });
            }
            let name = || board.name(square);
            if std::mem::replace(&mut seen[square.index()], true) {
                return Err(SetupError::Twice(name()));
            }
            let kinds = definition.kinds.len();
            if piece.kind >= kinds {
                return Err(SetupError::Kind {
                    square: name(),
                    kind: piece.kind,
                    kinds,
                });
            }
            let promoted = variant.promotes(piece.side, square);
            if definition.kinds[piece.kind].becomes.is_some() && promoted {
                return Err(SetupError::Promoted {
                    square: name(),
                    side: definition.sides.names[piece.side].clone(),
                });
            }
        }
        let possible = |&&(square, count): &&(Square, u8)| {
            let piece = setup.pieces.iter().find(|(other, _)| *other == square);
            let limit = piece.and_then(|(_, piece)| definition.kinds[piece.kind].quiet_limit);
            limit.is_some_and(|limit| (1..=limit).contains(&count))
        };
        if let Some(&(square, _)) = setup.runs.iter().find(|run| !possible(run)) {
            return Err(SetupError::Run(board.name(square)));
        }
        let position = Position::from_sound_setup(variant, setup);
        if position.has_too_many_captures() {
            return Err(SetupError::TooManyCaptures);
        }
        Ok(position)
    }

    pub(crate) fn from_sound_setup(variant: &Variant, setup: &Setup) -> Position {
        struct Build<'a>(&'a Setup);
        impl RulesetVisitor for Build<'_> {
            type Output = AnyPosition;
            fn visit<R: Ruleset>(self, rules: R) -> AnyPosition {
                let mut position = BitPosition::empty(rules, self.0.turn);
                for &(square, piece) in &self.0.pieces {
                    let bit = rules.layout().bit(square);
                    position.put(rules, bit, piece.side, piece.kind as u8);
                }
                for &(square, count) in &self.0.runs {
                    let bit = rules.layout().bit(square);
                    let white = position.side(Side::White).has(bit);
                    let side = if white { Side::White } else { Side::Black };
                    position = position.with_run(rules, side, bit, count);
                }
                R::Bits::put(position)
            }
        }
        let body = match variant.grid() {
            Some(rules) => AnyPosition::Grid(Box::new(GridPosition::new(rules, setup))),
            None => variant.visit_loaded(Build(setup)).expect(BITS),
        };
        Position {
            variant: variant.clone(),
            body,
        }
    }

    /// The set-up of this position.
    pub fn setup(&self) -> Setup {
        let pieces = self.pieces();
        self.look(
            visitor!(AsSetup { pieces: Vec<(Square, Piece)> } -> Setup, |rules, position| {
                let layout = rules.layout();
                let runs = Side::BOTH.into_iter().filter_map(|side| position.run(side));
                Setup {
                    turn: position.turn(),
                    pieces,
                    runs: runs.map(|(bit, count)| (layout.square(bit), count)).collect(),
                }
            }, |grid| Setup {
                turn: grid.position.turn(),
                pieces,
                runs: grid.position.runs().collect(),
            }),
        )
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        match &self.body {
            AnyPosition::Small(position) => position.turn(),
            AnyPosition::Medium(position) => position.turn(),
            AnyPosition::Large(position) => position.turn(),
            AnyPosition::Grid(position) => position.turn(),
        }
    }

    /// A number that differs, in all likelihood, between different positions of a game.
    pub fn hash(&self) -> u64 {
        match &self.body {
            AnyPosition::Small(position) => position.hash(),
            AnyPosition::Medium(position) => position.hash(),
            AnyPosition::Large(position) => position.hash(),
            AnyPosition::Grid(position) => position.hash(),
        }
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.look(
            visitor!(At { square: Square } -> Option<Piece>, |rules, position| {
                let bit = rules.layout().bit(square);
                let side = Side::BOTH.into_iter().find(|&side| position.side(side).has(bit))?;
                let kind = usize::from(position.kind_at(bit));
                Some(Piece { side, kind })
            }, |grid| grid.position.piece(square)),
        )
    }

    /// All pieces, in reading order.
    pub fn pieces(&self) -> Vec<(Square, Piece)> {
        let mut pieces = Vec::new();
        self.each_piece(&mut |square, piece| pieces.push((square, piece)));
        pieces
    }

    /// Hands on all pieces, in reading order.
    pub fn each_piece(&self, on_piece: &mut dyn FnMut(Square, Piece)) {
        self.look(
            visitor!(Each { on_piece: &'a mut dyn FnMut(Square, Piece) } -> (), |rules, position| {
                for bit in position.occupied().members() {
                    let is_white = position.side(Side::White).has(bit);
                    let side = if is_white { Side::White } else { Side::Black };
                    let kind = usize::from(position.kind_at(bit));
                    on_piece(rules.layout().square(bit), Piece { side, kind });
                }
            }, |grid| {
                for (square, piece) in grid.position.pieces() {
                    on_piece(square, piece);
                }
            }),
        );
    }

    /// How many pieces a side has.
    pub fn count(&self, side: Side) -> u32 {
        self.look(visitor!(Count { side: Side } -> u32, |_rules, position| {
                position.side(side).count()
            }, |grid| grid.position.count(side)))
    }

    /// How many pieces of a kind a side has.
    pub fn count_kind(&self, side: Side, kind: usize) -> u32 {
        self.look(
            visitor!(CountKind { side: Side, kind: usize } -> u32, |rules, position| {
                position.pieces(rules, side, kind as u8).count()
            }, |grid| grid.position.count_kind(side, kind)),
        )
    }

    /// All legal moves. Captures with the same start, end, victims and promotion are one move.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.look(visitor!(Legal {} -> Vec<Move>, |rules, position| {
            let mut list = MoveList::new();
            movegen::moves(rules, position, &mut list);
            let way = |mv: &_| list.path(rules, position, mv);
            list.iter().map(|mv| Move::by_way(rules, mv, &way(mv))).collect()
        }, |grid| grid.moves()))
    }

    /// Hands on the start, the end and the captured squares of every legal move: quicker than
    /// [`Position::legal_moves`], which also finds the ways. Captured squares are in reading order.
    pub fn each_move(&self, on_move: &mut dyn FnMut(Square, Square, &[Square])) {
        self.look(
            visitor!(EachMove { on_move: &'a mut dyn FnMut(Square, Square, &[Square]) } -> (), |rules, position| {
                let square = |bit: usize| rules.layout().square(bit);
                let mut list = MoveList::new();
                let mut captured = Vec::new();
                movegen::moves(rules, position, &mut list);
                for mv in list.iter() {
                    captured.clear();
                    if !position.is_huff(rules, mv) {
                        captured.extend(mv.captured.members().map(square));
                    }
                    on_move(square(mv.from.into()), square(mv.to.into()), &captured);
                }
            }, |grid| {
                for mut mv in grid.moves() {
                    mv.captured.sort();
                    on_move(mv.from, mv.to, &mv.captured);
                }
            }),
        );
    }

    /// The legal move with this start, this end and these captured squares, in any order.
    pub fn move_between(&self, from: Square, to: Square, captured: &[Square]) -> Option<Move> {
        self.look(
            visitor!(Between { from: Square, to: Square, captured: &'a [Square] } -> Option<Move>, |rules, position| {
                let bit = |square: Square| rules.layout().try_bit(square);
                let (from, to) = (bit(from)? as u16, bit(to)? as u16);
                let mut taken = R::Bits::EMPTY;
                for &square in captured {
                    taken = taken | R::Bits::bit(bit(square)?);
                }
                let mut list = MoveList::new();
                movegen::moves(rules, position, &mut list);
                let fits = |mv: &&BitMove<R::Bits>| {
                    let is_huff = position.is_huff(rules, mv);
                    let victims = if is_huff { R::Bits::EMPTY } else { mv.captured };
                    mv.from == from && mv.to == to && victims == taken
                };
                let mv = list.iter().find(fits)?;
                Some(Move::new(rules, position, mv))
            }, |grid| {
                let fits = |mv: &Move| (mv.from, mv.to) == (from, to) && mv.takes_all_of(captured);
                grid.moves().into_iter().find(fits)
            }),
        )
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> u64 {
        self.look(visitor!(CountMoves {} -> u64, |rules, position| {
            let mut list = MoveList::new();
            movegen::moves(rules, position, &mut list);
            list.len() as u64
        }, |grid| grid.perft(1)))
    }

    /// Whether the side to move has a legal move.
    pub fn can_move(&self) -> bool {
        self.look(visitor!(CanMove {} -> bool, |rules, position| {
            movegen::can_move(rules, position)
        }, |grid| grid.can_move()))
    }

    /// Whether the side to move has a legal capture.
    pub fn can_capture(&self) -> bool {
        self.look(visitor!(CanCapture {} -> bool, |rules, position| {
            movegen::can_capture(rules, position)
        }, |grid| grid.can_capture()))
    }

    /// Whether there are more captures than can be listed; see
    /// [`Reason::TooManyCaptures`](crate::Reason::TooManyCaptures).
    pub fn has_too_many_captures(&self) -> bool {
        self.look(visitor!(TooMany {} -> bool, |rules, position| {
            if !movegen::can_capture(rules, position) {
                return false;
            }
            let mut list = MoveList::new();
            movegen::captures(rules, position, &mut list);
            list.too_many()
        }, |grid| grid.captures().1))
    }

    /// The same pieces with the other side to move.
    ///
    /// # Errors
    ///
    /// If that is no position: such as one where that side has too many captures.
    pub fn passed(&self) -> Result<Position, SetupError> {
        let setup = Setup {
            turn: !self.turn(),
            ..self.setup()
        };
        Position::new(&self.variant, &setup)
    }

    /// The position after a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal; the error says why.
    pub fn play(&self, mv: &Move) -> Result<Position, IllegalMove> {
        self.check_move(mv)?;
        Ok(self.play_unchecked(mv))
    }

    /// Whether a move is legal.
    ///
    /// # Errors
    ///
    /// If it is not; the error says why.
    pub fn check_move(&self, mv: &Move) -> Result<(), IllegalMove> {
        let legal = self.look(visitor!(Find { mv: &'a Move } -> bool, |rules, position| {
            let mut list = MoveList::new();
            movegen::moves(rules, position, &mut list);
            mv.in_bits(rules).is_some_and(|mv| list.contains(&mv))
        }, |grid| grid.moves().iter().any(|legal| legal.is_same_as(mv))));
        if legal {
            Ok(())
        } else {
            Err(refuse(self, &self.squares_text(mv), &mv.squares()))
        }
    }

    /// The position after a move that is known to be legal here.
    ///
    /// # Panics
    ///
    /// May panic or give nonsense if the move is not legal.
    #[must_use]
    pub fn play_unchecked(&self, mv: &Move) -> Position {
        let body = self.look(
            visitor!(Play { mv: &'a Move } -> AnyPosition, |rules, position| {
                let mv: BitMove<R::Bits> = mv.in_bits(rules).expect("a move of this board");
                R::Bits::put(position.play(rules, &mv))
            }, |grid| AnyPosition::Grid(Box::new(grid.play(mv)))),
        );
        Position {
            variant: self.variant.clone(),
            body,
        }
    }

    /// The same pieces under the rules of another variant of the same board.
    pub(crate) fn under(&self, variant: &Variant) -> Position {
        Position {
            variant: variant.clone(),
            body: self.body.clone(),
        }
    }

    /// The number of ways to play `depth` plies.
    ///
    /// ```
    /// let start = kingme_rules::Variant::named("frisian")?.start();
    /// assert_eq!(start.perft(4), 3_874);
    /// # Ok::<_, kingme_rules::UnknownVariant>(())
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match self.grid() {
            Some(grid) => grid.perft(depth),
            None => self.visit(Perft(depth)).expect(BITS),
        }
    }

    /// As [`Position::perft`], through the rules that are read from the data.
    pub fn perft_loaded(&self, depth: u32) -> u64 {
        match self.grid() {
            Some(grid) => grid.perft(depth),
            None => self.visit_loaded(Perft(depth)).expect(BITS),
        }
    }

    /// Calls the visitor with the fastest rules there are for this game, and the position in bits;
    /// `None` if the board is too large for them, see [`Variant::has_bits`].
    pub fn visit<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
        self.variant.visit(WithPosition(visitor, &self.body))
    }

    /// As [`Position::visit`], with rules that are read from the data.
    pub fn visit_loaded<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
        self.variant.visit_loaded(WithPosition(visitor, &self.body))
    }

    fn look<V: Look>(&self, visitor: V) -> V::Output {
        match self.grid() {
            Some(grid) => visitor.on_grid(grid),
            None => self.visit_loaded(visitor).expect(BITS),
        }
    }

    fn grid(&self) -> Option<Grid<'_>> {
        match (&self.body, self.variant.grid()) {
            (AnyPosition::Grid(position), Some(rules)) => Some(Grid { rules, position }),
            _ => None,
        }
    }
}

struct Perft(u32);

impl Visitor for Perft {
    type Output = u64;
    fn visit<R: Ruleset>(self, rules: R, position: &BitPosition<R::Bits>) -> u64 {
        perft(rules, position, self.0)
    }
}
