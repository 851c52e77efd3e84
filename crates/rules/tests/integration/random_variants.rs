//! Games nobody plays: rules drawn at random, so that every combination of keys is met.

use kingme_rules::variant::{
    Capture, CaptureBy, Corner, Criterion, Directions, End, InCapture, Kind, Landing, Promotion,
    PromotionSquares, Range, Reach, SquareNames, Squares, Start, Stuck,
};
use kingme_rules::{Definition, Piece, Position, Setup, SetupError, Side, Variant};

use crate::model::{Cell, Model, Place, Run, State, pieces, places, set};

/// A small generator of random numbers (splitmix64): the same seed gives the same tests everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }

    pub fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// A random game that no check objects to.
pub fn variant(random: &mut Random) -> Variant {
    loop {
        if let Ok(variant) = Variant::from_definition(definition(random)) {
            return variant;
        }
    }
}

fn definition(random: &mut Random) -> Definition {
    let names: Vec<&str> = Variant::names().collect();
    let name = random.pick(&names);
    let mut definition = Variant::named(name).unwrap().definition().clone();
    "random".clone_into(&mut definition.name);
    definition.draws.counters.clear();
    definition.notation.game_type = None;
    definition.notation.squares = random.pick(&[
        SquareNames::Numbers,
        SquareNames::Letters,
        SquareNames::Capitals,
        SquareNames::RowColumn,
    ]);
    definition.notation.corner = random.pick(&[
        Corner::BottomLeft,
        Corner::BottomRight,
        Corner::TopLeft,
        Corner::TopRight,
    ]);
    definition.sides.first = random.pick(&Side::BOTH);
    definition.sides.top = random.pick(&Side::BOTH);
    board(random, &mut definition);
    kinds(random, &mut definition);
    definition.capture = capture(random);
    definition.promotion = Promotion {
        squares: random.pick(&[PromotionSquares::LastRow, PromotionSquares::Edge]),
        in_capture: random.pick(&[
            InCapture::Ends,
            InCapture::GoesOnAsMan,
            InCapture::GoesOnAsKing,
        ]),
    };
    definition.end = End {
        stuck: random.pick(&[Stuck::Loses, Stuck::Wins, Stuck::MostPieces]),
        king_wins: random.percent(3),
    };
    definition
}

fn board(random: &mut Random, definition: &mut Definition) {
    let (least, most) = match random.below(20) {
        0 => (2, 26),
        1 | 2 => (10, 16),
        _ => (4, 10),
    };
    let rows = random.between(least.max(4), most) as u8;
    let columns = random.between(least, most) as u8;
    let board = &mut definition.board;
    (board.rows, board.columns, board.sizes) = (rows, columns, None);
    board.squares = random.pick(&[Squares::Odd, Squares::Even, Squares::All]);
    board.holes.clear();
    if random.percent(40) {
        for _ in 0..random.between(1, 6) {
            let hole = (
                random.below(rows.into()) as u8,
                random.below(columns.into()) as u8,
            );
            let sum = hole.0 + hole.1;
            let played_on = match board.squares {
                Squares::All => true,
                Squares::Even => sum.is_multiple_of(2),
                Squares::Odd => !sum.is_multiple_of(2),
            };
            if played_on && !board.holes.contains(&hole) {
                board.holes.push(hole);
            }
        }
    }
    let offset = u8::from(rows > 5 && random.percent(25));
    let most_gap = rows - 2 - 2 * offset;
    let gap = random.between(0, usize::from(most_gap) / 2) as u8 * 2 + rows % 2;
    let gap = gap.min(most_gap);
    definition.start = Start::Rows { gap, offset };
}

fn kinds(random: &mut Random, definition: &mut Definition) {
    definition.kinds.truncate(2);
    let looks = [("man", "", ['w', 'b']), ("king", "K", ['W', 'B'])];
    for (kind, (name, fen, letters)) in definition.kinds.iter_mut().zip(looks) {
        (kind.name, kind.fen, kind.letters) = (name.into(), fen.into(), letters);
    }
    for (name, fen, letters) in [("guard", "G", ['g', 'G']), ("horse", "H", ['h', 'H'])] {
        if !random.percent(25) {
            break;
        }
        let mut kind = definition.kinds[random.below(2)].clone();
        (kind.name, kind.fen, kind.letters) = (name.into(), fen.into(), letters);
        definition.kinds.push(kind);
    }
    let (number, every_square) = (
        definition.kinds.len(),
        definition.board.squares == Squares::All,
    );
    for (index, kind) in definition.kinds.iter_mut().enumerate() {
        kind.takes.retain(|&taken| taken < number);
        if index > 1 {
            kind.takes = (0..number).filter(|_| random.percent(80)).collect();
        }
        kind.becomes = kind.becomes.filter(|&becomes| becomes < number);
        abilities(random, kind, index, number, every_square);
    }
}

/// Changes about half of what a piece can do.
fn abilities(random: &mut Random, kind: &mut Kind, index: usize, kinds: usize, every_square: bool) {
    let diagonal = Directions::named("diagonal").unwrap();
    if random.percent(50) || !every_square {
        kind.moves = directions(random);
        if !every_square {
            kind.moves = within(kind.moves, diagonal);
        }
    }
    if random.percent(50) {
        kind.range = random.pick(&[Range::Step, Range::Slide, Range::Slide, Range::Leap]);
    }
    if random.percent(60) {
        kind.captures = directions(random);
    }
    kind.capture_by = CaptureBy::Jump;
    kind.reach = random.pick(&[Reach::Short, Reach::Long]);
    if random.percent(5) {
        kind.range = Range::Anywhere;
    }
    if random.percent(10) {
        kind.capture_by = CaptureBy::Replacement;
        kind.reach = random.pick(&[Reach::Short, Reach::Long, Reach::Anywhere]);
    }
    kind.landing = random.pick(&[Landing::Any, Landing::Next, Landing::NextAfterKing]);
    if random.percent(30) {
        kind.takes = (0..kinds).filter(|_| random.percent(70)).collect();
    }
    kind.becomes = match random.below(10) {
        0 => None,
        1 => Some(random.below(kinds)),
        _ if index == 1 => None,
        _ => Some(1),
    };
    kind.becomes = kind.becomes.filter(|&becomes| becomes != index);
    kind.quiet_limit = random.percent(25).then(|| random.between(1, 3) as u8);
}

