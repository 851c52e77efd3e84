//! Hostile bots, each a real process: the right reason is on record, nothing is left behind, and
//! the match goes on.

mod confinement;
mod turns;

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use kingme_arena::{MatchConfig, Openings, Standing, run_match};
use kingme_play::{EndReason, Policy, Stop, TimeControl};
use kingme_players::hub::{HubPlayer, Patience};
use kingme_players::{Isolation, Player, RandomPlayer, Sandbox};
use kingme_rules::Variant;

/// Enough for a bot that answers, even on a busy machine.
const LONG: Duration = Duration::from_secs(20);
/// For a bot that will not answer anyway.
const SHORT: Duration = Duration::from_millis(200);

/// A bot that says hello as it should and then does something else when it is asked for a move.
fn polite(act: &str) -> String {
    format!(
        r#"act() {{
{act}
}}
while read -r line; do
  case "$line" in
    hub) echo "id name=hostile version=1 author=nobody country=none"; echo wait;;
    init) echo ready;;
    "go think"*) act;;
    quit) exit;;
  esac
done"#
    )
}

/// A bot that answers with a move.
fn says(mv: &str) -> String {
    format!("echo 'done move={mv}'")
}

/// What a match of two games came to.
struct Outcome {
    standing: Standing,
    words: Vec<String>,
    token: String,
}

/// Plays two games of a bot against chance. Whatever it does, it has lost both.
fn meet(script: &str, time: Duration, sandbox: &Sandbox) -> Outcome {
    meet_command(&["sh", "-c", script], time, sandbox)
}

fn meet_command(command: &[&str], time: Duration, sandbox: &Sandbox) -> Outcome {
    let token = new_token();
    let command = [&["env", &token], command].concat();
    let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
    let config = MatchConfig {
        variant: Variant::named("international").unwrap(),
        games: 2,
        time: [TimeControl::Move(time); 2],
        policy: Policy::strict(),
        openings: Openings::Start,
        seed: 1,
        concurrency: 1,
        cores: 1,
        allow_failing: true,
        hashes: Default::default(),
        sprt: None,
    };
    let seats = || {
        let patience = Patience {
            start: LONG,
            ..Patience::default()
        };
        let bot = HubPlayer::new(command.clone(), sandbox.clone()).with_patience(patience);
        let bots: [Box<dyn Player>; 2] = [Box::new(bot), Box::new(RandomPlayer::new(1))];
        Ok(bots)
    };
    let mut words = Vec::new();
    let standing = run_match(&config, &seats, None, &Stop::new(), &mut |game, _| {
        words.push(game.session.end().unwrap().words.clone());
    })
    .unwrap();
    assert_eq!(standing.tally.losses, 2, "the match went on: {words:?}");
    let outcome = Outcome {
        standing,
        words,
        token,
    };
    outcome.check_gone();
    outcome
}

impl Outcome {
    /// When the match has returned, no process of the bot is left.
    fn check_gone(&self) {
        assert!(!any_process(&self.token), "a process is left");
    }

    fn check(&self, reasons: &[(EndReason, u64)]) {
        let expected: BTreeMap<EndReason, u64> = reasons.iter().copied().collect();
        assert_eq!(self.standing.reasons, expected, "{:?}", self.words);
    }
}

/// Whether there is a process of a bot.
fn any_process(token: &str) -> bool {
    !processes_with(token).is_empty()
}

/// The processes that have this in their environment, which those they have started inherit: their
/// folders in `/proc`.
fn processes_with(token: &str) -> Vec<PathBuf> {
    let folders = std::fs::read_dir("/proc").unwrap().flatten();
    let has_token = |folder: &PathBuf| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        let mut entries = environment.split(|&byte| byte == 0);
        entries.any(|entry| entry == token.as_bytes())
    };
    folders
        .map(|folder| folder.path())
        .filter(has_token)
        .collect()
}

/// An entry for the environment that no other bot has.
fn new_token() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("KINGME_HOSTILE=t{}x{number}", std::process::id())
}

fn check(act: &str, time: Duration, reasons: &[(EndReason, u64)]) -> Outcome {
    let outcome = meet(&polite(act), time, &Sandbox::default());
    outcome.check(reasons);
    outcome
}

/// What a bot says must not pile up here.
fn check_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 50_000, "{line}");
}

#[test]
fn exits_at_start() {
    let outcome = meet("echo 'no licence' >&2; exit 3", LONG, &Sandbox::default());
    outcome.check(&[(EndReason::Crash, 2)]);
    assert!(
        outcome.words[0].contains("status 3: no licence"),
        "{:?}",
        outcome.words
    );
}

#[test]
fn is_not_there() {
    let command = vec!["/no/such/bot".to_owned()];
    let mut bot = HubPlayer::new(command, Sandbox::default());
    let game = kingme_rules::Game::new(&Variant::named("international").unwrap());
    let fault = bot
        .new_game(&game, kingme_rules::Side::White)
        .unwrap_err()
        .to_string();
    assert!(
        fault.starts_with("crashed: `/no/such/bot`: No such file or directory"),
        "{fault}"
    );
}

