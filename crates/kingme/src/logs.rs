//! What a server says about itself: on standard error, for people on a terminal, as JSON elsewhere.

use std::io::IsTerminal;

use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

/// What is said if nobody asks for more or less.
const USUAL: &str = "info";

/// Has everything said that `wanted` asks for, `RUST_LOG` if it says nothing: a level, or levels by
/// module, such as `warn,kingme_server=debug`.
///
/// # Errors
///
/// If that is no level.
pub fn start(wanted: Option<&str>) -> Result<(), String> {
    let asked = std::env::var("RUST_LOG").ok();
    let text = wanted.or(asked.as_deref()).unwrap_or(USUAL);
    let levels: Targets = text.parse().map_err(|_: ParseError| {
        format!("`{text}` should be a level: error, warn, info, debug or trace")
    })?;
    let people = std::io::stderr().is_terminal();
    let human = people.then(|| fmt::layer().with_writer(std::io::stderr));
    let json = (!people).then(|| fmt::layer().json().with_writer(std::io::stderr));
    let lines = tracing_subscriber::registry().with(levels);
    // Whoever has set one up before keeps it.
    lines.with(human).with(json).try_init().unwrap_or_default();
    Ok(())
}
