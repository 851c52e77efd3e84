//! Habits of real files that once went wrong: nothing is lost, and nothing guessed in silence.

use kingme_rules::Variant;
use kingme_rules::pdn::{Assumption, Encoding, PdnGame, Reader, Replay, replay, to_text, warnings};

fn read(bytes: &[u8]) -> PdnGame {
    Reader::new(bytes).next().unwrap().unwrap()
}

fn played(text: &str) -> (PdnGame, Replay) {
    let game = read(text.as_bytes());
    let replay = replay(&game, None);
    (game, replay)
}

/// The moves and tags of a converted game in one line.
#[track_caller]
fn check_converted(text: &str, expected: &str) {
    let (game, replay) = played(text);
    assert_eq!(replay.errors, [], "{text}");
    let converted = to_text(&game.canonical(&replay));
    let line: Vec<&str> = converted.split_whitespace().collect();
    assert_eq!(line.join(" "), expected);
    let (again, replay) = played(&converted);
    assert_eq!(replay.errors, [], "{converted}");
    assert_eq!(to_text(&again.canonical(&replay)), converted);
}

#[track_caller]
fn check_assumed(text: &str, expected: &[&str]) -> Replay {
    let (_, replay) = played(text);
    let said: Vec<String> = replay.assumed.iter().map(ToString::to_string).collect();
    assert_eq!(said, expected, "{text}");
    replay
}

#[track_caller]
fn check_warnings(text: &str, expected: &[&str]) {
    let (game, replay) = played(text);
    let faults = game.faults.iter().map(ToString::to_string);
    let said = warnings(&game, &replay);
    let said: Vec<String> = said.iter().map(ToString::to_string).chain(faults).collect();
    assert_eq!(said, expected, "{text}");
}

#[test]
fn a_semicolon_never_stands_in_a_move() {
    check_converted(
        "[Variant \"league\"] 1. 2,5-3,6 5,2-4,1 *",
        "[Variant \"league\"] [Result \"*\"] 1. 2,5-3,6 5,2-4,1 *",
    );
}

#[test]
fn displacing_moves_become_the_start() {
    let ballot = "[GameType \"25\"] 1. c3-b4 {by lot} f6-g5 2. g3-f4 h6-g7 *";
    let (_, replay) = played(ballot);
    assert!(
        !replay.errors.is_empty(),
        "h6 is not a man's square: {replay:?}"
    );
    check_converted(
        "[GameType \"25\"] 1. d2-d4 {by lot} e7-c5 2. g3-f4 h6-g5 3. f4:h6 b6-a5 *",
        "[GameType \"25\"] [Result \"*\"] [SetUp \"1\"] [FEN \
         \"W:Wa1,c1,e1,g1,b2,f2,h2,a3,c3,e3,g3,d4:Bc5,b6,d6,f6,h6,a7,c7,g7,b8,d8,f8,h8\"] 2. \
         {by lot} g3-f4 h6-g5 3. f4xh6 b6-a5 *",
    );
}

#[test]
fn positions_set_up_on_the_way_are_kept_with_what_was_before() {
    check_converted(
        "[GameType \"20\"] 1. 32-28 19-23 /W:W28:B1/ 5. 28-22 *",
        "[GameType \"20\"] [Result \"*\"] 1. 32-28 19-23 /W:W28:B1/ 5. 28-22 *",
    );
}

#[test]
fn variations_are_converted_too() {
    check_converted(
        "[GameType \"25\"] 1. c3d4 ( 1. cb4 b6-a5 ) b6-a5 *",
        "[GameType \"25\"] [Result \"*\"] 1. c3-d4 ( 1. c3-b4 b6-a5 ) b6-a5 *",
    );
}

#[test]
fn sites_have_names_of_their_own() {
    for (tag, name) in [
        ("American/English", "english"),
        ("Standard", "international"),
        ("Frysk!", "frysk"),
        ("Russian draughts", "russian"),
        ("Brazilian", "brazilian"),
    ] {
        let (_, replay) = played(&format!("[Variant \"{tag}\"] *"));
        assert_eq!(replay.game.variant().name(), name, "{tag}");
        assert_eq!(replay.assumed, [], "{tag}");
    }
}

#[test]
fn what_is_assumed_is_said() {
    let text = "[Variant \"Nobody's\"] 1. c3-d4 b6-a5 *";
    check_assumed(
        text,
        &["the game `Nobody's` is not known; by its moves it is taken for `russian`"],
    );
    check_assumed(
        "1. 32-28 19-23 *",
        &["no tag says which game this is; by its moves it is taken for `international`"],
    );
    check_assumed("[GameType \"20\"] 1. 32-28 19-23 *", &[]);
    // A guess is not stamped on what is written.
    check_converted(
        text,
        "[Variant \"Nobody's\"] [Result \"*\"] 1. c3-d4 b6-a5 *",
    );
}

#[test]
fn letters_in_a_game_of_numbers_are_read_as_such() {
    let text = "[GameType \"21\"] 1. d6-c5 c3-d4 2. f6-g5 *";
    let replay = check_assumed(
        text,
        &["squares have letters in a game of numbers; a1 is taken to be at the bottom left"],
    );
    assert_eq!(replay.assumed, [Assumption::Letters]);
    assert_eq!(replay.errors, []);
    check_converted(
        text,
        "[GameType \"21\"] [Result \"*\"] 1. 10-14 22-18 2. 11-16 *",
    );
}

