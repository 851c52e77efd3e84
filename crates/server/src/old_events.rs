//! Events as servers before stored them: read for ever, never written.

use kingme_play::{End, Event};
use kingme_rules::{Side, Variant};
use serde::Deserialize;

use crate::wire::SideJson;

/// An event as it is stored, today's form first.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum StoredEvent {
    /// Today's.
    Event(Event),
    /// One of the ends that were events of their own.
    Old(OldEnd),
}

/// How games ended before an end had a form of its own.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OldEnd {
    Resigned { side: SideJson },
    DrawAgreed,
    TimeOut { side: SideJson },
    Stopped,
    Decided { winner: Option<SideJson> },
}

impl StoredEvent {
    /// The event in today's form.
    pub fn into_event(self, variant: &Variant) -> Event {
        let old = match self {
            StoredEvent::Event(event) => return event,
            StoredEvent::Old(old) => old,
        };
        Event::Ended(match old {
            OldEnd::Resigned { side } => End::resigned(side.into(), variant),
            OldEnd::DrawAgreed => End::agreed(),
            OldEnd::TimeOut { side } => End::out_of_time(side.into(), variant),
            OldEnd::Stopped => End::aborted(STOPPED),
            OldEnd::Decided { winner } => {
                let why = "the league's referee decided";
                End::adjudicated(winner.map(Side::from), why, variant)
            }
        })
    }
}

/// How a game ends whose league was stopped.
pub const STOPPED: &str = "The league stopped and plays this again.";
