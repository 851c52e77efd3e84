//! Endgame tables in the arena's commands, and leagues that are watched while they are played.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use support::{Run, command, kingme, kingme_with};

const TWO_PLAYERS: &str = "[[player]]\nname = \"a\"\nplays = \"random\"\n\
                           [[player]]\nname = \"b\"\nplays = \"OTHER\"\n";

#[test]
fn our_engine_makes_its_tables_before_it_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut hub = command(&["hub", "--variant", "english", "--size", "6", "--data", data])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = hub.stdin.take().unwrap();
    let mut lines = BufReader::new(hub.stdout.take().unwrap()).lines();
    let mut until = |command: &str| {
        let said = lines.by_ref().map(Result::unwrap);
        said.take_while(|line| !line.starts_with(command))
            .collect::<Vec<_>>()
    };
    input.write_all(b"hub\n").unwrap();
    let params = until("wait");
    assert!(params.contains(&"param name=tables value=true type=bool".to_owned()));
    assert!(!folder.path().join("tables").exists());
    input.write_all(b"init\n").unwrap();
    until("ready");
    let games = std::fs::read_dir(folder.path().join("tables")).unwrap();
    assert_eq!(games.count(), 1, "they are there before the first search");
    input.write_all(b"quit\n").unwrap();
    assert!(hub.wait().unwrap().success());
}

#[test]
fn endgame_tables_end_games_of_matches_and_leagues() {
    let folder = tempfile::tempdir().unwrap();
    let run = kingme_with(
        folder.path(),
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--size",
            "6",
            "--games",
            "10",
            "--adjudicate-tables",
            "--json",
        ],
    );
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert!(json["reasons"]["adjudicated"].as_u64() > Some(4), "{json}");
    let file = folder.path().join("league.toml");
    let head = "name = \"t\"\nvariant = \"english\"\nsize = 6\ndepth = 1\nformat = \"round-robin\"\n\
                games = 6\nadjudicate_tables = true\n";
    let text = head.to_owned() + &TWO_PLAYERS.replace("OTHER", "random");
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let run = kingme_with(folder.path(), &["league", "run", path]);
    assert_eq!(run.status, 0, "{}", run.err);
    let csv = kingme(&["league", "export", path, "--format", "csv"]).out;
    assert!(csv.contains("the endgame tables know it."), "{csv}");
}

/// A run of a league whose input and output are ours.
fn play(path: &str) -> Child {
    let mut run = command(&["league", "run", path]);
    run.stdin(Stdio::piped()).stdout(Stdio::piped());
    run.stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_league_can_be_shown_while_it_is_played_and_is_played_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("league.toml");
    let head =
        "name = \"t\"\nvariant = \"english\"\ntime = \"1s\"\nformat = \"round-robin\"\n".to_owned();
    std::fs::write(&file, head + &TWO_PLAYERS.replace("OTHER", "human:Bob")).unwrap();
    let path = file.to_str().unwrap();
    let mut first = play(path);
    // It tells Bob when the game has begun.
    let mut shown = BufReader::new(first.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("a game begins") {
        assert!(shown.read_line(&mut line).unwrap() > 0);
    }
    let text = kingme(&["league", "show", path]).out;
    let now = "0 of 2 games are finished; it is being played now";
    assert!(text.contains(now), "{text}");
    assert!(text.contains("a - b: "), "{text}");
    let second: Run = play(path).wait_with_output().unwrap().into();
    let refusal = "is in use by another run of this league\n";
    assert!(second.err.ends_with(refusal), "{}", second.err);
    // Bob leaves: the league stops and can go on another day.
    drop(first.stdin.take());
    assert_eq!(first.wait().unwrap().code(), Some(1));
    drop(shown);
    let text = kingme(&["league", "show", path]).out;
    assert!(text.contains("0 of 2 games are finished\n"), "{text}");
}
