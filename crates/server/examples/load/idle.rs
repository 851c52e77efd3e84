//! Sockets on which nothing happens.

use crate::Error;
use crate::play::Game;
use crate::site::{Site, Visitor};
use crate::told;

/// Opens so many sockets, and plays a game beside them.
pub async fn sockets(sockets: usize) -> Result<(), Error> {
    let site = Site::start().await?;
    let before = site.memory()?;
    let mut pages = Vec::new();
    for number in 0..sockets {
        match site
            .listen(&Visitor::new(number), "/api/games/socket")
            .await
        {
            Ok(page) => pages.push(page),
            Err(error) => {
                println!("no more than {} sockets: {error}", pages.len());
                break;
            }
        }
    }
    let held = site.memory()?;
    let each = (held - before) * 1_024 / pages.len().max(1) as u64;
    println!("{} sockets: {held} MB, {each} KB each", pages.len());
    // Room for a game's own.
    pages.truncate(pages.len().saturating_sub(10));
    let mut game = Game::begin(&site, sockets).await?;
    let mut times = Vec::new();
    for _ in 0..40 {
        times.extend(game.step(&site).await?);
    }
    println!("a move beside them: {}", told(&mut times));
    Ok(())
}
