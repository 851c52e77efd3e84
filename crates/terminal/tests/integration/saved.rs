//! Games that are saved after every move and resumed.

use std::path::Path;

use kingme_rules::{Side, Variant};
use kingme_terminal::Options;
use kingme_terminal::saved::{Journal, SavedError, latest, load};

use super::play::{options, transcript};

fn saving(variant: &str, folder: &Path) -> Options {
    let mut options = options(variant);
    options.journal = Some(Journal::in_folder(folder, variant, None));
    options
}

/// The FEN of the game that was saved last.
fn resumed(folder: &Path) -> (String, usize) {
    let saved = latest(folder).unwrap();
    let table = saved
        .game(&Variant::named(&saved.journal.variant).unwrap())
        .unwrap();
    (table.position().fen(), table.moves_made())
}

#[test]
fn a_game_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let printed = transcript(
        &saving("english", folder.path()),
        "11-15\n22-18\n15x22\nfen\n",
    );
    let (fen, moves) = resumed(folder.path());
    assert!(printed.contains(&fen));
    assert_eq!(moves, 3);
    assert_eq!(
        latest(folder.path()).unwrap().players[Side::White].to_string(),
        "human"
    );
}

#[test]
fn forfeited_turns_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    transcript(&saving("stupid-checkers", folder.path()), "B2\nB6\nX\nX\n");
    let (fen, moves) = resumed(folder.path());
    assert!(fen.starts_with("W:"), "{fen}");
    assert_eq!(moves, 1);
}

#[test]
fn a_finished_game_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    transcript(&saving("english", folder.path()), "11-15\nresign\n");
    let error = latest(folder.path()).unwrap_err();
    assert!(matches!(error, SavedError::Nothing(_)));
    let expected = format!("there is no unfinished game in {}", folder.path().display());
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_game_without_a_move_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    transcript(&saving("english", folder.path()), "moves\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_has_no_game() {
    assert!(matches!(
        latest(Path::new("/no/such/folder")),
        Err(SavedError::Nothing(_))
    ));
}

#[test]
fn what_is_no_saved_game_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pdn");
    std::fs::write(&path, "[White \"Ada\"] 1. 11-15 *").unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{}: there is no player `Ada`", path.display())
    );
    std::fs::write(&path, "").unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert_eq!(error, format!("{}: it has no game", path.display()));
}
