//! Leagues: every game once, whatever happens.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kingme_arena::league::{
    Entry, ExportFormat, Finished, History, Job, LeagueError, LeagueEvent, LeagueFile, Log,
    LogPlace, Nobody, Reader, Schedule, Standings, Summary, export, run,
};
use kingme_play::{Answer, Chance, End, EndReason, Ply, Stop, read_ply};
use kingme_players::{Player, PlayerFault, Question};
use kingme_rules::{Game, Move, Side, Turn};

use crate::scripted::{Act, Scripted};
use crate::store::{URL, count, log_at, log_in, path_in, url};

pub const LEAGUE: &str = r#"
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
pub const GAMES: u64 = 18;

pub fn file(text: &str) -> LeagueFile {
    LeagueFile::read(text, Path::new(".")).unwrap()
}

pub fn play(file: &LeagueFile, log: impl Into<LogPlace>) -> BTreeMap<u64, Finished> {
    let mut file = file.clone();
    let log = Log::open(log, &mut file).unwrap();
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let summary = run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ()).unwrap();
    assert!(summary.complete);
    summary.results
}

pub fn first_job(file: &LeagueFile) -> Job {
    let mut schedule = Schedule::new(file, History::default());
    schedule.plan(&BTreeMap::new());
    schedule.open_jobs(&BTreeMap::new())[0]
}

#[test]
fn every_game_is_played_once_and_rated_the_same_from_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let results = play(&file, log_in(&folder));
    assert_eq!(
        results.keys().copied().collect::<Vec<_>>(),
        (1..=GAMES).collect::<Vec<_>>()
    );
    let mut reader = Reader::open(log_in(&folder)).unwrap();
    assert_eq!(reader.results().unwrap(), results);
    let again = Standings::new(
        &file,
        &reader.history().unwrap(),
        &reader.results().unwrap(),
    );
    assert_eq!(
        Standings::new(&file, &reader.history().unwrap(), &results),
        again
    );
    assert_eq!(again.games, GAMES);
}

#[test]
fn a_finished_league_has_nothing_left_to_play() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let results = play(&file, log_in(&folder));
    assert_eq!(play(&file, log_in(&folder)), results);
    assert_eq!(rows(log_in(&folder)), GAMES as i64);
}

pub fn rows(log: impl Into<LogPlace>) -> i64 {
    count(log, "SELECT COUNT(*) FROM game")
}

/// Not a test of its own: the run that the next test kills. It dies by its own hand when it has
/// been asked for so many moves, in the middle of a game; until then it tells of every game that
/// ends, and waits for an answer.
#[test]
#[ignore = "run by killed_at_any_moment"]
fn a_run_to_be_killed() {
    let (Ok(path), Ok(moves)) = (
        std::env::var("KINGME_TEST_LOG"),
        std::env::var("KINGME_TEST_MOVES"),
    ) else {
        return;
    };
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let log = Log::open(log_at(Path::new(&path)), &mut file.clone()).unwrap();
    let left = Arc::new(AtomicUsize::new(moves.parse().unwrap()));
    let seats = |entry: &Entry, seed| -> Result<Box<dyn Player>, _> {
        Ok(Box::new(Mortal {
            player: entry.plays.open(&file.variant, seed)?,
            left: Arc::clone(&left),
        }))
    };
    let mut out = std::io::stdout();
    let mut answers = std::io::stdin().lines();
    run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| {
        writeln!(out, "event").and_then(|()| out.flush()).unwrap();
        answers.next();
    })
    .unwrap();
}

/// A player that ends its process when there are no moves left.
struct Mortal {
    player: Box<dyn Player>,
    left: Arc<AtomicUsize>,
}

impl Player for Mortal {
    fn name(&self) -> String {
        self.player.name()
    }

    fn seed(&mut self, seed: u64) {
        self.player.seed(seed);
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.player.new_game(game, side)
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            let me = nix::unistd::getpid();
            nix::sys::signal::kill(me, nix::sys::signal::Signal::SIGKILL).unwrap();
        }
        self.player.choose(game, question)
    }
}

