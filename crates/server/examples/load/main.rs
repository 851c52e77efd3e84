//! What the server holds, and what an honest player feels meanwhile:
//!
//! ```sh
//! cargo build --release && cargo run --release -p kingme-server --example load -- WHAT
//! ```
//!
//! WHAT is `games [5000] [SECONDS]`, `flood [GAMES] [SECONDS]` where everybody moves as fast as they
//! can, `spectators [10000] [MOVES]`, `idle [SOCKETS]`, or `attack [NAME] [SECONDS]`, without a name
//! every attack in turn. The server is the real program, in a process of its own with a folder of its
//! own; `KINGME` names another one to compare with. Visitors come as through a proxy, each from an
//! address of their own. With `SERVERS=1` or `SERVERS=2` so many servers share a private
//! `PostgreSQL` that waits for its disk; with two of them the players of a game are at one each.

mod attack;
mod idle;
mod play;
mod site;

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// Whatever goes wrong ends it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: usize| match arguments.get(at) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no number")),
        None => Ok(usual),
    };
    let seconds = |at, usual| number(at, usual).map(|seconds| Duration::from_secs(seconds as u64));
    match arguments.first().map(String::as_str) {
        Some("games") => play::games(number(1, 5_000)?, seconds(2, 60)?, play::PACE).await,
        Some("flood") => play::games(number(1, 256)?, seconds(2, 30)?, Duration::ZERO).await,
        Some("spectators") => play::spectators(number(1, 10_000)?, number(2, 40)?).await,
        Some("idle") => idle::sockets(number(1, 20_000)?).await,
        Some("attack") => {
            let name = arguments.get(1).map(String::as_str);
            attack::all(name, seconds(2, 20)?).await
        }
        _ => Err("say what: games, flood, spectators, idle or attack".into()),
    }
}

/// Where others than the players are: what they send and receive does not pass the players' machine.
fn runtime() -> Result<Runtime, Error> {
    let mut builder = Builder::new_multi_thread();
    Ok(builder.worker_threads(1).enable_all().build()?)
}

/// How long things took, as a sentence.
fn told(times: &mut [Duration]) -> String {
    times.sort();
    let Some(last) = times.last() else {
        return "nothing happened".to_owned();
    };
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1_000.0);
    let (middle, p99, last) = (ms(at(50)), ms(at(99)), ms(*last));
    format!(
        "median {middle}, p99 {p99}, slowest {last} of {}",
        times.len()
    )
}
