//! The commands around the rules, through the real binary.

mod support;

use support::{blocks, command, kingme, refused};

fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn moves_are_sorted_as_text() {
    let run = kingme(&["moves", "english"]);
    assert_eq!(run.out, "10-14\n10-15\n11-15\n11-16\n12-16\n9-13\n9-14\n");
    let run = kingme(&["moves", "russian", "--fen", "W:W29,K22:B5"]);
    assert!(run.out.starts_with("a1-b2\nc3-"), "{}", run.out);
    let run = kingme(&["moves", "league", "--size", "4"]);
    assert_eq!(run.out, "0,1;1,0\n0,1;1,2\n0,3;1,2\n");
}

#[test]
fn perft_prints_a_line_a_depth() {
    let run = kingme(&["perft", "frisian", "4", "--threads", "2"]);
    let begins: Vec<String> = run
        .out
        .lines()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(begins, ["1 9", "2 81", "3 658", "4 3874"]);
    let run = kingme(&["perft", "international", "2", "--divide"]);
    assert!(run.out.contains("\n32-28 9\n"), "{}", run.out);
}

#[test]
fn games_are_listed_and_explained() {
    let list = kingme(&["variants"]);
    for name in ["international", "stupid-checkers", "frogs"] {
        assert!(list.out.lines().any(|line| line.starts_with(name)));
    }
    let frisian = kingme(&["variants", "frisian"]);
    assert!(frisian.out.lines().all(|line| line.chars().count() <= 80));
    assert!(frisian.out.contains("three"), "{}", frisian.out);
}

#[test]
fn checkers_leads_to_the_tournament_game() {
    for words in [&["variants", "checkers"][..], &["variants"]] {
        let told = kingme(words).out.replace('\n', " ");
        assert!(told.contains("The tournament game is `english`."), "{told}");
    }
}

/// The first TOML block of a text.
fn example(text: &str) -> &[u8] {
    blocks(text, "toml")[0].as_bytes()
}

#[test]
fn the_readmes_own_game_works_at_once() {
    let (_folder, path) = file("mine.toml", example(include_str!("../../../README.md")));
    let run = kingme(&["variants", &path]);
    assert_eq!(run.status, 0, "{}", run.err);
    let run = kingme(&["moves", &path, "--fen", "W:WK16:B1"]);
    assert_eq!(run.out.lines().count(), 5, "{}", run.out);
}

#[test]
fn the_guides_own_game_works_at_once() {
    let (_folder, path) = file(
        "corners.toml",
        example(include_str!("../../../docs/VARIANTS.md")),
    );
    let run = kingme(&["variants", &path]);
    assert_eq!(run.status, 0, "{}", run.err);
    let run = kingme(&["perft", &path, "3"]);
    assert_eq!(run.out.lines().count(), 3, "{}", run.err);
}

#[test]
fn faults_of_a_file_are_all_told() {
    let (_folder, path) = file(
        "bad.toml",
        b"extends = \"english\"\nname = \"bad\"\n[board]\ncolums = 6\nrows = 7.5\n",
    );
    let run = kingme(&["variants", &path]);
    assert_eq!(run.status, 2);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.err);
    assert!(
        lines[0].ends_with("line 4: board.colums: unknown key `colums`; did you mean `columns`?")
    );
    assert!(lines[1].contains("line 5: board.rows: found a number with a point"));
}

#[test]
fn bad_input_gets_one_sentence() {
    refused(
        &["moves", "frisan"],
        "there is no game `frisan`; did you mean `frisian`?",
    );
    refused(
        &["moves", "english", "--fen", "W:W21,21:B1"],
        "FEN: two pieces stand on 21",
    );
    refused(
        &["moves", "english", "--fen", "W:W99:B1"],
        "FEN: `99` is not a square of this board",
    );
    refused(
        &["moves", "english", "--fen", "W"],
        "FEN: `W` lists no pieces; write both sides, as in `W:W31:B`",
    );
    refused(
        &["pdn"],
        "a command is missing: check, convert (see `kingme pdn --help`)",
    );
    refused(
        &["perft", "english", "-1"],
        "unexpected argument '-1' found; to pass '-1' as a value, use '-- -1' (see `kingme perft --help`)",
    );
    for size in ["2", "5", "102"] {
        refused(
            &["moves", "league", "--size", size],
            &format!("`league` can be played on even sizes from 4 to 100, not {size}"),
        );
    }
    refused(
        &["moves", "nowhere.toml"],
        "nowhere.toml: No such file or directory",
    );
    let (_folder, path) = file("broken.toml", b"name = \n");
    let run = kingme(&["moves", &path]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1));
    assert!(run.err.contains("line 1: not valid TOML"), "{}", run.err);
    let run = kingme(&["perft", "english", "many"]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
}

