//! Leagues that several machines play: real processes that are killed, halted and cut off. Whatever
//! happens to them, the games are those of one machine.

#![cfg(unix)]

#[cfg(target_os = "linux")]
mod hosts;
mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kingme_arena::league::{League, LogPlace, Reader};
use kingme_cluster::Cluster;
use support::{command, kingme, refused};

/// Nothing may take longer, on any machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// A league whose games are the same wherever they are played: by nodes, from a seed. One of its
/// players is a program in the league's folder.
fn league(folder: &Path) -> PathBuf {
    league_of(folder, 4)
}

/// The same with so many rounds of 12 games.
fn league_of(folder: &Path, rounds: u64) -> PathBuf {
    fs::create_dir_all(folder.join("bots")).unwrap();
    let bot = folder.join("bots/first.sh");
    fs::write(&bot, FIRST).unwrap();
    let path = folder.join("class.toml");
    let text = format!(
        "name = \"Class\"\nvariant = \"english\"\nnodes = 2000\nformat = \"round-robin\"\n\
         games = 4\nrounds = {rounds}\nrandom_plies = 4\nseed = 7\nmax_plies = 60\nconcurrency = 1\n\
         [[player]]\nname = \"one\"\nplays = \"engine\"\n\
         [[player]]\nname = \"two\"\nplays = \"engine:level=5\"\n\
         [[player]]\nname = \"bot\"\nplays = \"hub:sh bots/first.sh\"\n"
    );
    fs::write(&path, text).unwrap();
    path
}

/// A bot that plays the first of the moves that it is handed.
const FIRST: &str = r#"
while read -r line; do
  case "$line" in
    hub) echo 'id name=first'; echo 'param name=hand-over value=legal type=enum values="none legal"'; echo wait;;
    init) echo ready;;
    pos*) legal=${line#*legal=\"}; first=${legal%%[ \"]*};;
    'go think') echo "done move=$first";;
    quit) exit;;
  esac
done
"#;

/// All games of a league: numbers, moves, results; empty before there is a log.
fn games(league: &Path) -> Vec<String> {
    games_of(League::log_path(league))
}

/// The league's log in a data base.
fn log_at(url: &str) -> LogPlace {
    LogPlace::shared(&url.parse().unwrap(), "class", None).unwrap()
}

fn games_of(log: impl Into<LogPlace>) -> Vec<String> {
    let mut games = Vec::new();
    let Ok(reader) = Reader::open(log) else {
        return games;
    };
    let read = reader.games(&mut |game| {
        let moves = game.session.game().move_texts().join(" ");
        let (number, score) = (game.finished.game, game.finished.white_score);
        games.push(format!("{number}: {moves} {score}"));
    });
    read.unwrap();
    games
}

/// The same league, played by one machine.
fn alone() -> Vec<String> {
    alone_of(4)
}

fn alone_of(rounds: u64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = league_of(folder.path(), rounds);
    let run = kingme(&["league", "run", path.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.err);
    games(&path)
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().unwrap_or_default();
        self.0.wait().map(drop).unwrap_or_default();
    }
}

impl Running {
    fn start(mut command: Command) -> Running {
        Running(command.stdin(Stdio::null()).spawn().unwrap())
    }

    fn signal(&self, signal: &str) {
        let pid = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
    }
}

fn worker(folder: &Path, name: &str, url: &str) -> Running {
    worker_by(command(&[]), folder, name, url)
}

/// The same, begun by a command that was prepared.
fn worker_by(mut command: Command, folder: &Path, name: &str, url: &str) -> Running {
    command.args(["worker", url, "--concurrency", "1", "--name", name]);
    command.arg("--data").arg(folder.join(name));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.env("KINGME_TOKEN", "sesame");
    Running::start(command)
}

/// A server that hands out a league, and its address.
fn serve(folder: &Path, league: &Path, listen: &str) -> (Running, String) {
    serve_with(folder, league, listen, &[])
}

fn serve_with(folder: &Path, league: &Path, listen: &str, more: &[&str]) -> (Running, String) {
    let mut command = command(&["serve", "--no-open", "--listen", listen, "--lease", "1s"]);
    command.args(["--log", "off", "--workers-only"]).args(more);
    command.arg("--league").arg(league);
    served(folder, command)
}

/// A server that keeps its games in a data base, and its address.
fn serve_at(folder: &Path, url: &str) -> (Running, String) {
    let mut command = command(&["serve", "--no-open", "--workers", "--store", url]);
    command.args(["--listen", "127.0.0.1:0", "--log", "off"]);
    served(folder, command)
}