#[test]
fn exits_after_a_move() {
    let act = "test -n \"$moved\" && exit 0; moved=yes; echo 'done move=32-28'";
    // As Black its move is illegal.
    check(act, LONG, &[(EndReason::Crash, 1), (EndReason::Illegal, 1)]);
}

#[test]
fn aborts() {
    let outcome = check("kill -ABRT $$", LONG, &[(EndReason::Crash, 2)]);
    assert!(outcome.words[0].contains("SIGABRT"), "{:?}", outcome.words);
}

#[test]
fn moves_illegally() {
    check(&says("1-50"), LONG, &[(EndReason::Illegal, 2)]);
}

#[test]
fn says_binary_rubbish() {
    check(
        "printf '\\377\\376\\000\\n'",
        LONG,
        &[(EndReason::Protocol, 2)],
    );
}

#[test]
fn answers_late() {
    check(
        "sleep 2.5; echo 'done move=32-28'",
        SHORT,
        &[(EndReason::Stall, 2)],
    );
}

#[test]
fn answers_late_but_heeds_stop() {
    let act =
        "while read -r line; do test \"$line\" = stop && echo 'done move=32-28' && return; done";
    check(act, SHORT, &[(EndReason::Time, 2)]);
}

#[test]
fn never_answers() {
    check("sleep 1000", SHORT, &[(EndReason::Stall, 2)]);
}

#[test]
fn chatters_for_ever() {
    check(
        "while :; do echo 'info depth=1'; sleep 0.05; done",
        SHORT,
        &[(EndReason::Stall, 2)],
    );
}

#[test]
fn sends_one_endless_line() {
    check("yes | tr -d '\\n'", LONG, &[(EndReason::Protocol, 2)]);
    check_memory();
}

#[test]
fn sends_endless_lines() {
    check("yes info depth=1", LONG, &[(EndReason::Protocol, 2)]);
    check_memory();
}

#[test]
fn floods_stderr() {
    check("yes 'I complain' >&2", LONG, &[(EndReason::Resources, 2)]);
    check_memory();
}

#[test]
fn closes_its_output() {
    check("exec >&-; sleep 1000", LONG, &[(EndReason::Protocol, 2)]);
}

#[test]
fn ignores_quit() {
    let script = polite(&says("1-50")).replace("quit) exit;;", "quit) ;;")
        + "\ntrap '' TERM HUP\nwhile :; do sleep 1; done";
    meet(&script, LONG, &Sandbox::default()).check(&[(EndReason::Illegal, 2)]);
}

#[test]
fn leaves_a_grandchild() {
    let act = format!("(setsid sleep 1000 > /dev/null 2>&1 &)\n{}", says("1-50"));
    check(&act, LONG, &[(EndReason::Illegal, 2)]);
}

#[test]
fn forks_without_end() {
    // The system counts no processes of root, unless they have a namespace.
    let least = if nix::unistd::getuid().is_root() {
        Isolation::Namespaces
    } else {
        Isolation::Limits
    };
    for sandbox in confinement::sandboxes(least) {
        let sandbox = Sandbox {
            processes: 20,
            ..sandbox
        };
        let bomb = "bomb() { bomb | bomb & }; bomb; sleep 1000";
        let outcome = meet(&polite(bomb), SHORT, &sandbox);
        // It dies of its own limit or is stopped at ours.
        let reasons = outcome.standing.reasons.keys();
        let expected = [EndReason::Stall, EndReason::Crash, EndReason::Resources];
        assert!(reasons.into_iter().all(|reason| expected.contains(reason)));
    }
}

#[test]
fn allocates_without_end() {
    let sandbox = Sandbox {
        memory: 400 << 20,
        ..Sandbox::default()
    };
    let act = "exec perl -e '$_ = \"x\" x 1000000; push @all, $_ . $n++ while 1'";
    meet(&polite(act), LONG, &sandbox).check(&[(EndReason::Resources, 2)]);
}

#[test]
fn fills_its_scratch_folder() {
    let sandbox = Sandbox {
        file_size: 1 << 20,
        ..Sandbox::default()
    };
    let act = "exec head -c 9000000 /dev/zero > $TMPDIR/big";
    meet(&polite(act), LONG, &sandbox).check(&[(EndReason::Resources, 2)]);
}

#[test]
fn writes_to_the_disk() {
    let path = format!("/tmp/kingme-hostile-{}", std::process::id());
    let act = format!("echo x 2>/dev/null > {path}\n{}", says("1-50"));
    check(&act, LONG, &[(EndReason::Illegal, 2)]);
    assert!(!Path::new(&path).exists(), "confinement has failed");
}

