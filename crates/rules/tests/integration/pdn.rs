//! PDN: what the reader makes of real files' habits, and what the writer writes.

use std::io::{self, BufReader, Read};
use std::time::Duration;

use kingme_rules::pdn::{
    GameType, MoveNode, MoveNumber, PdnError, PdnGame, Place, Reader, ResultToken, Score, Tag,
    WrittenClock, from_game, replay, to_text,
};
use kingme_rules::{Game, Outcome, Position, Reason, Side, Variant};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Vec<PdnGame> {
    let games: Result<Vec<PdnGame>, PdnError> = Reader::new(bytes).collect();
    games.expect("games")
}

/// A game in one line, such as `White=A | 1. 32-28 $1 {good} (34-29) 19-23 | 2-0`.
fn line(game: &PdnGame) -> String {
    let tags: Vec<String> = game
        .tags
        .iter()
        .map(|tag| format!("{}={}", tag.name, tag.value))
        .collect();
    let bare = PdnGame {
        tags: Vec::new(),
        result: None,
        comments: Vec::new(),
        ..game.clone()
    };
    let moves = to_text(&bare)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let moves = moves.trim_end_matches('*');
    let result = game
        .result
        .as_ref()
        .map_or("none", |result| result.as_str());
    let mut text = format!("{} | {} | {result}", tags.join(" "), moves.trim());
    for comment in &game.comments {
        text.extend([" {", comment, "}"]);
    }
    for fault in &game.faults {
        text.extend([" ! ", &fault.to_string()]);
    }
    text.trim_start().to_string()
}

/// Checks what is read from a text, game by game.
fn check(text: &str, expected: &[&str]) {
    check_bytes(text.as_bytes(), expected);
}

fn check_bytes(bytes: &[u8], expected: &[&str]) {
    let lines: Vec<String> = read(bytes).iter().map(line).collect();
    assert_eq!(lines, expected, "{}", String::from_utf8_lossy(bytes));
}

/// Checks one game that has only moves and perhaps a result.
fn check_moves(text: &str, expected: &str) {
    check(text, &[&format!("| {expected}")]);
}

#[test]
fn numbers_stand_apart_glued_or_with_dots() {
    check_moves(
        "1. 32-28 19-23 2. 28x19 14x23 *",
        "1. 32-28 19-23 2. 28x19 14x23 | *",
    );
    check_moves("1.32-28 19-23 2.28x19", "1. 32-28 19-23 2. 28x19 | none");
    check_moves("1 32-28 19-23 2 28x19", "1. 32-28 19-23 2. 28x19 | none");
    check_moves("7... 19-23 8. 28x19", "7... 19-23 8. 28x19 | none");
    check_moves("7...19-23", "7... 19-23 | none");
    check_moves("1. 32-28 19-23 2. 2-0", "1. 32-28 19-23 | 2-0");
}

#[test]
fn moves_are_cleaned() {
    check_moves(
        "1. 32 - 28 19 -23 2. 28 x 19 14x 23",
        "1. 32-28 19-23 2. 28x19 14x23 | none",
    );
    check_moves(
        "1. 34-29  1- 6  2. 29x 9 06-11",
        "1. 34-29 1-6 2. 29x9 6-11 | none",
    );
    check_moves("1. a3b4 A3-B4 c3:e5:g7", "1. a3-b4 A3-B4 c3xe5xg7 | none");
    check_moves("1. ab4 c:e5", "1. a-b4 cxe5 | none");
    check_moves(
        "1. 32–28 19—23 2. 28×19 c3:е5",
        "1. 32-28 19-23 2. 28x19 c3xe5 | none",
    );
    check_moves("1. 2,1-3,2 5,0-4,1", "1. 2,1-3,2 5,0-4,1 | none");
    check_moves("1. 32-28,19-23", "1. 32-28 19-23 | none");
    check_moves("19X23", "19x23 | none");
}

#[test]
fn one_word_per_jump_is_one_move() {
    check_moves("1. 19x23 23x34 40x29", "1. 19x23x34 40x29 | none");
    check_moves("1. 19 x 23 x 34 40x29", "1. 19x23x34 40x29 | none");
}

#[test]
fn blank_moves_are_passed_over() {
    check_moves("1. ... 7-12 2. 8x17", "1... 7-12 2. 8x17 | none");
    check_moves("1. 32-28 ... 2. 34-29", "1. 32-28 2. 34-29 | none");
    check_moves("1. - - 2. - - 1-0", " | 1-0");
    check_moves("1. -- 19-23 2. 8-3 . 1-0", "1... 19-23 2. 8-3 | 1-0");
}

