//! The engine with tables: it wins what is won and holds what is drawn, in games with all their
//! draw rules; and what its search proves alone, the tables confirm.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use kingme_engine::tables::{BuildConfig, Tables, Verdict, build};
use kingme_engine::{Engine, Limit, Options};
use kingme_rules::{Game, Move, Position, Side, Variant};
use tempfile::TempDir;

use super::play::{Dice, position};
use super::{build_in, named};

const GO_ON: fn(&kingme_engine::Report) -> ControlFlow<()> = |_| ControlFlow::Continue(());

fn engine(tables: Option<(&Variant, &Arc<Tables>)>) -> Engine {
    let mut engine = Engine::new(Options {
        hash: 1,
        ..Options::default()
    });
    if let Some((variant, tables)) = tables {
        engine.use_tables(variant, Arc::clone(tables));
    }
    engine
}

/// The defender's move: by the tables, or any.
fn defence(tables: &Tables, game: &Game, dice: Option<&mut Dice>) -> Move {
    match dice {
        None => tables.best_move(game.position()).unwrap(),
        Some(dice) => {
            let moves = game.legal_moves();
            moves[dice.below(moves.len())].clone()
        }
    }
}

/// Plays to the end, or long enough: the engine for the side to move at the start. Returns the
/// winner.
fn play(
    engine: &mut Engine,
    tables: &Tables,
    start: &Position,
    mut dice: Option<&mut Dice>,
) -> Option<Side> {
    let us = start.turn();
    let mut game = Game::from_position(start.clone());
    for _ in 0..300 {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let mv = if game.turn() == us {
            let choice = engine.search(&game, &Limit::nodes(2_000), &mut { GO_ON });
            choice.unwrap().mv
        } else {
            defence(tables, &game, dice.as_deref_mut())
        };
        game.play(&mv).unwrap();
    }
    None
}

/// Plays so many won and so many drawn endings, half of them against the best defence.
#[track_caller]
fn plays_perfectly(directory: &Path, variant: &Variant, pieces: usize, games: usize) {
    let tables = Arc::new(Tables::open(variant, directory).unwrap());
    assert!(tables.pieces() >= pieces);
    let mut engine = engine(Some((variant, &tables)));
    let mut dice = Dice(2026);
    let mut seen = [0; 2];
    while seen.iter().any(|&count| count < games) {
        let start = position(variant, pieces, &mut dice);
        if start.count_moves() == 0 {
            continue;
        }
        let verdict = tables.probe_position(&start).unwrap().verdict;
        let expected = match verdict {
            Verdict::Win if seen[0] < games => Some(start.turn()),
            Verdict::Draw if seen[1] < games => None,
            _ => continue,
        };
        seen[usize::from(verdict == Verdict::Draw)] += 1;
        let random = dice.below(2) == 1;
        let winner = play(&mut engine, &tables, &start, random.then_some(&mut dice));
        // Whoever holds a draw may win when the other side errs.
        let fine = winner == expected || (random && winner == Some(start.turn()));
        assert!(fine, "{} {verdict:?}, random: {random}", start.fen());
    }
}

#[track_caller]
fn wins_and_holds(name: &str, pieces: usize) {
    let directory = TempDir::new().unwrap();
    let variant = named(name);
    build_in(directory.path(), &variant, pieces);
    plays_perfectly(directory.path(), &variant, pieces, 40);
}

#[test]
fn english_endings_of_four() {
    wins_and_holds("english", 4);
}

#[test]
fn russian_endings_of_four() {
    wins_and_holds("russian", 4);
}

#[test]
fn international_endings_of_four() {
    wins_and_holds("international", 4);
}

/// The tables of the most pieces are inside the program, and have no distances.
#[track_caller]
fn wins_and_holds_as_it_comes(name: &str, pieces: usize) {
    let directory = TempDir::new().unwrap();
    let variant = named(name);
    Tables::ready(&variant, directory.path()).unwrap();
    plays_perfectly(directory.path(), &variant, pieces, 25);
}

#[test]
fn english_endings_of_five_as_it_comes() {
    wins_and_holds_as_it_comes("english", 5);
}

#[test]
fn international_endings_of_four_as_it_comes() {
    wins_and_holds_as_it_comes("international", 4);
}

#[test]
fn without_distances_the_search_finds_the_way() {
    let directory = TempDir::new().unwrap();
    let variant = named("english");
    let config = BuildConfig {
        pieces: 4,
        distances: 3,
        ..BuildConfig::default()
    };
    build(&variant, directory.path(), &config, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    plays_perfectly(directory.path(), &variant, 4, 25);
}

#[test]
fn wins_that_a_search_proves_are_wins_in_the_tables() {
    for (name, pieces) in [("english", 4), ("russian", 3), ("international", 3)] {
        let directory = TempDir::new().unwrap();
        let variant = named(name);
        build_in(directory.path(), &variant, pieces);
        let tables = Tables::open(&variant, directory.path()).unwrap();
        let mut engine = engine(None);
        let mut dice = Dice(11);
        let mut proven = [0; 2];
        for _ in 0..400 {
            let start = position(&variant, pieces, &mut dice);
            let game = Game::from_position(start.clone());
            if game.outcome().is_some() {
                continue;
            }
            let choice = engine.search(&game, &Limit::depth(9), &mut { GO_ON });
            let Some(plies) = choice.unwrap().score.plies_to_end() else {
                continue;
            };
            let expected = if plies > 0 {
                Verdict::Win
            } else {
                Verdict::Loss
            };
            let verdict = tables.probe_position(&start).unwrap().verdict;
            assert_eq!(verdict, expected, "{name} {} in {plies}", start.fen());
            proven[usize::from(plies > 0)] += 1;
        }
        assert!(proven.iter().all(|&count| count > 20), "{name} {proven:?}");
    }
}
