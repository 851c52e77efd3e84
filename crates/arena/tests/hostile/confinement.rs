//! What a bot can't do, at every level that works here. Each attack is also made without a sandbox:
//! one that is impossible here shows nothing.

use std::fs;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use kingme_play::EndReason;
use kingme_players::{Isolation, Sandbox};

use super::{LONG, meet, polite, says};

/// An attack: its name, and a command of the shell that succeeds if it does.
type Attack = (&'static str, String);

const LEVELS: [Isolation; 4] = [
    Isolation::Limits,
    Isolation::Landlock,
    Isolation::Bubblewrap,
    Isolation::Namespaces,
];

/// A sandbox of every level from one on that works here.
pub fn sandboxes(least: Isolation) -> impl Iterator<Item = Sandbox> {
    let levels = LEVELS.into_iter().filter(move |level| *level >= least);
    levels.filter(|level| level.works()).map(|level| Sandbox {
        isolation: Some(level),
        ..Sandbox::default()
    })
}

/// Which attacks succeed without a sandbox.
fn possible(attacks: &[Attack]) -> Vec<&'static str> {
    let works = |command: &str| {
        let status = Command::new("sh").args(["-c", command]).output();
        status.unwrap().status.success()
    };
    let possible = attacks.iter().filter(|(_, command)| works(command));
    possible.map(|(name, _)| *name).collect()
}

/// None of the attacks succeeds at any level from one on.
fn check_refused(attacks: &[Attack], least: Isolation) {
    for sandbox in sandboxes(least) {
        check_refused_in(attacks, &sandbox);
    }
}

/// The bot makes them all and says which have succeeded, in place of a move.
fn check_refused_in(attacks: &[Attack], sandbox: &Sandbox) {
    let tries = attacks
        .iter()
        .map(|(name, command)| format!("if ({command}) >/dev/null 2>&1; then did=$did,{name}; fi"));
    let tries = tries.collect::<Vec<_>>().join("\n");
    let act = format!("did=\n{tries}\necho \"done move=did${{did}}-nothing-else\"");
    let outcome = meet(&polite(&act), LONG, sandbox);
    let level = sandbox.isolation.unwrap();
    assert!(
        outcome.words[0].contains("did-nothing-else"),
        "{level}: {:?}",
        outcome.words
    );
    outcome.check(&[(EndReason::Illegal, 2)]);
}

/// A system call that succeeds.
fn call(number: libc::c_long, arguments: &str) -> String {
    format!("perl -e 'my @a = ({arguments}); exit(syscall({number}, @a) < 0)'")
}

#[test]
fn calls_that_no_bot_needs() {
    let affinity = "0, 8, pack(\"Q\", ~0)";
    let certain = [
        ("memfd", call(libc::SYS_memfd_create, "\"x\", 0")),
        ("affinity", call(libc::SYS_sched_setaffinity, affinity)),
        ("shm", call(libc::SYS_shmget, "0, 4096, 0600")),
        ("inotify", call(libc::SYS_inotify_init1, "0")),
        ("unix", call(libc::SYS_socket, "1, 1, 0")),
        (
            "unix datagrams",
            call(libc::SYS_socketpair, "1, 2, 0, \"12345678\""),
        ),
        ("tcp", call(libc::SYS_socket, "2, 1, 0")),
        ("netlink", call(libc::SYS_socket, "16, 3, 0")),
        ("ptrace", call(libc::SYS_ptrace, "0, 0, 0, 0")),
    ];
    assert_eq!(
        possible(&certain),
        certain.each_ref().map(|(name, _)| *name)
    );
    // Systems differ in whether they allow these to anybody.
    let others = [
        (
            "io_uring",
            call(libc::SYS_io_uring_setup, "1, \"\\0\" x 120"),
        ),
        ("vsock", call(libc::SYS_socket, "40, 1, 0")),
        ("user namespace", call(libc::SYS_unshare, "0x10000000")),
        ("namespaces", call(libc::SYS_unshare, "0x7e020000")),
        ("clone", call(libc::SYS_clone, "0x10000011, 0, 0, 0, 0")),
        (
            "mount",
            call(libc::SYS_mount, "\"x\", \"/tmp\", \"tmpfs\", 0, 0"),
        ),
        ("keys", call(libc::SYS_keyctl, "0, -3, 1")),
        ("bpf", call(libc::SYS_bpf, "0, \"\\0\" x 120, 120")),
        ("userfaultfd", call(libc::SYS_userfaultfd, "1")),
        (
            "perf",
            call(
                libc::SYS_perf_event_open,
                "\"\\1\\0\\0\\0p\" . \"\\0\" x 120, 0, -1, -1, 0",
            ),
        ),
    ];
    let all: Vec<Attack> = certain.into_iter().chain(others).collect();
    check_refused(&all, Isolation::Limits);
}

