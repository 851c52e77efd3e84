//! A slow solver written from the definition of a verdict, on the public positions of `rules`:
//! repeat until nothing changes.

use std::collections::HashMap;

use kingme_engine::tables::{Tables, Verdict};
use kingme_rules::variant::{Corner, Obligation, SquareNames, Start, Stuck};
use kingme_rules::{Piece, Position, Setup, Side, Square, Variant};
use tempfile::TempDir;

use super::{build_in, named};

/// Every position with so many pieces.
fn positions(variant: &Variant, pieces: usize) -> Vec<Position> {
    let squares: Vec<Square> = variant.board().squares().collect();
    let mut sets: Vec<Vec<(Square, Piece)>> = vec![Vec::new()];
    for &square in &squares {
        let grown: Vec<_> = sets
            .iter()
            .filter(|set| set.len() < pieces)
            .flat_map(|set| {
                let kinds = Side::BOTH
                    .into_iter()
                    .flat_map(|side| [0, 1].map(|kind| Piece { side, kind }));
                kinds.map(move |piece| {
                    let mut set = set.clone();
                    set.push((square, piece));
                    set
                })
            })
            .collect();
        sets.extend(grown);
    }
    let setup = |(pieces, turn)| Setup {
        pieces,
        ..Setup::empty(turn)
    };
    sets.into_iter()
        .filter(|set| set.len() == pieces)
        .flat_map(|set| Side::BOTH.map(|turn| (set.clone(), turn)))
        .filter_map(|set| Position::new(variant, &setup(set)).ok())
        .collect()
}

fn is_over(position: &Position) -> Option<Verdict> {
    let end = position.variant().definition().end;
    if end.king_wins && position.count_kind(!position.turn(), Piece::KING) > 0 {
        return Some(Verdict::Loss);
    }
    (position.count_moves() == 0).then_some(match end.stuck {
        Stuck::Loses => Verdict::Loss,
        Stuck::Wins => Verdict::Win,
        Stuck::MostPieces => unreachable!("not among the games tried here"),
    })
}

/// The verdict of every position of up to so many pieces, by FEN.
fn solve(variant: &Variant, pieces: usize) -> HashMap<String, (Position, Verdict)> {
    let mut verdicts: HashMap<String, Option<Verdict>> = HashMap::new();
    let mut all: Vec<(String, Position, Vec<String>)> = Vec::new();
    for position in (1..=pieces).flat_map(|pieces| positions(variant, pieces)) {
        let fen = position.fen();
        verdicts.insert(fen.clone(), is_over(&position));
        let moves = position.legal_moves();
        let next = |mv: &kingme_rules::Move| position.play_unchecked(mv).fen();
        let next = moves.iter().map(next).collect();
        all.push((fen, position, next));
    }
    loop {
        let mut changed = false;
        for (fen, _, next) in &all {
            if verdicts[fen].is_some() {
                continue;
            }
            let known: Vec<Option<Verdict>> = next.iter().map(|fen| verdicts[fen]).collect();
            let verdict = if known.contains(&Some(Verdict::Loss)) {
                Verdict::Win
            } else if known.iter().all(|verdict| *verdict == Some(Verdict::Win)) {
                Verdict::Loss
            } else {
                continue;
            };
            verdicts.insert(fen.clone(), Some(verdict));
            changed = true;
        }
        if !changed {
            break;
        }
    }
    all.into_iter()
        .map(|(fen, position, _)| {
            let verdict = verdicts[&fen].unwrap_or(Verdict::Draw);
            (fen, (position, verdict))
        })
        .collect()
}

fn compare(variant: &Variant, pieces: usize) {
    let directory = TempDir::new().unwrap();
    build_in(directory.path(), variant, pieces);
    let tables = Tables::open(variant, directory.path()).unwrap();
    let mut compared = 0;
    for (fen, (position, verdict)) in solve(variant, pieces) {
        let both = Side::BOTH.iter().all(|&side| position.count(side) > 0);
        if both && position.pieces().len() > 1 {
            let found = tables.probe_position(&position).map(|probe| probe.verdict);
            assert_eq!(found, Some(verdict), "{} {fen}", variant.name());
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn the_slow_solver_agrees_on_four_by_four() {
    for name in [
        "english",
        "russian",
        "international",
        "poddavki",
        "antidraughts",
        "breakthrough",
        "italian",
        "spanish",
    ] {
        compare(&named(name).sized(4).unwrap(), 3);
    }
}

#[test]
fn the_slow_solver_agrees_on_a_lopsided_board() {
    // Without half-turn symmetry each side has tables of its own.
    let mut definition = named("english").sized(4).unwrap().definition().clone();
    definition.name = "lopsided".to_owned();
    definition.board.holes = vec![(0, 1)];
    definition.board.sizes = None;
    let variant = Variant::from_definition(definition).unwrap();
    compare(&variant, 3);
}

#[test]
fn the_slow_solver_agrees_where_promotion_squares_are_listed() {
    // The same for both sides after half a turn, and not.
    for (white, black) in [("3", "6"), ("3", "8"), ("1", "7")] {
        let mut definition = named("russian").sized(4).unwrap().definition().clone();
        definition.name = "listed".to_owned();
        definition.board.sizes = None;
        definition.notation.squares = SquareNames::Numbers;
        definition.notation.corner = Corner::TopLeft;
        definition.start = Start::Rows { gap: 2, offset: 0 };
        definition.promotion.white = vec![white.to_owned()];
        definition.promotion.black = vec![black.to_owned()];
        let variant = Variant::from_definition(definition).unwrap();
        compare(&variant, 3);
    }
}

#[test]
fn the_slow_solver_agrees_where_captures_are_free() {
    let mut definition = named("russian").sized(4).unwrap().definition().clone();
    definition.name = "free".to_owned();
    definition.capture.obligation = Obligation::May;
    definition.capture.priority = Vec::new();
    let variant = Variant::from_definition(definition).unwrap();
    compare(&variant, 3);
}