#[test]
fn a_letter_is_never_dropped() {
    let english = Variant::named("english").unwrap();
    let error = english.start().find_move("a11-b15").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a11-b15`: there is no square a11 on this board"
    );
    assert!(english.start().find_move("11x15").is_ok());
    let (_, replay) = played("[GameType \"21\"] 1. a11-b15 *");
    assert_eq!(
        replay.errors[0].to_string(),
        "line 1, column 20: move 1 of Black: `a11-b15`: there is no square a11 on this board"
    );
}

#[test]
fn hops_are_one_move_with_numbers_and_comments_between() {
    check_converted(
        "[GameType \"20\"][FEN \"W:W28:B2,13,22\"] 1. 28x17 {a hop} 1... 2-7 2. 17-12 *",
        "[GameType \"20\"] [FEN \"W:W28:B2,13,22\"] [Result \"*\"] [SetUp \"1\"] 1. 28x17 {a hop} 1... 2-7 2. 17-12 *",
    );
    check_converted(
        "[GameType \"20\"][FEN \"W:W28:B2,12,22\"] 1. 28x17 {a hop} 2. 17x8 2... 2x13 *",
        "[GameType \"20\"] [FEN \"W:W28:B2,12,22\"] [Result \"*\"] [SetUp \"1\"] 1. 28x8 {a hop} 2... 2x13 *",
    );
}

#[test]
fn the_end_of_the_moves_decides_without_a_tag() {
    check_converted(
        "[GameType \"20\"] 1. 32-28 19-23 2-0",
        "[GameType \"20\"] [Result \"2-0\"] 1. 32-28 19-23 2-0",
    );
}

#[test]
fn results_that_do_not_fit_are_told() {
    check_warnings(
        "[GameType \"20\"][Result \"2-0\"] 1. 32-28 19-23 0-2",
        &["line 1: the tag Result says 2-0, but the moves end with 0-2"],
    );
    check_warnings(
        "[GameType \"20\"][FEN \"W:W28:B22\"] 1. 28x17 0-2",
        &[
            "line 1: the result is 0-2, but by the rules it is 2-0 (White wins: Black has no pieces left)",
        ],
    );
    // Different figures, the same result.
    check_warnings("[GameType \"20\"][Result \"1-0\"] 1. 32-28 19-23 2-0", &[]);
}

#[test]
fn illegal_variations_are_told() {
    check_warnings(
        "[GameType \"20\"] 1. 32-28 ( 1. 33-28 19-23 2. 28-23 ( 2. 1-2 ) ) 19-23 *",
        &[
            "line 1, column 46: in a variation, move 2 of White: 28-23 is not possible: the man on 28 \
             can't go there; it can go to 19",
        ],
    );
}

#[test]
fn what_is_never_closed_is_told() {
    check_warnings(
        "[GameType \"20\"] 1. 32-28 { 19-23 2-0",
        &["line 1, column 26: the comment that starts here is never closed with `}`"],
    );
    check_warnings(
        "[GameType \"20\"] 1. 32-28 ( 1. 33-28 2-0",
        &["line 1, column 37: a variation is not closed with `)` before the game ends"],
    );
    check_warnings(
        "[GameType \"20\"]\n[White \"Me]\n1. 32-28 *",
        &["line 2, column 1: the value of the tag `White` is not closed with `\"`"],
    );
}

#[track_caller]
fn check_encoding(bytes: &[u8], encoding: Encoding, white: &str) {
    let mut reader = Reader::new(bytes);
    let game = reader.next().unwrap().unwrap();
    assert_eq!(game.tag("White"), Some(white));
    assert_eq!(game.moves.len(), 2);
    assert_eq!(reader.encoding(), Some(encoding));
}

#[test]
fn old_encodings_are_recognised() {
    let file = |white: &[u8]| {
        let (before, after) = (
            b"[Event \"x\"]\r\n[White \"",
            b"\"]\r\n\r\n1. 32-28 19-23 *\r\n",
        );
        [before.as_slice(), white, after].concat()
    };
    check_encoding(&file(b"W\xF6rner"), Encoding::Latin1, "Wörner");
    check_encoding(
        &file(b"\xD7\xE8\xE6\xEE\xE2"),
        Encoding::Windows1251,
        "Чижов",
    );
    check_encoding(&file(b"\x97\xA8\xA6\xAE\xA2"), Encoding::Cp866, "Чижов");
    let text = String::from_utf8(file("Чижов 𝄞".as_bytes())).unwrap();
    let units = || text.encode_utf16();
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    check_encoding(&little, Encoding::Utf16Le, "Чижов 𝄞");
    check_encoding(&big, Encoding::Utf16Be, "Чижов 𝄞");
    let marked = [b"\xFF\xFE".as_slice(), &little].concat();
    check_encoding(&marked, Encoding::Utf16Le, "Чижов 𝄞");
    let whole = read(&marked);
    assert_eq!(whole.moves[0].at.line, 4);
}

#[test]
fn a_game_of_one_s_own_has_no_number_of_its_parent() {
    let text = "extends = \"english\"\nname = \"mine\"\ntitle = \"Mine\"";
    let mine = Variant::from_toml(text).unwrap();
    assert_eq!(mine.definition().notation.game_type, None);
    let game = kingme_rules::Game::new(&mine);
    let written = kingme_rules::pdn::from_game(&game, Vec::new());
    assert_eq!(written.tag("Variant"), Some("mine 8x8"));
    assert_eq!(written.tag("GameType"), None);
}
