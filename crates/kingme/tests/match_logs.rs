//! Matches that keep a log: they go on after an interruption, and are shown like leagues.

mod support;

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use kingme_arena::league::Reader;
use support::{command, kingme, refused};

const GAMES: usize = 40;

/// A match at a fixed number of nodes, so that every run of it comes to the same.
fn arguments<'a>(log: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = "match engine minimax:depth=2 --variant league --size 6 --nodes 1500 \
                 --random-plies 3 --seed 5 --games 40 --json --log";
    let words = words.split_whitespace().chain([log]);
    words.chain(more.iter().copied()).collect()
}

/// What a log has of its games: numbers, moves and ends.
fn games_in(log: &Path) -> Vec<(u64, Vec<String>, String)> {
    let mut games = Vec::new();
    let mut note = |game: kingme_arena::league::LoggedGame| {
        let moves = game.session.game().move_texts();
        let end = game.session.end().expect("it has ended").words.clone();
        games.push((game.finished.game, moves, end));
    };
    Reader::open(log).unwrap().games(&mut note).unwrap();
    games
}

fn finished(log: &Path) -> usize {
    let results = Reader::open(log).and_then(|mut reader| reader.results());
    results.map_or(0, |results| results.len())
}

/// A real process, killed in the middle of a game; the same command brings the match to the end that
/// it would have come to anyway.
#[test]
fn a_killed_match_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole.db", "broken.db"].map(|name| folder.path().join(name));
    let [whole_text, broken_text] = [&whole, &broken].map(|path| path.to_str().unwrap());
    let unbroken = kingme(&arguments(whole_text, &[]));
    assert_eq!(unbroken.status, 0, "{}", unbroken.err);
    let mut run = command(&arguments(broken_text, &[]));
    let mut run = run
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while finished(&broken) < 3 {
        assert_eq!(run.try_wait().unwrap(), None, "it has ended by itself");
        // The log is a file of another process: it can only be looked at.
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let before = finished(&broken);
    assert!((3..GAMES).contains(&before), "{before}");
    let pdn = folder.path().join("all.pdn");
    let resumed = kingme(&arguments(broken_text, &["--pdn", pdn.to_str().unwrap()]));
    assert_eq!(resumed.status, 0, "{}", resumed.err);
    let note = " games are finished, ";
    assert!(resumed.err.contains(note), "{}", resumed.err);
    assert_eq!(resumed.out, unbroken.out);
    let games = games_in(&whole);
    assert_eq!(games.len(), GAMES);
    assert_eq!(games_in(&broken), games);
    // The games from before the interruption are in the PDN file, too.
    let pdn = std::fs::read_to_string(pdn).unwrap();
    assert_eq!(pdn.matches("[Event ").count(), GAMES);
    // A match that is over is not played again.
    let again = kingme(&arguments(broken_text, &[]));
    assert_eq!(again.out, unbroken.out);
    assert_eq!(games_in(&broken), games);
}

#[test]
fn a_log_belongs_to_one_match_and_shows_like_a_league() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("match.db");
    let log = log.to_str().unwrap();
    let play = |seed: &'static str, games: &'static str| {
        let words = "match random minimax:depth=1 --variant english --size 6 --log";
        let words = words.split_whitespace().chain([log]);
        words.chain(["--seed", seed, "--games", games]).collect()
    };
    let first: Vec<&str> = play("1", "4");
    let run = kingme(&first);
    assert_eq!(run.status, 0, "{}", run.err);
    refused(
        &play("2", "4"),
        &format!("`{log}` is the log of another match: `seed = 1` there, `seed = 2` here"),
    );
    refused(
        &play("1", "6"),
        &format!("`{log}` is the log of another match: `games = 4` there, `games = 6` here"),
    );
    let shown = kingme(&["league", "show", log]);
    assert!(
        shown.out.contains("4 of 4 games are finished"),
        "{}{}",
        shown.out,
        shown.err
    );
    let exported = kingme(&["league", "export", log, "--format", "csv"]).out;
    assert_eq!(exported.lines().count(), 5, "{exported}");
    refused(
        &["league", "run", log],
        &format!("`{log}` is a log; name the league's file to play it"),
    );
}

