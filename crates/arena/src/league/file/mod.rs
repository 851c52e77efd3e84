//! A league's file: what it says, checked. What it may say is in `keys.rs`, how it is written in
//! `raw.rs`; `settings.rs` and `players.rs` check it, and `identity.rs` knows which league it is.

mod identity;
mod keys;
mod players;
mod raw;
mod settings;
#[cfg(test)]
mod tests;

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use kingme_rules::Variant;
use serde::Deserialize;

pub(super) use identity::conditions;

use super::LeagueError;
use crate::Openings;
use crate::stats::Sprt;
use identity::identity;
use kingme_play::{Policy, TimeControl};
use kingme_players::hub::Patience;
use kingme_players::{
    Equipment, Isolation, OpenError, Player, PlayerSpec, Sandbox, TableShelf, TableVerdicts,
};
use players::{cores, find_program, players, with_weights_in};
use raw::{Raw, raw};
use settings::{
    isolation, league_time, openings, people_time, policy, sprt, variant, variant_text,
};

/// Who meets whom.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Players with equal scores meet.
    Swiss,
    /// Who loses is out.
    Knockout,
    /// Neighbours in the ratings meet, without end.
    Ladder,
}

/// A league's file, checked.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    /// What the league is called.
    pub name: String,
    /// The game.
    pub variant: Variant,
    /// The text of the game's own file, if it does not come with the program.
    pub variant_text: Option<String>,
    /// The size of the board, if it is not the game's usual one.
    pub size: Option<u32>,
    /// What programs may use.
    pub time: TimeControl,
    /// What people may use; by default the league waits for them.
    pub people_time: TimeControl,
    /// Who meets whom.
    pub format: Format,
    /// How often everybody meets (round robin, gauntlet), or how many rounds there are (Swiss,
    /// ladder); `None`: once, or as many as it takes.
    pub rounds: Option<u32>,
    /// Games in a meeting.
    pub games: u32,
    /// Where games begin.
    pub openings: Openings,
    /// The SHA-256 of the file they are from; empty if there is none.
    pub book: String,
    /// Where that file is.
    pub book_file: Option<PathBuf>,
    /// Ends the league as soon as this test of the first player against the others is decided.
    pub sprt: Option<Sprt>,
    /// What happens when players are late, wrong or gone.
    pub policy: Policy,
    /// Whether programs think on their opponents' time.
    pub ponder: bool,
    /// Whether endgame tables end games; see [`LeagueFile::take_tables`].
    pub adjudicate_tables: bool,
    /// Whether a player that can't be started plays nevertheless: by chance, on record.
    pub allow_failing: bool,
    /// Seed of every random choice.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// How many cores each of them has to itself, if the machine has enough.
    pub cores: usize,
    /// What must confine players who are not trusted.
    pub isolation: Isolation,
    /// Who takes part.
    pub players: Vec<Entry>,
    /// What the log is checked against: which league it is.
    pub identity: String,
    /// The keys that say how games are played, with their values as they are written.
    pub conditions: Vec<(String, String)>,
    /// The text of the file.
    pub text: String,
    /// Where the file is.
    pub folder: PathBuf,
}

/// Pairing a Swiss takes the square of its players in memory, and nearly the cube in time.
const MOST_IN_SWISS: usize = 2000;

/// A player of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the table.
    pub name: String,
    /// Who it is.
    pub plays: PlayerSpec,
    /// Whether it may run without much confinement.
    pub trusted: bool,
    /// Which version of its program it is, if the file says so.
    pub version: Option<String>,
    /// Whether it has left.
    pub withdrawn: bool,
    /// The account on a server whose it is: only that one sees there what the program said when
    /// something went wrong.
    pub owner: Option<String>,
    /// What it has of its own instead of what the league has.
    pub own: Own,
}

/// What a player has of its own: handicaps, time odds, and what its program needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// What it may use.
    pub time: Option<TimeControl>,
    /// What its program finds in its environment.
    pub env: Vec<(String, String)>,
    /// How many cores its program may use.
    pub cores: Option<usize>,
    /// How long its program may take to start and to stop.
    pub patience: Patience,
}

