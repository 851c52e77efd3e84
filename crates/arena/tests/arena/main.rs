//! The arena, seen from outside.

mod formats;
mod league;
mod matches;
mod referee;
mod scripted;
mod shared;
mod store;
mod swiss;
