//! `kingme hub`, `kingme dxp` and `kingme bot` through the real program, and the guide to bots.

mod support;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Run, blocks, command, kingme, refused, root, run_guide};

#[test]
fn every_command_of_the_guide_works() {
    assert!(run_guide("docs/BOTS.md") >= 4);
}

#[test]
fn the_guides_first_bot_is_the_example() {
    let guide = std::fs::read_to_string(root().join("docs/BOTS.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.py");
    std::fs::write(&file, blocks(&guide, "python")[0]).unwrap();
    let spec = format!("python:{}:Greedy", file.display());
    let run = kingme(&["bot", "check", &spec, "--variant", "english"]);
    assert!(run.out.ends_with("This bot is fine.\n"), "{}", run.out);
    // It speaks the protocol on its own as well, once the package is installed.
    let alone = Command::new("python3")
        .arg("-B")
        .arg(&file)
        .env("PYTHONPATH", root().join("python"))
        .stdin(Stdio::null())
        .status();
    assert!(alone.unwrap().success());
}

#[test]
fn a_wrong_bot_is_told_so() {
    let Run { status, out, .. } = kingme(&["bot", "check", "false"]);
    assert_eq!(status, 1);
    assert!(out.starts_with("WRONG say who you are: "), "{out}");
    assert!(out.ends_with("This bot is not ready yet.\n"), "{out}");
}

#[test]
fn what_confines_bots_is_said() {
    let game = ["--variant", "english", "--games", "2", "--allow-failing"];
    let said = kingme(&[&["match", "hub:false", "random"], &game[..]].concat()).err;
    let levels = ["limits alone", "landlock", "bubblewrap", "namespaces"];
    let level = |level| said.contains(&format!("bots confined by {level}"));
    assert!(levels.into_iter().any(level), "{said}");
    let counted = ["limited by a cgroup", "watched, for want of a cgroup"];
    assert!(counted.into_iter().any(|how| said.contains(how)), "{said}");
}

/// A match in which nobody who can't play takes part.
fn check_not_played(bot: &str, why: &str) {
    let game = ["--variant", "league", "--games", "2", "--time", "1s"];
    let run = kingme(&[&["match", "random", bot], &game[..]].concat());
    assert_eq!((run.status, run.out.as_str()), (2, ""), "{}", run.err);
    let last = run.err.lines().last().unwrap();
    assert!(last.starts_with("kingme: `"), "{last}");
    assert!(
        last.contains("can't be started: ") && last.contains(why),
        "{last}"
    );
    let allowed = ["--allow-failing", "--json"];
    let run = kingme(&[&["match", "random", bot], &game[..], &allowed].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["games"], 2);
    assert_eq!(json["incidents"]["a"], serde_json::json!({}));
    assert!(json["incidents"]["b"]["crash"].as_u64() > Some(0), "{json}");
}

#[test]
fn a_bot_that_can_not_start_stops_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.py");
    std::fs::write(
        &file,
        "class Fails:\n    def __init__(self, board_size, player_num):\n        \
         raise RuntimeError('no model for %d, %d' % (board_size, player_num))\n    \
         def move(self, board, time_limit, ret_val):\n        pass\n",
    )
    .unwrap();
    let import = folder.path().join("import.py");
    std::fs::write(&import, "import no_such_package\n").unwrap();
    let (file, import) = (file.display(), import.display());
    check_not_played("hub:/no/such/bot", "No such file or directory");
    check_not_played("hub:false", "crashed: it ended with status 1");
    check_not_played("python:no/such.py:X", "there is no file `no/such.py`");
    check_not_played(&format!("python:{file}:Nobody"), "has no class `Nobody`");
    let why = "No module named 'no_such_package'";
    check_not_played(&format!("python:{import}:Bot"), why);
    let why = "RuntimeError: no model for 8, 2";
    check_not_played(&format!("python:{file}:Fails"), why);
}

#[test]
fn bad_arguments_are_explained_in_one_line() {
    refused(
        &["hub", "--variant", "rusian"],
        "there is no game `rusian`; did you mean `russian`?",
    );
    refused(
        &["bot", "check", "python:x.py"],
        "`python:x.py` needs a file and a class, as in `python:bots/ada.py:Ada`",
    );
    refused(
        &["hub", "--player", "human"],
        "`human` is a person and can't play here",
    );
}

