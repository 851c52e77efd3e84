//! The generator against the model: the same moves and the same positions, in random games and
//! random set-ups of every shipped game and of random ones.

use std::panic;

use kingme_rules::{Game, Move, Piece, Position, SetupError, Square, Variant};

use crate::model::{Cell, Model, ModelMove, Place, State, at, places};
use crate::random_variants::{self, Random};

/// Positions with more ways to jump than this are left out: the model would take minutes.
const JUMPS: usize = 3_000;

#[test]
fn random_games_of_shipped_variants() {
    for name in Variant::names() {
        let arena = Arena::new(Variant::named(name).unwrap());
        let mut random = Random(1);
        for _ in 0..rounds(6) {
            let state = arena.model.start();
            arena.walk(&mut random, arena.variant.start(), state, 100);
        }
    }
}

#[test]
fn random_set_ups_of_shipped_variants() {
    for name in Variant::names() {
        let arena = Arena::new(Variant::named(name).unwrap());
        arena.walk_from_set_ups(&mut Random(2), rounds(60));
    }
}

/// The well-known games have constant rules, but read where they promote.
#[test]
fn shipped_variants_that_promote_elsewhere() {
    let mut random = Random(9);
    for name in Variant::names() {
        for _ in 0..rounds(3) {
            let variant = Variant::named(name).unwrap();
            let variant = random_variants::with_promotion_squares(&mut random, &variant);
            Arena::new(variant).walk_from_set_ups(&mut random, 20);
        }
    }
}

#[test]
fn set_ups_as_fen_and_back() {
    for name in Variant::names() {
        let arena = Arena::new(Variant::named(name).unwrap());
        let mut random = Random(6);
        for _ in 0..rounds(60) {
            let kinds = arena.variant.definition().kinds.len();
            let state = random_variants::setup(&mut random, &arena.model, kinds);
            let fen = random_variants::fen(&arena.variant, &state);
            let position = Position::from_fen(&arena.variant, &fen).unwrap();
            arena.check_same(&position, &state);
            let again = Position::from_fen(&arena.variant, &position.fen()).unwrap();
            arena.check_same(&again, &state);
        }
    }
}

#[test]
fn random_variants() {
    let mut random = Random(3);
    for _ in 0..rounds(300) {
        let arena = Arena::new(random_variants::variant(&mut random));
        let state = arena.model.start();
        arena.walk(&mut random, arena.variant.start(), state, 20);
        arena.walk_from_set_ups(&mut random, 10);
    }
}

#[test]
fn random_variants_without_bits() {
    let mut random = Random(7);
    for _ in 0..rounds(100) {
        let arena = Arena::new(random_variants::variant_without_bits(&mut random));
        let state = arena.model.start();
        arena.walk(&mut random, arena.variant.start(), state, 10);
        arena.walk_from_set_ups(&mut random, 10);
    }
}

/// With bits up to 36×36, where every other square is played on, and square by square beyond.
#[test]
fn large_boards() {
    let games = [
        ("league", 28, true),
        ("league", 40, false),
        ("league", 100, false),
        ("international", 36, true),
        ("international", 38, false),
        ("frisian", 40, false),
        ("italian", 40, false),
    ];
    for (name, size, has_bits) in games {
        let arena = Arena::new(Variant::named(name).unwrap().sized(size).unwrap());
        assert_eq!(arena.variant.has_bits(), has_bits, "{name} {size}");
        let mut random = Random(8);
        let state = arena.model.start();
        arena.walk(&mut random, arena.variant.start(), state, rounds(20));
        arena.walk_from_set_ups(&mut random, rounds(10));
    }
}

/// The landing square of the second jump has prey in all eight directions.
#[test]
fn a_third_jump_in_the_middle_of_eight() {
    let arena = Arena::new(Variant::named("frisian").unwrap());
    let fen = "W:W46:B18,22,23,27,29,32,33,38,41";
    let position = Position::from_fen(&arena.variant, fen).unwrap();
    let state = arena.state(&position);
    let paths = arena.model.paths_within(&state, 1_000_000).unwrap();
    let moves = arena.check_moves(&position, &state, &paths);
    assert!(moves.iter().all(|mv| mv.captured.len() > 2));
}

