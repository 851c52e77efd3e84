//! Bots as real processes: the examples, the Python adapter, and `bot check`.

mod check;
mod dxp;
mod examples;
mod interpreters;
mod league;
mod ponder;
mod python;
mod server;
mod support;
