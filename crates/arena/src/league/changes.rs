//! What changes in a league while it goes on: players come, leave and get new versions, time and
//! other conditions change. Each change is an event in the log, with its time, and holds for the
//! games that end after it; nothing is in progress when a league changes.

use std::time::SystemTime;

use kingme_play::{Program, escaped, unescaped};

use super::{Entry, LeagueError, LeagueFile, Own, Round};
use kingme_players::PlayerSpec;

/// A change of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub at: SystemTime,
    /// Which stretch of the league it began, from 0: what it was begun with. All changes that come
    /// together begin one.
    pub era: u32,
    /// What.
    pub what: What,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Somebody takes part from now on, with the next number.
    Joined {
        /// Its name.
        name: String,
        /// What it plays.
        plays: String,
    },
    /// Somebody has left.
    Withdrew(usize),
    /// Somebody who had left is back.
    Returned(usize),
    /// A player plays something else, or a new version of it.
    Version {
        /// Who.
        player: usize,
        /// What it plays from now on.
        plays: String,
    },
    /// A player's program was started, and is another one than before, or the first.
    Program {
        /// Who.
        player: usize,
        /// What it is.
        is: Program,
    },
    /// The file of openings has other contents, or is known for the first time.
    Book {
        /// The SHA-256 of what it was; empty if it was not known.
        from: String,
        /// And of what it is.
        to: String,
    },
    /// A key of the file has another value.
    Condition {
        /// Which.
        key: String,
        /// What it was.
        from: String,
        /// What it is.
        to: String,
    },
}

/// All that has been decided in a league up to now, beside its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// What changed, in order; first of all, who takes part.
    pub changes: Vec<Change>,
    /// The rounds that have been paired.
    pub rounds: Vec<Round>,
}

/// A player as the log knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub name: String,
    pub plays: String,
    pub withdrawn: bool,
}

impl History {
    /// The stretch that the league is in.
    pub fn era(&self) -> u32 {
        self.changes.last().map_or(0, |change| change.era)
    }

    /// Changes since it began.
    pub fn later_changes(&self) -> impl Iterator<Item = &Change> {
        let is_later = |(index, change): &(usize, &Change)| match &change.what {
            What::Program { player, is } => self.has_had_other_file(*index, *player, &is.hash),
            What::Book { from, .. } => !from.is_empty(),
            _ => change.era > 0,
        };
        let changes = self.changes.iter().enumerate();
        changes.filter(is_later).map(|(_, change)| change)
    }

    /// Whether the last that was known of a player's program before a change is another file.
    fn has_had_other_file(&self, index: usize, player: usize, hash: &str) -> bool {
        let mut before = self.changes[..index].iter().rev();
        before
            .find_map(|change| match &change.what {
                What::Program { player: who, is } if *who == player => Some(is.hash != hash),
                _ => None,
            })
            .unwrap_or(false)
    }

    /// How many times conditions had changed by a stretch.
    pub fn conditions_at(&self, era: u32) -> usize {
        let mut eras: Vec<u32> = self
            .changes
            .iter()
            .filter(|change| change.what.is_condition())
            .map(|change| change.era)
            .filter(|&other| other <= era)
            .collect();
        eras.dedup();
        eras.len()
    }

