//! `kingme swiss`: tournament files of arbiters' programs, TRF16.

use std::fmt::Write as _;
use std::io::Write as _;

use kingme_arena::swiss::{Pairing, Tournament, pair, placings};

use super::{Answer, Result};

/// Arguments of `kingme swiss`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Pair the next round by the FIDE (Dutch) system
    Pair {
        /// A tournament file, TRF16
        file: String,
    },
    /// Print the table, with Buchholz and Sonneborn-Berger
    Table {
        /// A tournament file, TRF16
        file: String,
    },
    /// Pair all rounds again, and say which differ
    Check {
        /// A tournament file, TRF16
        file: String,
    },
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let (text, answer) = match &args.action {
        Action::Pair { file } => {
            let tournament = open(file)?;
            let pairing = pair(&tournament).map_err(|error| {
                let round = tournament.played + 1;
                format!("{file}: round {round}: {error}")
            })?;
            (boards(&tournament, &pairing), Answer::Yes)
        }
        Action::Table { file } => (standings(&open(file)?), Answer::Yes),
        Action::Check { file } => check(&open(file)?),
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(answer)
}

fn open(file: &str) -> std::result::Result<Tournament, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    // Many programs write a byte for each letter.
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        error
            .as_bytes()
            .iter()
            .map(|&byte| char::from(byte))
            .collect()
    });
    Tournament::from_trf(&text).map_err(|error| format!("{file}: {error}").into())
}

/// The boards of a round.
fn boards(tournament: &Tournament, pairing: &Pairing) -> String {
    let name = |player: usize| format!("{} {}", player + 1, tournament.players[player].name);
    let mut text = format!("round {}\n", tournament.played + 1);
    for (board, &[white, black]) in pairing.meetings.iter().enumerate() {
        line(
            &mut text,
            format_args!("{:>3}  {} - {}", board + 1, name(white), name(black)),
        );
    }
    if let Some(player) = pairing.bye {
        line(&mut text, format_args!("     {} has the bye", name(player)));
    }
    text
}

fn standings(tournament: &Tournament) -> String {
    let widths = tournament
        .players
        .iter()
        .map(|player| player.name.chars().count());
    let width = widths.max().unwrap_or(0).max(6);
    let mut text = format!("  #   No {:width$}  Points  Buchholz      S-B\n", "Player");
    for (place, row) in placings(tournament).iter().enumerate() {
        let half = |halves: u32| f64::from(halves) / 2.0;
        line(
            &mut text,
            format_args!(
                "{:>3} {:>4} {:width$}  {:>6.1}  {:>8.1}  {:>7.2}",
                place + 1,
                row.player + 1,
                tournament.players[row.player].name,
                half(row.halves),
                half(row.buchholz),
                f64::from(row.sonneborn_berger) / 4.0
            ),
        );
    }
    text
}

/// Which rounds are paired as the rules want it.
fn check(tournament: &Tournament) -> (String, Answer) {
    let mut text = String::new();
    let mut answer = Answer::Yes;
    for round in 0..tournament.played {
        let before = tournament.before(round);
        let played = tournament.paired_in(round);
        let fault = match pair(&before) {
            Ok(ours) if ours.has_the_same(&played) => continue,
            Ok(ours) => format!("should be\n{}", boards(&before, &ours)),
            Err(error) => format!("{error}\n"),
        };
        answer = Answer::No;
        write!(text, "round {}: {fault}", round + 1).expect("a string takes it");
    }
    if answer == Answer::Yes {
        line(
            &mut text,
            format_args!("{} rounds are paired by the rules", tournament.played),
        );
    }
    (text, answer)
}

fn line(text: &mut String, words: std::fmt::Arguments) {
    writeln!(text, "{words}").expect("a string takes it");
}