#[test]
fn two_of_us_play_over_damexchange() {
    let listen = [
        "dxp",
        "--listen",
        "127.0.0.1:0",
        "--player",
        "minimax:depth=2",
    ];
    let mut listener = command(&listen).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first.strip_prefix("listening on ").unwrap();
    let caller = format!("dxp:{address}");
    let run = kingme(&[
        "match",
        &caller,
        "random",
        "--variant",
        "international",
        "--games",
        "2",
        "--time",
        "5s",
        "--forfeit",
        "--json",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    let clocks = "DXP keeps clocks of its own: the program is told of 5 minutes for the game, and \
                  not of 5s; a time such as 5m+0s is for both\n";
    assert!(run.err.contains(clocks), "{}", run.err);
    listener.kill().unwrap();
    listener.wait().unwrap();
    let ends = ["White wins", "Black wins", "a draw, or not decided"];
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let games = rest
        .iter()
        .filter(|line| ends.contains(&line.as_str()))
        .count();
    assert_eq!(games, 2, "{rest:?}");
}

#[test]
fn damexchange_refuses_what_it_cant_say() {
    let words = "DamExchange has boards of 50 squares; `english` has 32";
    refused(&["dxp", "--variant", "english", "--listen", "0"], words);
    let game = ["--variant", "english", "--games", "2"];
    let run = kingme(&[&["match", "dxp:127.0.0.1:1", "random"], &game[..]].concat());
    let last = format!("kingme: `dxp:127.0.0.1:1` can't be started: broke the protocol: {words}\n");
    assert!(run.err.ends_with(&last), "{}", run.err);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
}

#[test]
fn a_program_that_is_not_there_is_said_before_the_first_game() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("dxp:{}", port.local_addr().unwrap());
    drop(port);
    let game = ["--variant", "international", "--games", "1000"];
    let run = kingme(&[&["match", &address, "random"], &game[..]].concat());
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    let last = format!(
        "kingme: `{address}` can't be started: crashed: {}: Connection refused\n",
        address.trim_start_matches("dxp:")
    );
    assert!(run.err.ends_with(&last), "{}", run.err);
}

const FAULTY: &str = "\
import time
from kingme import Bot

class Slow(Bot):
    def choose(self, position, clock):
        self.suggest(position.moves[0])
        time.sleep(60)

class Silent(Slow):
    def choose(self, position, clock):
        time.sleep(60)

class Broken(Bot):
    def choose(self, position, clock):
        self.suggest(position.moves[0])
        return position.movs[0]
";

/// What `bot check` says of a class of that file.
fn checked(class: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bots.py");
    std::fs::write(&file, FAULTY).unwrap();
    let bot = format!("python:{}:{class}", file.display());
    kingme(&["bot", "check", &bot, "--variant", "english", "--size", "6"])
}

#[test]
fn an_exception_is_told_with_its_traceback_and_line() {
    let Run { status, out, .. } = checked("Broken");
    assert_eq!(status, 1, "{out}");
    let words =
        "has no attribute 'movs' (bots.py, line 16)\n      Traceback (most recent call last):";
    assert!(
        out.contains("WRONG make a first move: it answered"),
        "{out}"
    );
    assert!(out.contains(words), "{out}");
    assert!(out.contains("bots.py\", line 16, in choose\n"), "{out}");
}

#[test]
fn a_slow_bot_is_called_slow() {
    let Run { status, out, .. } = checked("Slow");
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("hint  make a first move: "), "{out}");
    assert!(out.contains("; too slow: it was still thinking"), "{out}");
    assert!(out.contains("all legal; too slow "), "{out}");
    let Run { status, out, .. } = checked("Silent");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("has no move: too slow: "), "{out}");
}

/// The scratch folders in a folder: the numbers of the processes that have made them.
fn scratch(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let owner = |name: String| {
        let numbers = name.strip_prefix("kingme-bot-")?;
        numbers.split('-').next().map(str::to_owned)
    };
    entries
        .filter_map(|entry| owner(entry.file_name().to_string_lossy().into_owned()))
        .collect()
}

#[test]
fn what_a_killed_match_leaves_is_cleared_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let game = ["random", "--variant", "english", "--games", "1"];
    let begin = |bot| {
        let mut run = command(&[&["match", bot], &game[..]].concat());
        run.env("TMPDIR", folder.path());
        run.stdout(Stdio::null()).stderr(Stdio::null());
        run
    };
    let mut killed = begin("hub:sleep 60").spawn().unwrap();
    while scratch(folder.path()).is_empty() {
        assert!(killed.try_wait().unwrap().is_none(), "it plays");
        std::thread::yield_now();
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    // The process that plays may be another one, which ends with this one.
    for owner in scratch(folder.path()) {
        while Path::new("/proc").join(&owner).exists() {
            std::thread::yield_now();
        }
    }
    // It may have been killed between two of them.
    let left = format!("kingme-bot-{}-999", killed.id());
    std::fs::create_dir_all(folder.path().join(left)).unwrap();
    assert!(
        begin("hub:false")
            .arg("--allow-failing")
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(scratch(folder.path()), [""; 0]);
}

#[test]
fn an_exception_after_the_answer_is_found() {
    let bot = "python:crates/arena/tests/bots/files/trials.py:RaisesLate";
    let run = kingme(&["bot", "check", bot, "--variant", "league"]);
    assert_eq!(run.status, 1, "{}", run.out);
    let said = "it answered `9-13`, but failed: ValueError: no idea (trials.py, line 62)\n";
    assert!(run.out.contains(said), "{}", run.out);
}

#[test]
fn another_python_can_be_chosen() {
    let bot = "python:examples/bots/greedy.py:Greedy";
    let game = [
        "match",
        bot,
        "random",
        "--variant",
        "english",
        "--games",
        "2",
    ];
    let run: Run = command(&game)
        .env("KINGME_PYTHON", "/no/such/python")
        .output()
        .unwrap()
        .into();
    assert_eq!(run.status, 2);
    assert!(run.err.contains("/no/such/python"), "{}", run.err);
}