#[test]
fn results_are_not_moves_and_moves_are_not_results() {
    for result in [
        "2-0", "1-1", "0-2", "1-0", "0-1", "0-0", "1/2-1/2", "*", "10-0", "5-5",
    ] {
        check_moves(&format!("32-28 {result}"), &format!("32-28 | {result}"));
    }
    check_moves("32-28 1-18", "32-28 1-18 | none");
    check_moves("32-28 1- 18 1-1", "32-28 1-18 | 1-1");
    check_moves("32-28 2 - 0", "32-28 | 2-0");
    check_moves("32-28 1/2", "32-28 | 1/2-1/2");
    check_moves("32-28 ½-½", "32-28 | 1/2-1/2");
    check_moves("13-19 4-6", "13-19 4-6 | none");
    check(
        "[Result \"4-6\"] 13-19 4-6 {tense}",
        &["Result=4-6 | 13-19 | 4-6 {tense}"],
    );
    check("[Result \"1-9\"] 4-9 1-9", &["Result=1-9 | 4-9 | 1-9"]);
}

#[test]
fn results_have_scores() {
    let score = |text: &str| ResultToken::parse(text).map(|result| result.score());
    assert_eq!(score("2-0"), Some(Score::First));
    assert_eq!(score("0-1"), Some(Score::Second));
    assert_eq!(score("1/2-1/2"), Some(Score::Draw));
    assert_eq!(score("4-6"), Some(Score::Second));
    assert_eq!(score("0-0"), Some(Score::Nobody));
    assert_eq!(score("*"), Some(Score::Unknown));
    assert_eq!(score("won"), None);
}

#[test]
fn comments_keep_their_place() {
    check_moves(
        "{a} 1. {b} 32-28 {c} {d} 19-23 *",
        "1. {a} {b} 32-28 {c} {d} 19-23 | *",
    );
    check_moves(
        "32-28 ; to the end } of the line\n19-23",
        "32-28 {to the end ) of the line} 19-23 | none",
    );
    check_moves(
        "32-28 {two\n  lines} 19-23 2-0 {end}",
        "32-28 {two lines} 19-23 | 2-0 {end}",
    );
    check_moves("% 1. 34-29\n32-28\n%\n19-23", "32-28 19-23 | none");
    check("{nothing else}", &["|  | none {nothing else}"]);
}

#[test]
fn braces_within_comments_count_if_they_balance() {
    check_moves(
        "35-30 { nested { comment } } 19-23",
        "35-30 {nested ( comment )} 19-23 | none",
    );
    check_moves("35-30 { a { b } 19-23", "35-30 {a ( b} 19-23 | none");
    check_moves(
        "1. { { } 35-30 { {x} } 19-23",
        "1. {(} 35-30 {(x} 19-23 | none ! line 1, column 22: `}` has no partner or no move to belong to",
    );
}

#[test]
fn variations_nest() {
    check_moves(
        "32-28 19-23 (18-23 38-32 (37-32? 23-29! {Black wins}) 12-18) 28x19",
        "32-28 19-23 ( 18-23 38-32 ( 37-32 $2 23-29 $1 {Black wins} ) 12-18 ) 28x19 | none",
    );
    check_moves(
        "4. 41-37 19-23 ( { Or } 4... 1-6 ) 5. 28x19",
        "4. 41-37 19-23 ( 4... {Or} 1-6 ) 5. 28x19 | none",
    );
    check_moves(
        "32-28 (34-29 2-0) 19-23",
        "32-28 ( 34-29 {2-0} ) 19-23 | none",
    );
    check_moves(
        "32-28 () ({only words}) 19-23",
        "32-28 {only words} 19-23 | none",
    );
}

#[test]
fn glyphs_become_numbers() {
    check_moves(
        "32-28!? 19-23(!?!!!) 28x19 $902",
        "32-28 $5 19-23 $5 28x19 $902 | none",
    );
    check_moves(
        "32-28! 19-23 ?? 28x19 (?!)",
        "32-28 $1 19-23 $4 28x19 $6 | none",
    );
    check_moves("22-17* *11-15", "22-17 $7 11-15 $7 | none");
}

#[test]
fn positions_may_be_set_up() {
    check_moves(
        "32-28 /W:W31-50:B1-20/ 33-29",
        "32-28 /W:W31-50:B1-20/ 33-29 | none",
    );
    let game = &read(b"/W:WK3:B4/ 3-8")[0];
    assert_eq!(game.moves[0].setup(), Some("W:WK3:B4"));
    assert_eq!(game.moves[1].setup(), None);
}

