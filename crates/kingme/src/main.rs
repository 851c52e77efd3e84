//! The command: arguments in, one crate called, outcome out.

mod args;
mod commands;
mod examples;
mod listen;
mod logs;
#[cfg(target_os = "linux")]
mod session;
mod terminal;
mod variant;

use std::process::ExitCode;

use args::Command;
use commands::Answer;
use kingme_players::plainly;

fn main() -> ExitCode {
    let cli = match args::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return args::explain(&error),
    };
    let command = cli.command.unwrap_or_else(Command::default);
    #[cfg(target_os = "linux")]
    if command.is_timed() {
        match session::enter() {
            Ok(None) => {}
            Ok(Some(ended)) => return ended,
            Err(error) => {
                eprintln!(
                    "kingme: it can't have a session of its own: {}",
                    plainly(&error)
                );
                return ExitCode::from(2);
            }
        }
    }
    match commands::run(command) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        // Whoever reads our output has seen enough: `kingme moves english | head -1`.
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kingme: {}", plainly(&error));
            ExitCode::from(2)
        }
    }
}

/// Whether an error, or what lies behind it, is a reader who has gone.
fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source())
        .filter_map(|error| error.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
