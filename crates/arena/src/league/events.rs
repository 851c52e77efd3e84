//! Reading the log: events, and the results and games that they make up.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use rules::{Game, Position, Side, Variant};
use rusqlite::Row;

use super::{Finished, LoggedGame};
use crate::record::{ChosenBy, EndReason, GameEnd, GameRecord, Incident, Ply};

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Start,
    Ply,
    End,
}

/// A row of the log.
pub(super) struct Event {
    at: i64,
    pub(super) game: u64,
    pub(super) kind: Kind,
    round: u32,
    players: [usize; 2],
    text: Option<String>,
    chosen: ChosenBy,
    time: i64,
    clock: Option<i64>,
    score: Option<f32>,
    depth: Option<u32>,
    nodes: Option<i64>,
    winner: Option<Side>,
    reason: Option<EndReason>,
    words: Option<String>,
}

impl Event {
    pub(super) fn read(row: &Row) -> rusqlite::Result<Event> {
        let number = |index| {
            row.get::<_, Option<i64>>(index)
                .map(Option::unwrap_or_default)
        };
        let kind: String = row.get(2)?;
        let chosen: Option<String> = row.get(7)?;
        let winner: Option<String> = row.get(13)?;
        let reason: Option<String> = row.get(14)?;
        Ok(Event {
            at: row.get(0)?,
            game: number(1)? as u64,
            kind: match kind.as_str() {
                "start" => Kind::Start,
                "ply" => Kind::Ply,
                _ => Kind::End,
            },
            round: number(3)? as u32,
            players: [number(4)? as usize, number(5)? as usize],
            text: row.get(6)?,
            chosen: match chosen.as_deref() {
                Some("s") => ChosenBy::Suggestion,
                Some("r") => ChosenBy::Referee,
                _ => ChosenBy::Player,
            },
            time: number(8)?,
            clock: row.get(9)?,
            score: row.get(10)?,
            depth: row.get(11)?,
            nodes: row.get(12)?,
            winner: winner.as_deref().and_then(|letter| match letter {
                "W" => Some(Side::White),
                "B" => Some(Side::Black),
                _ => None,
            }),
            reason: reason.and_then(|word| word.parse().ok()),
            words: row.get(15)?,
        })
    }

    /// The result, if this is the end of a game that counts.
    fn result(&self, round: u32, players: [usize; 2], plies: u32) -> Option<Finished> {
        let reason = self.reason.filter(|reason| *reason != EndReason::Aborted)?;
        Some(Finished {
            game: self.game,
            round,
            players,
            white_score: match self.winner {
                Some(Side::White) => 1.0,
                Some(Side::Black) => 0.0,
                None => 0.5,
            },
            reason,
            plies,
        })
    }
}

/// Counts results without building games.
#[derive(Default)]
pub(super) struct Results {
    open: BTreeMap<u64, (u32, [usize; 2], u32)>,
    pub(super) finished: BTreeMap<u64, Finished>,
}

impl Results {
    pub(super) fn count(&mut self, event: &Event) {
        match event.kind {
            Kind::Start => {
                self.open
                    .insert(event.game, (event.round, event.players, 0));
            }
            Kind::Ply => {
                if let Some((_, _, plies)) = self.open.get_mut(&event.game) {
                    *plies += 1;
                }
            }
            Kind::End => {
                let result = self
                    .open
                    .remove(&event.game)
                    .and_then(|(round, players, plies)| event.result(round, players, plies));
                if let Some(result) = result {
                    // The first result counts, should there ever be two.
                    self.finished.entry(event.game).or_insert(result);
                }
            }
        }
    }
}

/// A game that is being read.
pub(super) struct Open {
    at: i64,
    round: u32,
    players: [usize; 2],
    game: Option<Game>,
    plies: Vec<Ply>,
}

impl Open {
    pub(super) fn new(event: Event, variant: &Variant) -> Open {
        Open {
            at: event.at,
            round: event.round,
            players: event.players,
            game: event.text.and_then(|text| opening(&text, variant)),
            plies: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, event: Event) {
        let Some(game) = &mut self.game else { return };
        let side = game.turn();
        let played = if let Some(text) = &event.text {
            game.play_text(text).is_ok()
        } else {
            *game = crate::referee::passed(game);
            true
        };
        if !played {
            self.game = None;
            return;
        }
        self.plies.push(Ply {
            side,
            text: event.text,
            by: event.chosen,
            time: Duration::from_micros(event.time.max(0) as u64),
            clock: event
                .clock
                .map(|clock| Duration::from_micros(clock.max(0) as u64)),
            score: event.score,
            depth: event.depth,
            nodes: event.nodes.map(|nodes| nodes as u64),
            incident: event.reason.map(|reason| Incident {
                reason,
                words: event.words.unwrap_or_default(),
            }),
        });
    }

    pub(super) fn end(self, event: &Event) -> Option<LoggedGame> {
        let finished = event.result(self.round, self.players, self.plies.len() as u32)?;
        Some(LoggedGame {
            finished,
            began: SystemTime::UNIX_EPOCH + Duration::from_millis(self.at.max(0) as u64),
            record: GameRecord {
                game: self.game?,
                plies: self.plies,
                end: GameEnd {
                    winner: event.winner,
                    reason: finished.reason,
                    words: event.words.clone().unwrap_or_default(),
                },
            },
        })
    }
}

/// The game of an opening's lines: a FEN, then moves.
fn opening(text: &str, variant: &Variant) -> Option<Game> {
    let mut lines = text.lines();
    let start = Position::from_fen(variant, lines.next()?).ok()?;
    let mut game = Game::from_position(start);
    for line in lines {
        game.play_text(line).ok()?;
    }
    Some(game)
}
