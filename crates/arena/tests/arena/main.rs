//! The arena, seen from outside.

mod matches;
mod referee;
mod scripted;