/// Things of the user's that are nobody else's business.
struct Foreign {
    folder: tempfile::TempDir,
    _listener: UnixListener,
    _datagrams: UnixDatagram,
}

impl Foreign {
    fn new() -> Foreign {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "secret").unwrap();
        Foreign {
            _listener: UnixListener::bind(folder.path().join("listener")).unwrap(),
            _datagrams: UnixDatagram::bind(folder.path().join("datagrams")).unwrap(),
            folder,
        }
    }

    /// A path, in two halves: a command that names a folder is one that is shown it.
    fn path(&self, name: &str) -> String {
        let folder = self.folder.path().to_str().unwrap();
        let (start, end) = folder.split_at(folder.len() - 3);
        format!("{start}''{end}/{name}")
    }

    fn attacks(&self) -> Vec<Attack> {
        let file = self.path("file");
        let perl = |code: &str| format!("p={file}; export p; perl -MSocket -MFcntl -e '{code}'");
        let socket = |name: &str, code: &str| {
            let path = self.path(name);
            format!("p={path}; export p; perl -MSocket -e '{code}'")
        };
        let lock = "open F, \"<\", $ENV{p} or exit 1; \
                    my $l = pack(\"s s x4 q q i x4\", F_RDLCK, 0, 120, 1, 0); \
                    fcntl(F, F_SETLK, $l) or exit 1";
        vec![
            ("read", format!("cat {file}")),
            ("write", format!("echo more >> {file}")),
            ("lock", perl(lock)),
            ("mode", format!("chmod 777 {file}")),
            ("time", format!("touch -d 2001-01-01 {file}")),
            ("owner", format!("chown $(id -u) {file}")),
            (
                "attribute",
                perl(&format!(
                    "my @a = ($ENV{{p}}, \"user.x\", \"v\", 1, 0); exit(syscall({}, @a) < 0)",
                    libc::SYS_setxattr
                )),
            ),
            (
                "connect",
                socket(
                    "listener",
                    "socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un($ENV{p})) or exit 1",
                ),
            ),
            (
                "send",
                socket(
                    "datagrams",
                    "socketpair(A, B, AF_UNIX, SOCK_DGRAM, 0) && send(A, \"x\", 0, sockaddr_un($ENV{p})) or exit 1",
                ),
            ),
        ]
    }
}

#[test]
fn files_and_sockets_of_the_user() {
    let foreign = Foreign::new();
    let attacks = foreign.attacks();
    let names: Vec<_> = attacks.iter().map(|(name, _)| *name).collect();
    assert_eq!(possible(&attacks), names);
    fs::write(foreign.folder.path().join("file"), "secret").unwrap();
    check_refused(&attacks, Isolation::Landlock);
    let text = fs::read_to_string(foreign.folder.path().join("file")).unwrap();
    assert_eq!(text, "secret");
}

#[test]
fn the_environment_of_the_user() {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let attacks = [
        ("own", "env | grep CARGO_".to_owned()),
        (
            "others",
            "cat /proc/[0-9]*/environ | grep -a CARGO_".to_owned(),
        ),
    ];
    assert_eq!(possible(&attacks), ["own", "others"]);
    check_refused(&attacks, Isolation::Landlock);
}

/// A folder with a bot that does something when it is asked.
fn bot_in(folder: &Path, act: &str) -> PathBuf {
    let path = folder.join("bot.sh");
    fs::write(&path, polite(act)).unwrap();
    path
}

#[test]
fn its_own_folder_is_read_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bot")).unwrap();
    let own = folder.path().join("bot");
    fs::write(own.join("weights"), "known").unwrap();
    fs::write(folder.path().join("league.db"), "secret").unwrap();
    let weights = own.join("weights");
    let weights = weights.to_str().unwrap();
    let act = format!(
        "did=\n\
         grep -q known {weights} && did=$did,read\n\
         ls {0}/.. | grep -q db && did=$did,looked\n\
         cat {0}/../league.db > /dev/null 2>&1 && did=$did,league\n\
         chmod 777 {weights} 2> /dev/null && did=$did,mode\n\
         touch {weights} 2> /dev/null && did=$did,time\n\
         echo x > $HOME/x && echo y > $TMPDIR/y && did=$did,scratch\n\
         echo \"done move=did$did-nothing-else\"",
        own.display()
    );
    let script = bot_in(&own, &act);
    for sandbox in sandboxes(Isolation::Landlock) {
        let outcome = super::meet_command(&["sh", script.to_str().unwrap()], LONG, &sandbox);
        let words = &outcome.words[0];
        assert!(
            words.contains("did,read,scratch-nothing-else"),
            "{:?}: {words}",
            sandbox.isolation
        );
    }
}

