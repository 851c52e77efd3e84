//! Bots as real processes: the examples, the Python adapter, and `bot check`.

mod examples;
mod league;
mod python;
mod server;
mod support;