/// Starts the run above, and kills it after so many lines if it is still there; whether it got to
/// its end before.
fn start_and_kill(folder: &Path, lines: usize, moves: usize) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    if std::env::var_os("STORE").is_some() {
        command.env(URL, url());
    }
    let mut child = command
        .args([
            "--exact",
            "league::a_run_to_be_killed",
            "--ignored",
            "--nocapture",
        ])
        .env("KINGME_TEST_LOG", folder)
        .env("KINGME_TEST_MOVES", moves.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = child.stdin.take().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap()).lines();
    let told = out
        .map_while(Result::ok)
        .filter(|line| line.ends_with("event"));
    let seen = told
        .take(lines)
        .inspect(|_| {
            // It may have come to its end.
            let _ = answers.write_all(b"\n");
        })
        .count();
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
    // By turns in the middle of a game, whatever the machine, and when a game has just ended.
    for round in 0..50 {
        let (lines, moves) = if round % 2 == 0 {
            (usize::MAX, 5 + chance.below(150))
        } else {
            (1 + chance.below(6), usize::MAX)
        };
        if start_and_kill(folder.path(), lines, moves) {
            break;
        }
    }
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let results = play(&file, &log);
    assert_eq!(results.len() as u64, GAMES / 3 * 40);
    // Each game has one result that counts, and plays as it would have without the interruptions.
    let count = |query: &str| count(&log, query);
    let ends = count("SELECT COUNT(*) FROM game WHERE reason <> 'aborted'");
    assert_eq!(ends, results.len() as i64);
    assert!(
        count("SELECT COUNT(*) FROM game WHERE reason = 'aborted'") > 0,
        "some were interrupted"
    );
    let other = tempfile::tempdir().unwrap();
    assert_eq!(play(&file, log_in(&other)), results);
}

#[test]
fn a_log_of_another_league_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    play(&file(LEAGUE), log_in(&folder));
    let error = Log::open(
        log_in(&folder),
        &mut file(&LEAGUE.replace("seed = 9", "seed = 8")),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`{}` is the log of another league, `Test <league>`; give this one a log of its own",
            log_in(&folder)
        )
    );
}

#[test]
fn two_runs_on_one_log_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(&folder);
    let file = file(LEAGUE);
    let held = Log::open(&path, &mut file.clone()).unwrap();
    let error = Log::open(&path, &mut file.clone()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("`{path}` is in use by another run of this league")
    );
    let reader = Reader::open(&path).expect("reading is fine");
    assert!(reader.is_running());
    drop(held);
    assert!(!reader.is_running());
    Log::open(&path, &mut file.clone()).expect("it is free again");
}

#[test]
fn a_missing_log_and_a_file_that_is_none_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(&folder);
    let error = Reader::open(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("there is none yet; `kingme league run` makes it"),
        "{error}"
    );
    std::fs::write(
        &path,
        "this is a letter, not a log, and it is long enough to be told from one",
    )
    .unwrap();
    let error = Log::open(&path, &mut file(LEAGUE)).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("the log `{}`: file is not a database", path.display())
    );
}

/// Not a test of its own: a run on a disk that is soon full, which tells how it ended.
#[test]
#[ignore = "run by a_full_disk_loses_nothing_that_was_written"]
fn a_run_with_little_room() {
    let (Ok(path), Ok(room)) = (
        std::env::var("KINGME_TEST_LOG"),
        std::env::var("KINGME_TEST_ROOM"),
    ) else {
        return;
    };
    refuse_writes_beyond(room.parse().unwrap());
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let done = Log::open(Path::new(&path), &mut file.clone())
        .and_then(|log| run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ()));
    match done {
        Ok(summary) => println!("complete: {}", summary.complete),
        Err(error) => println!("error: {error}"),
    }
}

/// No file of this process may grow beyond so many bytes: a write fails, as on a full disk.
fn refuse_writes_beyond(bytes: u64) {
    use nix::sys::resource::{Resource, setrlimit};
    use nix::sys::signal::{SigHandler, Signal, signal};
    #[allow(unsafe_code)]
    // SAFETY: to ignore a signal needs no handler of ours.
    unsafe {
        signal(Signal::SIGXFSZ, SigHandler::SigIgn).unwrap();
    }
    setrlimit(Resource::RLIMIT_FSIZE, bytes, bytes).unwrap();
}

#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(&folder);
    // The live file is full first, then the database; each run goes on where the last one ended.
    for room in [3_000, 66_000, 140_000, 270_000] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "league::a_run_with_little_room",
                "--ignored",
                "--nocapture",
            ])
            .env("KINGME_TEST_LOG", &path)
            .env("KINGME_TEST_ROOM", room.to_string())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (_, said) = text
            .split_once("error: ")
            .unwrap_or_else(|| panic!("{room}: {text}"));
        let said = said.lines().next().unwrap();
        let log = format!("the log `{}", path.display());
        assert!(said.starts_with(&log), "{room}: {said}");
    }
    // With room again the league goes on, as if nothing had been.
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 40"));
    let results = play(&file, &path);
    let other = tempfile::tempdir().unwrap();
    assert_eq!(results, play(&file, path_in(&other)));
}

/// A process that may only read the log and locks what it can of it, as a bot could.
struct Locker(Child);

