//! What a league's file may say, and what is said of the others.

use std::path::Path;

use kingme_play::{OnIllegal, OnLate};

use super::*;

/// What logs of all versions have to say whose they are.
#[test]
fn the_identity_in_logs_stays_as_it_is() {
    let file = LeagueFile::read(GOOD, Path::new(".")).unwrap();
    assert_eq!(file.identity, "Test\nleague Some(6)\nRoundRobin 2 0\n");
    let other = GOOD
        .replace("size = 6\n", "")
        .replace("round-robin", "swiss");
    let file = LeagueFile::read(&other, Path::new(".")).unwrap();
    assert_eq!(file.identity, "Test\nleague None\nSwiss 2 0\n");
}

const GOOD: &str = r#"
name = "Test"
variant = "league"
size = 6
time = "100ms"
format = "round-robin"

[[player]]
name = "one"
plays = "random"

[[player]]
name = "two"
plays = "minimax"
"#;

fn read(text: &str) -> Result<LeagueFile> {
    let file = LeagueFile::read(text, Path::new("."))?;
    file.check_players()?;
    Ok(file)
}

fn check_error((from, to): (&str, &str), message: &str) {
    assert!(GOOD.contains(from), "{from}");
    let error = read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(error, message);
}

#[test]
fn a_file_is_read() {
    let file = read(GOOD).unwrap();
    assert_eq!(file.players.len(), 2);
    assert_eq!(file.games, 2);
    assert_eq!(file.variant.board().columns(), 6);
}

#[test]
fn faults_are_dealt_with_as_the_file_says() {
    let policy = |line: &str| read(&GOOD.replace("size = 6", line)).unwrap().policy;
    assert_eq!(policy("forfeit = true").late, OnLate::Lose);
    let strange = policy("forfeit = true\non_late = \"random\"\non_illegal = \"skip\"");
    assert_eq!(strange.late, OnLate::Random);
    assert_eq!(strange.illegal, OnIllegal::Skip);
}

#[test]
fn who_is_not_trusted_needs_confinement() {
    let read = |text: &str| LeagueFile::read(text, Path::new(".")).unwrap();
    let stranger = GOOD.replace("\"minimax\"", "\"minimax\"\ntrusted = false");
    assert!(read(&stranger).check_trust(Isolation::Landlock).is_ok());
    let error = read(&stranger).check_trust(Isolation::Limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "player `two`: it is not trusted and needs landlock, and this system offers limits"
    );
    let strict = stranger.replace("size = 6", "isolation = \"namespaces\"");
    assert!(read(&strict).check_trust(Isolation::Bubblewrap).is_err());
    assert!(read(GOOD).check_trust(Isolation::Limits).is_ok());
}

#[test]
fn bad_files_are_explained() {
    check_error(
        ("variant = \"league\"", "variant = \"leage\""),
        "`variant`: there is no game `leage`; did you mean `league`?",
    );
    check_error(
        ("size = 6", "size = 7"),
        "`size`: `league` can be played on even sizes from 4 to 100, not 7",
    );
    check_error(
        ("time = \"100ms\"", "time = \"0s\""),
        "`time`: `0s` leaves no time to think; the least is 1ms",
    );
    check_error(
        ("time = \"100ms\"", ""),
        "there is no `time`; write `time = \"1s\"`, or `nodes` or `depth`",
    );
    check_error(("\"two\"", "\"one\""), "two players are called `one`");
    check_error(
        ("\"minimax\"", "\"hub:/no/such/bot\""),
        "player `two`: there is no program `/no/such/bot`",
    );
    check_error(
        ("\"minimax\"", "\"python:none.py:Bot\""),
        "player `two`: there is no file `none.py`",
    );
    check_error(
        ("\"minimax\"", "\"minmax\""),
        "player `two`: there is no player `minmax`; did you mean `minimax`?",
    );
    check_error(
        ("[[player]]\nname = \"one\"\nplays = \"random\"", ""),
        "a league needs two players at least",
    );
    check_error(
        ("size = 6", "games = 0"),
        "`games = 0` leaves nothing to play",
    );
    check_error(
        ("size = 6", "cores = 0"),
        "`cores = 0` leaves nothing to think with",
    );
    check_error(
        ("size = 6", "adjudicate_win = \"much\""),
        "`adjudicate_win`: `much` should be a score in men and a number of plies, as in `5,8` or `5,8,from=60,pieces=12`",
    );
    check_error(
        ("size = 6", "on_late = \"skip\""),
        "`on_late`: `skip` is none of last-answer, random and lose",
    );
    check_error(
        ("size = 6", "on_illegal = \"pass\""),
        "`on_illegal`: `pass` is none of random, skip, ask-again, ask-again:3 and lose",
    );
    check_error(
        ("size = 6", "people_time = \"0s\""),
        "`people_time`: `0s` leaves no time to think; the least is 1ms",
    );
}