#[test]
fn a_match_to_watch_is_where_the_server_looks() {
    let data = tempfile::tempdir().unwrap();
    let words = "match random minimax:depth=1 --variant english --size 6 --games 2 --watch --data";
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.push(data.path().to_str().unwrap());
    let run = kingme(&words);
    assert_eq!(run.status, 0, "{}", run.err);
    let leagues = data.path().join("leagues").read_dir().unwrap();
    let paths = leagues.map(|entry| entry.unwrap().path());
    let logs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "db"))
        .collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    let name = logs[0].file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("match-random-minimax-depth-1-"), "{name}");
    let reader = Reader::open(&logs[0]).unwrap();
    assert_eq!(reader.league().name, "random against minimax:depth=1");
}

/// Records say what every move took and led to, and which programs played.
#[test]
fn games_of_matches_and_leagues_are_recorded_with_all_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bot = "python:examples/bots/greedy.py:Greedy";
    let [pdn, log, league] = ["match.pdn", "match.db", "league.toml"].map(path);
    let rules = ["--variant", "english", "--nodes", "500"];
    let run = ["match", "engine", bot, "--games", "2", "--seed", "4"];
    let run = kingme(&[&run[..], &rules, &["--pdn", &pdn, "--log", &log]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let weights = std::fs::read(support::root().join("crates/engine/weights/english.bin"));
    let [ours, theirs] = [
        weights.unwrap(),
        std::fs::read(support::root().join("examples/bots/greedy.py")).unwrap(),
    ]
    .map(|file| kingme_arena::sha256(&file));
    let check = |pdn: &str| {
        let first = pdn.split("[Event ").nth(1).unwrap();
        for tag in [
            format!("[WhiteVersion \"kingme {}\"]", env!("CARGO_PKG_VERSION")),
            format!("[WhiteHash \"{ours}\"]"),
            "[BlackVersion \"Greedy".to_owned(),
            format!("[BlackHash \"{theirs}\"]"),
        ] {
            assert!(first.contains(&tag), "{tag}: {first}");
        }
        for command in ["emt", "eval", "depth", "nodes"] {
            assert!(
                first.contains(&format!("[%{command} ")),
                "{command}: {first}"
            );
        }
        // The line begins with the move that it stands behind.
        let mut lines = first.split("[%pv ").skip(1);
        assert!(lines.any(|line| line.split(']').next().unwrap().contains(' ')));
    };
    check(&std::fs::read_to_string(&pdn).unwrap());
    check(&kingme(&["league", "export", &log, "--format", "pdn"]).out);
    let text = format!(
        "name = \"t\"\nvariant = \"english\"\nnodes = 500\nformat = \"round-robin\"\n\
         games = 2\n[[player]]\nplays = \"engine\"\n[[player]]\nname = \"B\"\n\
         plays = \"python:{}:Greedy\"\n",
        support::root().join("examples/bots/greedy.py").display()
    );
    std::fs::write(&league, text).unwrap();
    let run = kingme(&["league", "run", &league]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        !run.out.contains("Changes"),
        "nothing has changed: {}",
        run.out
    );
    check(&kingme(&["league", "export", &league, "--format", "pdn"]).out);
}

/// Time odds: each player has what is its own, in the games and in their records.
#[test]
fn players_of_a_match_may_have_times_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let pdn = folder.path().join("odds.pdn");
    let words = "match engine engine:level=9 --variant english --size 6 --games 2 --nodes 900 \
                 --time-b nodes=30 --pdn";
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.push(pdn.to_str().unwrap());
    let run = kingme(&words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("A 900 nodes, B 30 nodes"), "{}", run.err);
    let pdn = std::fs::read_to_string(pdn).unwrap();
    assert!(pdn.contains("[TimeControl \"White 900 nodes, Black 30 nodes\"]"));
    assert!(pdn.contains("[TimeControl \"White 30 nodes, Black 900 nodes\"]"));
    // Black moves first here, with 30 nodes; depths stand in the comments, in turn.
    let depths = |from: usize| -> u32 {
        let first = pdn.split("[Event ").nth(1).unwrap();
        let depths = first.split("[%depth ").skip(1);
        let depths = depths.map(|text| text.split(']').next().unwrap().parse::<u32>().unwrap());
        depths.skip(from).step_by(2).take(6).sum()
    };
    assert!(depths(1) > depths(0), "White looks deeper: {pdn}");
    refused(
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--time-a",
            "nodes=0",
        ],
        "invalid value 'nodes=0' for '--time-a <T>': `nodes=0` should be a whole number, as in `nodes=5000` (see `kingme match --help`)",
    );
}
