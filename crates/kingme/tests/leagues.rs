//! `kingme match` and `kingme league` through the real program, and the guide to leagues.

mod support;

use std::path::Path;
use std::process::Stdio;

use kingme_arena::league::{League, LeagueFile, LogPlace, Reader};
use kingme_cluster::Cluster;
use support::{Run, command, kingme, refused, root, run_guide};

#[test]
fn every_command_of_the_guide_works() {
    assert_eq!(run_guide("docs/LEAGUES.md"), 4);
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
fn a_match_is_tested_as_its_options_say() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.pdn");
    let games = "[Event \"x\"]\n1. 11-15 22-18 2. 15x22 25x18 *\n\n[Event \"y\"]\n1. 9-13 24-20 2. 11-15 *\n";
    std::fs::write(&book, games).unwrap();
    let base = [
        "match",
        "minimax:depth=3",
        "random",
        "--variant",
        "english",
        "--games",
        "400",
    ];
    let openings = [
        "--openings",
        book.to_str().unwrap(),
        "--openings-order",
        "random",
    ];
    let part = ["--openings-from", "1", "--openings-cut", "2"];
    let test = [
        "--sprt",
        "0,200",
        "--sprt-alpha",
        "0.2",
        "--sprt-beta",
        "0.3",
    ];
    let all = [
        &base[..],
        &openings,
        &part,
        &test,
        &["--sprt-model", "logistic"],
    ]
    .concat();
    let run = kingme(&all);
    assert_eq!(run.status, 0, "{}", run.err);
    // ln(0.3 / 0.8) and ln(0.7 / 0.2).
    assert!(run.out.contains("(-0.98, 1.25)"), "{}", run.out);
    assert!(
        run.out
            .contains("SPRT 0, 200 (logistic): accepted: 200 or better\n"),
        "{}",
        run.out
    );
    // A large book is read to its end.
    let large = folder.path().join("large.pdn");
    std::fs::write(&large, games.repeat(1500) + "[Event \"z\"]\n1. 12-13 *\n").unwrap();
    let name = large.to_str().unwrap();
    refused(
        &[&base[..], &["--openings", name]].concat(),
        &format!(
            "{name}: game 3001: line 7502, column 4: move 1 of Black: 12-13 is not possible: \
                  the man on 12 can't go there; it can go to 16"
        ),
    );
    let bad = |more: &[&str], message: &str| refused(&[&base[..], more].concat(), message);
    bad(
        &["--sprt", "0,5", "--sprt-beta", "0.7"],
        "beta is the share of wrong decisions, more than 0 and less than 0.5, not 0.7",
    );
    bad(
        &["--sprt", "0,5", "--sprt-model", "elo"],
        "invalid value 'elo' for '--sprt-model <MODEL>': `elo` is none of normalised and logistic (see `kingme match --help`)",
    );
    let late = [&openings[..2], &["--openings-from", "9"]].concat();
    let message = format!(
        "{}: game 1: it has 4 plies, and games are to begin after 9",
        book.display()
    );
    bad(&late, &message);
}

#[test]
fn a_match_of_few_games_has_a_finite_elo() {
    let run = kingme(&[
        "match",
        "minimax:depth=2",
        "random",
        "--variant",
        "english",
        "--games",
        "2",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        !run.out.contains("inf") && !run.out.contains("± 0.0"),
        "{}",
        run.out
    );
}

#[test]
fn a_wrong_value_is_named_by_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(root().join("examples/leagues/club.toml")).unwrap();
    let file = folder.path().join("league.toml");
    let path = file.to_str().unwrap();
    std::fs::write(&file, format!("rounds = two\n{good}")).unwrap();
    let message = "line 1: `rounds = two` should be a whole number, as in `rounds = 2`";
    refused(&["league", "run", path], &format!("{path}: {message}"));
}

