//! Games of a training as they travel: everything large is known by its hash.

use std::ops::Range;

use kingme_arena::sha256;
use kingme_engine::Weights;
use kingme_engine::tables::TableSum;
use kingme_engine::train::{Assignment, Contest};
use kingme_rules::Variant;
use serde::{Deserialize, Serialize};

/// Games of a training, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The hash of the game's file.
    pub variant: String,
    /// So many squares a side, if its board is not as the file says.
    pub size: Option<u32>,
    /// Who plays whom.
    pub rivals: Rivals,
    /// Positions searched for each move.
    pub nodes: u64,
    /// What all chance comes from, together with the number.
    pub seed: u64,
    /// Up to how many pieces the training has endgame tables; 0 if it has none.
    pub table_pieces: usize,
    /// The checksum of those tables.
    pub table_sum: u64,
    /// The numbers.
    pub numbers: Range<u64>,
}

/// Who plays whom, by the hashes of weights; nothing stands for plain material, which has no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rivals {
    /// An evaluation plays itself.
    SelfPlay(Option<String>),
    /// New weights play old ones.
    Gate([Option<String>; 2]),
}

/// What is known by its hash, with that hash.
pub(crate) type File = (String, Vec<u8>);

/// The file of weights that are not plain material.
fn file(weights: &Weights, variant: &Variant) -> Option<File> {
    let file = (*weights != Weights::material(variant)).then(|| weights.write())?;
    Some((sha256(&file), file))
}

impl Stretch {
    /// No numbers yet of an assignment, with the weights that it is played with.
    pub(crate) fn new(
        game: (String, Option<u32>),
        assignment: &Assignment,
    ) -> (Stretch, Vec<File>) {
        let file = |weights| file(weights, &assignment.variant);
        let hash = |file: &Option<File>| file.as_ref().map(|(hash, _)| hash.clone());
        let (rivals, files) = match &assignment.contest {
            Contest::SelfPlay(weights) => {
                let file = file(weights);
                (Rivals::SelfPlay(hash(&file)), vec![file])
            }
            Contest::Gate(players) => {
                let files = players.each_ref().map(file);
                (Rivals::Gate(files.each_ref().map(hash)), files.to_vec())
            }
        };
        let stretch = Stretch {
            variant: game.0,
            size: game.1,
            rivals,
            nodes: assignment.nodes,
            seed: assignment.seed,
            table_pieces: assignment.tables.map_or(0, |tables| tables.pieces),
            table_sum: assignment.tables.map_or(0, |tables| tables.sum),
            numbers: 0..0,
        };
        (stretch, files.into_iter().flatten().collect())
    }

    /// Other numbers of the same.
    pub(crate) fn with(&self, numbers: Range<u64>) -> Stretch {
        Stretch {
            numbers,
            ..self.clone()
        }
    }

    /// Whether only the numbers are others.
    pub(crate) fn is_like(&self, other: &Stretch) -> bool {
        *self == other.with(self.numbers.clone())
    }

    /// What is to be played, with whatever is known by its hash.
    ///
    /// # Errors
    ///
    /// If something can't be had, or is not what it should be.
    pub(crate) fn assignment<E: From<String>>(
        &self,
        have: &dyn Fn(&str) -> Result<Vec<u8>, E>,
    ) -> Result<Assignment, E> {
        let variant = self.variant(&have(&self.variant)?)?;
        let weights = |hash: &Option<String>| match hash {
            None => Ok(Weights::material(&variant)),
            Some(hash) => {
                let read = Weights::read(&have(hash)?, &variant);
                read.map_err(|error| E::from(format!("the training's weights: {error}")))
            }
        };
        let contest = match &self.rivals {
            Rivals::SelfPlay(hash) => Contest::SelfPlay(weights(hash)?),
            Rivals::Gate([new, old]) => Contest::Gate([weights(new)?, weights(old)?]),
        };
        let tables = TableSum {
            pieces: self.table_pieces,
            sum: self.table_sum,
        };
        Ok(Assignment {
            contest,
            nodes: self.nodes,
            seed: self.seed,
            tables: (tables.pieces > 0).then_some(tables),
            variant,
        })
    }

    fn variant(&self, text: &[u8]) -> Result<Variant, String> {
        let read = Variant::from_toml(&String::from_utf8_lossy(text));
        let variant = read.map_err(|error| format!("the training's game: {error}"))?;
        let sized = self.size.map(|size| variant.sized(size)).transpose();
        let variant = sized.map_err(|error| error.to_string())?.unwrap_or(variant);
        if variant.has_bits() {
            return Ok(variant);
        }
        let name = variant.name();
        Err(format!(
            "`{name}` can't be trained on a board as large as this"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_arrives_as_it_left() {
        let text = kingme_rules::variant::shipped().find(|(name, _)| *name == "english");
        let text = text.unwrap().1;
        let variant = Variant::named("english").unwrap();
        let material = Weights::material(&variant);
        let shipped = kingme_engine::shipped("english").unwrap();
        let learned = Weights::read(shipped, &variant).unwrap();
        let tables = TableSum { pieces: 4, sum: 9 };
        for (contest, size) in [
            (Contest::SelfPlay(material.clone()), Some(8)),
            (Contest::Gate([learned, material]), None),
        ] {
            let assignment = Assignment {
                variant: variant.clone(),
                contest,
                nodes: 200,
                seed: u64::MAX,
                tables: Some(tables),
            };
            let game = (sha256(text.as_bytes()), size);
            let (stretch, mut files) = Stretch::new(game.clone(), &assignment);
            files.push((game.0, text.as_bytes().to_vec()));
            let sent = serde_json::to_string(&stretch.with(7..9)).unwrap();
            let received: Stretch = serde_json::from_str(&sent).unwrap();
            assert!(received.is_like(&stretch) && received.numbers == (7..9));
            let have = |hash: &str| {
                let found = files.iter().find(|(known, _)| known == hash);
                found.map(|(_, file)| file.clone()).ok_or(hash.to_owned())
            };
            assert_eq!(received.assignment(&have), Ok(assignment));
        }
    }
}