/// Often a set with a name, else any set.
fn directions(random: &mut Random) -> Directions {
    if random.percent(60) {
        return random.pick(&Directions::GROUPS).1;
    }
    Directions::NAMES
        .iter()
        .filter(|_| random.percent(40))
        .filter_map(|name| Directions::named(name))
        .fold(Directions::NONE, Directions::union)
}

fn within(directions: Directions, others: Directions) -> Directions {
    directions
        .names()
        .filter(|name| others.names().any(|other| other == *name))
        .filter_map(Directions::named)
        .fold(Directions::NONE, Directions::union)
}

fn capture(random: &mut Random) -> Capture {
    let obligatory = random.percent(85);
    let chain_must_go_on = random.percent(80);
    let mut criteria = vec![
        Criterion::MostPieces,
        Criterion::ByKing,
        Criterion::MostKings,
        Criterion::KingsFirst,
        Criterion::MostValue,
    ];
    if !chain_must_go_on {
        criteria.retain(|c| ![Criterion::MostPieces, Criterion::MostValue].contains(c));
    }
    let mut priority = Vec::new();
    while obligatory && !criteria.is_empty() && random.percent(55) {
        priority.push(criteria.swap_remove(random.below(criteria.len())));
    }
    Capture {
        obligatory,
        priority,
        chain_must_go_on,
        remove_at_once: random.percent(40),
        turn_back: random.percent(60),
    }
}

/// A random set-up with many kings: pieces anywhere, or few against many with gaps to jump into.
pub fn setup(random: &mut Random, model: &Model, kinds: usize) -> State {
    let mut state = model.start();
    for place in places(&state) {
        set(&mut state, place, Cell::Empty);
    }
    state.turn = random.pick(&Side::BOTH);
    let mostly = random.below(kinds);
    let gaps = random.percent(50);
    for (place, side) in if gaps {
        gappy(random, &state)
    } else {
        scattered(random, &state)
    } {
        let kind = if random.percent(50) {
            mostly
        } else {
            random.below(kinds)
        };
        // A man on its last row is a king already.
        let kind = model.promoted(kind, side, place);
        if model.promoted(kind, side, place) == kind {
            set(&mut state, place, Cell::Piece(side, kind));
        }
    }
    state.runs = Side::BOTH.map(|side| run(random, model, &state, side));
    state
}

/// A piece with a limit of quiet moves that has made some of them.
fn run(random: &mut Random, model: &Model, state: &State, side: Side) -> Option<Run> {
    let pieces = pieces(state, side);
    let (at, kind) = pieces.get(random.below(pieces.len().max(1)))?;
    let limit = model.definition.kinds[*kind].quiet_limit?;
    let has_men = pieces.iter().any(|(_, kind)| *kind == 0);
    has_men.then(|| Run {
        at: *at,
        moves: random.between(1, limit.into()) as u8,
    })
}

/// The generator's position for a state of the model.
pub fn position(variant: &Variant, state: &State) -> Result<Position, SetupError> {
    let square = |(row, column): Place| variant.board().at(row, column).unwrap();
    let mut setup = Setup::empty(state.turn);
    for side in Side::BOTH {
        let pieces = pieces(state, side).into_iter();
        setup
            .pieces
            .extend(pieces.map(|(place, kind)| (square(place), Piece { side, kind })));
        setup
            .runs
            .extend(state.runs[side].map(|run| (square(run.at), run.moves)));
    }
    Position::new(variant, &setup)
}

fn scattered(random: &mut Random, state: &State) -> Vec<(Place, Side)> {
    let mut free = places(state);
    let most = (free.len() * 2 / 3).clamp(1, 30);
    (0..random.between(1, most).min(free.len()))
        .map(|number| {
            let place = free.swap_remove(random.below(free.len()));
            (place, Side::BOTH[(number + random.below(4) / 3) % 2])
        })
        .collect()
}

/// The mover's pieces on every other row and column, its enemies between them.
fn gappy(random: &mut Random, state: &State) -> Vec<(Place, Side)> {
    let (row, column) = random.pick(&places(state));
    let (few, many) = (random.between(3, 20), random.between(10, 45));
    let mut chosen = vec![((row, column), state.turn)];
    for place in places(state) {
        let mine = place.0 % 2 == row % 2 && place.1 % 2 == column % 2;
        let (chance, side) = if mine {
            (few, state.turn)
        } else {
            (many, !state.turn)
        };
        if place != (row, column) && random.percent(chance) && chosen.len() < 30 {
            chosen.push((place, side));
        }
    }
    chosen
}

/// What FEN writes for a state of the model.
pub fn fen(variant: &Variant, state: &State) -> String {
    let mut fen = state.turn.letter().to_string();
    for side in Side::BOTH {
        let squares: Vec<String> = pieces(state, side)
            .into_iter()
            .map(|((row, column), kind)| {
                let square = variant.board().at(row, column).unwrap();
                let letter = &variant.definition().kinds[kind].fen;
                format!("{letter}{}", variant.board().fen_name(square))
            })
            .collect();
        fen += ":";
        fen.push(side.letter());
        fen += &squares.join(",");
    }
    fen
}