#[test]
fn text_glued_to_a_move_is_a_comment() {
    check_moves(
        "32-28. 19-23A 2. 28x19+, 14x23",
        "32-28 19-23 {A} 2. 28x19 14x23 | none",
    );
}

#[test]
fn rubbish_is_noted_and_kept() {
    check_moves(
        "32-28 white won",
        "32-28 {white won} | none ! line 1, column 7: `white` is neither a move nor a comment in braces",
    );
    check_moves(
        "32-28 ) 19-23",
        "32-28 19-23 | none ! line 1, column 7: `)` has no partner or no move to belong to",
    );
    check_moves(
        "32-28 (34-29",
        "32-28 ( 34-29 ) | none ! line 1, column 8: a variation is not closed with `)` before the game ends",
    );
    check_moves(
        "32-28\n {34-29",
        "32-28 {34-29} | none ! line 2, column 2: the comment that starts here is never closed with `}`",
    );
    check(
        "[White \"A\n32-28",
        &["White=A | 32-28 | none ! line 1, column 1: the tag `White` is not closed with `]`"],
    );
}

#[test]
fn a_comment_that_is_never_closed_ends_before_the_next_game() {
    check(
        "32-28 {oh\n\n[White \"A\"]\n19-23 *",
        &[
            "| 32-28 {oh} | none ! line 1, column 7: the comment that starts here is never closed with `}`",
            "White=A | 19-23 | *",
        ],
    );
}

