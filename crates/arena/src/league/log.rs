//! The log: every event of a league is written before anybody hears of it, and never changed.
//!
//! It has two parts. A move goes into the *live file*, a line of text in memory that belongs to
//! the file: that takes next to no time, and a killed process loses nothing. A game that ends goes into the
//! *database* as one row: a file beside the live file, or a `PostgreSQL`. What a run leaves in the
//! live file the next one takes over: games that have ended into the database, the others as
//! aborted. Once everything is safe in the database, the live file is emptied.
//!
//! Whoever can read the database can lock it, and one on another machine may be gone for a while.
//! That stops nobody: games that have ended wait in memory and in the live file until it is back.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use kingme_rules::{Game, Variant};

use super::archive::{Archive, Ended, Left, insert};
use super::lines::{Ending, Line, Start};
use super::live::LiveFile;
use super::place::LogPlace;
use super::store::Store;
use super::{Change, History, Job, LeagueError, LeagueFile, Round, What};
use kingme_play::{End, EndReason, Event, Ply, Program, Session, write_ply};

/// A live file of so many bytes is emptied at the next occasion.
const LONG: usize = 1 << 20;

type Result<T> = std::result::Result<T, LeagueError>;

/// The result of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its number.
    pub game: u64,
    /// Its round, from 1.
    pub round: u32,
    /// White's and Black's player.
    pub players: [usize; 2],
    /// 1, ½ or 0.
    pub white_score: f64,
    /// Why it ended.
    pub reason: EndReason,
    /// How many plies it took.
    pub plies: u32,
    /// The stretch of the league it belongs to; see [`History`].
    pub era: u32,
}

/// A game as the log has it.
#[derive(Clone, Debug)]
pub struct LoggedGame {
    /// Its result.
    pub finished: Finished,
    /// When it began.
    pub began: SystemTime,
    /// When it ended.
    pub ended: SystemTime,
    /// All of it.
    pub session: Session,
}

/// The log of a league, in the hands of the one process that plays it.
pub struct Log {
    archive: Archive,
    live: LiveFile,
    /// The league's own number, and how often the live file was emptied.
    league: u64,
    epoch: AtomicU64,
    interrupted: u64,
    history: Mutex<History>,
    /// What the programs of players said they are in this run.
    programs: Mutex<BTreeMap<usize, String>>,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut log = f.debug_struct("Log");
        log.field("league", &self.league).finish_non_exhaustive()
    }
}

impl Log {
    /// Opens the log of a league to go on with it; a new one if there is none. What has changed in
    /// the league is noted, and the players of the file get the numbers that the log has for them.
    ///
    /// # Errors
    ///
    /// If it belongs to another league, is in use, or can't be opened.
    pub fn open(place: impl Into<LogPlace>, file: &mut LeagueFile) -> Result<Log> {
        let place = place.into();
        let (store, league, live) = take(&place, file)?;
        let header = live.header()?;
        if header.is_some_and(|header| header.league != league) {
            return Err(LeagueError::Log {
                path: live.path().display().to_string(),
                why: "it belongs to another log; move it away, or bring that log back".to_owned(),
            });
        }
        let interrupted = take_over(&live, &store)?;
        let log = Log {
            archive: Archive::new(store),
            live,
            league,
            epoch: AtomicU64::new(header.map_or(0, |header| header.epoch)),
            interrupted,
            history: Mutex::default(),
            programs: Mutex::default(),
        };
        log.change(file)?;
        // From now on games are played, and nobody waits for a lock.
        log.archive.patiently(|store| log.empty_live(store))?;
        Ok(log)
    }

    /// Notes what a file changes in the league, and gives its players the numbers of the log.
    /// Nothing may be in progress.
    ///
    /// # Errors
    ///
    /// If the league can't change like that, or the log can't be written.
    pub fn change(&self, file: &mut LeagueFile) -> Result<()> {
        let history = self.archive.patiently(|store| store.update(file))?;
        *self.known() = history;
        self.tell();
        Ok(())
    }

