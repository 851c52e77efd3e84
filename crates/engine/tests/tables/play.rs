//! With tables every won ending is won, against the best defence and any other, and every drawn
//! one is held.

use kingme_engine::tables::{Tables, Verdict, quick_pieces};
use kingme_rules::{Move, Piece, Position, Setup, Side, Variant};
use tempfile::TempDir;

use super::{build_in, named};

/// A small generator of seeded numbers.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// A random position with so many pieces, both sides on the board and both able to go on.
pub fn position(variant: &Variant, pieces: usize, dice: &mut Dice) -> Position {
    loop {
        let board = variant.board();
        let setup = Setup {
            pieces: (0..pieces)
                .map(|_| {
                    let square = board.square(dice.below(board.len())).unwrap();
                    let side = Side::BOTH[dice.below(2)];
                    let kind = dice.below(2);
                    (square, Piece { side, kind })
                })
                .collect(),
            ..Setup::empty(Side::BOTH[dice.below(2)])
        };
        if let Ok(position) = Position::new(variant, &setup)
            && Side::BOTH.iter().all(|&side| position.count(side) > 0)
        {
            return position;
        }
    }
}

/// How the side to move stands when it cannot move; these games are lost by that.
fn is_over(position: &Position) -> bool {
    position.count_moves() == 0
}

/// Plays on; `side` by the tables, the other by the tables or at random.
fn play_out(
    tables: &Tables,
    start: &Position,
    side: Side,
    dice: Option<&mut Dice>,
) -> (Position, usize) {
    let mut position = start.clone();
    let mut dice = dice;
    for ply in 0..400 {
        if is_over(&position) {
            return (position, ply);
        }
        let random = (position.turn() != side).then_some(dice.as_mut()).flatten();
        let mv: Move = match random {
            Some(dice) => {
                let moves = position.legal_moves();
                moves[dice.below(moves.len())].clone()
            }
            None => tables.best_move(&position).unwrap(),
        };
        position = position.play(&mv).unwrap();
    }
    (position, 400)
}

#[track_caller]
fn plays_perfectly(name: &str, pieces: usize, games: usize) {
    let directory = TempDir::new().unwrap();
    let variant = named(name);
    build_in(directory.path(), &variant, pieces);
    let tables = Tables::open(&variant, directory.path()).unwrap();
    let mut dice = Dice(2024);
    let mut seen = [0; 2];
    while seen.iter().any(|&count| count < games) {
        let start = position(&variant, pieces, &mut dice);
        let probe = tables.probe_position(&start).unwrap();
        let us = start.turn();
        let random = dice.below(2) == 1;
        match probe.verdict {
            Verdict::Win if seen[0] < games => {
                seen[0] += 1;
                let (end, plies) = play_out(&tables, &start, us, random.then_some(&mut dice));
                assert!(
                    is_over(&end) && end.turn() != us,
                    "{} after {plies}",
                    start.fen()
                );
            }
            Verdict::Draw if seen[1] < games => {
                seen[1] += 1;
                let (end, _) = play_out(&tables, &start, us, random.then_some(&mut dice));
                assert!(!is_over(&end) || end.turn() != us, "{}", start.fen());
            }
            _ => (),
        }
    }
}

#[test]
fn english_endings_of_four_are_won_and_held() {
    plays_perfectly("english", 4, 60);
}

#[test]
fn russian_endings_of_three_are_won_and_held() {
    plays_perfectly("russian", 3, 60);
}

#[test]
fn international_endings_of_three_are_won_and_held() {
    plays_perfectly("international", 3, 60);
}

#[test]
fn distances_are_kept_to_the_ply() {
    let directory = TempDir::new().unwrap();
    let variant = named("english");
    build_in(directory.path(), &variant, 3);
    let tables = Tables::open(&variant, directory.path()).unwrap();
    let mut dice = Dice(7);
    let mut checked = 0;
    while checked < 200 {
        let position = position(&variant, 3, &mut dice);
        let probe = tables.probe_position(&position).unwrap();
        let Some(distance) = probe.distance.filter(|&distance| distance > 1) else {
            continue;
        };
        let best = tables.best_move(&position).unwrap();
        assert!(!best.is_capture() && !best.is_promotion());
        let next = tables
            .probe_position(&position.play(&best).unwrap())
            .unwrap();
        assert_eq!(next.verdict, !probe.verdict);
        assert_eq!(next.distance, Some(distance - 1), "{}", position.fen());
        checked += 1;
    }
}

#[test]
fn two_kings_beat_one_but_not_in_the_double_corner() {
    let directory = TempDir::new().unwrap();
    let variant = named("english");
    build_in(directory.path(), &variant, 3);
    let tables = Tables::open(&variant, directory.path()).unwrap();
    let verdict = |fen: &str| {
        let position = Position::from_fen(&variant, fen).unwrap();
        tables.probe_position(&position).map(|probe| probe.verdict)
    };
    assert_eq!(verdict("W:WK18,K19:BK4"), Some(Verdict::Win));
    assert_eq!(verdict("B:WK18,K19:BK4"), Some(Verdict::Loss));
    assert_eq!(verdict("W:WK18:BK4"), Some(Verdict::Draw));
    assert_eq!(
        verdict("W:WK18,K19,K20:BK4"),
        None,
        "four pieces were not built"
    );
}

#[test]
fn what_takes_a_second_is_ready_at_first_use() {
    let directory = TempDir::new().unwrap();
    let variant = named("russian");
    assert_eq!(
        Tables::open(&variant, directory.path()).unwrap().pieces(),
        0
    );
    assert_eq!(
        Tables::ready(&variant, directory.path()).unwrap().pieces(),
        4
    );
    assert_eq!(
        Tables::open(&variant, directory.path()).unwrap().pieces(),
        4
    );
    let pieces = |name| {
        let variant = named(name);
        let quick = quick_pieces(&variant).unwrap();
        (quick, Tables::ready_pieces(&variant).unwrap())
    };
    assert_eq!(pieces("english"), (4, 5));
    assert_eq!(pieces("international"), (3, 4));
    assert_eq!(pieces("russian"), (4, 4));
}