#[test]
fn tags_in_every_shape() {
    check(r#"[White "A \"B\" \\C"] *"#, &[r#"White=A "B" \C |  | *"#]);
    check(
        r#"[Site "The "64" club"] *"#,
        &[r#"Site=The "64" club |  | *"#],
    );
    check(r#"[Site "C:\games\"] *"#, &[r"Site=C:\games\ |  | *"]);
    check(r#"[FEN ""W:W1:B2""] *"#, &[r#"FEN="W:W1:B2" |  | *"#]);
    check("[Date 2004]\n*", &["Date=2004 |  | *"]);
    check(
        "[White \"A\"][Black \"B\"] [Round\t\"\" ]\n*",
        &["White=A Black=B Round= |  | *"],
    );
    check(
        "32-28 [%clk 0:01] 19-23 [a b] *",
        &["| 32-28 {[%clk 0:01]} 19-23 {[a b]} | *"],
    );
}

#[test]
fn tags_are_found_by_any_usual_name() {
    let game = &read(b"[Bianco \"A\"][nero \"B\"][RISULTATO \"1-0\"][Setup \"1\"] *")[0];
    assert_eq!(game.tag("White"), Some("A"));
    assert_eq!(game.tag("black"), Some("B"));
    assert_eq!(game.tag("Result"), Some("1-0"));
    assert_eq!(game.tag("SetUp"), Some("1"));
    assert_eq!(game.tag("Event"), None);
}

#[test]
fn games_end_at_results_and_tags() {
    check("32-28 * 34-29 2-0", &["| 32-28 | *", "| 34-29 | 2-0"]);
    check(
        "[White \"A\"] 32-28 [White \"B\"] 34-29",
        &["White=A | 32-28 | none", "White=B | 34-29 | none"],
    );
    check(
        "[FEN \"a\"] * [FEN \"b\"]\n*[FEN \"c\"]*",
        &["FEN=a |  | *", "FEN=b |  | *", "FEN=c |  | *"],
    );
    check(
        "[FEN \"a\"]\n[FEN \"b\"]\n",
        &["FEN=a |  | none", "FEN=b |  | none"],
    );
    check(
        "{preface}\n[White \"A\"]\n32-28 *",
        &["White=A | {preface} 32-28 | *"],
    );
    check(" \n\t\n", &[]);
}

#[test]
fn any_line_end_and_encoding() {
    check("32-28\r\n19-23\r\n", &["| 32-28 19-23 | none"]);
    check("% x\r32-28\r; y\r19-23\r", &["| 32-28 {y} 19-23 | none"]);
    check("\u{feff}[White \"高文龙\"] *", &["White=高文龙 |  | *"]);
    check_bytes(
        b"[White \"Bert\xE8\"]\n[Black \"\xC3\xA9\"]\n*",
        &["White=Bertè Black=é |  | *"],
    );
    check_bytes(b"\x0032-28\x00 \x01*", &["| 32-28 | *"]);
}

#[test]
fn a_character_split_between_reads_is_whole() {
    for step in 1..8 {
        let text = "{é高é高é}\r\n".repeat(20_000) + "*";
        let reader = Reader::new(BufReader::with_capacity(step, text.as_bytes()));
        let games: Vec<PdnGame> = reader.map(Result::unwrap).collect();
        assert_eq!(games[0].comments.len(), 20_000);
        assert!(games[0].comments.iter().all(|comment| comment == "é高é高é"));
    }
}

#[test]
fn places_count_lines_and_characters() {
    let games = read("{é}\r\n32-28 {é} 19-23 *\r\n\r\n[White \"A\"]\r\n  1.34-29".as_bytes());
    assert_eq!(games[0].moves[0].at, Place { line: 2, column: 1 });
    assert_eq!(
        games[0].moves[1].at,
        Place {
            line: 2,
            column: 11
        }
    );
    assert_eq!((games[0].line, games[1].line), (1, 4));
    assert_eq!(games[1].moves[0].at, Place { line: 5, column: 3 });
}

#[test]
fn comments_tell_clocks_and_evaluations() {
    let seconds = |seconds| Some(Duration::from_secs_f64(seconds));
    let game = &read(b"32-28 {[%clock w0:09:57 B0:10:00] good [%eval -0.25]} 19-23 {[%clk 1:02:03.5][%emt 0:00:07]} 34-29 {[%clocks 1]}")[0];
    let clock = WrittenClock {
        white: seconds(597.0),
        black: seconds(600.0),
        mover: None,
    };
    assert_eq!(game.moves[0].clock(), Some(clock));
    assert_eq!(game.moves[0].eval(), Some(-0.25));
    assert_eq!(
        game.moves[1].clock().and_then(|clock| clock.mover),
        seconds(3723.5)
    );
    assert_eq!(game.moves[1].elapsed(), seconds(7.0));
    assert_eq!(game.moves[2].clock(), None);
    assert!(game.moves[0].comments[0].contains("[%eval -0.25]"));
}

#[test]
fn game_types() {
    let full = |text: &str| {
        text.parse::<GameType>()
            .map(|game_type| game_type.to_string())
    };
    assert_eq!(full("20").unwrap(), "20,W,10,10,N2,0");
    assert_eq!(full("21").unwrap(), "21,B,8,8,N1,0");
    assert_eq!(full("25").unwrap(), "25,W,8,8,A0,0");
    assert_eq!(full(" 41 , w, 10, 8, A0 ").unwrap(), "41,W,10,8,A0,0");
    assert_eq!(full("99,B,6,6,S3,1").unwrap(), "99,B,6,6,S3,1");
    assert_eq!("22".parse::<GameType>().unwrap().first, Side::White);
}

#[test]
fn wrong_game_types_are_named() {
    let check = |text: &str, expected: &str| {
        assert_eq!(text.parse::<GameType>().unwrap_err().to_string(), expected);
    };
    check(
        "",
        "`` is not the number of a game, such as 20 for International",
    );
    check(
        "ten",
        "`ten` is not the number of a game, such as 20 for International",
    );
    check(
        "77",
        "game type 77 has no standard board: write it in full, as in `20,W,10,10,N2,0`",
    );
    check("20,W", "a game type has 1, 5 or 6 fields, not 2");
    check("20,R,10,10,N2,0", "`R` is not who starts: W or B");
    check(
        "20,W,10,101,N2,0",
        "`101` is not a number of columns or rows from 1 to 100",
    );
    check(
        "20,W,10,10,é,0",
        "`é` is not a notation: A, N or S and the corner 0 to 3, as in `N2`",
    );
    check(
        "20,W,10,10,N4,0",
        "`N4` is not a notation: A, N or S and the corner 0 to 3, as in `N2`",
    );
    check(
        "20,W,10,10,N2,2",
        "`2` is not 0 or 1 for the inverted board",
    );
}

#[test]
fn writing_is_canonical() {
    let text = "[white 'A \"B\"\n1.32-28! {ok } (1.34-29) 1... 19 - 23";
    let expected = "[white \"'A \\\"B\"]\n\n1. 32-28 $1 {ok} ( 1. 34-29 ) 1... 19-23 *\n\n";
    assert_eq!(to_text(&read(text.as_bytes())[0]), expected);
    let long = to_text(
        &read(
            "{w o r d s} 1. 32-28 {and more words} 19-23 "
                .repeat(40)
                .as_bytes(),
        )[0],
    );
    assert!(long.lines().all(|line| line.chars().count() <= 80));
    assert!(long.lines().count() > 20);
}

/// An endless input: a prefix, then one text over and over.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

fn endless(text: &'static str, bytes: u64) -> Reader<impl io::BufRead> {
    Reader::new(BufReader::new(Endless(text.as_bytes(), 0).take(bytes)))
}

#[test]
fn a_file_may_be_longer_than_memory_but_a_game_may_not() {
    let games = endless("[FEN \"W:W31:B1\"] 1. 31-27 * ", 8 << 20);
    assert!(
        games
            .take(500_000)
            .all(|game| game.unwrap().moves.len() == 1)
    );
    let mut games = endless("32-28 19-23 {words} ", 8 << 20);
    let error = games.next().unwrap().unwrap_err().to_string();
    assert!(
        error.ends_with("a single game is longer than 4096 KiB"),
        "{error}"
    );
    assert!(games.next().is_none());
}

#[test]
fn after_a_game_that_is_too_long_the_next_one_follows() {
    let long = "32-28 ".repeat(1 << 20);
    let text = format!("{long}\n\n[White \"A\"]\n1. 32-28 *");
    let mut games = Reader::new(text.as_bytes());
    assert!(games.next().unwrap().is_err());
    assert_eq!(games.next().unwrap().unwrap().tag("White"), Some("A"));
    assert!(games.next().is_none());
}

#[test]
fn depth_is_limited() {
    let text = format!("{}\n[White \"A\"] *", "32-28 (".repeat(200));
    let mut games = Reader::new(text.as_bytes());
    let error = games.next().unwrap().unwrap_err().to_string();
    assert_eq!(
        error,
        "line 1, column 707: variations are nested more than 100 deep"
    );
    assert!(games.next().unwrap().is_ok());
}

#[test]
fn a_failing_input_is_reported_once() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk on fire"))
        }
    }
    let errors: Vec<String> = Reader::new(BufReader::new(Broken))
        .map(|game| game.unwrap_err().to_string())
        .collect();
    assert_eq!(
        errors,
        ["line 1, column 1: the file cannot be read: disk on fire"]
    );
}

/// Texts that would take a careless reader quadratic time; here they take a moment.
#[test]
fn hostile_texts_are_read_in_linear_time() {
    let texts = [
        "{{} ",
        "[[[",
        "[a \"b] ",
        "[a \"b\" ",
        "/W:/",
        "(!",
        "((",
        "1x",
        "$",
        "\\\"",
        "]",
        "{",
        "1-1 ",
        "; ",
        "%\n",
        "[a \"\\",
        "1 - ",
        "\r",
        "\0",
        "19x23 23x34 ",
        "é",
        "\n\n[a \"{",
        "{{}*\n",
        "1-2,",
        "1-2.",
        "(1-2)",
    ];
    for text in texts {
        let games = endless(text, 1 << 20).count();
        assert!(games < 1 << 20, "{text}");
    }
}

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec("[a-zé高%\\[\\]();$\"\\\\0-9!?.:-]{1,9}", 1..6)
        .prop_map(|words| words.join(" "))
}