    /// The SHA-256 of the openings that were played last; empty if it is not known.
    pub(super) fn book(&self) -> &str {
        let mut changes = self.changes.iter().rev();
        let last = changes.find_map(|change| match &change.what {
            What::Book { to, .. } => Some(to.as_str()),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// A player's version in a stretch, from 0, and what it plays there.
    pub fn version_at(&self, player: usize, era: u32) -> (usize, &str) {
        let (mut version, mut last, mut joined) = (0, "", 0);
        for change in self.changes.iter().filter(|change| change.era <= era) {
            match &change.what {
                What::Joined { plays, .. } => {
                    if joined == player {
                        last = plays;
                    }
                    joined += 1;
                }
                What::Version { player: who, plays } if *who == player => {
                    version += 1;
                    last = plays;
                }
                _ => {}
            }
        }
        (version, last)
    }

    /// Everybody who takes part or once did, by number.
    pub(super) fn roster(&self) -> Vec<Known> {
        let mut roster: Vec<Known> = Vec::new();
        for change in &self.changes {
            match &change.what {
                What::Joined { name, plays } => roster.push(Known {
                    name: name.clone(),
                    plays: plays.clone(),
                    withdrawn: false,
                }),
                What::Withdrew(player) => roster[*player].withdrawn = true,
                What::Returned(player) => roster[*player].withdrawn = false,
                What::Version { player, plays } => roster[*player].plays.clone_from(plays),
                What::Program { .. } | What::Book { .. } | What::Condition { .. } => {}
            }
        }
        roster
    }

    /// What a league's file changes; the players of the file have the numbers of the roster.
    pub(super) fn changes_to(
        &self,
        file: &LeagueFile,
        conditions: &[(String, String)],
    ) -> Vec<What> {
        let mut changes = Vec::new();
        let roster = self.roster();
        for (player, known) in roster.iter().enumerate() {
            let entry = &file.players[player];
            match (known.withdrawn, entry.withdrawn) {
                (false, true) => changes.push(What::Withdrew(player)),
                (true, false) => changes.push(What::Returned(player)),
                _ => {}
            }
            let plays = entry.version_text();
            if !entry.withdrawn && plays != known.plays {
                changes.push(What::Version { player, plays });
            }
        }
        for entry in &file.players[roster.len()..] {
            changes.push(What::joined(entry));
        }
        for (key, to) in &file.conditions {
            let before = conditions.iter().find(|(other, _)| other == key);
            let from = before.map_or("", |(_, from)| from);
            if from != to {
                changes.push(What::Condition {
                    key: key.clone(),
                    from: from.to_owned(),
                    to: to.clone(),
                });
            }
        }
        if file.book != self.book() {
            changes.push(What::Book {
                from: self.book().to_owned(),
                to: file.book.clone(),
            });
        }
        changes
    }
}

impl LeagueFile {
    /// Gives the players the numbers that the log has for them: those it knows first, also those
    /// who are in the file no more, then the new ones.
    pub(super) fn enrol(&mut self, history: &History) -> Result<(), LeagueError> {
        let mut left = std::mem::take(&mut self.players);
        for known in history.roster() {
            let found = left.iter().position(|entry| entry.name == known.name);
            let entry = match found {
                Some(index) => left.remove(index),
                None => Entry::withdrawn(&known)?,
            };
            self.players.push(entry);
        }
        self.players.append(&mut left);
        Ok(())
    }
}

/// What stands between a player and what it has of its own.
const WITH: &str = ", with ";

impl Entry {
    /// What it plays, with its version if it has one, and what it has of its own that makes it
    /// stronger or weaker.
    pub(super) fn version_text(&self) -> String {
        let version = self.version.as_ref();
        let version = version.map_or_else(String::new, |version| format!(", version {version}"));
        let time = self.own.time.iter().map(ToString::to_string);
        let cores = self.own.cores.iter().map(|cores| format!("cores {cores}"));
        let env = self
            .own
            .env
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let own: Vec<String> = time.chain(cores).chain(env).collect();
        let mark = if own.is_empty() { "" } else { WITH };
        format!("{}{version}{mark}{}", self.plays, own.join(", "))
    }

    /// Somebody whom the file does not have any more.
    fn withdrawn(known: &Known) -> Result<Entry, LeagueError> {
        let plays = known.plays.split(WITH).next().unwrap_or_default();
        let plays = plays.split(", version ").next().unwrap_or_default();
        let plays: PlayerSpec = plays.parse().map_err(|error| LeagueError::Player {
            name: known.name.clone(),
            why: format!("{error}"),
        })?;
        Ok(Entry {
            name: known.name.clone(),
            plays,
            trusted: false,
            version: None,
            withdrawn: true,
            owner: None,
            own: Own::default(),
        })
    }
}

impl What {
    pub(super) fn joined(entry: &Entry) -> What {
        What::Joined {
            name: entry.name.clone(),
            plays: entry.version_text(),
        }
    }

    /// Whether games are played otherwise from then on.
    fn is_condition(&self) -> bool {
        match self {
            What::Condition { .. } => true,
            What::Book { from, .. } => !from.is_empty(),
            _ => false,
        }
    }

    /// Its name in the log, and the rest as a line.
    pub(super) fn write(&self) -> (&'static str, String) {
        let line = |fields: &[&str]| {
            let fields: Vec<String> = fields.iter().map(|field| escaped(field)).collect();
            fields.join("\t")
        };
        match self {
            What::Joined { name, plays } => ("joined", line(&[name, plays])),
            What::Withdrew(player) => ("withdrew", player.to_string()),
            What::Returned(player) => ("returned", player.to_string()),
            What::Version { player, plays } => ("version", line(&[&player.to_string(), plays])),
            What::Program { player, is } => (
                "program",
                line(&[&player.to_string(), &is.version, &is.hash]),
            ),
            What::Book { from, to } => ("book", line(&[from, to])),
            What::Condition { key, from, to } => ("condition", line(&[key, from, to])),
        }
    }

    /// What a line of the log says; `None` if it is something else.
    pub(super) fn read(kind: &str, line: &str) -> Option<What> {
        let mut fields = line.split('\t').map(unescaped);
        let mut next = || fields.next();
        Some(match kind {
            "joined" => What::Joined {
                name: next()?,
                plays: next()?,
            },
            "withdrew" => What::Withdrew(next()?.parse().ok()?),
            "returned" => What::Returned(next()?.parse().ok()?),
            "version" => What::Version {
                player: next()?.parse().ok()?,
                plays: next()?,
            },
            "program" => What::Program {
                player: next()?.parse().ok()?,
                is: Program {
                    version: next()?,
                    hash: next()?,
                },
            },
            "book" => What::Book {
                from: next()?,
                to: next()?,
            },
            "condition" => What::Condition {
                key: next()?,
                from: next()?,
                to: next()?,
            },
            _ => return None,
        })
    }

    /// It in words; `name` knows the players.
    pub fn in_words(&self, name: &dyn Fn(usize) -> String) -> String {
        let value = |text: &str| match text {
            "" => "nothing".to_owned(),
            text => text.to_owned(),
        };
        match self {
            What::Joined { name, plays } => format!("{name} joins and plays {plays}"),
            What::Withdrew(player) => format!("{} withdraws", name(*player)),
            What::Returned(player) => format!("{} is back", name(*player)),
            What::Version { player, plays } => {
                format!("{} plays {plays}, rated anew", name(*player))
            }
            What::Program { player, .. } => format!(
                "{}'s program is another file than before; with another `version` it is rated anew",
                name(*player)
            ),
            What::Book { to, .. } if to.is_empty() => "there is no file of openings".to_owned(),
            What::Book { .. } => "the file of openings has other contents".to_owned(),
            What::Condition { key, from, to } => {
                format!("{key}: {} becomes {}", value(from), value(to))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<What> {
        vec![
            What::Joined {
                name: "A\tda".to_owned(),
                plays: "hub:./a b".to_owned(),
            },
            What::Joined {
                name: "Bob".to_owned(),
                plays: "random".to_owned(),
            },
            What::Version {
                player: 1,
                plays: "minimax".to_owned(),
            },
            What::Condition {
                key: "time".to_owned(),
                from: String::new(),
                to: "\"1s\"".to_owned(),
            },
            What::Withdrew(0),
            What::Returned(0),
            What::Book {
                from: String::new(),
                to: "e3b0".to_owned(),
            },
            What::Program {
                player: 1,
                is: Program {
                    version: "Scan 3.1".to_owned(),
                    hash: String::new(),
                },
            },
        ]
    }

    #[test]
    fn changes_are_read_as_they_are_written() {
        for what in all() {
            let (kind, line) = what.write();
            assert!(!line.contains('\n'));
            assert_eq!(What::read(kind, &line), Some(what));
        }
        assert_eq!(What::read("round", "1"), None);
        assert_eq!(What::read("withdrew", "x"), None);
    }

    #[test]
    fn a_history_knows_who_was_what_when() {
        let changes = all().into_iter().enumerate().map(|(index, what)| Change {
            at: SystemTime::UNIX_EPOCH,
            era: (index as u32).saturating_sub(1),
            what,
        });
        let history = History {
            changes: changes.collect(),
            rounds: Vec::new(),
        };
        assert_eq!(history.version_at(1, 0), (0, "random"));
        assert_eq!(history.version_at(1, 1), (1, "minimax"));
        assert_eq!(history.version_at(0, 4), (0, "hub:./a b"));
        assert_eq!(
            [0, 1, 2, 4].map(|era| history.conditions_at(era)),
            [0, 0, 1, 1]
        );
        assert!(!history.roster()[0].withdrawn);
        assert_eq!(history.roster()[1].plays, "minimax");
    }
}
