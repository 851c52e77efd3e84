//! `cargo bench -p kingme-rules`: leaves a second of perft from the start, one thread, the last
//! ply counted. The games with constant keys are also measured through the rules that are read
//! from the data, as a user's own variant would be.

use divan::Bencher;
use divan::counter::ItemsCount;
use kingme_rules::{Position, Variant};

fn main() {
    divan::main();
}

const GAMES: &[(&str, u32)] = &[
    ("international", 9),
    ("english", 11),
    ("frisian", 9),
    ("russian", 10),
    ("brazilian", 10),
    ("italian", 10),
    ("turkish", 7),
    ("canadian", 7),
];

fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name)
}

fn measure(bencher: Bencher<'_, '_>, name: &str, perft: fn(&Position, u32) -> u64) {
    let start = Variant::named(name).expect("a shipped game").start();
    let depth = GAMES
        .iter()
        .find(|(game, _)| *game == name)
        .map_or(1, |(_, depth)| *depth);
    bencher
        .counter(ItemsCount::new(start.perft(depth)))
        .bench_local(|| perft(&start, depth));
}

#[divan::bench(args = names(), sample_count = 5)]
fn constant_keys(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Position::perft);
}

#[divan::bench(args = names(), sample_count = 3)]
fn keys_read_from_data(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Position::perft_loaded);
}