fn move_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (1..50_u8, "[-x]", 1..50_u8).prop_map(|(from, mark, to)| format!("{from}{mark}{to}")),
        2 => "[a-h][1-8][-x][a-h][1-8]",
        1 => "[1-9]x[1-9]x[1-9]",
        1 => "[A-H][1-8]x[A-H][1-8]x[A-H][1-8]",
        1 => "[0-7],[0-7]-[0-7],[0-7]",
    ]
    .prop_filter("a result", |text| {
        let squares: Vec<&str> = text.split(['-', 'x']).collect();
        squares[0] != squares[1]
    })
}

fn node(variations: BoxedStrategy<Vec<Vec<MoveNode>>>) -> impl Strategy<Value = MoveNode> {
    let number = (any::<u16>(), any::<bool>()).prop_map(|(number, second)| MoveNumber {
        number: number.into(),
        second,
    });
    let few = || prop::collection::vec(words(), 0..2);
    (
        move_text(),
        number,
        prop::collection::vec(any::<u16>(), 0..3),
        few(),
        few(),
        variations,
    )
        .prop_map(
            |(text, number, nags, before, comments, variations)| MoveNode {
                text,
                number: Some(number),
                nags,
                before,
                comments,
                variations,
                ..MoveNode::default()
            },
        )
}

fn moves() -> BoxedStrategy<Vec<MoveNode>> {
    let leaf = prop::collection::vec(node(Just(Vec::new()).boxed()), 1..4).boxed();
    let moves = leaf.prop_recursive(3, 20, 3, |inner| {
        let variations = prop::collection::vec(inner, 0..2).boxed();
        prop::collection::vec(node(variations), 1..4)
    });
    moves.prop_map(without_hops).boxed()
}

