//! The arena, seen from outside.

mod league;
mod matches;
mod referee;
mod scripted;
mod swiss;
