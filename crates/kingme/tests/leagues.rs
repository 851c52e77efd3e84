//! `kingme match` and `kingme league` through the real program, and the guide to leagues.

mod support;

use std::path::Path;
use std::process::Stdio;

use kingme_arena::league::Reader;
use support::{command, kingme, refused, root, run_guide};

#[test]
fn every_command_of_the_guide_works() {
    assert_eq!(run_guide("docs/LEAGUES.md"), 2);
}

#[test]
fn a_match_ends_with_one_json_object() {
    let run = kingme(&[
        "match",
        "minimax:depth=2",
        "random",
        "--variant",
        "league",
        "--size",
        "6",
        "--games",
        "6",
        "--random-plies",
        "2",
        "--json",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let count = |key: &str| json[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), 6);
    assert_eq!(json["reasons"]["rules"], 6);
}

#[test]
fn bad_matches_are_explained() {
    refused(
        &["match", "random", "ranodm", "--variant", "english"],
        "invalid value 'ranodm' for '<B>': there is no player `ranodm`; did you mean `random`? (see `kingme match --help`)",
    );
    refused(
        &[
            "match",
            "random",
            "human",
            "--variant",
            "english",
            "--games",
            "2",
        ],
        "`human` is a person and can't play here",
    );
    refused(
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--openings",
            "/no/such/file",
        ],
        "/no/such/file: No such file or directory",
    );
    refused(
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--time",
            "0s",
        ],
        "invalid value '0s' for '--time <T>': `0s` leaves no time to think; the least is 1ms (see `kingme match --help`)",
    );
}

#[test]
fn bad_leagues_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(root().join("examples/leagues/club.toml")).unwrap();
    let file = folder.path().join("league.toml");
    let path = file.to_str().unwrap();
    let check = |from: &str, to: &str, message: &str| {
        assert!(good.contains(from), "{from}");
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        refused(&["league", "run", path], &format!("{path}: {message}"));
    };
    check(
        "size = 6",
        "size = 5",
        "`size`: `league` can be played on even sizes from 4 to 100, not 5",
    );
    check(
        "\"Sample\"",
        "\"Chance\"",
        "two players are called `Chance`",
    );
    check(
        "\"1s\"",
        "\"0s\"",
        "`time`: `0s` leaves no time to think; the least is 1ms",
    );
    check(
        "\"random\"",
        "\"hub:/no/such/bot\"",
        "player `Chance`: there is no program `/no/such/bot`",
    );
    check(
        "size = 6",
        "adjudicate_draw = \"5\"",
        "`adjudicate_draw`: `5` should be a score in men and a number of plies, as in `5,8`",
    );
    refused(
        &["league", "show", "/no/such/league.toml"],
        "/no/such/league.toml: No such file or directory",
    );
}

/// What a log has of its games: numbers, moves and ends.
fn games_in(log: &Path) -> Vec<(u64, Vec<String>, String)> {
    let mut games = Vec::new();
    let reader = Reader::open(log).unwrap();
    reader
        .games(&mut |game| {
            let moves = game.session.game().move_texts();
            let end = game.session.end().unwrap().words.clone();
            games.push((game.finished.game, moves, end));
        })
        .unwrap();
    games
}

#[test]
fn the_server_plays_the_same_league_as_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"both\"\nvariant = \"english\"\nsize = 6\nnodes = 200\n\
                format = \"round-robin\"\ngames = 12\nrandom_plies = 4\nseed = 3\n\
                adjudicate_tables = true\n\
                [[player]]\nplays = \"engine\"\n[[player]]\nplays = \"engine:level=2\"\n\
                [[player]]\nplays = \"random\"\n";
    let file = |name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (here, there) = (file("here.toml"), file("there.toml"));
    let data = folder.path().join("data");
    let run = command(&["league", "run", here.to_str().unwrap()])
        .arg("--data")
        .arg(&data)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let played = games_in(&here.with_extension("db"));
    assert_eq!(played.len(), 36);
    let by_tables = |(_, _, end): &&(u64, Vec<String>, String)| end.contains("tables know");
    assert!(played.iter().filter(by_tables).count() > 5, "{played:?}");

    let mut server = command(&["serve", "--no-open", "--listen", "127.0.0.1:0"])
        .arg("--league")
        .arg(&there)
        .arg("--data")
        .arg(&data)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let log = there.with_extension("db");
    let finished = || Reader::open(&log).and_then(|mut reader| reader.results());
    while finished().map_or(0, |results| results.len()) < played.len() {
        assert_eq!(server.try_wait().unwrap(), None, "the server has ended");
        // The log is a file of another process: it can only be looked at.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(games_in(&log), played);
}

#[test]
fn a_league_and_pip_leave_nothing_untracked() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        let output = git.args(arguments).current_dir(folder.path()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    std::fs::copy(root().join(".gitignore"), folder.path().join(".gitignore")).unwrap();
    let head =
        "name = \"t\"\nvariant = \"english\"\nsize = 6\ndepth = 1\nformat = \"round-robin\"\n";
    let player = |name| format!("[[player]]\nname = \"{name}\"\nplays = \"random\"\n");
    let text = head.to_owned() + &player("a") + &player("b");
    let file = folder.path().join("league.toml");
    std::fs::write(&file, text).unwrap();
    let run = kingme(&["league", "run", file.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(file.with_extension("db").exists());
    // What `pip install ./python` writes, whether or not there is a pip here.
    let python = folder.path().join("crates/players/python");
    for left in ["build/lib", "kingme.egg-info", "kingme/__pycache__"] {
        std::fs::create_dir_all(python.join(left)).unwrap();
        std::fs::write(python.join(left).join("file"), "").unwrap();
    }
    let status = git(&["status", "--porcelain", "--untracked-files=all"]);
    assert_eq!(status, "?? .gitignore\n?? league.toml\n");
}