const GAMES: &str = "[Event \"One\"]\n[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 23-19 2. 8-11 {good} 22-17 *\n\n\
                     [Event \"Two\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n";

#[test]
fn pdn_files_are_checked_and_converted() {
    let (_folder, path) = file("games.pdn", GAMES.as_bytes());
    let run = kingme(&["pdn", "check", &path]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert_eq!(
        run.out,
        format!("{path}: 2 games, 8 moves, 0 errors\n2 games, 8 moves, 0 errors\n")
    );
    let converted = kingme(&["pdn", "convert", &path]);
    assert!(
        converted
            .out
            .contains("1. 11-15 23-19 2. 8-11 {good} 22-17 *"),
        "{}",
        converted.out
    );
    let (_folder, again) = file("again.pdn", converted.out.as_bytes());
    assert_eq!(kingme(&["pdn", "convert", &again]).out, converted.out);
}

#[test]
fn illegal_games_are_told_with_their_place() {
    let text = GAMES.replace("28x19", "33-29");
    let (_folder, path) = file("games.pdn", text.as_bytes());
    let run = kingme(&["pdn", "check", &path]);
    assert_eq!(run.status, 1);
    let told =
        "line 10, column 19: move 2 of White: 33-29 is not possible: there is a capture with 28";
    assert!(
        run.out.starts_with(&format!("{path}: {told}\n")),
        "{}",
        run.out
    );
    assert!(run.out.ends_with(", 1 errors\n"), "{}", run.out);
}

#[test]
fn pdn_says_what_it_had_to_assume_once_per_file() {
    let text = GAMES
        .replace("[GameType \"21\"]\n", "")
        .replace("[GameType \"20\"]\n", "");
    let (_folder, path) = file("games.pdn", text.as_bytes());
    let run = kingme(&["pdn", "check", &path]);
    let note = |game: &str| {
        let why = "no tag says which game this is; by its moves it is taken for";
        format!("{path}: note: {why} `{game}`\n")
    };
    let tally = "2 games, 8 moves, 0 errors\n";
    let (english, international) = (note("english"), note("international"));
    let expected = format!("{english}{international}{path}: {tally}{tally}");
    assert_eq!(run.out, expected);
    let run = kingme(&["pdn", "convert", &path]);
    assert!(!run.out.contains("GameType"), "{}", run.out);
    assert_eq!(run.err.matches("note: ").count(), 2, "{}", run.err);
}

#[test]
fn pdn_warns_and_counts_what_is_odd() {
    let text = GAMES
        .replace("[Result \"*\"]", "[Result \"1-0\"]")
        .replace("22-17 *", "22-17 0-1");
    let (_folder, path) = file("games.pdn", text.as_bytes());
    let run = kingme(&["pdn", "check", &path]);
    assert_eq!(run.status, 0, "{}", run.out);
    let warning = "warning: line 1: the tag Result says 1-0, but the moves end with 0-1";
    assert!(run.out.contains(warning), "{}", run.out);
    assert!(
        run.out
            .ends_with("2 games, 8 moves, 0 errors, 1 warnings\n"),
        "{}",
        run.out
    );
    let open = GAMES.replace("{good}", "{good");
    let (_folder, path) = file("open.pdn", open.as_bytes());
    let run = kingme(&["pdn", "check", &path]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.out.contains("is never closed with `}`"), "{}", run.out);
}

#[test]
fn a_dash_is_standard_input() {
    let (_folder, path) = file("games.pdn", GAMES.as_bytes());
    let games = std::fs::File::open(path).unwrap();
    let output = command(&["pdn", "check", "-"]).stdin(games).output();
    let out = String::from_utf8(output.unwrap().stdout).unwrap();
    let expected = "standard input: 2 games, 8 moves, 0 errors\n";
    assert!(out.starts_with(expected), "{out}");
}

#[test]
fn rubbish_is_not_a_pdn_file() {
    let rubbish: Vec<u8> = (0..2000u32).map(|i| (i * 7919 % 251) as u8).collect();
    let (_folder, path) = file("rubbish.pdn", &rubbish);
    let run = kingme(&["pdn", "check", &path]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert_eq!(
        run.err,
        format!("kingme: {path}: this is not a PDN file, there is no game in it\n")
    );
    assert_eq!(kingme(&["pdn", "convert", &path]).out, "");
}

#[test]
fn a_folder_is_no_file_of_games_and_no_number_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = kingme(&["pdn", "check", folder.path().to_str().unwrap()]);
    let told = run.out + &run.err;
    assert!(told.contains("Is a directory"), "{told}");
    assert!(!told.contains("os error"), "{told}");
}
