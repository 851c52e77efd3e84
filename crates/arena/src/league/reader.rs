//! Reading a league while somebody else plays it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kingme_play::Session;
use kingme_rules::Variant;

use super::lines::{Line, Start};
use super::live::{Header, is_taken, whole_line};
use super::place::LogPlace;
use super::rows::{play_line, replay, time};
use super::shared_logs::SharedLogs;
use super::store::Store;
use super::which_file::{Identity, identity};
use super::{Finished, GameIncident, History, LeagueError, LeagueFile, LoggedGame};

type Result<T> = std::result::Result<T, LeagueError>;

/// A league's log to be read, by any number of processes, while one process plays it.
///
/// Who wants to follow it looks at its [`stamp`](Reader::stamp) a few times a second, and asks for
/// [`results`](Reader::results) and [`live`](Reader::live) games when it has changed; both read
/// only what is new.
#[derive(Debug)]
pub struct Reader {
    store: Store,
    file: LeagueFile,
    origin: Origin,
    place: LogPlace,
    /// Where its games in progress are, if they are on this machine.
    live: PathBuf,
    results: BTreeMap<u64, Finished>,
    last_row: i64,
    /// How many changes the file is up to date with.
    changes: i64,
    tail: Tail,
}

/// What a log was opened from: a file that another may be put in the place of, or those of a data
/// base, where each has a number.
#[derive(Debug)]
enum Origin {
    File(Option<Identity>),
    Shared(SharedLogs, i64),
}

/// How far a log has come: it changes whenever a game begins or ends, or a move
/// is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    epoch: u64,
    bytes: u64,
    version: i64,
    /// Whether another machine plays it, which no file tells.
    played: bool,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Its number in the league.
    pub number: u64,
    /// Its round, from 1.
    pub round: u32,
    /// White's and Black's player.
    pub players: [usize; 2],
    /// When it began.
    pub began: SystemTime,
    /// How it stands; the moves of its opening come first.
    pub session: Session,
}

impl Reader {
    /// Opens a log; the league's file is known from it.
    ///
    /// # Errors
    ///
    /// If there is none, or it can't be read.
    pub fn open(place: impl Into<LogPlace>) -> Result<Reader> {
        Reader::at(&place.into(), None)
    }

    /// Opens the log of this league.
    ///
    /// # Errors
    ///
    /// If there is none, or it belongs to another league.
    pub fn of(file: &LeagueFile, place: impl Into<LogPlace>) -> Result<Reader> {
        Reader::at(&place.into(), Some(file))
    }

    fn at(place: &LogPlace, league: Option<&LeagueFile>) -> Result<Reader> {
        match place {
            LogPlace::File(path) => {
                let origin = Origin::File(identity(path));
                Reader::new(Store::read_only(path)?, place, origin, league)
            }
            LogPlace::Shared(shared) => {
                Reader::in_shared(&SharedLogs::connect(&shared.at)?, place, league)
            }
        }
    }

    /// Opens a log among others.
    pub(super) fn in_shared(
        logs: &SharedLogs,
        place: &LogPlace,
        league: Option<&LeagueFile>,
    ) -> Result<Reader> {
        let (store, number) = Store::in_shared(logs, place)?;
        let mut place = place.clone();
        if let LogPlace::Shared(shared) = &mut place {
            // Where it was played last, perhaps on this machine.
            let folder = store.stored_file()?.1;
            shared.folder.get_or_insert_with(|| folder.into());
        }
        let origin = Origin::Shared(logs.clone(), number);
        Reader::new(store, &place, origin, league)
    }

    fn new(
        store: Store,
        place: &LogPlace,
        origin: Origin,
        league: Option<&LeagueFile>,
    ) -> Result<Reader> {
        let file = match league {
            None => store.league()?,
            Some(file) => {
                store.check(file)?;
                let mut file = file.clone();
                file.enrol(&store.history()?)?;
                file
            }
        };
        Ok(Reader {
            changes: store.changes()?,
            live: place.live(store.league_number().unwrap_or_default()),
            store,
            file,
            place: place.clone(),
            origin,
            results: BTreeMap::new(),
            last_row: 0,
            tail: Tail::default(),
        })
    }

    /// Whether the log that was opened is no longer there: it was deleted, and perhaps made anew.
    pub fn is_stale(&self) -> bool {
        match (&self.origin, &self.place) {
            (Origin::Shared(logs, number), place) => {
                let found = logs.find(place.name().unwrap_or_default());
                // A data base that can't be had may be back in a moment.
                found.is_ok_and(|found| found.is_none_or(|(found, _)| found != *number))
            }
            (Origin::File(file), LogPlace::File(path)) => identity(path) != *file,
            (Origin::File(_), LogPlace::Shared(_)) => true,
        }
    }

    /// Opens the log that is there now.
    ///
    /// # Errors
    ///
    /// If there is none, or it can't be read.
    pub fn renew(&mut self) -> Result<()> {
        *self = match &self.origin {
            Origin::Shared(logs, _) => Reader::in_shared(logs, &self.place, None)?,
            Origin::File(_) => Reader::open(&self.place)?,
        };
        Ok(())
    }

