//! What was decided in a league: its rounds, and what has changed in it, as rows of its log.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use kingme_data::Value;

use super::log::now;
use super::old_rounds::old_rounds;
use super::rows::time;
use super::store::{Store, folder_of};
use super::tables::VERSION;
use super::{Change, Entry, Format, History, LeagueError, LeagueFile, Round, What};

type Result<T> = std::result::Result<T, LeagueError>;

/// A round or a change on its way into its row.
struct NewEvent {
    at: i64,
    era: u32,
    kind: &'static str,
    text: String,
}

impl NewEvent {
    fn round(era: u32, round: &Round) -> NewEvent {
        NewEvent {
            at: now(),
            era,
            kind: "round",
            text: round.write(),
        }
    }

    fn change(era: u32, what: &What) -> NewEvent {
        let (kind, text) = what.write();
        NewEvent {
            at: now(),
            era,
            kind,
            text,
        }
    }
}

/// What is the same as the last is no news: it may have been written just before a connection was
/// lost.
const INSERT_EVENT: &str = "
    INSERT INTO main.event (id, at, era, after, kind, text)
    SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), CAST(?3 AS BIGINT),
           (SELECT COALESCE(MAX(id), 0) FROM main.game), CAST(?4 AS TEXT), CAST(?5 AS TEXT)
    WHERE NOT EXISTS (
        SELECT id FROM main.event WHERE id = (SELECT MAX(id) FROM main.event)
        AND era = ?3 AND kind = ?4 AND text = ?5
    )
    ON CONFLICT DO NOTHING";

impl Store {
    /// Notes what a league's file changes, and gives its players the numbers of the log.
    pub fn update(&self, file: &mut LeagueFile) -> Result<History> {
        let mut history = self.history()?;
        let is_new = history.changes.is_empty();
        self.modernise()?;
        let before = self.stored_file()?.0;
        file.enrol(&history)?;
        let changes = history.changes_to(file, &super::file::conditions(&before)?);
        refuse_impossible(file, &history, &changes)?;
        let era = history.era() + u32::from(!is_new);
        let noted = changes.iter().map(|what| NewEvent::change(era, what));
        self.must_note(&noted.collect::<Vec<_>>(), Some(file))?;
        let at = SystemTime::now();
        let noted = changes.into_iter().map(|what| Change { at, era, what });
        history.changes.extend(noted);
        Ok(history)
    }

    /// Writes down what a log of the version before does not have.
    pub fn modernise(&self) -> Result<()> {
        if self.count("event")? > 0 {
            return Ok(());
        }
        let history = self.history()?;
        let changes = history.changes.iter();
        let changes = changes.map(|change| NewEvent::change(0, &change.what));
        let rounds = history.rounds.iter();
        let rounds = rounds.map(|round| NewEvent::round(0, round));
        self.must_note(&changes.chain(rounds).collect::<Vec<_>>(), None)
    }

    /// Notes rounds.
    pub fn add_rounds(&self, era: u32, rounds: &[Round]) -> Result<()> {
        let rounds = rounds.iter().map(|round| NewEvent::round(era, round));
        self.must_note(&rounds.collect::<Vec<_>>(), None)
    }

    /// Notes a change; false if the database can't be had now.
    pub fn try_change(&self, era: u32, what: &What) -> Result<bool> {
        self.note(&[NewEvent::change(era, what)], None)
    }

    fn must_note(&self, events: &[NewEvent], file: Option<&LeagueFile>) -> Result<()> {
        if self.note(events, file)? {
            return Ok(());
        }
        Err(self.locked(""))
    }

    /// Writes events, and the file that they come from; false if the database can't be had now.
    fn note(&self, events: &[NewEvent], file: Option<&LeagueFile>) -> Result<bool> {
        let Some(first) = self.next_number()? else {
            return Ok(false);
        };
        let numbered = events.iter().zip(first..).map(|(event, id)| {
            let (kind, text) = (Value::Text(event.kind), Value::Text(&event.text));
            [id.into(), event.at.into(), event.era.into(), kind, text]
        });
        let numbered: Vec<[Value; 5]> = numbered.collect();
        let folder = file.map(folder_of).unwrap_or_default();
        let file = file.map(|file| [Value::Text(&file.text), Value::Text(&folder)]);
        let update = "UPDATE main.league SET file = ?1, folder = ?2";
        let events = numbered.iter().map(|event| (INSERT_EVENT, &event[..]));
        let file = file.iter().map(|file| (update, &file[..]));
        let all: Vec<(&str, &[Value])> = events.chain(file).collect();
        let written = all.is_empty() || self.has_happened(self.tables.write(&all))?;
        if written {
            self.next_event.set(Some(first + numbered.len() as i64));
        }
        Ok(written)
    }

