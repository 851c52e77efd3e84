//! Games on disk: saved after every move, resumed after a crash, written for other programs.
//!
//! A saved game is an ordinary PDN file with a few tags of ours.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kingme_play::TimeControl;
use kingme_players::PlayerSpec;
use kingme_rules::pdn::{self, PdnGame, ResultToken, Tag};
use kingme_rules::{Game, Side};

use crate::LocalGame;

/// Where a game is saved, and what its moves don't tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The file.
    pub path: PathBuf,
    /// The game as the command line names it: a name or the path of a variant file.
    pub variant: String,
    /// The size of the board, if it was asked for.
    pub size: Option<u32>,
    /// Columns and rows of a drawn board, if they are not the game's own.
    pub board: Option<(usize, usize)>,
}

/// A game that was saved.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// Where it is saved, and which game it is.
    pub journal: Journal,
    /// Who plays, White first.
    pub players: [PlayerSpec; 2],
    pdn: PdnGame,
}

/// Why a saved game can't be resumed.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// There is none.
    #[error("there is no unfinished game in {}", .0.display())]
    Nothing(PathBuf),
    /// A file or a folder can't be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not one of ours.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl Journal {
    /// A new file in a folder; games that run at the same time have files of their own.
    pub fn in_folder(folder: &Path, variant: &str, size: Option<u32>) -> Journal {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let millis = now.map_or(0, |since| since.as_millis());
        let name = format!("{millis}-{}.pdn", std::process::id());
        Journal {
            path: folder.join(name),
            variant: variant.to_owned(),
            size,
            board: None,
        }
    }

    /// Writes the game as it stands.
    ///
    /// # Errors
    ///
    /// If the file can't be written; the one before is still there then.
    pub fn save(&self, game: &LocalGame, players: &[PlayerSpec; 2]) -> io::Result<()> {
        let mut tags = tags(game, players);
        tags.push(Tag::new("KingmeVariant", &self.variant));
        if let Some(size) = self.size {
            tags.push(Tag::new("KingmeSize", size.to_string()));
        }
        if let Some((columns, rows)) = self.board {
            tags.push(Tag::new("KingmeBoard", format!("{columns}x{rows}")));
        }
        if game.moves_before() > 0 {
            tags.push(Tag::new(
                "KingmeMovesBefore",
                game.moves_before().to_string(),
            ));
        }
        tags.extend(clock_tags(game));
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let pdn = pdn::from_game(game.game(), tags);
        replace(&self.path, &pdn::to_text(&pdn))
    }
}

/// Writes a game for other programs.
///
/// # Errors
///
/// If the file can't be written.
pub fn export(path: &Path, game: &LocalGame, players: &[PlayerSpec; 2]) -> io::Result<()> {
    let tags = tags(game, players);
    replace(path, &pdn::to_text(&pdn::from_game(game.game(), tags)))
}

fn tags(game: &LocalGame, players: &[PlayerSpec; 2]) -> Vec<Tag> {
    let mut tags = vec![
        Tag::new("Event", "kingme play"),
        Tag::new("White", players[Side::White].to_string()),
        Tag::new("Black", players[Side::Black].to_string()),
    ];
    if let Some(end) = game.end() {
        let result = ResultToken::won_by(game.game().variant(), end.winner);
        tags.push(Tag::new("Result", result.to_string()));
    }
    tags
}

/// The clocks of a game with a time limit, and what is left on them in milliseconds.
fn clock_tags(game: &LocalGame) -> Vec<Tag> {
    let now = Instant::now();
    let left = |side| {
        game.left(side, now)
            .map(|left| left.as_millis().to_string())
    };
    match (left(Side::White), left(Side::Black)) {
        (Some(white), Some(black)) => vec![
            Tag::new("KingmeTime", game.time().to_string()),
            Tag::new("KingmeClocks", format!("{white} {black}")),
        ],
        _ => Vec::new(),
    }
}

/// The clocks as they were saved; none if the tags are missing or spoilt.
fn clocks(pdn: &PdnGame) -> Option<(TimeControl, [Duration; 2])> {
    let control = pdn.tag("KingmeTime")?.parse().ok()?;
    let (white, black) = pdn.tag("KingmeClocks")?.split_once(' ')?;
    let left = |text: &str| text.parse().ok().map(Duration::from_millis);
    Some((control, [left(white)?, left(black)?]))
}

