//! Where the tables of a game are kept.

use std::path::{Path, PathBuf};

use kingme_rules::Variant;
use kingme_rules::variant::{Definition, Key, Section, Values, schema};

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

/// A number that differs, in all likelihood, between games whose tables differ.
fn fingerprint(variant: &Variant) -> u64 {
    checksum(decisive_keys(variant.definition()).as_bytes())
}

/// The keys that decide what tables say, with their values: a line each, in the words of a variant
/// file. What a key means by default is left out, so that a new key leaves the tables of all games
/// that do without it where they are. Names and looks don't matter.
fn decisive_keys(definition: &Definition) -> String {
    let mut lines = Vec::new();
    let mut names_squares = false;
    for section in schema() {
        for table in tables(section, definition) {
            for key in section.keys.iter().filter(|key| decides(section, key)) {
                let value = definition.get(&format!("{table}.{}", key.name));
                let value = value.unwrap_or_default();
                if key.default != Some(&value) {
                    lines.push(format!("{}.{} = {value}\n", section.path, key.name));
                    names_squares |= key.values == Values::Squares;
                }
            }
        }
    }
    if names_squares {
        lines.extend(SQUARE_NAMES.map(|key| {
            let value = definition.get(key).unwrap_or_default();
            format!("{key} = {value}\n")
        }));
    }
    lines.concat()
}

/// What decides which square a name stands for.
const SQUARE_NAMES: [&str; 2] = ["notation.squares", "notation.corner"];

/// Where the keys of a section are in a game: once, for each kind of piece, or for each counter
/// that ends the game at once. All others are for the search to count.
fn tables(section: &Section, definition: &Definition) -> Vec<String> {
    match &*section.path {
        "pieces.*" => {
            let kinds = definition.kinds.iter();
            kinds.map(|kind| format!("pieces.{}", kind.name)).collect()
        }
        path @ "draws.counters" => {
            let counters = definition.draws.counters.iter().enumerate();
            let at_once = counters.filter(|(_, counter)| counter.plies == 0);
            at_once.map(|(at, _)| format!("{path}.{at}")).collect()
        }
        path => vec![path.to_owned()],
    }
}

fn decides(section: &Section, key: &Key) -> bool {
    let key = &*key.name;
    match &*section.path {
        "board" => key != "sizes",
        "sides" => key == "top",
        "pieces.*" => !matches!(key, "fen" | "letters"),
        "capture" | "promotion" | "end" | "draws.counters" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use kingme_rules::variant::{Corner, Obligation};

    use super::*;

    /// Tables on disk are found by these numbers: one that changes orphans what people have built.
    #[test]
    fn the_numbers_of_games_stay_as_they_are() {
        for (name, number) in [
            ("english", 0xa564_4282_f13d_9cd6),
            ("international", 0xd042_4e25_bf37_a402),
            ("russian", 0xacf8_364a_9d0f_5f84),
        ] {
            let variant = Variant::named(name).unwrap();
            assert_eq!(fingerprint(&variant), number, "{name}");
        }
    }

    #[test]
    fn what_decides_is_said_in_the_words_of_a_file() {
        let turkish = Variant::named("turkish").unwrap();
        let keys = decisive_keys(turkish.definition());
        for line in [
            "board.columns = 8",
            "sides.top = \"black\"",
            "pieces.*.range = \"slide\"",
            "capture.removal = \"at-once\"",
            "draws.counters.one.pieces = \"1\"",
            "draws.counters.unless_capture = true",
        ] {
            assert!(keys.lines().any(|other| other == line), "{line} in {keys}");
        }
        let absent = [
            "name",
            "letters",
            "sizes",
            "one.kings",
            "repetition",
            "theme",
        ];
        let found = absent.iter().find(|key| keys.contains(**key));
        assert_eq!(found, None, "{keys}");
    }

    #[test]
    fn rules_matter_and_names_do_not() {
        let english = Variant::named("english").unwrap();
        let mut definition = english.definition().clone();
        definition.name = "ours".to_owned();
        let renamed = Variant::from_definition(definition.clone()).unwrap();
        assert_eq!(fingerprint(&english), fingerprint(&renamed));
        definition.capture.obligation = Obligation::May;
        let other = Variant::from_definition(definition).unwrap();
        assert_ne!(fingerprint(&english), fingerprint(&other));
        assert_ne!(
            fingerprint(&english),
            fingerprint(&english.sized(6).unwrap())
        );
    }

    #[test]
    fn names_of_squares_matter_where_rules_use_them() {
        let with = |corner: Corner, promotion: &[&str]| {
            let mut definition = Variant::named("english").unwrap().definition().clone();
            definition.board.sizes = None;
            definition.notation.corner = corner;
            definition.promotion.white = promotion.iter().map(ToString::to_string).collect();
            fingerprint(&Variant::from_definition(definition).unwrap())
        };
        let (left, right) = (Corner::TopLeft, Corner::TopRight);
        assert_eq!(with(left, &[]), with(right, &[]));
        assert_ne!(with(left, &["2"]), with(right, &["2"]));
        assert_ne!(with(left, &["2"]), with(left, &["3"]));
    }
}