#[test]
fn bad_leagues_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(root().join("examples/leagues/club.toml")).unwrap();
    let bots = root().join("examples/bots");
    let good = good.replace("../bots", bots.to_str().unwrap());
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
        "`adjudicate_draw`: `5` should be a score in men and a number of plies, as in `5,8` or `5,8,from=60,pieces=12`",
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
fn tournament_files_are_paired_and_checked() {
    let path = root().join("examples/leagues/open.trf");
    let path = path.to_str().unwrap();
    let run = kingme(&["swiss", "pair", path]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(
        run.out.lines().count(),
        1 + 4 + 1,
        "four boards and a bye: {}",
        run.out
    );
    assert!(run.out.starts_with("round 4\n  1  "), "{}", run.out);
    let run = kingme(&["swiss", "check", path]);
    assert_eq!(
        (run.status, run.out.as_str()),
        (0, "3 rounds are paired by the rules\n")
    );
    let folder = tempfile::tempdir().unwrap();
    // The first round again, with colours turned.
    let text = std::fs::read_to_string(path).unwrap();
    let wrong: Vec<String> = text
        .lines()
        .map(
            |line| match (line.starts_with("001"), line.split_at_checked(101)) {
                (true, Some((start, rest))) => {
                    let turned = start[91..]
                        .replace('w', "x")
                        .replace('b', "w")
                        .replace('x', "b");
                    format!("{}{turned}{rest}", &start[..91])
                }
                _ => line.to_owned(),
            },
        )
        .collect();
    let file = folder.path().join("wrong.trf");
    std::fs::write(&file, wrong.join("\n")).unwrap();
    let run = kingme(&["swiss", "check", file.to_str().unwrap()]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(
        run.out.starts_with("round 1: should be\nround 1\n"),
        "{}",
        run.out
    );
    // A byte a letter, as older programs write it, and more bytes than a variant's file may have.
    let old: Vec<u8> = text
        .replace("Ada", "Z\u{e9}e")
        .chars()
        .map(|c| c as u8)
        .collect();
    let long = [
        old,
        vec![b'\n'; 70_000],
        text.lines().last().unwrap().into(),
    ]
    .concat();
    std::fs::write(&file, long).unwrap();
    refused(
        &["swiss", "table", file.to_str().unwrap()],
        &format!(
            "{}: line 70015: there are two players with the number 9",
            file.display()
        ),
    );
    refused(
        &["swiss", "table", "/no/such.trf"],
        "/no/such.trf: No such file or directory",
    );
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

#[test]
fn a_bot_that_can_not_start_stops_the_league() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("league.toml");
    let path = file.to_str().unwrap();
    let text = |more: &str| {
        format!(
            "name = \"t\"\nvariant = \"league\"\nsize = 4\ndepth = 1\nformat = \"round-robin\"\n{more}\
             [[player]]\nname = \"one\"\nplays = \"random\"\n\
             [[player]]\nname = \"two\"\nplays = \"minimax\"\n\
             [[player]]\nname = \"three\"\nplays = \"hub:false\"\n"
        )
    };
    std::fs::write(&file, text("")).unwrap();
    refused(
        &["league", "run", path],
        &format!("{path}: player `three`: it can't be started: crashed: it ended with status 1"),
    );
    assert!(!file.with_extension("db").exists(), "nothing was played");
    std::fs::write(&file, text("allow_failing = true\n")).unwrap();
    let run = kingme(&["league", "run", path]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("three: crash"), "{}", run.err);
}

/// Where the logs of a test are: beside the leagues' files, or with `STORE=postgres` in a data base
/// of its own.
struct Logs(Option<String>);

impl Logs {
    fn new() -> Logs {
        let is_shared = std::env::var("STORE").as_deref() == Ok("postgres");
        Logs(is_shared.then(|| Cluster::shared().database()))
    }

    /// A command about a league.
    fn kingme(&self, arguments: &[&str]) -> Run {
        let store = self.0.iter().flat_map(|url| ["--store", url]);
        let all: Vec<&str> = arguments.iter().copied().chain(store).collect();
        kingme(&all)
    }

    /// The log of a league's file.
    fn of(&self, file: &str) -> LogPlace {
        let file = Path::new(file);
        match &self.0 {
            None => League::log_path(file).into(),
            Some(url) => {
                let name = file.file_stem().unwrap().to_str().unwrap();
                LogPlace::shared(&url.parse().unwrap(), name, file.parent()).unwrap()
            }
        }
    }
}

/// A bot in any game that says what it was given, and plays its first legal move.
const ODD_BOT: &str = r#"
import os, sys
given, legal, level = [], "", ""
for line in sys.stdin:
    command = line.split()[0]
    if command == "hub":
        print("id name=Odd")
        print("param name=hand-over value=legal")
        print("param name=hash value=1 type=int")
        print("param name=book value=none type=enum values=\"none small\"")
        print("wait", flush=True)
    elif command == "set-param":
        given.append(line.split("name=")[1].strip())
    elif command == "init":
        facts = [os.environ.get("MODEL", "-"), str(len(os.sched_getaffinity(0)))]
        print("id name=\"%s\"" % " ".join(given + facts).replace("=", ":"))
        print("ready", flush=True)
    elif command == "pos":
        legal = line.split('legal="')[1].split('"')[0].split()
    elif command == "level":
        level = line.strip()
    elif command == "go":
        sys.stderr.write(level + "\\n")
        print("done move=" + legal[0], flush=True)
    elif command == "quit":
        break
"#;

/// A league of chance and of the odd bot, in a folder with it, with lines of the bot's own.
fn odd_league(folder: &Path, own: &str) -> String {
    std::fs::create_dir_all(folder.join("bots")).unwrap();
    std::fs::write(folder.join("bots/odd.py"), ODD_BOT).unwrap();
    let file = folder.join("league.toml");
    let text = format!(
        "name = \"t\"\nvariant = \"league\"\nsize = 4\ndepth = 1\nformat = \"round-robin\"\n\
         [[player]]\nname = \"chance\"\nplays = \"random\"\n\
         [[player]]\nname = \"odd\"\nplays = \"hub:python3 bots/odd.py\"\n{own}"
    );
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_player_has_options_of_its_own_and_paths_are_relative_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let own = "options = { hash = 64, book = \"small\" }\nenv = { MODEL = \"tiny\" }\ncores = 1\n\
               time = \"5m+3s\"\nstart_limit = \"40s\"\n";
    let path = odd_league(folder.path(), own);
    let logs = Logs::new();
    let run = logs.kingme(&["league", "run", &path]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(!run.err.contains("odd: "), "{}", run.err);
    let file = LeagueFile::read(
        &std::fs::read_to_string(&path).unwrap(),
        Path::new(&path).parent().unwrap(),
    )
    .unwrap();
    let entry = &file.players[1];
    assert_eq!(entry.own.patience.start.as_secs(), 40);
    let mut player = file
        .open_player(entry, 0, kingme_players::Equipment::default())
        .unwrap();
    player
        .start(&file.variant, kingme_rules::Side::White)
        .unwrap();
    let said = player.name();
    for fact in ["hash value:64", "book value:small", "tiny 1"] {
        assert!(said.contains(fact), "{said} has no {fact}");
    }
    // The time is its own: the games of the log were played by two controls.
    let reader = Reader::open(logs.of(&path)).unwrap();
    let mut clocks = 0;
    reader
        .games(&mut |game| {
            for (side, ply) in game.session.plies() {
                let is_odd = game.finished.players[side] == 1;
                assert_eq!(ply.clock.is_some(), is_odd, "{side:?}");
                clocks += u32::from(is_odd);
            }
        })
        .unwrap();
    assert!(clocks > 0);
    let pdn = logs
        .kingme(&["league", "export", &path, "--format", "pdn"])
        .out;
    assert!(pdn.contains("White depth 1, Black 5m+3s"), "{pdn}");
}

#[test]
fn wrong_options_of_a_player_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let check = |own: &str, message: &str| {
        let path = odd_league(folder.path(), own);
        let message = format!("{path}: player `odd`: {message}");
        refused(&["league", "run", &path], &message);
    };
    let start = "it can't be started: broke the protocol: the bot";
    check(
        "options = { hahs = 64 }",
        &format!("{start} has no parameter `hahs`; did you mean `hash`?"),
    );
    check(
        "options = { book = \"big\" }",
        &format!("{start}'s parameter `book` can't be `big`; it is one of none, small"),
    );
    check("cores = 0", "`cores = 0` leaves nothing to think with");
    check(
        "time = \"0s\"",
        "`time`: `0s` leaves no time to think; the least is 1ms",
    );
    check(
        "start_limit = \"soon\"",
        "`start_limit`: `soon` is no time; write 30s",
    );
    check(
        "options = { hash = [1] }",
        "`options`: `hash` should be a text, a number, `true` or `false`",
    );
}

#[test]
fn a_bot_may_need_longer_to_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = odd_league(folder.path(), "start_limit = \"1ms\"\n");
    let message = format!("{path}: player `odd`: it can't be started: no reaction");
    refused(&["league", "run", &path], &message);
    let spec = format!(
        "hub:python3 {} {{hash=2}}",
        folder.path().join("bots/odd.py").display()
    );
    let game = [
        "random",
        &spec,
        "--variant",
        "league",
        "--games",
        "2",
        "--depth",
        "1",
    ];
    let run = kingme(&[&["match"], &game[..], &["--start-limit", "1ms"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("can't be started: no reaction"),
        "{}",
        run.err
    );
    let run = kingme(&[&["match"], &game[..], &["--start-limit", "1m"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
}

#[test]
fn what_a_bot_wrote_is_shown_with_what_went_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("league.toml");
    let path = file.to_str().unwrap();
    let bot = root().join("crates/arena/tests/bots/files/trials.py");
    let text = format!(
        "name = \"t\"\nvariant = \"league\"\nsize = 4\ntime = \"20s\"\nformat = \"round-robin\"\n\
         [[player]]\nname = \"chance\"\nplays = \"random\"\n\
         [[player]]\nname = \"raises\"\nplays = \"python:{}:RaisesLate\"\n",
        bot.display()
    );
    std::fs::write(&file, text).unwrap();
    let logs = Logs::new();
    let run = logs.kingme(&["league", "run", path, "--log-bots"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let shown = logs.kingme(&["league", "show", path, "--incidents"]).out;
    let first = shown.lines().next().unwrap();
    assert!(first.starts_with("game 1, ply 2: raises: "), "{shown}");
    assert!(
        first.ends_with("ValueError: no idea (trials.py, line 62)"),
        "{shown}"
    );
    assert!(
        shown.contains("\n    Traceback (most recent call last):\n"),
        "{shown}"
    );
    assert!(!shown.contains("chance: "), "{shown}");
    let log = std::fs::read_to_string(folder.path().join("league.bots/raises.log")).unwrap();
    let has = |mark: &str, start: &str| {
        let found = log.lines().any(|line| {
            let mut parts = line.splitn(4, ' ');
            let time = parts.next().unwrap().parse::<f64>();
            let (mark_here, text) = (parts.nth(1), parts.next().unwrap_or_default());
            time.is_ok() && mark_here == Some(mark) && text.starts_with(start)
        });
        assert!(found, "{mark} {start}: {log}");
    };
    has("=", "game 1: chance - raises");
    has(">", "go think");
    has("<", "done move=");
    has("!", "ValueError: no idea");
    assert!(!folder.path().join("league.bots/chance.log").exists());
}

#[test]
fn a_match_keeps_logs_of_its_bots() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let bot = "python:crates/arena/tests/bots/files/trials.py:Chatty";
    let game = [
        "match",
        bot,
        "random",
        "--variant",
        "league",
        "--games",
        "2",
        "--time",
        "20s",
    ];
    let run = kingme(&[&game[..], &["--log-bots", logs.to_str().unwrap()]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let files: Vec<_> = std::fs::read_dir(&logs).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let log = std::fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    assert!(log.contains(" ! done move=1-1\n"), "what it printed: {log}");
    assert!(log.contains(" = game 2: "), "{log}");
    let folder = "/proc/no/such";
    refused_after_start(&[&game[..], &["--log-bots", folder]].concat(), folder);
}

/// The command fails with one line at the end that begins like this.
fn refused_after_start(arguments: &[&str], start: &str) {
    let run = kingme(arguments);
    assert_eq!(run.status, 2, "{}", run.err);
    let last = run.err.lines().last().unwrap();
    assert!(last.starts_with(&format!("kingme: {start}")), "{}", run.err);
}
