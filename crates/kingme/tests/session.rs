//! `kingme match` in a session of the system of its own.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::command;

/// A match whose bot never says a word, once it has begun.
fn playing(folder: &Path) -> Child {
    let game = ["random", "--variant", "english", "--start-limit", "10m"];
    let mut run = command(&[&["match", "hub:sleep 600"], &game[..]].concat());
    run.env("TMPDIR", folder);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    while fs::read_dir(folder).unwrap().count() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it plays");
        std::thread::yield_now();
    }
    child
}

/// What the system says of a process behind its name: its state, its parent, its group, its
/// session. Nothing, if it has ended.
fn facts(pid: u32) -> Vec<String> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let behind = line.rsplit(") ").next().unwrap_or_default();
    behind.split_whitespace().map(str::to_owned).collect()
}

/// The process that plays: one below this one that was told so, or this one.
fn player(pid: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let mark = format!("KINGME_OWN_SESSION={pid}");
    let plays = |child: &u32| {
        let environment = fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
        let mut entries = environment.split(|&byte| byte == 0);
        entries.any(|entry| entry == mark.as_bytes())
    };
    let mut children = children.split_whitespace().map(|pid| pid.parse().unwrap());
    children.find(plays).unwrap_or(pid)
}

#[test]
fn a_match_has_a_session_of_its_own_where_sessions_share_the_processor() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = playing(folder.path());
    let shared = fs::read_to_string("/proc/sys/kernel/sched_autogroup_enabled");
    let shared = shared.is_ok_and(|text| text.trim() == "1");
    let player = player(child.id());
    let own = facts(player)[3] == player.to_string();
    assert_eq!(own, shared);
    // Killing who stays at the terminal ends who plays, too.
    child.kill().unwrap();
    child.wait().unwrap();
    while facts(player).first().is_some_and(|state| state != "Z") {
        std::thread::yield_now();
    }
}

#[test]
fn what_is_said_to_us_is_said_to_who_plays() {
    let mut run = command(&["match", "random", "random", "--variant", "english"]);
    run.args(["--games", "1000000000"]);
    let mut child = run
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut first).unwrap();
    std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    // A match that was interrupted says how far it has come.
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        out.starts_with("random (A) against random (B)\n"),
        "{first}{out}"
    );
    assert!(output.status.success());
}
