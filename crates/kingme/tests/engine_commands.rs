//! `kingme analyse` through the real binary.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{kingme_with, refused};
use tempfile::TempDir;

/// What the command prints, what it complains about, and its status.
fn run(data: &Path, words: &[&str]) -> (String, String, i32) {
    let run = kingme_with(data, words);
    (run.out, run.err, run.status)
}

#[test]
fn an_analysis_shows_depth_score_nodes_speed_and_line() {
    let data = TempDir::new().unwrap();
    let (words, complaint, status) = run(data.path(), &["analyse", "english", "--depth", "5"]);
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines.len(), 6, "five iterations and the best move: {words}");
    for part in [" nodes ", " s ", " M/s "] {
        assert!(lines[4].contains(part), "{}", lines[4]);
    }
    assert!(lines[5].starts_with("best: "));
    assert_eq!((complaint.as_str(), status), ("", 0));
}

#[test]
fn programs_get_an_object() {
    let data = TempDir::new().unwrap();
    let words = [
        "analyse", "frisian", "--depth", "4", "--lines", "3", "--json",
    ];
    let (json, ..) = run(data.path(), &words);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["variant"], "frisian");
    assert_eq!(json["depth"], 4);
    assert_eq!(json["lines"].as_array().unwrap().len(), 3);
    assert_eq!(json["lines"][0]["moves"][0], json["best"]);
    assert_eq!(json["lines"][0]["score"], json["score"]);
    assert!(json["nodes"].as_u64().unwrap() > 0);
    assert!(json["nodes_per_second"].as_u64().unwrap() > 0);
    assert_eq!(json["tables"], Value::Null);
}

#[test]
fn a_won_ending_is_called_won() {
    let data = TempDir::new().unwrap();
    run(
        data.path(),
        &["tables", "build", "english", "--pieces", "3"],
    );
    let fen = ["analyse", "english", "--fen", "W:WK18,K19:BK4"];
    let (words, complaint, _) = run(data.path(), &fen);
    assert!(words.contains("tables: win\nbest: "), "{words}");
    assert_eq!(complaint, "");
}

#[test]
fn a_damaged_table_is_named_and_the_search_goes_on() {
    let data = TempDir::new().unwrap();
    run(
        data.path(),
        &["tables", "build", "english", "--pieces", "3"],
    );
    let games = std::fs::read_dir(data.path().join("tables")).unwrap();
    let file = games.last().unwrap().unwrap().path().join("pieces-3.kmt");
    std::fs::write(&file, "nonsense").unwrap();
    let fen = "W:WK18,K19:BK4";
    let words = ["analyse", "english", "--fen", fen, "--depth", "5"];
    let (words, complaint, status) = run(data.path(), &words);
    assert_eq!(
        complaint,
        format!(
            "kingme: {}: this is not a table file of this version; the search goes on without it\n",
            file.display()
        )
    );
    assert!(words.contains("best: "), "{words}");
    assert_eq!(status, 0);
}

/// A file of counts as `kingme bench --check` reads it.
#[test]
fn bench_takes_no_rubbish() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("counts.txt");
    std::fs::write(&path, "english 17\ninternational many\n").unwrap();
    let name = path.to_str().unwrap();
    refused(
        &["bench", "--check", name],
        &format!("{name}, line 2: `international many` is no game and its count"),
    );
}

#[test]
fn damaged_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.bin");
    std::fs::write(&path, "rubbish").unwrap();
    let name = path.to_str().unwrap();
    refused(
        &["analyse", "english", "--weights", name, "--depth", "3"],
        &format!("{name}: it does not begin with `kingme weights 1`"),
    );
}

#[test]
fn a_training_goes_on_only_from_weights_of_its_game() {
    let english = "crates/engine/weights/english.bin";
    let refused = |variant, from, sentence: &str| {
        support::refused(
            &["train", variant, "--time", "1s", "--from", from],
            sentence,
        );
    };
    refused(
        "russian",
        english,
        "crates/engine/weights/english.bin: it is for `english`, not for `russian`",
    );
    refused(
        "english",
        "Cargo.toml",
        "Cargo.toml: it does not begin with `kingme weights 1`",
    );
    refused(
        "english",
        "nowhere.bin",
        "nowhere.bin: No such file or directory",
    );
    refused(
        "league",
        "shipped",
        "no weights come with kingme for league",
    );
}

#[test]
fn a_training_makes_no_folder_for_its_weights() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such");
    let out = missing.join("mine.bin");
    refused(
        &["train", "english", "--out", out.to_str().unwrap()],
        &format!("there is no folder `{}`", missing.display()),
    );
    assert!(!folder.path().join("no").exists());
}
