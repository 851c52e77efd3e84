//! How soon a search ends when it is told to: `stop VARIANT… `; prints the median and the longest
//! time of 200 stops a game, in microseconds.
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use kingme_engine::{Engine, Handle, Limit, Options, Random};
use kingme_rules::{Game, Variant};

fn main() {
    for name in std::env::args().skip(1) {
        let game = Game::new(&Variant::named(&name).expect("a game"));
        let mut random = Random::new(1);
        let mut engine = Engine::new(Options::default());
        engine.prepare(game.variant());
        let mut waits: Vec<Duration> = (0..200)
            .map(|_| stop_once(&mut engine, &game, random.below(20_000) as u64))
            .collect();
        waits.sort();
        println!(
            "{name}: median {} µs, longest {} µs",
            waits[waits.len() / 2].as_micros(),
            waits[waits.len() - 1].as_micros()
        );
    }
}

/// From the call of `stop` to the answer of the search.
fn stop_once(engine: &mut Engine, game: &Game, after: u64) -> Duration {
    let handle = Handle::new();
    engine.set_handle(handle.clone());
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_micros(after));
        let now = Instant::now();
        handle.stop();
        now
    });
    engine.search(game, &Limit::INFINITE, &mut |_| ControlFlow::Continue(()));
    let ended = Instant::now();
    ended - stopper.join().expect("the stopper")
}