    /// What has been decided in the league up to now, beside its results.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn history(&self) -> Result<History> {
        self.store.history()
    }

    /// The league's file; its players have the numbers of the log.
    pub fn league(&self) -> &LeagueFile {
        &self.file
    }

    /// Where the logs of its bots are, if they are kept.
    pub fn bots_path(&self) -> PathBuf {
        self.place.bots()
    }

    /// Whether a process plays the league now, wherever it is.
    pub fn is_running(&self) -> bool {
        match &self.origin {
            Origin::File(_) => is_taken(&self.live),
            Origin::Shared(logs, number) => logs.is_played(*number).unwrap_or_default(),
        }
    }

    /// Whether games in progress are on this machine. What another machine plays is there only, and
    /// what was left here by a run that died is no longer in progress.
    fn has_live(&self) -> bool {
        matches!(self.origin, Origin::File(_)) || is_taken(&self.live)
    }

    /// How far the log has come. Cheap.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn stamp(&self) -> Result<Stamp> {
        let version = self.store.version()?;
        let live = self.has_live().then(|| File::open(&self.live));
        let header = live.and_then(|file| Header::of(&file.ok()?).ok().flatten());
        let (epoch, bytes) = header.map_or((0, 0), |header| (header.epoch, header.bytes));
        Ok(Stamp {
            epoch,
            bytes,
            version,
            played: matches!(self.origin, Origin::Shared(..)) && self.is_running(),
        })
    }

    /// The results of all games that have ended, by their numbers.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn results(&mut self) -> Result<BTreeMap<u64, Finished>> {
        // Whoever plays it may have taken in players since.
        let changes = self.store.changes()?;
        if changes != self.changes {
            self.file = self.store.league()?;
            self.changes = changes;
        }
        let results = &mut self.results;
        self.last_row = self.store.results_after(self.last_row, |result| {
            results.insert(result.game, result);
        })?;
        Ok(self.results.clone())
    }

    /// What went wrong in games that ended after a row of the log, and the last row: so it can be
    /// followed. The first row is 1.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn incidents_after(&self, row: i64) -> Result<(Vec<GameIncident>, i64)> {
        let mut found = Vec::new();
        let last = self
            .store
            .incidents_after(row, |incident| found.push(incident))?;
        Ok((found, last))
    }

    /// A game that has ended.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn game(&self, number: u64) -> Result<Option<LoggedGame>> {
        self.store.game(number, &self.file.variant)
    }

    /// Every game that has ended, one after the other, by number.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn games(&self, on_game: &mut dyn FnMut(LoggedGame)) -> Result<()> {
        self.store.games(&self.file.variant, on_game)
    }

    /// The games in progress, by number, as far as they are on this machine.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn live(&mut self) -> Result<Vec<LiveGame>> {
        if !self.has_live() {
            return Ok(Vec::new());
        }
        let read = self.tail.read(&self.live);
        read.map_err(|error| LeagueError::Log {
            path: self.live.display().to_string(),
            why: error.to_string(),
        })?;
        Ok(self.tail.games(&self.file.variant))
    }
}

/// How far the live file was read, and the games that have not ended by there.
#[derive(Debug, Default)]
struct Tail {
    epoch: u64,
    offset: u64,
    open: BTreeMap<u64, Followed>,
}

/// A game in progress, played as far as anybody wanted to see it.
#[derive(Debug)]
struct Followed {
    start: Start,
    game: Option<LiveGame>,
    /// Turns that were read and not yet played.
    ahead: Vec<String>,
}

impl Tail {
    fn read(&mut self, path: &Path) -> std::io::Result<()> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let Some(header) = Header::of(&file)? else {
            return Ok(());
        };
        if header.epoch != self.epoch {
            *self = Tail {
                epoch: header.epoch,
                ..Tail::default()
            };
        }
        let mut line = Vec::new();
        let mut reader = BufReader::new(&file);
        reader.seek(SeekFrom::Start(Header::SIZE as u64 + self.offset))?;
        // All bytes that count are whole lines.
        while self.offset < header.bytes && reader.read_until(b'\n', &mut line)? > 0 {
            if let Some(text) = whole_line(&line) {
                self.note(text);
            }
            self.offset += line.len() as u64;
            line.clear();
        }
        Ok(())
    }

    fn note(&mut self, line: &str) {
        match Line::read(line) {
            Some(Line::Start(start)) => {
                let followed = Followed {
                    start,
                    game: None,
                    ahead: Vec::new(),
                };
                self.open.insert(followed.start.game, followed);
            }
            Some(Line::Ply(game, ply)) => {
                if let Some(followed) = self.open.get_mut(&game) {
                    followed.ahead.push(ply.to_owned());
                }
            }
            Some(Line::End(end)) => {
                self.open.remove(&end.game);
            }
            // Only a power cut leaves what can't be read.
            None => {}
        }
    }

    fn games(&mut self, variant: &Variant) -> Vec<LiveGame> {
        let open = self.open.values_mut();
        open.filter_map(|followed| followed.catch_up(variant).cloned())
            .collect()
    }
}

impl Followed {
    /// The game with all turns that were read; `None` if they don't fit its rules.
    fn catch_up(&mut self, variant: &Variant) -> Option<&LiveGame> {
        if self.game.is_none() {
            self.game = Some(LiveGame {
                number: self.start.game,
                round: self.start.round,
                players: self.start.players,
                began: time(self.start.at),
                session: replay(variant, &self.start.opening, [].into_iter(), None)?,
            });
        }
        let live = self.game.as_mut()?;
        for text in self.ahead.drain(..) {
            play_line(&mut live.session, &text)?;
        }
        Some(live)
    }
}