fn served(folder: &Path, mut command: Command) -> (Running, String) {
    command.arg("--data").arg(folder.join("server"));
    command.env("KINGME_TOKEN", "sesame").stdout(Stdio::piped());
    let mut server = Running::start(command);
    let out = BufReader::new(server.0.stdout.take().unwrap());
    let is_at = |line: String| {
        Some(
            line.split_once("kingme is at http://")?
                .1
                .split_once('/')?
                .0
                .to_owned(),
        )
    };
    let address = out.lines().map_while(Result::ok).find_map(is_at).unwrap();
    (server, address)
}

#[track_caller]
fn wait_until(mut is_true: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_true() {
        assert!(Instant::now() < until, "it takes too long");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_class_survives_the_loss_of_workers_and_of_its_server() {
    let expected = alone();
    assert_eq!(expected.len(), 48);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = league(&folder.join("class"));
    let count = || games(&path).len();
    let (server, address) = serve(folder, &path, "127.0.0.1:0");
    let url = format!("http://{address}");
    let lost = worker(folder, "lost", &url);
    let halted = worker(folder, "halted", &url);
    wait_until(|| count() >= 4);
    // A machine that is gone, and one that is cut off for longer than its games are kept for it.
    drop(lost);
    halted.signal("STOP");
    let honest = worker(folder, "honest", &url);
    let before = count();
    wait_until(|| count() >= before + 8);
    halted.signal("CONT");
    drop(server);
    let (_server, address) = serve(folder, &path, &address);
    assert_eq!(url, format!("http://{address}"));
    wait_until(|| count() == expected.len());
    assert_eq!(games(&path), expected);
    drop((honest, halted));
}

/// A server with a data base of its own kind hands out games as well, and ends in order.
#[test]
fn a_server_with_a_data_base_hands_out_games() {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = league(&folder.join("class"));
    let store = Cluster::shared().database();
    let (mut server, address) = serve_with(folder, &path, "127.0.0.1:0", &["--store", &store]);
    let _worker = worker(folder, "ada", &format!("http://{address}"));
    let log = log_at(&store);
    wait_until(|| games_of(&log).len() == expected.len());
    assert_eq!(games_of(&log), expected);
    server.signal("TERM");
    assert!(server.0.wait().unwrap().success());
}

/// Machines of their own for the workers: one is gone, one is cut off for a minute, one has a wrong
/// clock; the server is killed, and its data base restarted. Takes some minutes, and has to be root.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs root, ip and libfaketime: cargo test -p kingme --test workers -- --ignored"]
fn a_league_of_several_hosts_is_that_of_one_machine() {
    use hosts::{Network, with_wrong_clock};
    let began = Instant::now();
    alone();
    // So many games that it is not over while one is cut off.
    let rounds = (4.0 * 240.0 / began.elapsed().as_secs_f64()) as u64;
    let expected = alone_of(rounds);
    let cluster = Cluster::start("");
    let store = cluster.database();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = league_of(&folder.join("class"), rounds);
    let network = Network::new();
    let hosts = [1, 2, 3].map(|number| network.host(number));
    let listen = format!("{}:0", Network::ADDRESS);
    let (server, address) = serve_with(folder, &path, &listen, &["--store", &store]);
    let url = format!("http://{address}");
    let program = Path::new(env!("CARGO_BIN_EXE_kingme"));
    let commands = hosts.each_ref().map(|host| host.command(program));
    let [lost, cut, mut late] = commands;
    with_wrong_clock(&mut late);
    let lost = worker_by(lost, folder, "lost", &url);
    let _cut = worker_by(cut, folder, "cut", &url);
    let _late = worker_by(late, folder, "late", &url);
    let log = log_at(&store);
    let count = || games_of(&log).len();
    let more = |by: usize| {
        let wanted = (count() + by).min(expected.len());
        wait_until(|| count() >= wanted);
    };
    let played = |name: &str| {
        let rows = kingme(&["workers", &url, "--token", "sesame"]).out;
        let row = rows.lines().find(|row| row.starts_with(name));
        let row = row.unwrap_or_else(|| panic!("no {name} in {rows}"));
        row.split_whitespace()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    more(8);
    drop(lost);
    hosts[1].pull_the_cable();
    // What was on its way may still have come.
    thread::sleep(Duration::from_secs(5));
    let (before, of_cut) = (count(), played("cut"));
    thread::sleep(Duration::from_secs(55));
    assert!(count() > before, "the others go on");
    assert_eq!(played("cut"), of_cut, "nobody hears of it");
    hosts[1].put_it_back();
    wait_until(|| played("cut") > of_cut);
    drop(server);
    let (_server, _) = serve_with(folder, &path, &address, &["--store", &store]);
    more(8);
    cluster.restart();
    more(8);
    while count() < expected.len() {
        more(8);
    }
    assert!(games_of(&log) == expected, "games differ");
    assert!(played("late") > 0);
    let rows = kingme(&["workers", &url, "--token", "sesame"]).out;
    assert!(!rows.contains("refused"), "{rows}");
}

#[test]
fn a_league_survives_the_restart_of_its_data_base() {
    let expected = alone();
    let cluster = Cluster::start("");
    let url = cluster.database();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = league(&folder.join("class"));
    let run = |more: &[&str]| {
        let mut command = command(&["league", "run", "--store", &url, "--lease", "1s"]);
        command.arg(&path).args(more).stdout(Stdio::null());
        command.stderr(Stdio::null());
        Running::start(command)
    };
    let log = log_at(&url);
    let games = || games_of(&log);
    let first = run(&["--workers-only"]);
    let _workers = ["ada", "bob"].map(|name| worker(folder, name, &url));
    wait_until(|| games().len() >= 4);
    cluster.restart();
    let before = games().len();
    wait_until(|| games().len() >= before + 4);
    // The one who hands out dies, too; the next one plays itself.
    drop(first);
    let _second = run(&[]);
    wait_until(|| games().len() == expected.len());
    assert_eq!(games(), expected);
    assert!(!League::log_path(&path).exists(), "there is no other log");
}

/// What a match comes to, by its JSON, and its games, by its log.
fn played(log: &Path, more: &[&str]) -> (String, Vec<String>) {
    let words = "match engine:level=4 random --variant english --size 6 --nodes 200 --seed 3 \
                 --random-plies 2 --max-plies 40 --games 30 --json --log";
    let mut args: Vec<&str> = words.split_whitespace().collect();
    args.push(log.to_str().unwrap());
    args.extend(more);
    let run = kingme(&args);
    assert_eq!(run.status, 0, "{}", run.err);
    (run.out, games_of(log))
}

/// Also where chance plays, and where a worker is lost.
#[test]
fn a_match_with_workers_is_the_match_without() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let url = Cluster::shared().database();
    let log = |name: &str| folder.join(name);
    let expected = played(&log("alone.db"), &[]);
    assert_eq!(expected.1.len(), 30);
    let nobody = played(&log("nobody.db"), &["--store", &url]);
    assert_eq!(nobody, expected);
    let lost = worker(folder, "lost", &url);
    let _honest = worker(folder, "honest", &url);
    wait_until(|| kingme(&["workers", &url]).out.lines().count() == 2);
    lost.signal("STOP");
    let shared = ["--store", &url, "--workers-only", "--lease", "1s"];
    assert_eq!(played(&log("shared.db"), &shared), expected);
    assert_eq!(played(&log("shared.db"), &shared), expected, "it is over");
}

#[test]
fn what_workers_can_not_get_is_said_before_the_first_game() {
    let url = Cluster::shared().database();
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("mine.bin");
    let weights = weights.to_str().unwrap();
    let log = folder.path().join("log.db");
    let mine = format!("engine:weights={weights}");
    let args = [
        "match",
        &mine,
        "engine",
        "--variant",
        "english",
        "--games",
        "2",
        "--nodes",
        "100",
        "--store",
        &url,
        "--log",
    ];
    let args = [&args[..], &[log.to_str().unwrap()]].concat();
    refused(
        &args,
        &format!("player `{mine}`: there is no file `{weights}`"),
    );
    let shipped = support::root().join("crates/engine/weights/english.bin");
    fs::copy(shipped, weights).unwrap();
    let here = support::root();
    let why = format!(
        "`{weights}` is not in the folder that goes to the workers, {}",
        here.display()
    );
    let left_to_workers = kingme(&[&args[..], &["--workers-only"]].concat());
    assert_eq!(left_to_workers.status, 2);
    let said = format!("kingme: {why}\n");
    assert!(
        left_to_workers.err.ends_with(&said),
        "{}",
        left_to_workers.err
    );
    let run = kingme(&args);
    assert_eq!(run.status, 0, "{}", run.err);
    let said = format!("{why}: all games are played here");
    assert!(run.err.contains(&said), "{}", run.err);
}

#[test]
fn a_match_that_is_decided_stops_its_workers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let url = Cluster::shared().database();
    let _worker = worker(folder, "ada", &url);
    let log = folder.join("test.db");
    let words = "match engine:level=4 random --variant english --size 6 --nodes 200 --games 9000 \
                 --random-plies 2 --max-plies 40 --sprt 0,400 --workers-only --json --store";
    let mut args: Vec<&str> = words.split_whitespace().collect();
    args.extend([&url, "--log", log.to_str().unwrap()]);
    let run = kingme(&args);
    assert!(
        run.out.contains(r#""sprt":"accepted""#),
        "{}{}",
        run.out,
        run.err
    );
    let idle = || kingme(&["workers", &url]).out.contains(": waiting");
    wait_until(idle);
    let count = games_of(&log).len();
    assert!(count < 1000, "{count} games");
}

/// A training of quick games, kept beside its weights.
fn train(folder: &Path, more: &[&str]) -> Command {
    fs::create_dir_all(folder).unwrap();
    let mut command = command(&["train", "breakthrough", "--size", "6", "--squares"]);
    command.args(["--games", "96", "--time", "1h", "--threads", "1"]);
    command.arg("--out").arg(folder.join("x.bin"));
    command.arg("--data").arg(folder.join("data")).args(more);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The samples of a step of a training, as far as there are any.
fn samples(folder: &Path, step: usize) -> Vec<u8> {
    fs::read(folder.join(format!("x.train/{step}.games"))).unwrap_or_default()
}

#[test]
fn a_training_survives_the_loss_of_a_worker_and_of_itself() {
    let url = Cluster::shared().database();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [alone, shared] = ["alone", "shared"].map(|name| folder.join(name));
    let expected = Running::start(train(&alone, &[]));
    let sharing = ["--store", &url, "--lease", "1s", "--workers-only"];
    let first = Running::start(train(&shared, &sharing));
    let lost = worker(folder, "lost", &url);
    wait_until(|| !samples(&shared, 0).is_empty());
    drop(lost);
    // One comes to the data base, one to a server that keeps its games there.
    let (_server, address) = serve_at(folder, &url);
    let server = format!("http://{address}");
    let _honest = [("ada", &url), ("bob", &server)].map(|(name, url)| worker(folder, name, url));
    let before = samples(&shared, 0).len();
    wait_until(|| samples(&shared, 0).len() > before || !samples(&shared, 1).is_empty());
    // The next one plays itself, too.
    drop(first);
    let second = Running::start(train(&shared, &sharing[..4]));
    for mut running in [second, expected] {
        let status = running.0.wait().unwrap();
        // Nothing may be better than plain material.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    }
    for step in [0, 1] {
        assert!(
            samples(&shared, step) == samples(&alone, step),
            "step {step}"
        );
        assert!(samples(&alone, step).len() > 1000);
    }
}

#[test]
fn a_server_with_its_games_in_a_postgres_has_workers_and_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut server, address) = serve_at(folder, &Cluster::shared().database());
    let url = format!("http://{address}");
    let _worker = worker(folder, "ada", &url);
    wait_until(|| {
        let listed = kingme(&["workers", &url, "--token", "sesame"]);
        listed.out.starts_with("ada  ")
    });
    server.signal("TERM");
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
}

/// A password in a URL is never repeated.
#[test]
fn a_password_stays_unsaid() {
    let url = Cluster::shared().database();
    let url = url.replacen("kingme@", "kingme:secret@", 1);
    let separator = if url.contains('?') { '&' } else { '?' };
    let url = if url.contains("secret") {
        url
    } else {
        format!("{url}{separator}password=secret")
    };
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let run = kingme(&["league", "run", path.to_str().unwrap(), "--store", &url]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("games are handed out"), "{}", run.err);
    assert!(!run.err.contains("secret"), "{}", run.err);
    let mut command = command(&["worker", &url, "--data"]);
    command.arg(folder.path().join("worker"));
    command.stderr(Stdio::piped()).stdout(Stdio::null());
    let mut worker = Running(command.spawn().unwrap());
    let mut said = String::new();
    let mut err = BufReader::new(worker.0.stderr.take().unwrap());
    err.read_line(&mut said).unwrap();
    assert!(said.contains("ready for games of "), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn who_can_not_work_hears_why() {
    refused(
        &["worker", "nonsense"],
        "`nonsense` is neither a server like http://host:8080 nor a data base like postgres://user@host/name",
    );
    refused(
        &["worker", "https://x"],
        "`https://x`: a worker talks plain HTTP; give it the server's address inside of your network, or a tunnel to it",
    );
    let folder = tempfile::tempdir().unwrap();
    let path = league(&folder.path().join("class"));
    let (_server, address) = serve(folder.path(), &path, "127.0.0.1:0");
    let url = format!("http://{address}");
    refused(
        &["worker", &url, "--token", "guess"],
        "this is not the token of this server's workers; it is printed when the server starts",
    );
    let listed = kingme(&["workers", &url, "--token", "sesame"]);
    assert_eq!((listed.out.as_str(), listed.status), ("no workers\n", 0));
    let _worker = worker(folder.path(), "ada", &url);
    wait_until(|| {
        let listed = kingme(&["workers", &url, "--token", "sesame"]);
        listed.out.starts_with("ada  ")
    });
    let other = league(&folder.path().join("other"));
    refused(
        &[
            "league",
            "run",
            other.to_str().unwrap(),
            "--store",
            "folder",
        ],
        "`folder` is no data base like postgres://user@host/name; without one, \
         `kingme serve --league FILE --workers` shares a league",
    );
}
