//! Damaged files get one clear sentence with their name, and play goes on without them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use kingme_engine::tables::{self, BuildConfig, Tables, Verdict};
use kingme_rules::Position;
use tempfile::TempDir;

use super::{build_in, check_in, named};

/// The only file of this name below a directory.
fn find(directory: &Path, name: &str) -> PathBuf {
    let game = std::fs::read_dir(directory)
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    game.path().join(name)
}

/// Builds tables of three pieces, changes the largest file and says what that gives.
fn after(change: impl FnOnce(&mut Vec<u8>)) -> (TempDir, Tables, String) {
    let directory = TempDir::new().unwrap();
    build_in(directory.path(), &named("english"), 3);
    let path = find(directory.path(), "pieces-3.kmt");
    let mut bytes = std::fs::read(&path).unwrap();
    change(&mut bytes);
    std::fs::write(&path, bytes).unwrap();
    let tables = Tables::open(&named("english"), directory.path()).unwrap();
    let faults: Vec<String> = tables.faults().collect();
    let fault = faults.first().cloned().unwrap_or_default();
    let fault = fault.replace(&format!("{}: ", path.display()), "FILE: ");
    (directory, tables, fault)
}

fn verdict(tables: &Tables, fen: &str) -> Option<Verdict> {
    let position = Position::from_fen(&named("english"), fen).unwrap();
    tables.probe_position(&position).map(|probe| probe.verdict)
}

#[track_caller]
fn check(change: impl FnOnce(&mut Vec<u8>), expected: &str) {
    let (_directory, tables, fault) = after(change);
    assert_eq!(fault, expected);
    assert_eq!(tables.pieces(), 2);
    assert_eq!(verdict(&tables, "W:WK18:BK4"), Some(Verdict::Draw));
    assert_eq!(verdict(&tables, "W:WK18,K19:BK4"), None);
}

#[test]
fn an_empty_file() {
    check(Vec::clear, "FILE: this is not a table file of this version");
}

#[test]
fn another_kind_of_file() {
    check(
        |bytes| *bytes = b"[Event \"a game\"] 1. 11-15 *".to_vec(),
        "FILE: this is not a table file of this version",
    );
}

#[test]
fn a_file_that_is_cut_short() {
    let mut length = 0;
    let (_directory, tables, fault) = after(|bytes| {
        length = bytes.len();
        bytes.truncate(length - 1);
    });
    let expected = format!(
        "FILE: the file has {} bytes, but {length} belong to it",
        length - 1
    );
    assert_eq!(fault, expected);
    assert_eq!(tables.pieces(), 2);
    check(
        |bytes| bytes.truncate(20),
        "FILE: the file ends too early, after 20 bytes",
    );
}

#[test]
fn a_file_of_another_game() {
    check(
        |bytes| bytes[8] ^= 1,
        "FILE: this table belongs to a game with other rules",
    );
}

#[test]
fn a_damaged_directory() {
    for place in [16, 41, 60, 100, 300] {
        let (_directory, tables, fault) = after(|bytes| bytes[place] ^= 0x40);
        assert!(fault.starts_with("FILE: "), "{place}: {fault}");
        assert_eq!(tables.pieces(), 2, "{place}");
    }
}

#[test]
fn a_damaged_block_is_told_when_it_is_read() {
    let (directory, tables, fault) = after(|bytes| {
        // Blocks are at the end of the file.
        for byte in bytes.iter_mut().rev().take(20_000) {
            *byte ^= 0xff;
        }
    });
    assert_eq!(fault, "", "nothing is read when tables are opened");
    assert_eq!(tables.pieces(), 3);
    let error = check_in(directory.path(), &named("english"), 3).unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with("pieces-3.kmt: a block is damaged (wrong checksum)"),
        "{text}"
    );
    assert_eq!(tables.faults().count(), 0, "nothing was read yet");
    for square in 5..=32 {
        // Whatever is left of the table may answer.
        verdict(&tables, &format!("W:W{square}:BK1,K4"));
    }
    let told: Vec<String> = tables.faults().collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("pieces-3.kmt: a block is damaged (wrong checksum)"));
}

#[test]
fn no_tables_at_all() {
    let directory = TempDir::new().unwrap();
    let tables = Tables::open(&named("english"), directory.path()).unwrap();
    assert_eq!(tables.pieces(), 0);
    assert_eq!(tables.faults().count(), 0);
    assert_eq!(verdict(&tables, "W:WK18:BK4"), None);
    let error = check_in(directory.path(), &named("english"), 2).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("there are no tables of `english` with 2 pieces in ")
    );
}

/// Building is how one mends a file: it says what was wrong, and makes it anew.
#[test]
fn a_build_mends_what_is_damaged() {
    let directory = TempDir::new().unwrap();
    let english = named("english");
    build_in(directory.path(), &english, 3);
    let path = find(directory.path(), "pieces-3.kmt");
    let sound = std::fs::read(&path).unwrap();
    for damage in [sound.len() - 40, 3] {
        let mut bytes = sound.clone();
        bytes[damage] ^= 0x10;
        std::fs::write(&path, bytes).unwrap();
        let mut told = Vec::new();
        let config = BuildConfig {
            pieces: 3,
            ..BuildConfig::default()
        };
        let built = tables::build(&english, directory.path(), &config, &mut |progress| {
            told.extend(progress.damaged.clone());
            ControlFlow::Continue(())
        });
        assert_eq!(built.unwrap().len(), 2);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("pieces-3.kmt"), "{told:?}");
        assert!(
            std::fs::read(&path).unwrap() == sound,
            "the file is another"
        );
    }
}
