//! Which kingme this is, and how quick it is here.

use std::ops::ControlFlow;
use std::time::Instant;

use kingme_arena::sha256;
use kingme_engine::{Engine, Limit, Options, shipped};
use kingme_rules::{Game, Variant};

/// The version of kingme with what its evaluations are made of: what another one plays can't be told
/// from what this one plays by its moves.
pub fn program() -> String {
    let weights = Variant::names().filter_map(shipped);
    let sums: String = weights.map(sha256).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!("kingme {version} {}", &sha256(sums.as_bytes())[..12])
}

/// At so many positions the engine looks in its trial: a tenth of a second.
const TRIAL: u64 = 300_000;

/// How many positions a second our engine looks at on this machine, with one thread.
pub fn speed() -> f64 {
    let variant = Variant::named("international").expect("it comes with the program");
    let mut engine = Engine::new(Options {
        hash: 8,
        ..Options::default()
    });
    let mut nodes = 0;
    let began = Instant::now();
    engine.search(&Game::new(&variant), &Limit::nodes(TRIAL), &mut |report| {
        nodes = report.nodes;
        ControlFlow::Continue(())
    });
    nodes as f64 / began.elapsed().as_secs_f64()
}