impl Locker {
    fn new(log: &Path) -> Locker {
        let lock = "open F, '<', $ARGV[0] or die; \
                    my $all = pack('s s x4 q q i x4', F_RDLCK, 0, 0, 0, 0); \
                    fcntl(F, F_SETLKW, $all) or die; \
                    $| = 1; print \"locked\\n\"; <STDIN>";
        let mut child = Command::new("perl")
            .args(["-MFcntl", "-e", lock])
            .arg(format!("{}-shm", log.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut said).unwrap();
        assert_eq!(said, "locked\n");
        Locker(child)
    }

    fn end(mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().unwrap().success());
    }
}

/// Plays while somebody has the log locked from the first game on, until so many have ended.
fn play_locked(file: &LeagueFile, path: &Path, until: usize) -> Result<Summary, LeagueError> {
    let log = Log::open(path, &mut file.clone()).unwrap();
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let mut locker = None;
    let outcome = run(file, log, &seats, &Nobody, &Stop::new(), &mut |event| {
        let LeagueEvent::Game { results, .. } = event else {
            return;
        };
        if results.len() == 1 {
            locker = Some(Locker::new(path));
        }
        if results.len() == until {
            locker.take().unwrap().end();
        }
    });
    locker.into_iter().for_each(Locker::end);
    outcome
}

#[test]
fn a_reader_who_locks_the_log_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let path = path_in(&folder);
    let results = play_locked(&file, &path, GAMES as usize).unwrap().results;
    assert_eq!(results.len(), GAMES as usize);
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.results().unwrap(), results);
}

#[test]
fn a_log_that_stays_locked_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let path = path_in(&folder);
    let error = play_locked(&file, &path, usize::MAX).unwrap_err();
    let said = "another process keeps it locked; ";
    assert!(error.to_string().contains(said), "{error}");
    assert!(rows(&path) < GAMES as i64, "it was locked");
    let other = tempfile::tempdir().unwrap();
    assert_eq!(play(&file, &path), play(&file, path_in(&other)));
    assert_eq!(rows(&path), GAMES as i64);
}

#[test]
fn a_reader_follows_every_move_while_the_league_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_in(&folder);
    let file = file(&LEAGUE.replace("concurrency = 2", "concurrency = 1"));
    let log = Arc::new(Log::open(&path, &mut file.clone()).unwrap());
    let (told, heard) = std::sync::mpsc::channel();
    log.on_write(move || told.send(()).unwrap_or_default());
    let job = first_job(&file);
    let mut game = file.openings.of_pair(&file.variant, 0, file.seed);
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.league().name, "Test <league>");
    assert_eq!(reader.live().unwrap().len(), 0);
    let mut stamps = vec![reader.stamp().unwrap()];
    let mut in_log = log.start(&job, &game).unwrap();
    stamps.push(reader.stamp().unwrap());
    for count in 1..=3 {
        let mv = game.legal_moves()[0].clone();
        in_log.ply(&ply(&game, &mv)).unwrap();
        game.play(&mv).unwrap();
        let [live] = &reader.live().unwrap()[..] else {
            panic!("one game is in progress")
        };
        assert_eq!(live.session.game().turns(), game.turns());
        assert_eq!((live.number, live.session.plies().len()), (1, count));
        stamps.push(reader.stamp().unwrap());
    }
    assert_eq!(reader.results().unwrap().len(), 0);
    let end = End {
        winner: Some(Side::Black),
        reason: EndReason::Resigned,
        words: "White resigns.".to_owned(),
    };
    let finished = in_log.end(&end).unwrap();
    // A data base elsewhere has it a moment later, and that is told.
    while reader.results().unwrap().is_empty() {
        heard.recv().unwrap();
    }
    stamps.push(reader.stamp().unwrap());
    let different: HashSet<_> = stamps.iter().collect();
    assert_eq!(
        different.len(),
        stamps.len(),
        "every event changes the stamp"
    );
    assert_eq!(
        stamps.last(),
        Some(&reader.stamp().unwrap()),
        "and nothing else"
    );
    assert_eq!(reader.live().unwrap().len(), 0);
    assert_eq!(reader.results().unwrap()[&1], finished);
    let logged = reader.game(1).unwrap().unwrap();
    assert_eq!(
        (logged.session.game().turns(), logged.session.end()),
        (game.turns(), Some(&end))
    );
    assert!(reader.game(2).unwrap().is_none());
}

fn ply(game: &Game, mv: &Move) -> Ply {
    let text = game.position().move_text(mv);
    read_ply(&format!("{text}\tp\t3000\t\t0.5")).unwrap()
}