type Result<T> = std::result::Result<T, LeagueError>;

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(LeagueError::File(why.into()))
}

impl Entry {
    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        self.person().is_some()
    }

    /// The person's name, if it is one.
    pub fn person(&self) -> Option<&str> {
        match &self.plays {
            PlayerSpec::Human { name } => Some(name.as_deref().unwrap_or(&self.name)),
            _ => None,
        }
    }
}

impl LeagueFile {
    /// Reads a league from the text of its file. Paths in it are relative to `folder`.
    ///
    /// # Errors
    ///
    /// What is wrong, in one sentence.
    pub fn read(text: &str, folder: &Path) -> Result<LeagueFile> {
        let raw = raw(text)?;
        let mut file = LeagueFile::checked(&raw, text, folder)?;
        (file.openings, file.book) = openings(&raw, &file.variant, folder)?;
        file.book_file = raw.openings.as_ref().map(|path| folder.join(path));
        Ok(file)
    }

    /// The same for one that is not played here: its openings are not needed.
    pub(super) fn read_to_show(text: &str, folder: &Path) -> Result<LeagueFile> {
        LeagueFile::checked(&raw(text)?, text, folder)
    }

    fn checked(raw: &Raw, text: &str, folder: &Path) -> Result<LeagueFile> {
        if raw.games == 0 {
            return wrong("`games = 0` leaves nothing to play");
        }
        if raw.concurrency == 0 {
            return wrong("`concurrency = 0` plays no game at a time");
        }
        if raw.cores == Some(0) {
            return wrong("`cores = 0` leaves nothing to think with");
        }
        if raw.max_plies == Some(0) {
            return wrong("`max_plies = 0` leaves nothing to play");
        }
        if raw.rounds == Some(0) {
            return wrong("`rounds = 0` leaves nothing to play");
        }
        let variant_text = variant_text(raw, folder)?;
        let variant = variant(raw, variant_text.as_deref())?;
        let players = players(raw)?;
        if raw.format == Format::Swiss && players.len() > MOST_IN_SWISS {
            return wrong(format!(
                "a Swiss has at most {MOST_IN_SWISS} players, and there are {}",
                players.len()
            ));
        }
        Ok(LeagueFile {
            name: raw.name.clone(),
            policy: policy(raw, variant.board())?,
            variant,
            variant_text,
            size: raw.size,
            time: league_time(raw)?,
            people_time: people_time(raw)?,
            format: raw.format,
            rounds: raw.rounds,
            games: raw.games,
            openings: Openings::Start,
            book: String::new(),
            book_file: None,
            sprt: sprt(raw)?,
            ponder: raw.ponder,
            adjudicate_tables: raw.adjudicate_tables,
            allow_failing: raw.allow_failing,
            seed: raw.seed,
            concurrency: raw.concurrency,
            cores: cores(raw, &players),
            isolation: isolation(raw)?,
            players,
            identity: identity(raw),
            conditions: conditions(text)?,
            text: text.to_owned(),
            folder: folder.to_owned(),
        })
    }

    /// A player's name, by its number; a damaged log may name nobody.
    pub fn name_of(&self, player: usize) -> &str {
        let entry = self.players.get(player);
        entry.map_or("?", |entry| &entry.name)
    }

    /// What a player may use.
    pub fn time_of(&self, entry: &Entry) -> TimeControl {
        let usual = if entry.is_person() {
            self.people_time
        } else {
            self.time
        };
        entry.own.time.unwrap_or(usual)
    }

