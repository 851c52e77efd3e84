//! A search needs no more memory the longer it lasts. A test of its own: what others use at the
//! same time would count.
#![cfg(target_os = "linux")]

use std::ops::ControlFlow;

use kingme_engine::{Engine, Limit, Options};
use kingme_rules::{Game, Variant};

/// Kilobytes of memory that this process uses.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.unwrap().parse().unwrap()
}

#[test]
fn no_memory_grows_with_time() {
    let game = Game::new(&Variant::named("russian").unwrap());
    let mut engine = Engine::new(Options {
        hash: 4,
        lines: 3,
        threads: 2,
        ..Options::default()
    });
    let mut search = |nodes| {
        engine.search(&game, &Limit::nodes(nodes), &mut |_| {
            ControlFlow::Continue(())
        });
        resident()
    };
    // The table of positions is full after the first search.
    let before = search(400_000);
    for _ in 0..8 {
        search(30_000);
    }
    let after = search(800_000);
    assert!(after < before + 3_000, "{before} KB, then {after} KB");
}