    /// Whether a file is of the league that this is the log of.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check(&self, file: &LeagueFile) -> Result<()> {
        self.archive.store().check(file)
    }

    fn known(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has somebody hear of everything that is written, the first who asks. It must not wait for
    /// anything.
    pub fn on_write(&self, hear: impl Fn() + Send + Sync + 'static) {
        self.archive.on_write(Box::new(hear));
    }

    /// Writes a line to the live file.
    fn append(&self, line: &str) -> Result<()> {
        self.live.append(line)?;
        self.tell();
        Ok(())
    }

    fn tell(&self) {
        self.archive.tell();
    }

    /// What has been decided in the league up to now.
    pub fn history(&self) -> History {
        self.known().clone()
    }

    /// Notes rounds that have been paired, before any of their games begins.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn pair(&self, rounds: &[Round]) -> Result<()> {
        if rounds.is_empty() {
            return Ok(());
        }
        let era = self.known().era();
        self.archive
            .patiently(|store| store.add_rounds(era, rounds))?;
        self.known().rounds.extend_from_slice(rounds);
        self.tell();
        Ok(())
    }

    /// Notes what a player's program is, if that is news; the hash of its file is asked for once in a
    /// run. If another process has the database locked, the next game tries again.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn identify(
        &self,
        player: usize,
        version: String,
        hash: impl FnOnce() -> String,
    ) -> Result<()> {
        let mut programs = lock(&self.programs);
        if programs.get(&player) == Some(&version) {
            return Ok(());
        }
        let is = Program {
            version: version.clone(),
            hash: hash(),
        };
        let known = self.known().program_at(player, SystemTime::now());
        let era = self.known().era();
        let is_news = is != known;
        let what = What::Program { player, is };
        if is_news && !self.archive.store().try_change(era, &what)? {
            return Ok(());
        }
        programs.insert(player, version);
        if is_news {
            let at = SystemTime::now();
            self.known().changes.push(Change { at, era, what });
        }
        Ok(())
    }

    /// The league's own number.
    pub fn league(&self) -> u64 {
        self.league
    }

    /// How many games the last run has left in the middle; they are played again.
    pub fn interrupted(&self) -> u64 {
        self.interrupted
    }

    /// The results of all finished games, by their numbers.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn finished(&self) -> Result<BTreeMap<u64, Finished>> {
        let mut results = BTreeMap::new();
        self.archive.store().results_after(0, |result| {
            results.insert(result.game, result);
        })?;
        Ok(results)
    }

    /// Every game that has ended, one after the other, by number.
    ///
    /// # Errors
    ///
    /// If the log can't be read.
    pub fn games(&self, variant: &Variant, on_game: &mut dyn FnMut(LoggedGame)) -> Result<()> {
        self.archive.store().games(variant, on_game)
    }

    /// Notes that a game begins, from an opening.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn start(self: &Arc<Log>, job: &Job, opening: &Game) -> Result<GameLog> {
        let start = Start::new(job, now(), opening);
        let mut line = String::new();
        start.write(&mut line);
        self.append(&line)?;
        line.clear();
        start.begin_ply(&mut line);
        Ok(GameLog {
            log: Arc::clone(self),
            start,
            plies: String::new(),
            count: 0,
            head: line.len(),
            line,
        })
    }

    /// Makes a long live file short again. Nothing may be in progress.
    ///
    /// # Errors
    ///
    /// If the disk does not take it.
    pub fn settle(&self) -> Result<()> {
        if self.live.bytes() < LONG || !self.archive.bring_in()? {
            return Ok(());
        }
        self.empty_live(&self.archive.store())
    }

    /// Makes everything safe in the database alone, for now nothing more is played.
    ///
    /// # Errors
    ///
    /// If the disk does not take it.
    pub fn close(&self) -> Result<()> {
        self.archive.patiently(|store| {
            let waiting = self.archive.waiting();
            if waiting == 0 {
                return self.empty_live(store);
            }
            Err(store.locked(&format!(
                "; {waiting} games wait in `{}`, and the next run brings them in",
                self.live.path().display()
            )))
        })
    }

    /// Makes everything safe in the database, and empties the live file.
    fn empty_live(&self, store: &Store) -> Result<()> {
        store.sync()?;
        let epoch = self.epoch.fetch_add(1, Ordering::Relaxed) + 1;
        self.live.reset(self.league, epoch)?;
        self.tell();
        Ok(())
    }
}

