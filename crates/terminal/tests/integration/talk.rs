//! All other games: moves in their own notation, and commands.

use kingme_rules::Side;
use kingme_terminal::plain::Ended;

use super::play::{board, options, session, set_up, transcript};

#[test]
fn english_draughts_from_its_first_move() {
    let expected = "\
English draughts. Type a move such as 9-14, or help.
 1    b   b   b   b   4
 5  b   b   b   b     8
 9    b   b   b   b  12
13  .   .   .   .    16
17    .   .   .   .  20
21  w   w   w   w    24
25    w   w   w   w  28
29  w   w   w   w    32
Black to move:  1    b   b   b   b   4
 5  b   b   b   b     8
 9    b   b   .   b  12
13  .   .   b   .    16
17    .   .   .   .  20
21  w   w   w   w    24
25    w   w   w   w  28
29  w   w   w   w    32
White to move: \n";
    assert_eq!(
        session(&options("english"), "11-15\n"),
        (expected.to_owned(), Ended::Left)
    );
}

#[test]
fn a_piece_that_did_not_capture_is_said_to_be_taken_off() {
    let (printed, _) = session(&set_up("malaysian", "W:W44,72:B1,38"), "72-66\n");
    let after = board("malaysian", "B:W66:B1,38");
    let said = format!("White to move: 44 is taken off: it could have captured.\n{after}");
    assert!(printed.contains(&said), "{printed}");
}

#[test]
fn letters_stand_at_the_edges() {
    let printed = transcript(&options("russian"), "");
    assert!(
        printed.contains("8    b   b   b   b  8\n7  b   b   b   b    7\n"),
        "{printed}"
    );
    assert!(
        printed.contains("1  w   w   w   w    1\n   a b c d e f g h\n"),
        "{printed}"
    );
}

#[test]
fn an_illegal_move_says_why_and_asks_again() {
    let printed = transcript(&options("english"), "11-15\n22-18\n8-11\n99-1\nhello\n");
    let said = "Black to move: 8-11 is not possible: there is a capture with 15.\n\
                Black to move: `99-1`: there is no square 99 on this board.\n\
                Black to move: `hello` is not a move; write it like 15x22.\n\
                Black to move: \n";
    assert!(printed.ends_with(said), "{printed}");
}

#[test]
fn commands_that_only_look() {
    let printed = transcript(&options("english"), "moves\nfen\n\nhelp\n");
    let listed = "Black to move: 10-14 10-15 11-15 11-16 12-16 9-13 9-14\n";
    assert!(printed.contains(listed), "{printed}");
    assert!(
        printed.contains("Black to move: B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,"),
        "{printed}"
    );
    assert!(printed.contains("Black to move: Black to move: Type a move, or one of these:\n"));
}

#[test]
fn flip_turns_the_board() {
    let printed = transcript(&options("english"), "flip\n");
    assert!(
        printed.contains("Black to move: 32    w   w   w   w  29\n"),
        "{printed}"
    );
}

#[test]
fn undo_and_redo() {
    let printed = transcript(&options("english"), "undo\n11-15\nundo\nredo\nredo\n");
    assert!(printed.contains("Black to move: There is nothing to take back.\nBlack to move: "));
    assert!(printed.ends_with("White to move: There is nothing to play again.\nWhite to move: \n"));
}

#[test]
fn undo_goes_back_to_ones_own_turn() {
    let mut options = options("english");
    options.players[Side::White] = "random".parse().unwrap();
    let printed = transcript(&options, "11-15\nundo\nfen\n");
    let start = options.game.position().fen();
    assert!(
        printed.ends_with(&format!("{start}\nBlack to move: \n")),
        "{printed}"
    );
}

#[test]
fn resign_and_quit() {
    let (printed, ended) = session(&options("english"), "resign\n");
    assert!(printed.ends_with("White wins: Black resigns.\n"));
    assert_eq!(ended, Ended::Over(Some(Side::White)));
    let (printed, ended) = session(&options("english"), "quit\nnever read\n");
    assert!(printed.ends_with("Black to move: "));
    assert_eq!(ended, Ended::Left);
}

#[test]
fn the_end_is_a_sentence() {
    let options = set_up("international", "W:W28:B23");
    let (printed, ended) = session(&options, "28x19\n");
    assert!(
        printed.ends_with("White wins: Black has no pieces left.\n"),
        "{printed}"
    );
    assert_eq!(ended, Ended::Over(Some(Side::White)));
}

#[test]
fn a_hint_is_a_legal_move() {
    let options = set_up("english", "B:W18:B15,1");
    assert!(
        transcript(&options, "hint\n").ends_with("Black to move: Try 15x22.\nBlack to move: \n")
    );
}

#[test]
fn a_game_is_written_as_pdn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my game.pdn");
    let typed = format!(
        "11-15\npdn {}\npdn\npdn /no/such/folder/x.pdn\n",
        file.display()
    );
    let printed = transcript(&options("english"), &typed);
    assert!(printed.contains(&format!("Written to {}.\n", file.display())));
    assert!(printed.contains("Which file? Type it after `pdn`, as in `pdn game.pdn`.\n"));
    assert!(
        printed.contains("/no/such/folder/x.pdn: No such file or directory"),
        "{printed}"
    );
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("\n1. 11-15 *\n\n"), "{text}");
}

#[test]
fn programs_can_be_watched() {
    let mut options = options("international");
    options.players = ["random".parse().unwrap(), "random".parse().unwrap()];
    options.seed = 7;
    let (printed, ended) = session(&options, "");
    assert_ne!(ended, Ended::Left);
    assert!(printed.contains("\nWhite plays ") && printed.contains("\nBlack plays "));
}

#[test]
fn score_and_counter_work_in_every_game() {
    let mut options = options("english");
    options.counter = true;
    assert!(transcript(&options, "11-15\n").contains("Move #1 -- w: 12  b:12\n"));
}
