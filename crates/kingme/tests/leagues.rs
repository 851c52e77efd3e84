//! `kingme match` and `kingme league` through the real program, and the guide to leagues.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

#[test]
fn every_command_of_the_guide_works() {
    let guide = std::fs::read_to_string(root().join("docs/LEAGUES.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(KINGME).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let blocks: Vec<&str> = guide
        .split("```sh\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let output = Command::new("sh")
            .args(["-e", "-c", block])
            .current_dir(root())
            .env("PATH", &path)
            .env("TMPDIR", folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{block}\n{error}");
    }
}

#[test]
fn a_match_ends_with_one_json_object() {
    let output = kingme(&[
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
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let count = |key: &str| json[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("losses") + count("draws"), 6);
    assert_eq!(json["reasons"]["rules"], 6);
}

#[test]
fn bad_matches_are_explained() {
    check_error(
        &["match", "random", "ranodm", "--variant", "english"],
        "invalid value 'ranodm' for '<B>': there is no player `ranodm`; did you mean `random`? (see `kingme --help`)",
    );
    check_error(
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
    check_error(
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--openings",
            "/no/such/file",
        ],
        "/no/such/file: No such file or directory (os error 2)",
    );
    check_error(
        &[
            "match",
            "random",
            "random",
            "--variant",
            "english",
            "--time",
            "0s",
        ],
        "invalid value '0s' for '--time <T>': `0s` leaves no time to think; the least is 1ms (see `kingme --help`)",
    );
}

#[test]
fn bad_leagues_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(root().join("examples/leagues/club.toml")).unwrap();
    let file = folder.path().join("league.toml");
    let path = file.to_str().unwrap();
    let check = |from: &str, to: &str, message: &str| {
        assert!(good.contains(from), "{from}");
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        check_error(&["league", "run", path], &format!("{path}: {message}"));
    };
    check(
        "size = 6",
        "size = 5",
        "`size`: `league` can be played on even sizes from 4 to 26, not 5",
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
    check_error(
        &["league", "show", "/no/such/league.toml"],
        "/no/such/league.toml: No such file or directory (os error 2)",
    );
}
