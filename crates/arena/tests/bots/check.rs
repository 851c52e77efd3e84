//! `bot check`: what it says about bots that are wrong in one step each.

use std::time::Duration;

use kingme_players::Sandbox;
use kingme_players::hub::{Finding, Step, check_bot};

use super::support::{example, root, variant};

fn walk(command: &[&str], game: &str) -> (bool, Vec<Step>) {
    let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    let mut steps = Vec::new();
    let fine = check_bot(
        &command,
        &[],
        &Sandbox::default(),
        Duration::from_secs(10),
        &variant(game),
        1,
        &mut |step| {
            steps.push(step.clone());
        },
    );
    (fine, steps)
}

fn wrong(how: &str) -> (bool, Vec<Step>) {
    let file = root().join("crates/arena/tests/bots/files/wrong.py");
    walk(&["python3", file.to_str().unwrap(), how], "international")
}

/// A bot fails in this step, and is told this.
fn check_wrong(how: &str, title: &str, words: &str) {
    let (fine, steps) = wrong(how);
    let last = steps.last().unwrap();
    assert!(!fine);
    assert_eq!(last.title, title, "{how}: {last:?}");
    let Finding::Wrong(text) = &last.finding else {
        panic!("{how}: {last:?}")
    };
    assert!(text.contains(words), "{how}: `{text}` has no `{words}`");
}

/// A bot works, and is told this in a step.
fn check_hint(how: &str, title: &str, words: &str) {
    let (fine, steps) = wrong(how);
    assert!(fine, "{how}: {:?}", steps.last());
    let step = steps.iter().find(|step| step.title == title).unwrap();
    let Finding::Hint(text) = &step.finding else {
        panic!("{how}: {step:?}")
    };
    assert!(text.contains(words), "{how}: `{text}` has no `{words}`");
}

#[test]
fn a_good_bot_is_fine_in_every_step() {
    for game in ["international", "english", "turkish"] {
        let (fine, steps) = walk(&["node", &example("longest.js")], game);
        assert!(fine, "{game}: {:?}", steps.last());
        assert_eq!(steps.len(), 10);
        assert!(
            steps
                .iter()
                .all(|step| matches!(step.finding, Finding::Fine(_))),
            "{steps:?}"
        );
    }
}

#[test]
fn the_first_words() {
    let (fine, steps) = walk(&["/no/such/bot"], "english");
    assert!(!fine);
    assert_eq!(steps[0].title, "start the program");
    check_wrong(
        "exits",
        "say who you are",
        "its last words were `no licence`",
    );
    check_wrong("nameless", "say who you are", "no `id name=…` before it");
    check_hint(
        "greets",
        "get ready",
        "`Hello, I am a bot` is not a line of the protocol; print such things to stderr",
    );
}

#[test]
fn the_game() {
    let script = root().join("crates/arena/tests/bots/files/wrong.py");
    let (fine, steps) = walk(
        &["python3", script.to_str().unwrap(), "gameless"],
        "russian",
    );
    assert!(!fine);
    let last = &steps.last().unwrap().finding;
    let words = "the bot does not play `russian`; it plays `international`. Declare the game with \
                 `param name=variant value=russian type=enum values=russian`, or let the arena hand \
                 the legal moves over with `param name=hand-over value=legal`";
    assert_eq!(*last, Finding::Wrong(words.to_owned()));
}

#[test]
fn getting_ready() {
    check_wrong(
        "unready",
        "get ready",
        "there was no `ready` within 10 s after `init`",
    );
}

#[test]
fn pings_and_unknown_commands() {
    let title = "answer a ping, ignore what you don't know";
    check_wrong(
        "deaf",
        title,
        "there was no `pong` within 2 s after `ping`. Does it flush its output",
    );
    check_wrong(
        "particular",
        title,
        "its last words were `ValueError: unknown command make-tea`",
    );
}

#[test]
fn moves() {
    let title = "make a first move";
    check_wrong(
        "slow",
        title,
        "there was no `done` within 1.5 s after `go think`",
    );
    check_wrong("moveless", title, "`done` has no move: write `done move=…`");
    check_wrong(
        "chess",
        title,
        "`e2e4` is not a move: write `32-28`, or `28x19x23`",
    );
    check_wrong(
        "illegal",
        title,
        "`1-50` is not possible here; the moves are ",
    );
    check_wrong(
        "forgetful",
        "make a capture",
        "is `moves=` of the `pos` line played on the bot's board?",
    );
    check_wrong(
        "crashes",
        "make a capture",
        "its last words were `KeyError: 'x'`",
    );
    check_hint(
        "short",
        "make a capture",
        "with all captured squares at the end",
    );
}

#[test]
fn the_end() {
    check_wrong(
        "stubborn",
        "stop when told to",
        "there was no `done` within 2 s after `stop`",
    );
    check_wrong("clings", "quit", "it was still there 2 s after `quit`");
}
