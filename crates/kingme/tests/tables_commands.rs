//! `kingme tables` and `kingme solve` through the real binary.

mod support;

use std::path::Path;

use support::kingme_with;
use tempfile::TempDir;

/// What the command prints, its one line of complaint, and its status.
fn run(data: &Path, words: &[&str]) -> (String, String, i32) {
    let run = kingme_with(data, words);
    let complaints = run.err.lines().filter(|line| line.starts_with("kingme: "));
    (
        run.out,
        complaints.collect::<Vec<_>>().join("\n"),
        run.status,
    )
}

#[test]
fn tables_are_built_checked_and_asked() {
    let data = TempDir::new().unwrap();
    let counts = "2 716 402 2370\n3 100250 87305 8477\n";
    let build = [
        "tables",
        "build",
        "english",
        "--pieces",
        "3",
        "--threads",
        "1",
    ];
    assert_eq!(
        run(data.path(), &build),
        (counts.to_owned(), String::new(), 0)
    );
    assert_eq!(run(data.path(), &build).0, counts, "what is there is kept");
    let check = ["tables", "check", "english", "--pieces", "3"];
    assert_eq!(
        run(data.path(), &check),
        (counts.to_owned(), String::new(), 0)
    );
    let probe = |fen| run(data.path(), &["tables", "probe", "english", "--fen", fen]).0;
    assert!(probe("W:WK18,K19:BK4").starts_with("win\ndistance "));
    assert!(probe("B:WK18,K19:BK4").starts_with("loss\ndistance "));
    assert!(probe("W:WK18:BK4").starts_with("draw\nbest 18-"));
}

#[test]
fn quick_tables_are_built_when_asked() {
    let data = TempDir::new().unwrap();
    let probe = ["tables", "probe", "russian", "--fen", "W:WKa1:BKd4"];
    let (answer, complaint, status) = run(data.path(), &probe);
    assert!(answer.starts_with("win\ndistance 1\nbest a1x"), "{answer}");
    assert_eq!((complaint.as_str(), status), ("", 0));
}

#[test]
fn a_first_question_may_need_a_table_inside_the_program() {
    let questions = [
        ("english", "W:WK18,K19,K23:BK4,K8", "win\nbest "),
        ("international", "W:WK46,K47,K48:BK5", "win\nbest "),
    ];
    for (game, fen, expected) in questions {
        let data = TempDir::new().unwrap();
        let (answer, complaint, status) =
            run(data.path(), &["tables", "probe", game, "--fen", fen]);
        assert!(answer.starts_with(expected), "{game}: {answer}");
        assert_eq!((complaint.as_str(), status), ("", 0));
    }
}

#[test]
fn a_damaged_table_fails_its_check() {
    let data = TempDir::new().unwrap();
    run(
        data.path(),
        &["tables", "build", "english", "--size", "4", "--pieces", "2"],
    );
    let tables = std::fs::read_dir(data.path().join("tables")).unwrap();
    let file = tables.last().unwrap().unwrap().path().join("pieces-2.kmt");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
    let check = ["tables", "check", "english", "--size", "4", "--pieces", "2"];
    let (_, complaint, status) = run(data.path(), &check);
    let lengths = format!(
        "the file has {} bytes, but {} belong to it",
        bytes.len() - 3,
        bytes.len()
    );
    assert_eq!(complaint, format!("kingme: {}: {lengths}", file.display()));
    assert_eq!(status, 1);
}

#[test]
fn games_without_tables_say_why() {
    let data = TempDir::new().unwrap();
    let build = ["tables", "build", "frogs", "--pieces", "3"];
    let (_, complaint, status) = run(data.path(), &build);
    assert_eq!(
        complaint,
        "kingme: `frogs` can't have endgame tables: tables know men and kings only, and it has a frog"
    );
    assert_eq!(status, 2);
}

#[test]
fn tables_that_are_missing_say_how_to_make_them() {
    let data = TempDir::new().unwrap();
    let fen = "W:WK1,K2,K3:BK10,K11,K12";
    let probe = ["tables", "probe", "english", "--fen", fen];
    let (_, complaint, status) = run(data.path(), &probe);
    let hint = "`kingme tables build english --pieces 6` makes them";
    assert!(complaint.ends_with(hint), "{complaint}");
    assert_eq!(status, 2);
}

#[test]
fn small_games_are_proven() {
    let data = TempDir::new().unwrap();
    let (words, _, status) = run(data.path(), &["solve", "english", "--size", "4"]);
    assert_eq!(words.lines().next(), Some("english 4x4: a draw"));
    assert_eq!(status, 0);
    let (json, ..) = run(data.path(), &["solve", "russian", "--size", "4", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["result"], "draw");
    assert_eq!(json["tables"], 4);
}

#[test]
fn stupid_checkers_is_proven_from_its_start() {
    let data = TempDir::new().unwrap();
    let solve = ["solve", "stupid-checkers"];
    let (words, _, status) = run(data.path(), &solve);
    assert_eq!(
        words.lines().next(),
        Some("stupid-checkers 8x8: a win for r")
    );
    assert!(words.contains("squares don't matter"));
    assert_eq!(status, 0);
}

#[test]
fn a_proof_tells_how_far_it_is() {
    let data = TempDir::new().unwrap();
    let proof = kingme_with(data.path(), &["solve", "stupid-checkers"]).err;
    let first = "can r hold a draw? 1 plies, 0 positions, ";
    assert!(proof.starts_with(first), "{proof}");
    let tables = kingme_with(data.path(), &["solve", "english", "--size", "4"]).err;
    assert!(tables.starts_with("2 pieces: "), "{tables}");
}
