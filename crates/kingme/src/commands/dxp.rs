//! `kingme dxp`: games with programs that speak `DamExchange`.

use std::net::{SocketAddr, TcpListener};

use kingme_players::dxp::{Hosted, PORT, check_board, serve};
use kingme_players::plainly;
use kingme_rules::Variant;

use super::tables::DataArgs;
use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme dxp`.
#[derive(clap::Args)]
pub struct Args {
    /// Where to listen, as 127.0.0.1:27531 or 27531; the default is this machine only
    #[arg(long, value_name = "ADDR", default_value_t = SocketAddr::from(([127, 0, 0, 1], PORT)), value_parser = crate::listen::address)]
    listen: SocketAddr,
    /// The game, a name or a variant file, on a board of 50 squares
    #[arg(long, default_value = "international")]
    variant: String,
    /// Who plays against those who call
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
        size: None,
    }
    .load()?;
    check_board(&variant)?;
    let equipment = kingme_players::Equipment {
        tables: args.data.shelf(),
        ..kingme_players::Equipment::default()
    };
    let mut player = args.player.open_with(&variant, args.seed, &equipment)?;
    let socket =
        TcpListener::bind(args.listen).map_err(|error| format!("{}: {error}", args.listen))?;
    println!("listening on {}", socket.local_addr()?);
    for stream in socket.incoming() {
        let mut show = |event: &Hosted| println!("{}", in_words(event, &variant));
        // One caller's mistakes are no reason to leave the others alone.
        if let Err(error) = serve(
            stream?,
            &variant,
            &mut *player,
            &kingme_play::Stop::new(),
            &mut show,
        ) {
            println!("the caller is gone: {}", plainly(&error));
        }
    }
    Ok(Answer::Yes)
}

fn in_words(event: &Hosted, variant: &Variant) -> String {
    let names = &variant.definition().sides.names;
    match event {
        Hosted::Began { opponent, side } => format!("{opponent} plays; we have {}", names[*side]),
        Hosted::Moved { side, text } => format!("{}: {text}", names[*side]),
        Hosted::Ended { winner: Some(side) } => format!("{} wins", names[*side]),
        Hosted::Ended { winner: None } => "a draw, or not decided".to_owned(),
        Hosted::Said(text) => format!("they say: {text}"),
    }
}
