//! `CheckersLeague` bots through the adapter, well and badly behaved.

use std::time::Duration;

use kingme_play::{ChosenBy, TimeControl};
use kingme_rules::Side;

use super::support::{AMPLE, Record, check_own_moves, play, python, root, variant};

fn trial(class: &str, time: TimeControl) -> Record {
    let game = variant("league");
    let file = root().join("crates/arena/tests/bots/files/trials.py");
    play(
        &mut *python(file.to_str().unwrap(), class, &game),
        &game,
        time,
        6,
    )
}

/// The referee had to choose, and this is why.
fn check_incident(record: &Record, words: &str) {
    let ply = &record.plies[0];
    assert_eq!(ply.by, ChosenBy::Referee, "{:?}", ply.incident);
    let incident = ply.incident.as_ref().unwrap().words.clone();
    assert!(incident.contains(words), "{incident:?} has no {words:?}");
}

const SHORT: TimeControl = TimeControl::Move(Duration::from_millis(300));

#[test]
fn what_a_bot_prints_does_no_harm() {
    check_own_moves(&trial("Chatty", AMPLE));
}

#[test]
fn the_answer_so_far_counts_when_the_time_is_over() {
    // The adapter answers at the limit; a busy machine may make that too late now and then.
    let record = trial("Anytime", SHORT);
    let own = record
        .plies
        .iter()
        .step_by(2)
        .filter(|ply| ply.by != ChosenBy::Referee);
    assert!(own.count() >= 1, "{:?}", record.plies);
}

#[test]
fn a_bot_without_an_answer_is_late() {
    check_incident(&trial("Sleeper", SHORT), "no answer in time");
}

#[test]
fn exceptions_are_reported() {
    check_incident(&trial("Raises", AMPLE), "ValueError: no idea at all");
}

#[test]
fn an_answer_before_an_exception_counts() {
    let record = trial("RaisesLate", AMPLE);
    check_own_moves(&record);
    // And the exception is on record.
    let incident = record.plies[0].incident.as_ref().unwrap();
    assert_eq!(incident.words, "ValueError: no idea (trials.py, line 62)");
}

#[test]
fn a_bot_can_not_end_the_adapter() {
    let record = trial("Exits", AMPLE);
    check_incident(&record, "it called sys.exit(3)");
    assert_eq!(record.plies.len(), 6);
}

#[test]
fn malformed_and_illegal_answers_are_quoted() {
    check_incident(
        &trial("Malformed", AMPLE),
        "['north'] is no legal move: it should be a list of squares, as in [(2, 1), (3, 0)]",
    );
    check_incident(
        &trial("Illegal", AMPLE),
        "[(2, 1), (7, 6)] is no legal move: the piece on (2, 1) can play [(2, 1), (3, 0)] or [(2, 1), (3, 2)]",
    );
    check_incident(
        &trial("Empty", AMPLE),
        "move() has left ret_val empty; it should have all squares of a move, as in [(2, 1), (3, 0)]",
    );
}

#[test]
fn a_bot_has_a_board_of_its_own() {
    check_own_moves(&trial("Vandal", AMPLE));
}

#[test]
fn a_bot_that_can_not_be_made_is_reported() {
    check_incident(&trial("FailsToStart", AMPLE), "RuntimeError: no model file");
}

#[test]
fn missing_files_and_classes_are_named() {
    check_incident(
        &trial("Nobody", AMPLE),
        "has no class `Nobody`; it has `Base`, `Chatty`",
    );
    let game = variant("league");
    let record = play(&mut *python("no/such.py", "X", &game), &game, AMPLE, 2);
    check_incident(&record, "there is no file `no/such.py`");
}

#[test]
fn relative_imports_find_the_bots_own_files_first() {
    let folder = tempfile::tempdir().unwrap();
    let players = folder.path().join("players");
    std::fs::create_dir(&players).unwrap();
    let helper = "NAME = 'with a helper'\n";
    std::fs::write(players.join("helper.py"), helper).unwrap();
    let bot = "from .interface import AbstractPlayer\n\
               from players.simple_ai import SimpleAI\n\
               from board import CheckerBoard\n\
               from . import helper\n\
               import helper as again\n\
               class Mine(SimpleAI):\n\
               \x20   def get_name(self):\n\
               \x20       assert CheckerBoard(8)[0][1] == 'w' and issubclass(Mine, AbstractPlayer)\n\
               \x20       return helper.NAME\n";
    let file = players.join("mine.py");
    std::fs::write(&file, bot).unwrap();
    let game = variant("league").sized(4).unwrap();
    let mut player = python(file.to_str().unwrap(), "Mine", &game);
    check_own_moves(&play(&mut *player, &game, SHORT_AND_EASY, 2));
    assert_eq!(player.name(), "with a helper");
}

const SHORT_AND_EASY: TimeControl = TimeControl::Move(Duration::from_secs(1));

#[test]
fn the_package_keeps_its_own_promises() {
    let output = std::process::Command::new("python3")
        .args([
            "-B", "-m", "unittest", "discover", "-q", "-t", ".", "-s", "tests",
        ])
        .current_dir(root().join("crates/players/python"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_bot_is_made_once_with_the_real_size_and_number() {
    let file = root().join("crates/arena/tests/bots/files/trials.py");
    let game = variant("league").sized(6).unwrap();
    let mut bot = python(file.to_str().unwrap(), "Counts", &game);
    bot.start(&game, Side::Black).unwrap();
    assert_eq!(bot.name(), "[(6, 2)]");
}
