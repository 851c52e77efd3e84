//! `kingme bot`: help for those who write bots.

use std::io::Write;
use std::time::Duration;

use kingme_players::hub::{Finding, Step, check_bot, python_command};
use kingme_players::{PlayerSpec, Sandbox, plainly};

use super::{Answer, Result, limit};
use crate::variant::VariantArgs;

/// Arguments of `kingme bot`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Walk through the protocol with a bot, step by step, and say what is wrong
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct CheckArgs {
    /// The bot's command, best in quotation marks, or `python:FILE:CLASS`
    #[arg(required = true, num_args = 1..)]
    command: Vec<String>,
    /// The game to check it in: a name or a variant file
    #[arg(long, default_value = "international")]
    variant: String,
    /// Play on a board of N by N squares
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// How long it may take to start and to get ready
    #[arg(long, value_name = "T", default_value = "10s", value_parser = limit)]
    start_limit: Duration,
    /// Seed for the positions that it is shown
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(args: Args) -> Result {
    let Action::Check(args) = args.action;
    let variant = VariantArgs {
        variant: args.variant,
        size: args.size,
    }
    .load()?;
    let (command, options) = command(&args.command)?;
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    let fine = check_bot(
        &command,
        &options,
        &Sandbox::default(),
        args.start_limit,
        &variant,
        args.seed,
        &mut |step| {
            if written.is_ok() {
                written = show(&mut out, step);
            }
        },
    );
    written?;
    writeln!(
        out,
        "{}",
        if fine {
            "This bot is fine."
        } else {
            "This bot is not ready yet."
        }
    )?;
    Ok(if fine { Answer::Yes } else { Answer::No })
}

/// A program with its arguments, and parameters to set.
type BotCommand = (Vec<String>, Vec<(String, String)>);

/// The words of a command: given one by one, as one text, or as the name of a player.
fn command(words: &[String]) -> std::result::Result<BotCommand, Box<dyn std::error::Error>> {
    let [one] = words else {
        return Ok((words.to_vec(), Vec::new()));
    };
    let spec = if one.starts_with("python:") || one.starts_with("hub:") {
        one.parse()?
    } else {
        format!("hub:{one}").parse()?
    };
    Ok(match spec {
        PlayerSpec::Hub { command, options } => (command, options),
        PlayerSpec::Python { file, class } => (python_command(&file, &class)?, Vec::new()),
        other => return Err(format!("`{other}` is not a program").into()),
    })
}

fn show(out: &mut impl Write, step: &Step) -> std::io::Result<()> {
    let (mark, text) = match &step.finding {
        Finding::Fine(text) => ("ok   ", text),
        Finding::Hint(text) => ("hint ", text),
        Finding::Wrong(text) => ("WRONG", text),
    };
    writeln!(out, "{mark} {}: {}", step.title, plainly(text))?;
    out.flush()
}
