//! Leagues: every game once, whatever happens.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arena::league::{ExportFormat, Finished, LeagueFile, Log, Table, export, run};
use arena::{Chance, Stop};

const LEAGUE: &str = r#"
name = "Test <league>"
variant = "league"
size = 6
time = "1m"
format = "round-robin"
rounds = 3
random_plies = 2
seed = 9
concurrency = 2

[[player]]
name = "one"
plays = "random"

[[player]]
name = "two"
plays = "minimax:depth=1"

[[player]]
name = "three"
plays = "random"
"#;

/// 3 meetings × 2 games × 3 rounds.
const GAMES: u64 = 18;

fn file(text: &str) -> LeagueFile {
    LeagueFile::read(text, Path::new(".")).unwrap()
}

fn play(file: &LeagueFile, log: &Path) -> BTreeMap<u64, Finished> {
    let log = Log::open(log, file).unwrap();
    let seats = |entry: &arena::league::Entry, seed| entry.plays.open(&file.variant, seed);
    let summary = run(file, log, &seats, &Stop::new(), &mut |_| ()).unwrap();
    assert!(summary.complete);
    summary.results
}

fn log_in(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("league.db")
}

#[test]
fn every_game_is_played_once_and_rated_the_same_from_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let results = play(&file, &log_in(&folder));
    assert_eq!(
        results.keys().copied().collect::<Vec<_>>(),
        (1..=GAMES).collect::<Vec<_>>()
    );
    let log = Log::read_only(&log_in(&folder), &file).unwrap();
    assert_eq!(log.finished().unwrap(), results);
    let again = Table::new(&file, &log.finished().unwrap());
    assert_eq!(Table::new(&file, &results), again);
    assert_eq!(again.games, GAMES);
}

#[test]
fn a_finished_league_has_nothing_left_to_play() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let results = play(&file, &log_in(&folder));
    assert_eq!(play(&file, &log_in(&folder)), results);
    assert_eq!(starts(&log_in(&folder)), GAMES as i64);
}

fn starts(log: &Path) -> i64 {
    let connection = rusqlite::Connection::open(log).unwrap();
    connection
        .query_row(
            "SELECT COUNT(*) FROM event WHERE kind = 'start'",
            [],
            |row| row.get(0),
        )
        .unwrap()
}

/// Not a test of its own: the run that the next test kills. It tells of every game that ends.
#[test]
#[ignore = "run by killed_at_any_moment"]
fn a_run_to_be_killed() {
    let Ok(path) = std::env::var("KINGME_TEST_LOG") else {
        return;
    };
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let log = Log::open(Path::new(&path), &file).unwrap();
    let seats = |entry: &arena::league::Entry, seed| entry.plays.open(&file.variant, seed);
    let mut out = std::io::stdout();
    run(&file, log, &seats, &Stop::new(), &mut |_| {
        writeln!(out, "event").and_then(|()| out.flush()).unwrap();
    })
    .unwrap();
}

/// Starts the run above and kills it after so many lines and a few moments; whether it got to its
/// end before.
fn start_and_kill(log: &Path, lines: usize, moments: usize) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "league::a_run_to_be_killed",
            "--ignored",
            "--nocapture",
        ])
        .env("KINGME_TEST_LOG", log)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let told = out
        .by_ref()
        .take_while(Result::is_ok)
        .filter(|line| line.as_ref().unwrap().ends_with("event"));
    let seen = told.take(lines).count();
    for _ in 0..moments {
        std::hint::black_box(moments);
    }
    // SIGKILL
    child.kill().unwrap();
    let ended = child.wait().unwrap();
    seen < lines && ended.success()
}

