//! `kingme store`: where a server keeps games, accounts and leagues.

use super::serve::place;
use super::{Answer, Result};

/// Arguments of `kingme store`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Command {
    /// Copy all games, accounts and leagues from one place to another, which has to be empty
    Copy(CopyArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct CopyArgs {
    /// A server's folder, a backup, or a data base: `postgres://user@host/name`
    #[arg(value_name = "FROM")]
    from: String,
    /// A folder, which is made if it is not there, or a data base
    #[arg(value_name = "TO")]
    to: String,
}

/// Does what is asked for.
pub fn run(args: &Args) -> Result {
    let Command::Copy(CopyArgs { from, to }) = &args.command;
    let to = place(to)?;
    let copied = kingme_server::copy(&place(from)?, &to)?;
    println!(
        "{to} has all of it: {} players, {} games, {} events, {} leagues",
        copied.players, copied.games, copied.events, copied.leagues
    );
    Ok(Answer::Yes)
}
