//! The console of the league.

use kingme_rules::{Game, Position, Side, Variant};
use kingme_terminal::plain::Ended;
use kingme_terminal::{LocalGame, Options};

use super::play::{session, set_up, transcript};

fn small() -> Options {
    let variant = Variant::named("league").unwrap().sized(4).unwrap();
    let mut options = Options::new(LocalGame::new(Game::new(&variant)));
    options.players = ["human:Ada".parse().unwrap(), "human:Bob".parse().unwrap()];
    options
}

#[test]
fn a_short_game_on_the_smallest_board() {
    let expected = "\
Ada turn (white):
    0  1  2  3\x20
 0  _  w  _  w\x20
 1  0  _  0  _\x20
 2  _  0  _  0\x20
 3  b  _  b  _\x20
Your move: Bob turn (black):
    0  1  2  3\x20
 0  _  w  _  0\x20
 1  0  _  w  _\x20
 2  _  0  _  0\x20
 3  b  _  b  _\x20
Your move: Ada turn (white):
    0  1  2  3\x20
 0  _  w  _  0\x20
 1  0  _  w  _\x20
 2  _  b  _  0\x20
 3  0  _  b  _\x20
Your move: \n";
    assert_eq!(
        session(&small(), "0,3;1,2\n3,0;2,1\n"),
        (expected.to_owned(), Ended::Left)
    );
}

#[test]
fn the_winner_is_named() {
    let mut options = set_up("league", "W:W18:B23");
    options.players[Side::White] = "human:Ada".parse().unwrap();
    let moves = options.game.game().legal_moves();
    let text = options.game.position().move_text(&moves[0]);
    let (printed, ended) = session(&options, &text);
    assert!(printed.ends_with("\nThe winner is Ada!\n"), "{printed}");
    assert_eq!(ended, Ended::Over(Some(Side::White)));
}

#[test]
fn a_jump_goes_on_with_semicolons_and_may_stop() {
    let jumps = set_up("league", "W:W2:B6,14,32");
    for typed in ["0,3;2,1;4,3", "0,3 ; 2,1", "(0,3);(2,1)"] {
        assert!(
            !transcript(&jumps, &format!("{typed}\n")).contains("not"),
            "{typed}"
        );
    }
}

#[test]
fn a_draw_is_called_a_draw() {
    let options = set_up("league", "W:WK1:BK32");
    let mut typed = String::new();
    for _ in 0..20 {
        typed += "0,1;1,0\n7,6;6,7\n1,0;0,1\n6,7;7,6\n";
    }
    let (printed, ended) = session(&options, &typed);
    assert!(printed.ends_with("\nThe game is a draw.\n"));
    assert_eq!(ended, Ended::Over(None));
}

#[test]
fn a_refusal_says_why_and_asks_again() {
    let printed = transcript(&small(), "0,1;2,1\n");
    let refused = "Your move: 0,1;2,1 is not possible: the man on 0,1 can't go there; it can go to 1,2 or 1,0.\nYour move: ";
    assert!(printed.contains(refused), "{printed}");
}

#[test]
fn wide_boards_have_two_digits() {
    let variant = Variant::named("league").unwrap().sized(12).unwrap();
    let board = variant.start().text_board(Side::Black);
    assert!(
        board.starts_with("    0  1  2  3  4  5  6  7  8  9 10 11 \n 0  _  w "),
        "{board}"
    );
    assert!(
        board.ends_with("\n11  b  _  b  _  b  _  b  _  b  _  b  _ \n"),
        "{board}"
    );
}

#[test]
fn two_programs_play_to_the_end() {
    let mut options = small();
    options.players = ["random".parse().unwrap(), "minimax".parse().unwrap()];
    let (printed, ended) = session(&options, "");
    assert_ne!(ended, Ended::Left);
    assert!(printed.starts_with("random turn (white):\n"), "{printed}");
    assert_eq!(
        printed,
        transcript(&options, ""),
        "the same seed, the same game"
    );
}

#[test]
fn black_sits_at_the_bottom() {
    let league = Variant::named("league").unwrap();
    let position = Position::from_fen(&league, "W:W1:B32").unwrap();
    assert!(
        position
            .text_board(Side::Black)
            .lines()
            .nth(1)
            .unwrap()
            .contains('w')
    );
    assert!(
        position
            .text_board(Side::White)
            .lines()
            .nth(1)
            .unwrap()
            .contains('b')
    );
}
