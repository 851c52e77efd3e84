//! What a training keeps on disk, so that nothing is lost when it is killed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kingme_rules::Variant;

use crate::eval::{Form, Weights};

/// The folder of a training: for each step its games, how long they took, and its weights.
pub(super) struct Folder(PathBuf);

/// What the games of a step have cost so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub games: u64,
    pub time: Duration,
    /// Length of the file with the games, without what a kill may have left behind it.
    bytes: u64,
}

impl Folder {
    pub fn open(path: &Path) -> io::Result<Folder> {
        // This one, and none above it: a mistyped path is a mistake.
        match fs::create_dir(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(Folder(path.to_owned())),
        }
    }

    fn file(&self, step: usize, what: &str) -> PathBuf {
        self.0.join(format!("{step}.{what}"))
    }

    /// The samples of a step as they were stored.
    pub fn games(&self, step: usize) -> io::Result<Vec<u8>> {
        let mut bytes = read(&self.file(step, "games"))?.unwrap_or_default();
        bytes.truncate(self.spent(step)?.bytes as usize);
        Ok(bytes)
    }

    pub fn spent(&self, step: usize) -> io::Result<Spent> {
        let text = read(&self.file(step, "spent"))?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let numbers: Vec<u64> = text
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        Ok(match numbers[..] {
            [games, millis, bytes] => Spent {
                games,
                time: Duration::from_millis(millis),
                bytes,
            },
            _ => Spent::default(),
        })
    }

    /// Adds games, then says that they are there.
    pub fn add_games(&self, step: usize, samples: &[u8], spent: &Spent) -> io::Result<()> {
        let old = self.spent(step)?.bytes;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.file(step, "games"))?;
        file.set_len(old)?;
        file.write_all(samples)?;
        let bytes = old + samples.len() as u64;
        let text = format!("{} {} {bytes}\n", spent.games, spent.time.as_millis());
        replace(&self.file(step, "spent"), text.as_bytes())
    }

    /// The verdict on a step, if it is done: its weights, or `None` if they lost their match.
    pub fn weights(&self, step: usize, variant: &Variant) -> io::Result<Option<Option<Weights>>> {
        read_weights(&self.file(step, "weights"), variant)
    }

    /// The net of a step, whether or not it won its match.
    pub fn net(&self, step: usize, variant: &Variant) -> io::Result<Option<Weights>> {
        let won = self.weights(step, variant)?.flatten();
        let won = won.filter(|weights| weights.form == Form::Net);
        let refused = read_weights(&self.refused(step, Form::Net), variant)?;
        Ok(won.or(refused.flatten()))
    }

    pub fn write_weights(&self, step: usize, weights: Option<&Weights>) -> io::Result<()> {
        let file = weights.map(Weights::write).unwrap_or_default();
        replace(&self.file(step, "weights"), &file)
    }

    /// Keeps weights that lost their match: a net goes on from there.
    pub fn write_refused(&self, step: usize, weights: &Weights) -> io::Result<()> {
        replace(&self.refused(step, weights.form), &weights.write())
    }

    fn refused(&self, step: usize, form: Form) -> PathBuf {
        self.file(step, &format!("{form}.refused"))
    }
}

/// Weights, nothing in an empty file, or no file at all.
fn read_weights(path: &Path, variant: &Variant) -> io::Result<Option<Option<Weights>>> {
    let Some(file) = read(path)? else {
        return Ok(None);
    };
    if file.is_empty() {
        return Ok(Some(None));
    }
    match Weights::read(&file, variant) {
        Ok(weights) => Ok(Some(Some(weights))),
        Err(error) => {
            let message = format!("can't go on from {}: {error}", path.display());
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        }
    }
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file so that it is either the old one or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    fs::write(&beside, bytes)?;
    fs::rename(beside, path)
}
