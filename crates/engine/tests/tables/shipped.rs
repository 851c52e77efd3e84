//! Tables inside the program: nobody has to build them, and every verdict follows from those of
//! the moves.

use kingme_engine::tables::{Tables, Verdict};
use kingme_rules::Position;
use tempfile::TempDir;

use super::named;
use super::play::{Dice, position};

/// What the verdicts after all moves make of a position.
fn derived(tables: &Tables, position: &Position) -> Verdict {
    let moves = position.legal_moves();
    let after = moves.iter().map(|mv| {
        let next = position.play(mv).unwrap();
        let is_over = next.count_moves() == 0;
        tables.probe_position(&next).map_or_else(
            || panic!("{} over: {is_over}", next.fen()),
            |probe| probe.verdict,
        )
    });
    let after: Vec<Verdict> = after.collect();
    if after.contains(&Verdict::Loss) {
        Verdict::Win
    } else if after.contains(&Verdict::Draw) {
        Verdict::Draw
    } else {
        Verdict::Loss
    }
}

#[track_caller]
fn is_sound(name: &str, pieces: usize) {
    let directory = TempDir::new().unwrap();
    let variant = named(name);
    let tables = Tables::ready(&variant, directory.path()).unwrap();
    assert_eq!(tables.pieces(), pieces);
    let mut dice = Dice(7);
    let mut seen = [0; 3];
    for _ in 0..3_000 {
        let position = position(&variant, pieces, &mut dice);
        let verdict = tables.probe_position(&position).unwrap().verdict;
        assert_eq!(verdict, derived(&tables, &position), "{}", position.fen());
        seen[verdict as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn english_with_five_pieces() {
    is_sound("english", 5);
}

#[test]
fn international_with_four_pieces() {
    is_sound("international", 4);
}
