//! `kingme hub`: the engine as a Hub process.

use super::tables::DataArgs;
use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme hub`.
#[derive(clap::Args)]
pub struct Args {
    /// The game to begin with, a name or a variant file; the other side may choose another
    #[arg(long, default_value = "international")]
    variant: String,
    /// Begin on a board of N by N squares
    #[arg(long, value_name = "N")]
    size: Option<u32>,
    /// Who answers
    #[arg(long, value_name = "P", default_value = "engine")]
    player: kingme_players::PlayerSpec,
    /// Seed for players that play by chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    data: DataArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result {
    let variant = VariantArgs {
        variant: args.variant,
        size: args.size,
    }
    .load()?;
    let thinker = args
        .player
        .thinker(&variant, args.seed, args.data.shelf())?;
    kingme_players::hub::serve(
        std::io::stdin().lock(),
        std::io::stdout(),
        &variant,
        thinker,
    )?;
    Ok(Answer::Yes)
}
