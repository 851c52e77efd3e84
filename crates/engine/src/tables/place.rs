//! Where the tables of a game are kept.

use std::path::{Path, PathBuf};

use kingme_rules::Variant;
use kingme_rules::variant::Counter;

use super::checksum::checksum;
use super::slice::Slice;

/// The directory of one game's tables, inside the directory of all tables.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub directory: PathBuf,
    pub fingerprint: u64,
}

impl Place {
    pub fn new(variant: &Variant, data: &Path) -> Place {
        let fingerprint = fingerprint(variant);
        let board = variant.board();
        let name: String = variant
            .name()
            .chars()
            .map(|letter| {
                if letter.is_alphanumeric() {
                    letter
                } else {
                    '-'
                }
            })
            .collect();
        let (columns, rows) = (board.columns(), board.rows());
        let directory = format!("{name}-{columns}x{rows}-{fingerprint:016x}");
        Place {
            directory: data.join(directory),
            fingerprint,
        }
    }

    /// The file of all positions with so many pieces.
    pub fn file(&self, pieces: usize) -> PathBuf {
        self.directory.join(format!("pieces-{pieces}.kmt"))
    }

    /// The directory for slices of so many pieces while not all are solved.
    pub fn parts(&self, pieces: usize) -> PathBuf {
        self.directory.join(format!("pieces-{pieces}.parts"))
    }

    /// The file of a slice and its mirror while not all are solved.
    pub fn part(&self, slice: Slice) -> PathBuf {
        self.parts(slice.pieces()).join(format!("{slice}.kmt"))
    }
}

/// A number that differs, in all likelihood, between games whose tables differ. Names and looks
/// don't matter.
fn fingerprint(variant: &Variant) -> u64 {
    let definition = variant.definition();
    let board = &definition.board;
    let kinds: Vec<String> = definition
        .kinds
        .iter()
        .map(|kind| {
            format!(
                "{:?}",
                (
                    (
                        kind.moves,
                        kind.range,
                        kind.captures,
                        kind.capture_by,
                        kind.reach
                    ),
                    (kind.landing, &kind.takes, kind.becomes, kind.quiet_limit),
                )
            )
        })
        .collect();
    let at_once: Vec<&Counter> = definition
        .draws
        .counters
        .iter()
        .filter(|counter| counter.plies == 0)
        .collect();
    let text = format!(
        "{:?}",
        (
            (board.columns, board.rows, board.squares, &board.holes),
            (definition.sides.top, kinds),
            (&definition.capture, &definition.promotion, &definition.end),
            at_once,
        )
    );
    checksum(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables on disk are found by these numbers: one that changes orphans what people have built.
    #[test]
    fn the_numbers_of_games_stay_as_they_are() {
        for (name, number) in [
            ("english", 0xe2d8_10ce_21a5_cec1),
            ("international", 0x8c93_50e4_5e85_c855),
            ("russian", 0x0975_691c_4140_fa00),
        ] {
            let variant = Variant::named(name).unwrap();
            assert_eq!(fingerprint(&variant), number, "{name}");
        }
    }

    #[test]
    fn rules_matter_and_names_do_not() {
        let english = Variant::named("english").unwrap();
        let mut definition = english.definition().clone();
        definition.name = "ours".to_owned();
        let renamed = Variant::from_definition(definition.clone()).unwrap();
        assert_eq!(fingerprint(&english), fingerprint(&renamed));
        definition.capture.obligatory = false;
        let other = Variant::from_definition(definition).unwrap();
        assert_ne!(fingerprint(&english), fingerprint(&other));
        assert_ne!(
            fingerprint(&english),
            fingerprint(&english.sized(6).unwrap())
        );
    }
}