#[test]
fn a_line_that_was_not_written_whole_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(&folder);
    let file = file(LEAGUE);
    let log = Arc::new(Log::open(&path, &mut file.clone()).unwrap());
    let job = first_job(&file);
    let game = file.openings.of_pair(&file.variant, 0, file.seed);
    let mut in_log = log.start(&job, &game).unwrap();
    in_log.ply(&ply(&game, &game.legal_moves()[0])).unwrap();
    drop((in_log, log));
    // What a power cut may leave: the last bytes never came to the disk.
    let live = folder.path().join("league.db-live");
    let mut bytes = std::fs::read(&live).unwrap();
    let last = bytes.iter().rposition(|&byte| byte == b'\n').unwrap();
    bytes[last - 2..=last].fill(0);
    std::fs::write(&live, &bytes).unwrap();
    assert_eq!(
        Log::open(&path, &mut file.clone()).unwrap().interrupted(),
        1
    );
    assert_eq!(play(&file, &path).len() as u64, GAMES);
}

#[test]
fn a_live_file_of_another_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(&folder);
    let file = file(LEAGUE);
    drop(Log::open(&path, &mut file.clone()).unwrap());
    std::fs::remove_file(&path).unwrap();
    let error = Log::open(&path, &mut file.clone()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "the log `{}-live`: it belongs to another log; move it away, or bring that log back",
            path.display()
        )
    );
}

#[test]
fn the_log_is_never_changed() {
    let folder = tempfile::tempdir().unwrap();
    play(&file(LEAGUE), path_in(&folder));
    let connection = rusqlite::Connection::open(path_in(&folder)).unwrap();
    for change in ["UPDATE game SET number = 1", "DELETE FROM game"] {
        let error = connection.execute(change, []).unwrap_err().to_string();
        assert_eq!(error, "the log is never changed");
    }
}

#[test]
fn passed_turns_are_in_the_log_and_in_every_export() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&LEAGUE.replace("rounds = 3", "rounds = 1\non_illegal = \"skip\""));
    let log = Log::open(log_in(&folder), &mut file.clone()).unwrap();
    let seats = |entry: &Entry, seed| -> Result<Box<dyn Player>, _> {
        match entry.name.as_str() {
            "one" => Ok(Box::new(Scripted::new([Act::Say("1-1")]))),
            _ => entry.plays.open(&file.variant, seed),
        }
    };
    run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ()).unwrap();
    let mut reader = Reader::open(log_in(&folder)).unwrap();
    let mut passed = Vec::new();
    reader
        .games(&mut |game| {
            let has_passed = game.session.game().turns().contains(&Turn::Pass);
            passed.extend(has_passed.then_some(game));
        })
        .unwrap();
    let game = passed.first().expect("somebody has passed");
    // Two random plies come first.
    let turns = 2 + game.session.plies().len();
    let mut text = |format| {
        let mut out = Vec::new();
        export(&mut reader, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let pdn = text(ExportFormat::Pdn);
    for game in kingme_rules::pdn::Reader::new(pdn.as_bytes()) {
        assert_eq!(kingme_rules::pdn::replay(&game.unwrap(), None).errors, []);
    }
    let json: serde_json::Value = serde_json::from_str(&text(ExportFormat::Json)).unwrap();
    let shown = &json["games"][game.finished.game as usize - 1];
    let moves = shown["moves"].as_array().unwrap();
    assert_eq!(moves.len(), turns);
    assert!(moves.contains(&"-".into()));
}

#[test]
fn exports_have_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    play(&file, log_in(&folder));
    let mut reader = Reader::of(&file, log_in(&folder)).unwrap();
    let mut text = |format| {
        let mut out = Vec::new();
        export(&mut reader, format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let pdn = text(ExportFormat::Pdn);
    let games: Vec<_> = kingme_rules::pdn::Reader::new(pdn.as_bytes())
        .map(Result::unwrap)
        .collect();
    assert_eq!(games.len() as u64, GAMES);
    for game in &games {
        assert_eq!(
            kingme_rules::pdn::replay(game, Some(&file.variant)).errors,
            []
        );
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

/// Written by the version of November 2026, before sessions, with the file below.
const OLD_LOG: &str = include_str!("../fixtures/league-2.sql");

#[test]
fn a_log_of_before_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(&folder);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch(OLD_LOG).unwrap();
    drop(connection);
    let mut reader = Reader::open(&path).unwrap();
    let results = reader.results().unwrap();
    let reasons: Vec<EndReason> = results.values().map(|result| result.reason).collect();
    assert_eq!(reasons, [EndReason::Adjudicated; 2]);
    let logged = reader.game(1).unwrap().unwrap();
    assert_eq!(logged.session.plies().len(), 60);
    assert_eq!(logged.session.game().plies(), 64);
    let words = &logged.session.end().unwrap().words;
    assert_eq!(words, "Draw: 60 plies were played.");
    // The same league, made longer: what was played stays.
    let text = reader.league().text.replace("rounds = 1", "rounds = 2");
    let longer = play(&file(&text), &path);
    assert_eq!(longer.len(), 4);
    assert_eq!(longer[&1], results[&1]);
}
