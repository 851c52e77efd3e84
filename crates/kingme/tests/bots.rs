//! `kingme hub`, `kingme dxp` and `kingme bot` through the real program, and the guide to bots.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const KINGME: &str = env!("CARGO_BIN_EXE_kingme");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn kingme(arguments: &[&str]) -> Output {
    Command::new(KINGME)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap()
}

fn check_error(arguments: &[&str], message: &str) {
    let output = kingme(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!("kingme: {message}\n")
    );
}

/// The text between ```sh and ```.
fn commands(guide: &str) -> Vec<String> {
    let blocks = guide.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_command_of_the_guide_works() {
    let guide = std::fs::read_to_string(root().join("docs/BOTS.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(KINGME).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let blocks = commands(&guide);
    assert!(blocks.len() >= 4);
    for block in blocks {
        let output = Command::new("sh")
            .args(["-e", "-c", &block])
            .current_dir(root())
            .env("PATH", &path)
            .env("TMPDIR", folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{block}\n{text}\n{error}");
    }
}

#[test]
fn the_guides_first_bot_is_the_example() {
    let guide = std::fs::read_to_string(root().join("docs/BOTS.md")).unwrap();
    let block = guide
        .split("```python\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.py");
    std::fs::write(&file, block).unwrap();
    let spec = format!("python:{}:Greedy", file.display());
    let output = kingme(&["bot", "check", &spec, "--variant", "english"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("This bot is fine.\n"), "{text}");
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
    let output = kingme(&["bot", "check", "false"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("WRONG say who you are: "), "{text}");
    assert!(text.ends_with("This bot is not ready yet.\n"), "{text}");
}

#[test]
fn bad_arguments_are_explained_in_one_line() {
    check_error(
        &["hub", "--variant", "rusian"],
        "there is no game `rusian`; did you mean `russian`?",
    );
    check_error(
        &["bot", "check", "python:x.py"],
        "`python:x.py` needs a file and a class, as in `python:bots/ada.py:Ada`",
    );
    check_error(
        &["hub", "--player", "human"],
        "`human` is a person and can't play here",
    );
}

#[test]
fn two_of_us_play_over_damexchange() {
    let mut listener = Command::new(KINGME)
        .args([
            "dxp",
            "--listen",
            "127.0.0.1:0",
            "--player",
            "minimax:depth=2",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first.strip_prefix("listening on ").unwrap();
    let caller = format!("dxp:{address}");
    let output = kingme(&[
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
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
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