/// A capture from where the move before it ended would be a part of it.
fn without_hops(mut nodes: Vec<MoveNode>) -> Vec<MoveNode> {
    for index in 1..nodes.len() {
        let arrival = nodes[index - 1].text.rsplit(['-', 'x']).next().unwrap();
        if nodes[index].text.starts_with(&format!("{arrival}x")) {
            nodes.truncate(index);
            break;
        }
    }
    for node in &mut nodes {
        let variations = std::mem::take(&mut node.variations).into_iter();
        node.variations = variations.map(without_hops).collect();
    }
    nodes
}

fn game() -> impl Strategy<Value = PdnGame> {
    let tag = ("[A-Z][a-z0-9_]{0,8}é?", "[^\\p{Cc}]{0,12}")
        .prop_map(|(name, value)| Tag::new(name, value));
    let result = prop::sample::select(vec![
        "*", "2-0", "1-1", "0-2", "1/2-1/2", "1-0", "0-0", "10-0",
    ]);
    let tags = prop::collection::vec(tag, 0..4).prop_filter("a tag that starts a game", |tags| {
        tags.iter()
            .all(|tag| tag.name.len() > 5 || tag.name.len() < 3)
    });
    (tags, moves(), result, prop::collection::vec(words(), 0..2)).prop_map(
        |(tags, moves, result, comments)| PdnGame {
            tags,
            moves,
            result: ResultToken::parse(result),
            comments,
            line: 1,
            faults: Vec::new(),
        },
    )
}