/// How often to repeat; `ROUNDS=100` makes a test a hundred times as long.
fn rounds(number: usize) -> usize {
    let times = std::env::var("ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok());
    number * times.unwrap_or(1)
}

struct Arena {
    variant: Variant,
    model: Model,
}

impl Arena {
    fn new(variant: Variant) -> Arena {
        let model = Model::new(variant.definition());
        Arena { variant, model }
    }

    fn walk_from_set_ups(&self, random: &mut Random, number: usize) {
        for _ in 0..number {
            let kinds = self.variant.definition().kinds.len();
            let state = random_variants::setup(random, &self.model, kinds);
            let position = match random_variants::position(&self.variant, &state) {
                Err(SetupError::TooManyCaptures) => continue,
                position => position.unwrap(),
            };
            self.walk(random, position, state, 8);
        }
    }

    /// Plays random moves in the generator and in the model, and compares them on the way.
    fn walk(&self, random: &mut Random, mut position: Position, mut state: State, plies: usize) {
        self.check_same(&position, &state);
        for ply in 0..plies {
            if position.has_too_many_captures() {
                return;
            }
            let Some(paths) = self.model.paths_within(&state, JUMPS) else {
                return;
            };
            let moves = self.check_moves(&position, &state, &paths);
            // Once a walk, and on boards where it is quick.
            if ply == 3 && self.variant.board().len() <= 64 {
                self.check_counts(&position, &state, &moves);
            }
            if moves.is_empty() {
                let outcome = Game::from_position(position).outcome().cloned();
                let winner = outcome.map(|outcome| outcome.winner);
                assert_eq!(
                    winner,
                    Some(self.model.winner(&state)),
                    "{}",
                    self.describe(&state)
                );
                return;
            }
            let mv = random.pick(&moves);
            let next = position.play(&mv).unwrap_or_else(|error| {
                panic!("{}: {mv:?}: {error}", self.describe(&state));
            });
            state = self.model.play(&state, &self.translate(&mv));
            position = next;
            let anew = random_variants::position(&self.variant, &state);
            if let Ok(anew) = anew {
                assert_eq!(position.hash(), anew.hash(), "{}", self.describe(&state));
            }
            self.check_same(&position, &state);
        }
    }

    fn check_moves(
        &self,
        position: &Position,
        state: &State,
        paths: &[(ModelMove, Vec<Place>)],
    ) -> Vec<Move> {
        let moves = panic::catch_unwind(|| position.legal_moves())
            .unwrap_or_else(|_| panic!("{}the generator panics", self.describe(state)));
        let mut ours: Vec<ModelMove> = moves.iter().map(|mv| self.translate(mv)).collect();
        ours.sort();
        let mut models: Vec<ModelMove> = paths.iter().map(|(mv, _)| mv.clone()).collect();
        models.dedup();
        if ours != models {
            let only = |these: &[ModelMove], those: &[ModelMove]| -> Vec<ModelMove> {
                let missing = these.iter().filter(|mv| !those.contains(mv));
                missing.cloned().collect()
            };
            panic!(
                "{}only the generator has {:?}\nonly the model has {:?}\n{} against {} moves",
                self.describe(state),
                only(&ours, &models),
                only(&models, &ours),
                ours.len(),
                models.len(),
            );
        }
        for mv in &moves {
            let path = mv.path.iter().map(|&square| self.place(square)).collect();
            let known = paths.binary_search(&(self.translate(mv), path)).is_ok();
            assert!(known, "{}no such way: {mv:?}", self.describe(state));
            let piece = Cell::Piece(state.turn, mv.kind);
            assert_eq!(at(state, self.place(mv.from)), piece, "{mv:?}");
        }
        let number = moves.len() as u64;
        assert_eq!(position.perft(1), number, "{}", self.describe(state));
        assert_eq!(position.perft_loaded(1), number, "{}", self.describe(state));
        assert_eq!(position.can_move(), number > 0, "{}", self.describe(state));
        check_ends(position, &moves);
        moves
    }

    /// Counting goes other ways than listing, and with constant rules than with read ones: two
    /// plies use them all.
    fn check_counts(&self, position: &Position, state: &State, moves: &[Move]) {
        // Many kings make captures by the hundred thousand, a ply later.
        let is_king = |place: &Place| matches!(at(state, *place), Cell::Piece(_, 1..));
        if places(state).iter().filter(|place| is_king(place)).count() > 6 {
            return;
        }
        let children = moves.iter().map(|mv| position.play_unchecked(mv));
        let two: u64 = children.map(|child| child.legal_moves().len() as u64).sum();
        assert_eq!(position.perft(2), two, "{}", self.describe(state));
        assert_eq!(position.perft_loaded(2), two, "{}", self.describe(state));
    }

    /// A position as the model has it.
    fn state(&self, position: &Position) -> State {
        let mut state = self.model.start();
        state.turn = position.turn();
        for place in places(&state) {
            let square = self.variant.board().at(place.0, place.1).unwrap();
            state.grid[place.0][place.1] = match position.piece(square) {
                None => Cell::Empty,
                Some(Piece { side, kind }) => Cell::Piece(side, kind),
            };
        }
        state
    }

    fn check_same(&self, position: &Position, state: &State) {
        assert_eq!(position.turn(), state.turn);
        for place in places(state) {
            let square = self.variant.board().at(place.0, place.1).unwrap();
            let cell = match position.piece(square) {
                None => Cell::Empty,
                Some(Piece { side, kind }) => Cell::Piece(side, kind),
            };
            let same = cell == at(state, place);
            assert!(same, "on {place:?} of\n{}", self.describe(state));
        }
    }

    fn translate(&self, mv: &Move) -> ModelMove {
        let mut captured: Vec<Place> = mv.captured.iter().map(|&s| self.place(s)).collect();
        captured.sort_unstable();
        ModelMove {
            from: self.place(mv.from),
            to: self.place(mv.to),
            captured,
            huffed: mv.huffed.map(|square| self.place(square)),
            becomes: mv.becomes,
        }
    }

    fn place(&self, square: Square) -> Place {
        self.variant.board().row_column(square)
    }

    /// Rules, position and a picture of it, for the reader of a failed test.
    fn describe(&self, state: &State) -> String {
        let definition = self.variant.definition();
        let game = if definition.name == "random" {
            format!("{definition:#?}")
        } else {
            definition.name.clone()
        };
        let fen = random_variants::fen(&self.variant, state);
        let mut text = format!("{game}\n{fen}\nruns {:?}\n", state.runs);
        for row in &state.grid {
            text.extend(row.iter().map(|cell| match *cell {
                Cell::Off => ' ',
                Cell::Empty => '.',
                Cell::Piece(side, kind) => definition.kinds[kind].letters[side],
            }));
            text += "\n";
        }
        text
    }
}

/// Moves without their ways are the same moves, and lead back to them.
fn check_ends(position: &Position, moves: &[Move]) {
    let mut rest = moves.iter();
    position.each_move(&mut |from, to, captured| {
        let mv = rest.next().expect("no more than there are");
        let mut taken = mv.captured.clone();
        taken.sort();
        assert_eq!((mv.from, mv.to, taken.as_slice()), (from, to, captured));
    });
    assert_eq!(rest.next(), None);
    // Looking for each of them would take too long.
    if let Some(mv) = moves.last() {
        let found = position.move_between(mv.from, mv.to, &mv.captured);
        let found = found.expect("it is legal");
        assert_eq!((found.from, found.to), (mv.from, mv.to));
        assert_eq!(found.huffed, mv.huffed);
        assert_eq!(found.captured.len(), mv.captured.len());
    }
}
