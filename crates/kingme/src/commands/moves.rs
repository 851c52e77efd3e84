//! `kingme moves`: the legal moves of a position.

use std::io::Write;

use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme moves`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// A position as PDN's FEN; the start if left out
    #[arg(long)]
    fen: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let position = args.variant.position(args.fen.as_deref())?;
    let mut texts = position.move_texts(&position.legal_moves());
    texts.sort();
    let mut out = std::io::stdout().lock();
    for text in texts {
        writeln!(out, "{text}")?;
    }
    Ok(Answer::Yes)
}