fn forget_places(moves: &mut [MoveNode]) {
    for node in moves {
        node.at = Place::START;
        node.variations
            .iter_mut()
            .for_each(|variation| forget_places(variation));
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(mut game in game()) {
        let text = to_text(&game);
        let mut games = read(text.as_bytes());
        prop_assert_eq!(games.len(), 1, "{}", text);
        let mut back = games.remove(0);
        forget_places(&mut back.moves);
        forget_places(&mut game.moves);
        prop_assert_eq!(back, game, "{}", text);
    }

    #[test]
    fn any_bytes_are_read_and_canonical_text_is_stable(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_stable(&bytes)?;
    }

    #[test]
    fn any_text_like_pdn_is_read(text in "([0-9a-cxX:.*!?(){}\\[\\]\"\\\\/%;$ \n-]|1-0|32-28|\\[A \"|\\{ ){0,120}") {
        check_stable(text.as_bytes())?;
    }
}

/// Whatever was read, written and read again it stays the same.
fn check_stable(bytes: &[u8]) -> Result<(), TestCaseError> {
    for game in Reader::new(bytes).flatten() {
        let text = to_text(&game);
        let again: Vec<PdnGame> = read(text.as_bytes());
        prop_assert_eq!(again.len(), 1, "{:?}", text);
        prop_assert_eq!(to_text(&again[0]), text);
    }
    Ok(())
}

/// Replays a text: the game's name, its moves with all their squares, and what is wrong.
fn replayed(text: &str) -> (String, String, String) {
    let game = read(text.as_bytes()).remove(0);
    let replay = replay(&game, None);
    let mut position = replay.game.start().clone();
    let mut moves = Vec::new();
    for mv in &replay.moves {
        moves.push(position.squares_text(mv));
        position = position.play_unchecked(mv);
    }
    assert_eq!(position, replay.position);
    let errors: Vec<String> = replay.errors.iter().map(ToString::to_string).collect();
    (
        replay.game.variant().name().to_owned(),
        moves.join(" "),
        errors.join("\n"),
    )
}

/// Checks the game and the moves of a text in which all is legal.
fn check_replay(text: &str, variant: &str, moves: &str) {
    let expected = (variant.to_owned(), moves.to_owned(), String::new());
    assert_eq!(replayed(text), expected, "{text}");
}

/// Checks the one thing that is wrong with a text.
fn check_refused(text: &str, error: &str) {
    assert_eq!(replayed(text).2, error, "{text}");
}

#[test]
fn tags_name_the_game() {
    check_replay(
        "[GameType \"20\"] 1. 32-28 19-23",
        "international",
        "32-28 19-23",
    );
    check_replay(
        "[GameType \"20,W,10,10,N1,0\"] 1. 32-28",
        "international",
        "32-28",
    );
    check_replay("[GameType \"40\"] 1. 32-28", "frisian", "32-28");
    check_replay(
        "[Variant \"Frisian\"][GameType \"20\"] 1. 32-28",
        "frisian",
        "32-28",
    );
    check_replay(
        "[Variant \"From position\"][GameType \"25\"] 1. c3-d4",
        "russian",
        "c3-d4",
    );
    check_replay(
        "[GameType \"20,W,8,8,N2,0\"] 1. 22-18",
        "international",
        "22-18",
    );
}

#[test]
fn moves_tell_the_game() {
    check_replay("1. 32-28 19-23", "international", "32-28 19-23");
    check_replay("1. 11-15 23-18", "english", "11-15 23-18");
    check_replay("1. 21-17 12-15", "italian", "21-17 12-15");
    check_replay("1.a3b4", "russian", "a3-b4");
    check_replay("1. 44-38 25-31 2. 50-44", "canadian", "44-38 25-31 50-44");
    check_replay("*", "international", "");
    check_replay("[FEN \"W:W31:B2\"] *", "english", "");
    check_replay("[FEN \"W:W31-50:B1-20\"] *", "international", "");
}

#[test]
fn later_moves_tell_how_a_capture_is_meant() {
    let fen = "[GameType \"21\"][FEN \"W:W30:B17,18,25,26\"]";
    let check =
        |moves: &str, expected: &str| check_replay(&format!("{fen} {moves}"), "english", expected);
    check("1. 30x14 26-31", "30x21x14 26-31");
    check("1. 30x14 25-29", "30x23x14 25-29");
    check("1. 30x21x14", "30x21x14");
    check("1. 30x23x14", "30x23x14");
    check("1. 30x26x18x14", "30x23x14");
    check("1. 30x17x25x14", "30x21x14");
    check("1. 30x23 23x14 25-29", "30x23x14 25-29");
    check_refused(
        &format!("{fen} 1. 30x14 25-29 2. 1-6"),
        "line 1, column 61: move 2 of White: 1-6 is not possible: there is no piece on 1",
    );
}

#[test]
fn squares_are_read_in_many_ways() {
    check_replay(
        "[GameType \"25\"] 1. C3-D4 d6e5 2. gf4 e:g3 3. h2:f4",
        "russian",
        "c3-d4 d6-e5 g3-f4 e5xg3 h2xf4",
    );
    check_replay("[GameType \"25\"] 1. 22-18", "russian", "c3-d4");
    check_replay(
        "[GameType \"21\"] 1. 11x15 22x18 2. 15-22 25-18",
        "english",
        "11-15 22-18 15x22 25x18",
    );
}

#[test]
fn starts_are_read_in_many_ways() {
    check_replay(
        "[GameType \"20\"][FEN \"W:W31-50:B1-20:H0:F1.\"] 1. 32-28",
        "international",
        "32-28",
    );
    check_replay(
        "[GameType \"25\"][FEN \"W:Wc3,29-32:BKa5\"] 1. c3-b4 a5xc3",
        "russian",
        "c3-b4 a5xc3",
    );
    // What stands on its promotion square is a king.
    check_replay(
        "[GameType \"21\"][FEN \"W:W1,22:B30\"] 1. 1-6",
        "english",
        "1-6",
    );
    check_replay("32-28 /W:WK3:B4/ 3-8", "international", "3-8");
    let game = &read(b"32-28 /W:WK3:B4/ 3-8")[0];
    assert_eq!(replay(game, None).first, 2);
}

#[test]
fn openings_drawn_by_lot_displace_men() {
    check_replay("[GameType \"25\"] 1. a3-f4 b6-a3 *", "russian", "");
    check_replay("[GameType \"25\"] 1. a3-h6 h6-c5 *", "russian", "");
    check_refused(
        "[GameType \"25\"] 1. a3-f4 h6-g5 2. g5-a3",
        "line 1, column 20: move 1 of White: a3-f4 is not possible: the man on a3 can't go there; it can go to b4",
    );
}

#[test]
fn what_is_wrong_is_said() {
    check_refused(
        "[GameType \"21\"]\n1. 11-15 22-18\n2. 8-11",
        "line 3, column 4: move 2 of Black: 8-11 is not possible: there is a capture with 15",
    );
    check_refused(
        "[GameType \"20\"] 1. 32-28 19-51",
        "line 1, column 26: move 1 of Black: `19-51`: there is no square 51 on this board",
    );
    check_refused(
        "[GameType \"20\"][FEN \"W:W99:B1\"] *",
        "line 1, column 1: FEN: `99` is not a square of this board",
    );
}

#[test]
fn a_given_variant_is_obeyed() {
    let game = &read(b"[GameType \"20\"] 1. 32-28")[0];
    let frisian = Variant::named("frisian").unwrap();
    assert_eq!(
        replay(game, Some(&frisian)).game.variant().name(),
        "frisian"
    );
}

#[test]
fn a_draw_that_nobody_claims_does_not_end_the_record() {
    let shuffle = "46-41 1-6 41-46 6-1 ".repeat(20);
    let text = format!("[GameType \"20\"][FEN \"W:WK46:BK1\"] {shuffle}");
    let replay = replay(&read(text.as_bytes())[0], None);
    assert_eq!(replay.errors, []);
    assert_eq!((replay.told, replay.moves.len()), (80, 80));
    assert!(replay.game.outcome().is_some());
}

#[test]
fn the_first_figure_is_the_first_mover_s() {
    let result = |variant: &str, winner| {
        let outcome = Outcome {
            winner,
            reason: Reason::Repetition(3),
        };
        let variant = Variant::named(variant).unwrap();
        let token = ResultToken::of(&variant, Some(&outcome));
        assert_eq!(token.winner(&variant), winner);
        token.to_string()
    };
    assert_eq!(result("international", Some(Side::White)), "2-0");
    assert_eq!(result("international", None), "1-1");
    assert_eq!(result("english", Some(Side::Black)), "1-0");
    assert_eq!(result("english", Some(Side::White)), "0-1");
    assert_eq!(result("russian", None), "1/2-1/2");
}

#[test]
fn game_types_of_variants_are_the_standard_ones() {
    let mut seen = Vec::new();
    for name in Variant::names() {
        let Some(game_type) = GameType::of(&Variant::named(name).unwrap()) else {
            continue;
        };
        // Others with the same number are local customs.
        if let Some(standard) = GameType::standard(game_type.number)
            && !seen.contains(&standard)
        {
            assert_eq!(game_type, standard, "{name}");
            seen.push(standard);
        }
    }
    assert_eq!(seen.len(), 14);
}

#[test]
fn a_recorded_game_has_the_tags_it_needs() {
    let record = |variant: &str, fen: &str, moves: &str| {
        let position = Position::from_fen(&Variant::named(variant).unwrap(), fen).unwrap();
        let mut game = Game::from_position(position);
        for text in moves.split_whitespace() {
            game.play_text(text).unwrap();
        }
        to_text(&from_game(&game, vec![Tag::new("White", "A")]))
    };
    assert_eq!(
        record("international", "B:W31:B26", "26x37"),
        "[White \"A\"]\n[Result \"0-2\"]\n[GameType \"20,W,10,10,N2,0\"]\n[SetUp \"1\"]\n[FEN \"B:W31:B26\"]\n\n1... 26x37 0-2\n\n"
    );
    assert!(record("killer", "W:W31:B5", "31-27").contains("[Variant \"killer\"]"));
}

proptest! {
    /// A game of any variant, played at random, recorded, written, read and replayed.
    #[test]
    fn recorded_games_replay(name in prop::sample::select(Variant::names().collect::<Vec<_>>()), picks in prop::collection::vec(any::<u16>(), 0..80)) {
        let mut game = Game::new(&Variant::named(name).unwrap());
        for pick in picks {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.play(&legal[usize::from(pick) % legal.len()]).unwrap();
        }
        let pdn = from_game(&game, Vec::new());
        let text = to_text(&pdn);
        let mut back = read(text.as_bytes()).remove(0);
        forget_places(&mut back.moves);
        prop_assert_eq!(&back, &pdn);
        let again = replay(&back, None);
        prop_assert_eq!(again.errors, []);
        prop_assert_eq!(again.game.position().fen(), game.position().fen(), "{}", text);
        prop_assert_eq!(again.game.turns(), game.turns());
        prop_assert_eq!(again.game.variant().name(), name);
    }
}

/// `PDN_FILES` names a folder; without it, the one beside the repository is read, if there is one.
fn real_files() -> Vec<std::path::PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/truth/pdn");
    let folder = std::env::var("PDN_FILES").unwrap_or_else(|_| beside.to_owned());
    let mut folders = vec![std::path::PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "pdn") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn real_games_replay_but_for_a_handful() {
    let (mut games, mut errors) = (0, Vec::new());
    for path in real_files() {
        let file = BufReader::new(std::fs::File::open(&path).unwrap());
        for game in Reader::new(file) {
            games += 1;
            let mut note = |fault: String| errors.push(format!("{}: {fault}", path.display()));
            match &game {
                Ok(game) => {
                    for error in replay(game, None).errors {
                        note(error.to_string());
                    }
                }
                Err(error) => note(error.to_string()),
            }
        }
    }
    assert!(errors.len() * 1000 <= games, "{games} games, {errors:#?}");
}