    /// The number of the next event; `None` if the database can't be had now.
    fn next_number(&self) -> Result<Option<i64>> {
        if let Some(next) = self.next_event.take() {
            return Ok(Some(next));
        }
        let last = "SELECT COALESCE(MAX(id), 0) FROM main.event";
        match self.tables.query_one(last, &[]) {
            Err(error) if error.may_pass() => self.has_happened(Err(error)).map(|_| None),
            row => self.told(row.and_then(|row| {
                let last = row.map_or(Ok(0), |row| row.get::<i64>(0))?;
                Ok(Some(last + 1))
            })),
        }
    }

    fn has_events(&self) -> Result<bool> {
        Ok(self.tables.are_shared() || self.number("PRAGMA user_version")? >= VERSION)
    }

    fn count(&self, which: &str) -> Result<i64> {
        self.number(&format!("SELECT COUNT(*) FROM main.{which}"))
    }

    /// How many changes of the league were noted.
    pub fn changes(&self) -> Result<i64> {
        if self.has_events()? {
            self.count("event WHERE kind <> 'round'")
        } else {
            Ok(0)
        }
    }

    /// What has been decided in the league up to now; of a log of the version before, what follows
    /// from its results.
    pub fn history(&self) -> Result<History> {
        let history = if self.has_events()? {
            self.read_history()?
        } else {
            History::default()
        };
        if history.changes.is_empty() && self.count("game")? > 0 {
            return self.old_history();
        }
        Ok(history)
    }

    fn old_history(&self) -> Result<History> {
        let (text, folder) = self.stored_file()?;
        let file = LeagueFile::read_to_show(&text, Path::new(&folder))?;
        let mut results = BTreeMap::new();
        self.results_after(0, |result| {
            results.insert(result.game, result);
        })?;
        let joined = |entry: &Entry| Change {
            at: SystemTime::now(),
            era: 0,
            what: What::joined(entry),
        };
        Ok(History {
            changes: file.players.iter().map(joined).collect(),
            rounds: old_rounds(&file, &results),
        })
    }

    fn read_history(&self) -> Result<History> {
        let mut history = History::default();
        let query = "SELECT at, era, kind, text FROM main.event ORDER BY id";
        for row in self.query(query, &[])? {
            let (kind, text) = self.told(row.get(2).and_then(|kind| Ok((kind, row.get(3)?))))?;
            let (kind, text): (String, String) = (kind, text);
            let what = What::read(&kind, &text);
            match (kind.as_str(), Round::read(&text), what) {
                ("round", Some(round), _) => history.rounds.push(round),
                (_, _, Some(what)) => history.changes.push(Change {
                    at: time(self.told(row.get(0))?),
                    era: self.told(row.get(1))?,
                    what,
                }),
                _ => {
                    let why = format!("the event `{kind} {text}` can't be read");
                    return Err(self.unreadable(&why));
                }
            }
        }
        Ok(history)
    }

    /// The last game before each stretch of the league.
    pub(super) fn eras(&self) -> Result<Vec<(u32, i64)>> {
        if !self.has_events()? {
            return Ok(Vec::new());
        }
        let query = "SELECT era, MIN(after) FROM main.event WHERE era > 0 AND kind <> 'round'
                     GROUP BY era ORDER BY era";
        let rows = self.query(query, &[])?;
        let rows = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?)));
        self.told(rows.collect())
    }
}

/// A knockout can't take anybody in once it has begun.
fn refuse_impossible(file: &LeagueFile, history: &History, changes: &[What]) -> Result<()> {
    let has_begun = file.format == Format::Knockout && !history.rounds.is_empty();
    for what in changes {
        match what {
            What::Joined { name, .. } if has_begun => {
                return Err(LeagueError::Change(format!(
                    "`{name}` can't join: a knockout that has begun takes nobody in"
                )));
            }
            What::Returned(player) if has_begun => {
                return Err(LeagueError::Change(format!(
                    "`{}` can't come back: a knockout that has begun takes nobody in",
                    file.players[*player].name
                )));
            }
            _ => {}
        }
    }
    Ok(())
}