/// Replaces a file in one step: whoever reads it finds the old text or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

/// The unfinished game in a folder that was saved last.
///
/// # Errors
///
/// If there is none, or the folder can't be read.
pub fn latest(folder: &Path) -> Result<SavedGame, SavedError> {
    let nothing = || SavedError::Nothing(folder.to_owned());
    let mut files: Vec<(std::time::SystemTime, PathBuf)> = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(nothing()),
        Err(error) => return Err(unread(folder, error)),
        Ok(entries) => entries
            .flatten()
            .filter_map(|entry| dated(&entry))
            .collect(),
    };
    files.sort();
    files
        .iter()
        .rev()
        .filter_map(|(_, path)| load(path).ok())
        .find(SavedGame::is_unfinished)
        .ok_or_else(nothing)
}

fn dated(entry: &fs::DirEntry) -> Option<(std::time::SystemTime, PathBuf)> {
    let path = entry.path();
    (path.extension()? == "pdn").then_some(())?;
    Some((entry.metadata().ok()?.modified().ok()?, path))
}

fn unread(path: &Path, error: io::Error) -> SavedError {
    SavedError::Io {
        path: path.to_owned(),
        error,
    }
}

fn unreadable(path: &Path, why: String) -> SavedError {
    SavedError::Unreadable {
        path: path.to_owned(),
        why,
    }
}

fn first_game(path: &Path) -> Result<PdnGame, SavedError> {
    let file = fs::File::open(path).map_err(|error| unread(path, error))?;
    match pdn::Reader::new(io::BufReader::new(file)).next() {
        None => Err(unreadable(path, "it has no game".to_owned())),
        Some(game) => game.map_err(|error| unreadable(path, error.to_string())),
    }
}

/// Reads a saved game.
///
/// # Errors
///
/// If the file can't be read, or is not a saved game.
pub fn load(path: &Path) -> Result<SavedGame, SavedError> {
    let pdn = first_game(path)?;
    let bad = |why: String| unreadable(path, why);
    let tag = |name: &str| {
        pdn.tag(name)
            .ok_or_else(|| bad(format!("there is no tag {name}")))
    };
    let player = |name: &str| {
        tag(name)?
            .parse()
            .map_err(|error: kingme_players::SpecError| bad(error.to_string()))
    };
    Ok(SavedGame {
        players: [player("White")?, player("Black")?],
        journal: Journal {
            path: path.to_owned(),
            variant: tag("KingmeVariant")?.to_owned(),
            size: pdn.tag("KingmeSize").and_then(|size| size.parse().ok()),
            board: pdn.tag("KingmeBoard").and_then(|text| {
                let (columns, rows) = text.split_once('x')?;
                Some((columns.parse().ok()?, rows.parse().ok()?))
            }),
        },
        pdn,
    })
}

impl SavedGame {
    /// Whether the game goes on.
    pub fn is_unfinished(&self) -> bool {
        self.pdn.tag("Result") == Some("*")
    }

    /// The game as it was, by the rules of `variant`.
    ///
    /// # Errors
    ///
    /// If the moves are not legal in this variant.
    pub fn game(&self, variant: &kingme_rules::Variant) -> Result<LocalGame, SavedError> {
        let replay = pdn::replay(&self.pdn, Some(variant));
        if let Some(error) = replay.errors.first() {
            return Err(unreadable(&self.journal.path, error.to_string()));
        }
        let before = self
            .pdn
            .tag("KingmeMovesBefore")
            .and_then(|moves| moves.parse().ok());
        let game = LocalGame::new(replay.game).after(before.unwrap_or(0));
        Ok(match clocks(&self.pdn) {
            Some((time, left)) => game.with_time(time).with_left(left),
            None => game,
        })
    }
}

/// Reads the first game of a PDN file, whoever wrote it.
///
/// # Errors
///
/// What is wrong with the file, in one sentence.
pub fn import(path: &Path, variant: Option<&kingme_rules::Variant>) -> Result<Game, SavedError> {
    let game = first_game(path)?;
    let replay = pdn::replay(&game, variant);
    match replay.errors.first() {
        Some(error) => Err(unreadable(path, error.to_string())),
        None => Ok(replay.game),
    }
}
