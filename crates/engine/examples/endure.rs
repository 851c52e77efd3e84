//! How much memory a long analysis takes: `endure VARIANT SECONDS`.
//!
//! Every tenth of the time it prints the depth, the nodes and the memory of this process.
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kingme_engine::{Engine, Handle, Limit, Options};
use kingme_rules::{Game, Variant};

fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.unwrap_or("VmRSS: unknown").to_owned()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = Game::new(&Variant::named(&args[1]).expect("a game"));
    let time = Duration::from_secs(args[2].parse().expect("seconds"));
    let handle = Handle::new();
    let mut engine = Engine::new(Options {
        lines: 3,
        threads: 2,
        ..Options::default()
    });
    engine.set_handle(handle.clone());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let began = Instant::now();
            for tenth in 1..=10 {
                let until = time * tenth / 10;
                while began.elapsed() < until && !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(50));
                }
                println!("{:>6.0?} {}", began.elapsed(), resident());
            }
            handle.stop();
        });
        engine.search(&game, &Limit::INFINITE, &mut |report| {
            println!("depth {} {} nodes", report.depth, report.nodes);
            ControlFlow::Continue(())
        });
        done.store(true, Ordering::Relaxed);
    });
}
