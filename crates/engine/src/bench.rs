//! A fixed amount of work in every game: its node count changes only when play does.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use kingme_rules::{Game, Variant};

use crate::engine::{Engine, Options};
use crate::limit::Limit;
use crate::random::Random;

/// What the benchmark measured in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// The game.
    pub variant: String,
    /// Positions searched.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
}

/// Positions of each game: the start, and after so many random plies.
const POSITIONS: [usize; 4] = [0, 12, 30, 50];
/// Plies to search in each.
const DEPTH: u32 = 9;
/// No position takes more nodes than this: games with hundreds of moves would take minutes.
const NODES: u64 = 300_000;

/// Searches the positions of every game with one thread; tells of each game when it is done.
pub fn bench(on_game: &mut dyn FnMut(&Bench)) {
    for name in Variant::names() {
        let Ok(variant) = Variant::named(name) else {
            continue;
        };
        let mut engine = Engine::new(Options {
            hash: 16,
            ..Options::default()
        });
        let limit = Limit {
            nodes: Some(NODES),
            ..Limit::depth(DEPTH)
        };
        let mut nodes = 0;
        let began = Instant::now();
        for plies in POSITIONS {
            let game = wander(&variant, plies);
            engine.clear();
            nodes += engine
                .think(&game, &limit, 1, &mut |_| ControlFlow::Continue(()))
                .map_or(0, |report| report.nodes);
        }
        on_game(&Bench {
            variant: name.to_owned(),
            nodes,
            time: began.elapsed(),
        });
    }
}

/// A game after random moves, the same on every machine; not over if that can be helped.
fn wander(variant: &Variant, plies: usize) -> Game {
    let mut random = Random::new(2);
    let mut game = Game::new(variant);
    for _ in 0..plies {
        if let Some(mv) = random.choose(&game.legal_moves()) {
            game.play(mv).expect("a legal move");
        }
    }
    if game.outcome().is_some() {
        game.undo();
    }
    game
}
