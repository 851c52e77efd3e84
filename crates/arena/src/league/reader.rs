//! Reading a league while somebody else plays it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kingme_play::Session;
use kingme_rules::Variant;

use super::lines::{Line, Start};
use super::live::{Header, is_taken, path_of, whole_line};
use super::store::{Store, play_line, replay, time};
use super::which_file::{Identity, identity};
use super::{Finished, GameIncident, History, League, LeagueError, LeagueFile, LoggedGame};

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
    path: PathBuf,
    identity: Option<Identity>,
    results: BTreeMap<u64, Finished>,
    last_row: i64,
    /// How many changes the file is up to date with.
    changes: i64,
    tail: Tail,
}

/// How far a log has come: it changes whenever a game begins or ends, or a move is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    epoch: u64,
    bytes: u64,
    version: i64,
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
    pub fn open(path: &Path) -> Result<Reader> {
        let identity = identity(path);
        let store = Store::read_only(path)?;
        let file = store.league()?;
        Reader::new(store, file, path, identity)
    }

    /// Opens the log of this league.
    ///
    /// # Errors
    ///
    /// If there is none, or it belongs to another league.
    pub fn of(file: &LeagueFile, path: &Path) -> Result<Reader> {
        let identity = identity(path);
        let store = Store::read_only(path)?;
        store.check(file)?;
        let mut file = file.clone();
        file.enrol(&store.history()?)?;
        Reader::new(store, file, path, identity)
    }

    fn new(
        store: Store,
        file: LeagueFile,
        path: &Path,
        identity: Option<Identity>,
    ) -> Result<Reader> {
        Ok(Reader {
            changes: store.changes()?,
            store,
            file,
            path: path.to_owned(),
            identity,
            results: BTreeMap::new(),
            last_row: 0,
            tail: Tail::default(),
        })
    }

    /// Whether the log that was opened is no longer there: it was deleted, and perhaps made anew.
    pub fn is_stale(&self) -> bool {
        identity(&self.path) != self.identity
    }

    /// Opens the log that is there now.
    ///
    /// # Errors
    ///
    /// If there is none, or it can't be read.
    pub fn renew(&mut self) -> Result<()> {
        *self = Reader::open(&self.path)?;
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
        League::bots_path(&self.path)
    }

    /// Whether a process plays the league now.
    pub fn is_running(&self) -> bool {
        is_taken(&self.path)
    }

    /// How far the log has come. Cheap.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn stamp(&self) -> Result<Stamp> {
        let version = self.store.version()?;
        let live = path_of(&self.path);
        let header = File::open(&live).and_then(|file| Header::of(&file));
        let header = header.ok().flatten();
        let (epoch, bytes) = header.map_or((0, 0), |header| (header.epoch, header.bytes));
        Ok(Stamp {
            epoch,
            bytes,
            version,
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

    /// The games in progress, by number.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn live(&mut self) -> Result<Vec<LiveGame>> {
        let path = path_of(&self.path);
        let read = self.tail.read(&path);
        read.map_err(|error| LeagueError::Log {
            path: path.display().to_string(),
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
