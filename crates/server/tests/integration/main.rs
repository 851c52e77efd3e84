//! The API as clients see it, without a socket where that is possible.

mod client;

mod accounts;
mod analysis;
mod bots;
mod documentation;
mod games;
mod health;
mod hostile;
mod leagues;
mod live;
mod pages;
mod shared;
mod stored;
mod works;
