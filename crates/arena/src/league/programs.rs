//! What the programs of a league are, so that its games can be told from those of other versions.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kingme_engine::{Engine, shipped};
use kingme_play::Program;
use kingme_players::{EngineOptions, PlayerSpec};
use kingme_rules::Variant;

use super::{History, What};
use crate::sha256;

/// The SHA-256 of what a player is made of: the weights of our engine, a bot's file, the script that
/// a command runs, or else the program itself. Empty if there is no such file.
pub fn program_hash(plays: &PlayerSpec, variant: &Variant, folder: &Path) -> String {
    if let PlayerSpec::Engine(EngineOptions { weights: None, .. }) = plays {
        let is_used = variant.has_bits() && Engine::weights_of(variant).1.is_none();
        let weights = shipped(variant.name()).filter(|_| is_used);
        return weights.map(sha256).unwrap_or_default();
    }
    let contents = file_of(plays).and_then(|file| std::fs::read(folder.join(file)).ok());
    contents
        .map(|contents| sha256(&contents))
        .unwrap_or_default()
}

/// The file that makes a player what it is.
fn file_of(plays: &PlayerSpec) -> Option<PathBuf> {
    match plays {
        PlayerSpec::Engine(EngineOptions { weights, .. }) => weights.as_ref().map(PathBuf::from),
        PlayerSpec::Python { file, .. } => Some(file.into()),
        PlayerSpec::Hub { command, .. } => {
            let is_script = |word: &&String| word.contains('.') && !word.starts_with('-');
            let script = command.iter().skip(1).find(is_script);
            script.or(command.first()).map(PathBuf::from)
        }
        _ => None,
    }
}

impl History {
    /// What a player's program was at a time; if nobody knew it yet, what it was found to be next.
    pub fn program_at(&self, player: usize, time: SystemTime) -> Program {
        let mut known = Program::default();
        for change in &self.changes {
            match &change.what {
                What::Program { player: who, is } if *who == player => {
                    if change.at > time && known != Program::default() {
                        break;
                    }
                    known.clone_from(is);
                }
                _ => {}
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::super::Change;
    use super::*;

    #[test]
    fn a_player_is_told_by_its_file() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bot.py", "bot.js", "scan"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let english = Variant::named("english").unwrap();
        let hash = |plays: &str| program_hash(&plays.parse().unwrap(), &english, folder.path());
        assert_eq!(hash("python:bot.py:Bot"), sha256(b"bot.py"));
        assert_eq!(hash("hub:node --quiet bot.js"), sha256(b"bot.js"));
        assert_eq!(hash("hub:./scan hub"), sha256(b"scan"));
        assert_eq!(hash("engine:weights=scan"), sha256(b"scan"));
        assert_eq!(hash("engine:level=3"), sha256(shipped("english").unwrap()));
        let small = english.sized(6).unwrap();
        let unlearned = program_hash(&"engine".parse().unwrap(), &small, folder.path());
        assert_eq!(unlearned, "", "it plays without weights there");
        assert_eq!(hash("random") + &hash("hub:./gone"), "");
    }

    #[test]
    fn a_game_has_the_program_of_its_time() {
        let at = |seconds| SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let note = |seconds, version: &str| Change {
            at: at(seconds),
            era: 0,
            what: What::Program {
                player: 1,
                is: Program {
                    version: version.to_owned(),
                    hash: String::new(),
                },
            },
        };
        let history = History {
            changes: vec![note(10, "one"), note(20, "two")],
            rounds: Vec::new(),
        };
        let version = |player, seconds| history.program_at(player, at(seconds)).version;
        assert_eq!(
            [5, 15, 25].map(|time| version(1, time)),
            ["one", "one", "two"]
        );
        assert_eq!(version(0, 15), "");
    }
}