    /// Has endgame tables end games, if the file wants it.
    ///
    /// # Errors
    ///
    /// If the game can't have any.
    pub fn take_tables(&mut self, tables: Option<&TableShelf>) -> Result<()> {
        if !self.adjudicate_tables {
            return Ok(());
        }
        let wrong = |why: String| LeagueError::File(format!("`adjudicate_tables`: {why}"));
        let tables = tables.ok_or_else(|| wrong("there is no folder for tables".to_owned()))?;
        let tables = tables
            .ready(&self.variant)
            .map_err(|error| wrong(error.to_string()))?;
        self.policy.adjudication.tables = Some(Arc::new(TableVerdicts(tables)));
        Ok(())
    }

    /// Whether every player can play here: its program is there, unless it may fail, and what
    /// confines it is enough.
    ///
    /// # Errors
    ///
    /// Who can't, and why.
    pub fn check_players(&self) -> Result<()> {
        if !self.allow_failing {
            self.find_programs()?;
        }
        self.check_trust(Isolation::available())
    }

    /// Whether anything in its folder may be needed to play it, beside what the file itself says.
    pub fn uses_files(&self) -> bool {
        let uses_files = |plays: &PlayerSpec| plays.is_process() || plays.file().is_some();
        let by_players = self.players.iter().any(|player| uses_files(&player.plays));
        by_players || self.book_file.is_some() || self.variant_text.is_some()
    }

    /// Whether all files that it names are in its folder, so that it can be played where only that
    /// is known.
    ///
    /// # Errors
    ///
    /// Which file is not.
    pub fn check_folder(&self) -> Result<()> {
        let players = self.players.iter().filter_map(|player| player.plays.file());
        let book = self.book_file.as_deref();
        let mut files = players.map(Path::new).chain(book);
        let is_outside = |file: &&Path| {
            let inside = file.strip_prefix(&self.folder).unwrap_or(file);
            inside.is_absolute() || inside.components().any(|part| part == Component::ParentDir)
        };
        files.find(is_outside).map_or(Ok(()), |file| {
            let (file, folder) = (file.display(), self.folder.display());
            wrong(format!(
                "`{file}` is not in the folder that goes to the workers, {folder}"
            ))
        })
    }

    fn find_programs(&self) -> Result<()> {
        for player in self.players.iter().filter(|player| !player.withdrawn) {
            find_program(&player.plays, &self.folder).map_err(|why| LeagueError::Player {
                name: player.name.clone(),
                why,
            })?;
        }
        Ok(())
    }

    /// A player of the league, as its file wants it, with the tables and the log that are given.
    ///
    /// # Errors
    ///
    /// If it is a person, or can't be had.
    pub fn open_player(
        &self,
        entry: &Entry,
        seed: u64,
        given: Equipment,
    ) -> std::result::Result<Box<dyn Player>, OpenError> {
        let equipment = Equipment {
            ponder: self.ponder,
            sandbox: Sandbox {
                folder: Some(self.folder.clone()),
                env: entry.own.env.clone(),
                cores: entry.own.cores,
                ..Sandbox::default()
            },
            patience: entry.own.patience,
            ..given
        };
        let plays = with_weights_in(&entry.plays, &self.folder);
        plays.open_with(&self.variant, seed, &equipment)
    }

    /// Whether what this system offers is enough to confine those who are not trusted.
    fn check_trust(&self, available: Isolation) -> Result<()> {
        let mut active = self.players.iter().filter(|player| !player.withdrawn);
        match active.find(|player| !player.trusted) {
            Some(player) if available < self.isolation => Err(LeagueError::Player {
                name: player.name.clone(),
                why: format!(
                    "it is not trusted and needs {}, and this system offers {available}",
                    self.isolation
                ),
            }),
            _ => Ok(()),
        }
    }
}

impl Format {
    /// The name that logs have for it, since the first of them: it stays.
    fn in_logs(self) -> &'static str {
        match self {
            Format::RoundRobin => "RoundRobin",
            Format::Gauntlet => "Gauntlet",
            Format::Swiss => "Swiss",
            Format::Knockout => "Knockout",
            Format::Ladder => "Ladder",
        }
    }

    /// The word for it in a league's file.
    pub fn word(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
            Format::Ladder => "ladder",
        }
    }
}