#[test]
fn a_bot_among_other_things_sees_itself_only() {
    // The folder for temporary files is everybody's.
    let secret = tempfile::Builder::new()
        .prefix("kingme-secret")
        .tempfile()
        .unwrap();
    let temporary = secret.path().parent().unwrap();
    let act = format!(
        "ls {}* > /dev/null 2>&1 && {} || {}",
        temporary.join("kingme-secret").display(),
        says("9-9"),
        says("1-50")
    );
    let script = tempfile::Builder::new().suffix(".sh").tempfile().unwrap();
    fs::write(script.path(), polite(&act)).unwrap();
    for sandbox in sandboxes(Isolation::Landlock) {
        let outcome = super::meet_command(&["sh", script.path().to_str().unwrap()], LONG, &sandbox);
        assert!(
            outcome.words[0].contains("1-50"),
            "{:?}: {:?}",
            sandbox.isolation,
            outcome.words
        );
    }
}

#[test]
fn scratch_has_a_limit_for_all_files_together() {
    let fill = "i=0; while test $i -lt 8; do head -c 1000000 /dev/zero > $TMPDIR/$i || exit 1; i=$((i+1)); done";
    let little = "head -c 1000000 /dev/zero > $TMPDIR/x && rm $TMPDIR/x";
    let act = format!(
        "({little}) && ok=yes; if ({fill}) 2> /dev/null; then {}; else {}; fi",
        says("9-9"),
        says("$ok")
    );
    let act = act.replace("'done move=$ok'", "done move=$ok");
    for sandbox in sandboxes(Isolation::Bubblewrap) {
        let sandbox = Sandbox {
            scratch: 4 << 20,
            ..sandbox
        };
        let outcome = meet(&polite(&act), LONG, &sandbox);
        assert!(
            outcome.words[0].contains("yes"),
            "{:?}: {:?}",
            sandbox.isolation,
            outcome.words
        );
    }
}

/// A bot that does something and never answers is ended for what it has used, at every level.
fn check_too_much(act: &str, sandbox: &Sandbox, words: &str) {
    for level in sandboxes(Isolation::Limits) {
        let sandbox = Sandbox {
            isolation: level.isolation,
            ..sandbox.clone()
        };
        let outcome = meet(&polite(&format!("{act}\nsleep 1000")), LONG, &sandbox);
        let level = sandbox.isolation.unwrap();
        outcome.check(&[(EndReason::Resources, 2)]);
        assert!(
            outcome.words[0].contains(words),
            "{level}: {:?}",
            outcome.words
        );
    }
}

#[test]
fn memory_is_limited_for_all_processes_together() {
    let sandbox = Sandbox {
        memory: 300 << 20,
        ..Sandbox::default()
    };
    // None of them alone has too much.
    let hungry = "perl -e '$all = \"x\" x 100_000_000; sleep 1000'";
    let act = format!("{hungry} & {hungry} & {hungry} & {hungry} &");
    check_too_much(
        &act,
        &sandbox,
        "more than 300 MB of memory in all its processes",
    );
}

#[test]
fn what_processes_share_counts_once() {
    let sandbox = Sandbox {
        memory: 300 << 20,
        ..Sandbox::default()
    };
    let family = "perl -e '$all = \"x\" x 60_000_000; $| = 1; \
                  for (1..5) { fork or do { sleep 1000; exit } } sleep 1; \
                  print \"done move=1-50\\n\"'";
    for level in sandboxes(Isolation::Limits) {
        let sandbox = Sandbox {
            isolation: level.isolation,
            ..sandbox.clone()
        };
        meet(&polite(family), LONG, &sandbox).check(&[(EndReason::Illegal, 2)]);
    }
}

/// Levels without namespaces have to watch what others don't allow in the first place.
fn watched() -> impl Iterator<Item = Sandbox> {
    sandboxes(Isolation::Limits)
        .take_while(|sandbox| sandbox.isolation < Some(Isolation::Bubblewrap))
}

#[test]
fn scratch_on_a_disk_is_watched() {
    let fill = "i=0; while test $i -lt 8; do head -c 1000000 /dev/zero > $TMPDIR/$i; i=$((i+1)); done; sleep 1000";
    for sandbox in watched() {
        let sandbox = Sandbox {
            scratch: 4 << 20,
            ..sandbox
        };
        let outcome = meet(&polite(fill), LONG, &sandbox);
        outcome.check(&[(EndReason::Resources, 2)]);
        assert!(outcome.words[0].contains("more than 4 MB of scratch space"));
    }
}

#[test]
fn processes_are_counted_where_the_system_does_not() {
    let bomb = "i=0; while test $i -lt 60; do sleep 1000 & i=$((i+1)); done; sleep 1000";
    for sandbox in watched() {
        let sandbox = Sandbox {
            processes: 20,
            ..sandbox
        };
        meet(&polite(bomb), LONG, &sandbox).check(&[(EndReason::Resources, 2)]);
    }
}
