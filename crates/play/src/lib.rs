//! A game in play, for every screen and every player.
//!
//! A [`Session`] is a game with its seats, its clock, its offers and its end. It changes by
//! [`Event`]s only: [`Session::decide`] says which event a [`Command`] leads to, or why it is
//! refused; whoever drives the session writes the event down, and then [`Session::apply`] makes it
//! true. So a session is what its events make it, here and after every restart.
//!
//! Nothing here waits, reads a clock or talks to anybody: the time is given, and so is chance.

mod answer;
mod chance;
mod clock;
mod codec;
mod command;
mod end;
mod event;
mod judge;
mod pdn;
mod policy;
mod seat;
mod session;
mod stop;
mod time_control;

pub use answer::{Answer, Reply};
pub use chance::Chance;
pub use clock::{Clock, Moment};
pub use codec::{escaped, read_ply, unescaped, write_ply};
pub use command::{By, Command, Refusal};
pub use end::{End, EndReason};
pub use event::{ChosenBy, Event, Incident, Offer, Ply};
pub use pdn::{Heading, Program, minute, to_pdn};
pub use policy::{Adjudication, Agreement, Measure, OnIllegal, OnLate, Policy, Verdicts};
pub use seat::{PlayerId, Seat};
pub use session::{Session, Stakes, Terms, Unfit};
pub use stop::{OnStop, Stop};
pub use time_control::{TimeControl, TimeError, duration};
