//! What a server does, in numbers that Prometheus reads. Nobody's name or address is among them.

use std::fmt::Write as _;
use std::time::Duration;

use axum::http::StatusCode;
use kingme_play::Event;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// A label and its value.
type Label = [(&'static str, &'static str); 1];

/// The numbers that are counted as things happen.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    events: Family<Label, Counter>,
    commits: Histogram,
    answers: Family<Label, Counter>,
    answered: Histogram,
    now: Now,
}

/// The numbers that are looked up when somebody asks.
#[derive(Debug, Default)]
struct Now {
    games: Gauge,
    sockets: Gauge,
    waiting: Family<Label, Gauge>,
    log: Gauge,
}

/// How things stand at the moment.
#[derive(Copy, Clone, Debug, Default)]
pub struct Standing {
    /// Games in memory.
    pub games: usize,
    /// Sockets and streams.
    pub sockets: usize,
    /// What waits for a place, by the name of the room.
    pub waiting: [(&'static str, usize); 3],
    /// Bytes of the write-ahead log.
    pub log: u64,
}

/// From 0.1 ms to some seconds.
fn times() -> Histogram {
    Histogram::new([
        0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0,
    ])
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("kingme");
        let (events, answers) = (Family::default(), Family::default());
        let (commits, answered) = (times(), times());
        let now = Now::default();
        registry.register("events", "What happened in games", events.clone());
        let help = "From a decision to all listeners, the data base included";
        registry.register_with_unit("commit", help, Unit::Seconds, commits.clone());
        registry.register("answers", "Answers by their kind", answers.clone());
        let help = "From a request to the beginning of its answer";
        registry.register_with_unit("answer", help, Unit::Seconds, answered.clone());
        registry.register("games", "Games in memory", now.games.clone());
        registry.register("sockets", "Open sockets and streams", now.sockets.clone());
        let help = "Work that waits for a place";
        registry.register("waiting", help, now.waiting.clone());
        let help = "Size of the write-ahead log";
        registry.register_with_unit("log", help, Unit::Bytes, now.log.clone());
        Metrics {
            registry,
            events,
            commits,
            answers,
            answered,
            now,
        }
    }
}

impl Metrics {
    /// An event has happened, and took so long.
    pub fn event(&self, event: &Event, time: Duration) {
        let kind = match event {
            Event::Turn(_) => "turn",
            Event::Ended(_) => "end",
            _ => "other",
        };
        self.events.get_or_create(&[("kind", kind)]).inc();
        self.commits.observe(time.as_secs_f64());
    }

    /// A request was answered after so long.
    pub fn answer(&self, status: StatusCode, time: Duration) {
        let kind = match status.as_u16() {
            429 => "too many",
            400..500 => "refused",
            500.. => "failed",
            _ => "fine",
        };
        self.answers.get_or_create(&[("kind", kind)]).inc();
        self.answered.observe(time.as_secs_f64());
    }

    /// Everything as text.
    pub fn text(&self, standing: &Standing) -> String {
        self.now.games.set(standing.games as i64);
        self.now.sockets.set(standing.sockets as i64);
        self.now.log.set(standing.log as i64);
        for (room, waiting) in standing.waiting {
            let gauge = self.now.waiting.get_or_create(&[("room", room)]);
            gauge.set(waiting as i64);
        }
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            // A comment, so that what there is can still be read.
            write!(text, "# {error}").unwrap_or_default();
        }
        text
    }
}