/// Whatever stands there instead of what is right, the answer is what is right, and where.
#[test]
fn wrong_values_are_named_by_what_would_be_right() {
    let line = |key: &str| format!("size = 6\n{key}");
    let check = |wrong: &str, message: &str| {
        check_error(
            ("size = 6", &line(wrong)),
            &format!("line 5: `{wrong}` should be {message}"),
        );
    };
    check("rounds = two", "a whole number, as in `rounds = 2`");
    check("rounds = \"2\"", "a whole number, as in `rounds = 2`");
    check("rounds = -1", "a whole number, as in `rounds = 2`");
    check("games = 2.5", "a whole number, as in `games = 2`");
    check(
        "seed = 99999999999999999999",
        "a whole number, as in `seed = 7`",
    );
    check("forfeit = yes", "`true` or `false`");
    check("ponder = 1", "`true` or `false`");
    check("grace = 50", "a time, as in `grace = \"50ms\"`");
    check(
        "openings = 3",
        "the name of a file, as in `openings = \"book.pdn\"`",
    );
    check("sprt = 5", "two differences in Elo, as in `sprt = \"0,5\"`");
    check_error(
        ("\"round-robin\"", "\"robin\""),
        "line 6: `format = \"robin\"` should be one of \"round-robin\", \"gauntlet\", \
         \"swiss\", \"knockout\" and \"ladder\"",
    );
    check_error(
        ("time = \"100ms\"", "time = 100"),
        "line 5: `time = 100` should be a time, as in `time = \"1s\"` or `time = \"5m+3s\"`",
    );
    check_error(
        ("plays = \"random\"", "plays = \"random\"\ntrusted = no"),
        "line 11: `trusted = no` should be `true` or `false`",
    );
    check_error(
        ("size = 6", "isolation = \"jail\""),
        "`isolation`: there is no isolation `jail`; it is one of none, limits, landlock, bubblewrap \
         and namespaces",
    );
    check_error(
        ("size = 6", "openings_order = \"any\""),
        "`openings_order`: `any` is none of file and random",
    );
    check_error(
        ("size = 6", "openings_cut = 4"),
        "`openings_order`, `openings_from` and `openings_cut` need `openings`",
    );
    check_error(
        ("size = 6", "max_plies = 0"),
        "`max_plies = 0` leaves nothing to play",
    );
}

#[test]
fn a_swiss_has_its_limit() {
    let swiss = GOOD.replace("round-robin", "swiss");
    let more = |count: usize| -> String {
        let player = |number| format!("[[player]]\nname = \"p{number}\"\nplays = \"random\"\n");
        (0..count).map(player).collect()
    };
    assert!(read(&(swiss.clone() + &more(1998))).is_ok());
    assert_eq!(
        read(&(swiss + &more(1999))).unwrap_err().to_string(),
        "a Swiss has at most 2000 players, and there are 2001"
    );
}

#[test]
fn what_is_missing_is_named() {
    check_error(
        ("name = \"Test\"\n", ""),
        "there is no `name`; write a text, as in `name = \"Club\"`",
    );
    check_error(
        ("plays = \"random\"", ""),
        "line 8: the player has no `plays`; write who it is, as in `plays = \"engine:level=3\"`",
    );
}

#[test]
fn tests_that_end_leagues_are_checked() {
    let sprt = |lines: &str| read(&GOOD.replace("size = 6", lines));
    assert!(sprt("sprt = \"0,5\"").unwrap().sprt.is_some());
    let error = |lines: &str| sprt(lines).unwrap_err().to_string();
    assert_eq!(
        error("sprt = \"5,0\""),
        "`sprt`: `5,0` names no test; give two differences in Elo, the lower one first, as in `0,5`"
    );
    assert_eq!(
        error("sprt = \"0,5\"\nsprt_alpha = 1.5"),
        "`sprt`: alpha is the share of wrong decisions, more than 0 and less than 0.5, not 1.5"
    );
    assert_eq!(
        error("sprt = \"0,5\"\nsprt_model = \"bayes\""),
        "`sprt_model`: `bayes` is none of normalised and logistic"
    );
    assert_eq!(
        error("sprt_beta = 0.1"),
        "`sprt_alpha`, `sprt_beta` and `sprt_model` need `sprt`, as in `sprt = \"0,5\"`"
    );
    let swiss = GOOD
        .replace("round-robin", "swiss")
        .replace("size = 6", "sprt = \"0,5\"");
    assert_eq!(
        read(&swiss).unwrap_err().to_string(),
        "`sprt` is for a gauntlet, or for a round robin of two players"
    );
}

#[test]
fn unknown_keys_are_named_with_their_line() {
    check_error(
        ("size = 6", "size = 6\nowner = \"ada\""),
        "line 5: `owner` is a key of a player, and needs `[[player]]` on a line above it",
    );
    check_error(
        ("[[player]]\nname = \"two\"", "[[plyer]]\nname = \"two\""),
        "line 12: there is no key `plyer`; did you mean `player`?",
    );
    check_error(
        ("time =", "tiem ="),
        "line 5: there is no key `tiem`; did you mean `time`?",
    );
    check_error(
        ("plays = \"random\"", "plays = \"random\"\nelo = 3"),
        "line 11: there is no key `elo`",
    );
}