#[test]
fn opens_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let call = format!(
        "perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in({port}, inet_aton(\"127.0.0.1\"))) or exit 1'"
    );
    let act = format!("if {call}; then {}; else {}; fi", says("9-9"), says("1-50"));
    let outcome = check(&act, LONG, &[(EndReason::Illegal, 2)]);
    assert!(outcome.words[0].contains("1-50"), "{:?}", outcome.words);
    assert!(listener.accept().is_err(), "nobody has called");
}

#[test]
fn every_level_that_works_here_does_what_it_says() {
    let levels = [
        Isolation::Limits,
        Isolation::Landlock,
        Isolation::Bubblewrap,
        Isolation::Namespaces,
    ];
    for level in levels.into_iter().filter(|level| level.works()) {
        let sandbox = Sandbox {
            isolation: Some(level),
            memory: 400 << 20,
            processes: 20,
            ..Sandbox::default()
        };
        let check = |act: &str, time, expected: &[(EndReason, u64)]| {
            let outcome = meet(&polite(act), time, &sandbox);
            let reasons: Vec<_> = outcome.standing.reasons.clone().into_iter().collect();
            assert_eq!(reasons, expected, "{level}: {act}: {:?}", outcome.words);
            outcome
        };
        let grandchild = format!("(setsid sleep 1000 > /dev/null 2>&1 &)\n{}", says("1-50"));
        check(&grandchild, LONG, &[(EndReason::Illegal, 2)]);
        let greedy = "exec perl -e '$_ = \"x\" x 1000000; push @all, $_ . $n++ while 1'";
        check(greedy, LONG, &[(EndReason::Resources, 2)]);
        check("kill -ABRT $$", LONG, &[(EndReason::Crash, 2)]);
        check("sleep 1000", SHORT, &[(EndReason::Stall, 2)]);
        if level >= Isolation::Landlock {
            let path = format!("/tmp/kingme-level-{level}-{}", std::process::id());
            let writes = format!("echo x 2>/dev/null > {path}\n{}", says("1-50"));
            check(&writes, LONG, &[(EndReason::Illegal, 2)]);
            assert!(!Path::new(&path).exists(), "{level} let it write");
            let scratch = format!("echo x > $TMPDIR/x && {}", says("1-50"));
            check(&scratch, LONG, &[(EndReason::Illegal, 2)]);
        }
        if level >= Isolation::Namespaces {
            // Others can't be seen: the first process is one of its own.
            let alone = format!("test -d /proc/{} || {}", std::process::id(), says("1-50"));
            check(&alone, LONG, &[(EndReason::Illegal, 2)]);
            let bomb = "i=0; while test $i -lt 60; do sleep 1000 & i=$((i+1)); done; sleep 1000";
            meet(&polite(bomb), SHORT, &sandbox);
        }
    }
}

#[test]
fn a_level_that_does_not_work_is_not_claimed() {
    // A bubblewrap that is installed and not allowed, as in many containers.
    let folder = tempfile::tempdir().unwrap();
    let bwrap = folder.path().join("bwrap");
    std::fs::write(&bwrap, "#!/bin/sh\nexit 1\n").unwrap();
    std::fs::set_permissions(&bwrap, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("/bin/true", folder.path().join("true")).unwrap();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "says_what_is_available",
            "--ignored",
            "--nocapture",
        ])
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("bubblewrap works: false"), "{text}");
    assert!(!text.contains("available: bubblewrap"), "{text}");
}

#[test]
#[ignore = "run by a_level_that_does_not_work_is_not_claimed"]
fn says_what_is_available() {
    println!("available: {}", Isolation::available());
    println!("bubblewrap works: {}", Isolation::Bubblewrap.works());
}

/// Not a test of its own: a program with a bot that the next test kills.
#[test]
#[ignore = "run by does_not_outlive_a_killed_program"]
fn a_program_to_be_killed() {
    if std::env::var("KINGME_HOSTILE").is_err() {
        return;
    }
    let script = format!(
        "trap '' HUP TERM PIPE; {}; sleep 1000",
        polite("sleep 1000")
    );
    let command = ["env", "sh", "-c", &script].map(str::to_owned).to_vec();
    let mut bot = HubPlayer::new(command, Sandbox::default());
    let game = kingme_rules::Game::new(&Variant::named("international").unwrap());
    bot.new_game(&game, kingme_rules::Side::White).unwrap();
    println!("ready");
    std::thread::sleep(Duration::from_secs(1000));
}

#[test]
fn does_not_outlive_a_killed_program() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    if Isolation::available() < Isolation::Namespaces {
        return;
    }
    let token = format!("KINGME_HOSTILE=killed{}", std::process::id());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "a_program_to_be_killed",
            "--ignored",
            "--nocapture",
        ])
        .env("KINGME_HOSTILE", token.split('=').nth(1).unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("ready")));
    assert!(any_process(&token));
    child.kill().unwrap();
    child.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while any_process(&token) {
        assert!(Instant::now() < until, "the bot is left");
        std::thread::yield_now();
    }
}
