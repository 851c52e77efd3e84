//! Searches from the start of a game: `think VARIANT DEPTH`.
use kingme_engine::{Engine, Limit, Options};
use kingme_rules::{Game, Variant};
use std::ops::ControlFlow;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let variant = Variant::named(&args[1]).unwrap();
    let game = Game::new(&variant);
    let mut engine = Engine::new(Options::default());
    engine.search(
        &game,
        &Limit::depth(args[2].parse().unwrap()),
        &mut |report| {
            let line = &report.lines[0];
            let mut at = game.position().clone();
            let texts: Vec<String> = line
                .moves
                .iter()
                .map(|mv| {
                    let t = at.move_text(mv);
                    at = at.play(mv).unwrap();
                    t
                })
                .collect();
            println!(
                "{:>3} {:>10} {:>8.3}s {:>6.2} Mn/s {} {}",
                report.depth,
                report.nodes,
                report.time.as_secs_f64(),
                report.nodes_per_second() / 1e6,
                line.score,
                texts.join(" ")
            );
            ControlFlow::Continue(())
        },
    );
}