/// Moves what a run before has left in the live file into the database; how many games it has left in
/// the middle.
pub(super) fn take_over(live: &LiveFile, store: &Store) -> Result<u64> {
    let (ended, open) = left_in(live);
    let interrupted = open.into_iter().map(|left| {
        let end = left.interrupted();
        (left, end)
    });
    let count = interrupted.len() as u64;
    let games: Vec<Ended> = ended.into_iter().chain(interrupted).collect();
    // Before anything is played there is no place to wait.
    if !insert(store, &games)? {
        return Err(store.locked(""));
    }
    Ok(count)
}

/// The games in a live file: those that have ended, and the others.
fn left_in(live: &LiveFile) -> (Vec<Ended>, Vec<Left>) {
    let mut open: BTreeMap<u64, Left> = BTreeMap::new();
    let mut ended = Vec::new();
    live.each_event(|event| match event {
        Line::Start(start) => {
            open.insert(start.game, Left::new(start));
        }
        Line::Ply(game, text) => {
            if let Some(left) = open.get_mut(&game) {
                left.add(text);
            }
        }
        Line::End(end) => ended.extend(open.remove(&end.game).map(|left| (left, end))),
    });
    (ended, open.into_values().collect())
}

/// The parts of a log, for this process alone, and the league's own number. Whatever keeps others away
/// comes first: a file's is the live file, a data base has its own.
fn take(place: &LogPlace, file: &LeagueFile) -> Result<(Store, u64, LiveFile)> {
    let own = || LiveFile::open(place, 0);
    let live = matches!(place, LogPlace::File(_)).then(own).transpose()?;
    let store = Store::open(place)?;
    let league = store.claim(file)?;
    let live = live.map_or_else(|| LiveFile::open(place, league), Ok)?;
    Ok((store, league, live))
}

/// The log of one game in progress.
#[derive(Debug)]
pub struct GameLog {
    log: Arc<Log>,
    start: Start,
    plies: String,
    count: u32,
    /// The line of the last turn. The next one begins in the same way, up to `head`.
    line: String,
    head: usize,
}

impl GameLog {
    /// Notes an event, if it is a turn: the end is noted when it is known.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn event(&mut self, event: &Event) -> Result<()> {
        match event {
            Event::Turn(ply) => self.ply(ply),
            _ => Ok(()),
        }
    }

    /// Notes a turn.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn ply(&mut self, ply: &Ply) -> Result<()> {
        self.line.truncate(self.head);
        write_ply(&mut self.line, ply);
        self.line.push('\n');
        self.log.append(&self.line)?;
        self.plies += &self.line[self.head..];
        self.count += 1;
        Ok(())
    }

    /// Notes the end of the game.
    ///
    /// # Errors
    ///
    /// If the log can't be written.
    pub fn end(&mut self, end: &End) -> Result<Finished> {
        let ending = Ending {
            game: self.start.game,
            at: now(),
            how: end.clone(),
        };
        let mut line = String::new();
        ending.write(&mut line);
        self.log.append(&line)?;
        let plies = std::mem::take(&mut self.plies);
        let ended = Left::entire(self.start.clone(), plies, self.count);
        self.log.archive.add((ended, ending))?;
        self.log.tell();
        Ok(Finished {
            game: self.start.game,
            round: self.start.round,
            players: self.start.players,
            white_score: end.white_score(),
            reason: end.reason,
            plies: self.count,
            era: self.log.known().era(),
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}