#[test]
fn killed_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let mut chance = Chance::new(2);
    for _ in 0..50 {
        if start_and_kill(&log, 1 + chance.below(6), chance.below(300_000)) {
            break;
        }
    }
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let results = play(&file, &log);
    assert_eq!(results.len() as u64, GAMES / 3 * 40);
    // Each game has one result that counts, and plays as it would have without the interruptions.
    let connection = rusqlite::Connection::open(&log).unwrap();
    let count = |query: &str| {
        connection
            .query_row(query, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let ends = count("SELECT COUNT(*) FROM event WHERE kind = 'end' AND reason <> 'aborted'");
    assert_eq!(ends, results.len() as i64);
    assert!(
        count("SELECT COUNT(*) FROM event WHERE reason = 'aborted'") > 0,
        "some were interrupted"
    );
    let other = tempfile::tempdir().unwrap();
    assert_eq!(play(&file, &log_in(&other)), results);
}

#[test]
fn a_log_of_another_league_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    play(&file(LEAGUE), &log_in(&folder));
    let error = Log::open(
        &log_in(&folder),
        &file(&LEAGUE.replace("\"two\"", "\"deux\"")),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is the log of another league, `Test <league>`; give this one a log of its own",
            log_in(&folder).display()
        )
    );
}

#[test]
fn two_runs_on_one_log_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(&folder);
    let file = file(LEAGUE);
    let held = Log::open(&path, &file).unwrap();
    let error = Log::open(&path, &file).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "`{}` is in use by another run of this league",
            path.display()
        )
    );
    Log::read_only(&path, &file).expect("reading is fine");
    drop(held);
    Log::open(&path, &file).expect("it is free again");
}

#[test]
fn a_missing_log_and_a_file_that_is_none_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(&folder);
    let error = Log::read_only(&path, &file(LEAGUE))
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("there is none yet; `kingme league run` makes it"),
        "{error}"
    );
    std::fs::write(
        &path,
        "this is a letter, not a log, and it is long enough to be told from one",
    )
    .unwrap();
    let error = Log::open(&path, &file(LEAGUE)).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("the log `{}`: file is not a database", path.display())
    );
}

#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(&folder);
    let file = file(LEAGUE);
    let log = Log::open(&path, &file).unwrap();
    log.limit_pages(20);
    let seats = |entry: &arena::league::Entry, seed| entry.plays.open(&file.variant, seed);
    let error = run(&file, log, &seats, &Stop::new(), &mut |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the log `{}`: database or disk is full", path.display())
    );
    // With room again the league goes on.
    assert_eq!(play(&file, &path).len() as u64, GAMES);
}

#[test]
fn the_log_is_never_changed() {
    let folder = tempfile::tempdir().unwrap();
    play(&file(LEAGUE), &log_in(&folder));
    let connection = rusqlite::Connection::open(log_in(&folder)).unwrap();
    for change in ["UPDATE event SET game = 1", "DELETE FROM event"] {
        let error = connection.execute(change, []).unwrap_err().to_string();
        assert_eq!(error, "the log is never changed");
    }
}

#[test]
fn exports_have_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    play(&file, &log_in(&folder));
    let log = Log::read_only(&log_in(&folder), &file).unwrap();
    let text = |format| {
        let mut out = Vec::new();
        export(&file, &log, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let pdn = text(ExportFormat::Pdn);
    let games: Vec<_> = rules::pdn::Reader::new(pdn.as_bytes())
        .map(Result::unwrap)
        .collect();
    assert_eq!(games.len() as u64, GAMES);
    for game in &games {
        assert_eq!(rules::pdn::replay(game, Some(&file.variant)).errors, []);
    }
    assert_eq!(text(ExportFormat::Csv).lines().count() as u64, GAMES + 1);
    let json: serde_json::Value = serde_json::from_str(&text(ExportFormat::Json)).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len() as u64, GAMES);
    assert_eq!(json["table"].as_array().unwrap().len(), 3);
    let page = text(ExportFormat::Html);
    assert!(
        page.contains("<title>Test &lt;league></title>"),
        "names can't break the page"
    );
    assert!(page.contains("Test \\u003cleague>"));
}
