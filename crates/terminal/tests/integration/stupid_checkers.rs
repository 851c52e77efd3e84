//! Stupid Checkers, as its worksheet describes it.

use kingme_play::Chance;
use kingme_rules::{Game, Side, Variant};
use kingme_terminal::Options;
use kingme_terminal::plain::Ended;
use proptest::prelude::*;

use super::play::{board, session, set_up, transcript, winner};

const START: &str = include_str!("stupid-checkers.txt");
const AFTER_B2_B6: &str =
    "W:WA1,C1,E1,G1,B6,D2,F2,H2,A3,C3,E3,G3:BD6,F6,H6,A7,C7,E7,G7,B8,D8,F8,H8";

fn options() -> Options {
    super::play::options("stupid-checkers")
}

fn shown(fen: &str) -> String {
    board("stupid-checkers", fen)
}

/// A move that is typed from a position with r at A1, B1 and b at A8, H8 is refused.
fn check_invalid(from: &str, to: &str) {
    let fen = "W:WA1,B1:BA8,H8";
    let asked = format!("{}r move from: r move to: ", shown(fen));
    let expected = format!("{asked}INVALID MOVE\n{}b move from: \n", shown(fen));
    assert_eq!(
        transcript(&set_up("stupid-checkers", fen), &format!("{from}\n{to}\n")),
        expected
    );
}

/// What is printed when the input ends with the first prompt.
fn prologue(options: &Options) -> String {
    let printed = transcript(options, "");
    printed.strip_suffix("r move from: \n").unwrap().to_owned()
}

#[test]
fn the_example_of_the_text() {
    let after_a7_b6 = "W:WA1,C1,E1,G1,D2,F2,H2,A3,C3,E3,G3:BB6,D6,F6,H6,C7,E7,G7,B8,D8,F8,H8";
    let expected = format!(
        "{START}r move from: r move to: {}b move from: b move to: {}r move from: \n",
        shown(AFTER_B2_B6),
        shown(after_a7_b6),
    );
    assert_eq!(
        session(&options(), "B2\nB6\nA7\nB6\n"),
        (expected, Ended::Left)
    );
}

#[test]
fn the_last_capture_wins_and_the_board_is_shown() {
    let expected = format!(
        "{}r move from: r move to: {}r wins!!\nGAME OVER\n",
        shown("W:WG1:BF6"),
        shown("W:WF6:B"),
    );
    let options = set_up("stupid-checkers", "W:WG1:BF6");
    assert_eq!(
        session(&options, "G1\nF6\n"),
        (expected, Ended::Over(Some(Side::White)))
    );
}

#[test]
fn b_can_win_too() {
    let options = set_up("stupid-checkers", "W:WA1:BF6");
    let printed = transcript(&options, "A1\nA2\nF6\nA2\nnever read\n");
    assert!(printed.ends_with(&format!("{}b wins!!\nGAME OVER\n", shown("W:W:BA2"))));
}

#[test]
fn a_square_that_does_not_exist() {
    check_invalid("I1", "C3");
    check_invalid("A0", "C3");
    check_invalid("A9", "C3");
    check_invalid("A1", "C33");
    check_invalid("A1", "3C");
    check_invalid("1", "5");
    check_invalid("A1", "Ä1");
}

#[test]
fn an_empty_start_square() {
    check_invalid("C3", "C4");
}

#[test]
fn a_piece_of_the_other_player() {
    check_invalid("A8", "C4");
}

#[test]
fn a_square_with_a_piece_of_ones_own() {
    check_invalid("A1", "B1");
    check_invalid("A1", "A1");
}

#[test]
fn mean_to_players_who_cannot_type() {
    check_invalid("a1", "C3");
    check_invalid(" A1", "C3");
    check_invalid("A1 ", "C3");
    check_invalid("A1", "c3");
    check_invalid("", "C3");
    check_invalid("A1", "");
    check_invalid("A01", "C3");
}

#[test]
fn the_turn_passes_and_comes_back() {
    let fen = "W:WA1:BA8";
    let expected = format!(
        "{0}r move from: r move to: INVALID MOVE\n{0}b move from: b move to: INVALID MOVE\n\
         {0}r move from: r move to: {1}r wins!!\nGAME OVER\n",
        shown(fen),
        shown("W:WA8:B"),
    );
    let options = set_up("stupid-checkers", fen);
    assert_eq!(transcript(&options, "X\nY\nX\nY\nA1\nA8\n"), expected);
}

#[test]
fn the_input_may_end_at_each_prompt() {
    let first = format!("{START}r move from: \n");
    assert_eq!(session(&options(), ""), (first, Ended::Left));
    let second = format!("{START}r move from: r move to: \n");
    assert_eq!(session(&options(), "B2\n"), (second.clone(), Ended::Left));
    assert_eq!(session(&options(), "B2"), (second, Ended::Left));
    let third = format!(
        "{START}r move from: r move to: {}b move from: \n",
        shown(AFTER_B2_B6)
    );
    assert_eq!(session(&options(), "B2\nB6"), (third, Ended::Left));
    let printed = transcript(&options(), "B2\nB6\nA7\n");
    assert!(printed.ends_with("b move from: b move to: \n"));
}

#[test]
fn line_endings_of_both_kinds() {
    let dos = transcript(&options(), "B2\r\nB6\r\n");
    assert_eq!(dos, transcript(&options(), "B2\nB6\n"));
    assert!(!dos.contains("INVALID"));
    assert!(transcript(&options(), "B2\r\r\nB6\n").contains("INVALID MOVE"));
}

#[test]
fn the_score_is_centred_above_the_board() {
    let mut options = options();
    options.score = true;
    assert_eq!(
        prologue(&options),
        format!("              r: 12  b: 12\n{START}")
    );
    let printed = transcript(&options, "B2\nB6\n");
    assert!(printed.contains(&format!(
        "r move to:               r: 12  b: 11\n{}",
        shown(AFTER_B2_B6)
    )));
}

#[test]
fn the_counter_is_centred_above_the_board() {
    let mut options = options();
    options.counter = true;
    assert_eq!(
        prologue(&options),
        format!("         Move #0 -- r: 12  b:12\n{START}")
    );
    options.score = true;
    assert_eq!(
        prologue(&options),
        format!("         Move #0 -- r: 12  b:12\n{START}")
    );
}

#[test]
fn the_counter_counts_completed_moves() {
    let mut options = options();
    options.counter = true;
    let printed = transcript(&options, "B2\nB6\nX\nX\nB6\nD6\n");
    let counters: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.split("Move #").nth(1))
        .collect();
    assert_eq!(
        counters,
        [
            "0 -- r: 12  b:12",
            "1 -- r: 12  b:11",
            "1 -- r: 12  b:11",
            "2 -- r: 12  b:10"
        ]
    );
}

#[test]
fn the_final_board_has_its_score_too() {
    let mut options = set_up("stupid-checkers", "W:WG1:BF6");
    options.score = true;
    let end = format!(
        "               r: 1  b: 0\n{}r wins!!\nGAME OVER\n",
        shown("W:WF6:B")
    );
    assert!(transcript(&options, "G1\nF6\n").ends_with(&end));
}

#[test]
fn nice_lets_the_same_player_try_again() {
    let mut options = set_up("stupid-checkers", "W:WA1:BA8");
    options.nice = true;
    let expected = format!(
        "{0}r move from: r move to: INVALID MOVE\n{0}r move from: r move to: {1}r wins!!\nGAME OVER\n",
        shown("W:WA1:BA8"),
        shown("W:WA8:B"),
    );
    assert_eq!(transcript(&options, "A8\nA1\n  a1\t\nA8 \n"), expected);
}

#[test]
fn a_side_without_pieces_has_lost_before_it_starts() {
    let options = set_up("stupid-checkers", "B:WA1:B");
    let expected = format!("{}r wins!!\nGAME OVER\n", shown("B:WA1:B"));
    assert_eq!(
        session(&options, "A1\n"),
        (expected, Ended::Over(Some(Side::White)))
    );
    let options = set_up("stupid-checkers", "W:WA1:B");
    assert_eq!(winner(&options, "A1\nA2\n"), Some(Side::White));
}

#[test]
fn programs_are_shown_as_if_they_typed() {
    let mut options = set_up("stupid-checkers", "W:WA1:BA8");
    options.players[Side::Black] = "random".parse().unwrap();
    let printed = transcript(&options, "A1\nC3\n");
    let (_, answer) = printed.split_once("b move from: ").unwrap();
    assert!(answer.starts_with("A8\nb move to: "), "{answer}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// 'If r doesn't win every time, then r screwed up.'
    #[test]
    fn r_wins_by_capturing_at_every_turn(seed: u64) {
        let mut game = Game::new(&Variant::named("stupid-checkers").unwrap());
        let mut chance = Chance::new(seed);
        let mut typed = String::new();
        while game.outcome().is_none() {
            let mut moves = game.legal_moves();
            if game.turn() == Side::White {
                moves.retain(kingme_rules::Move::is_capture);
            }
            let mv = chance.pick(&moves).expect("r can always capture").clone();
            let board = game.variant().board();
            for square in [mv.from, mv.to] {
                typed.push_str(&board.name(square));
                typed.push('\n');
            }
            game.play(&mv).unwrap();
        }
        prop_assert_eq!(winner(&options(), &typed), Some(Side::White));
    }

    /// Whatever is typed, every turn is answered, and nothing panics.
    #[test]
    fn anything_can_be_typed(typed in "([A-H][1-8]\n|[ -~]{0,3}\n|\\PC{0,3}\r\n){0,40}") {
        let (printed, _) = session(&options(), &typed);
        let turns = typed.matches('\n').count().div_ceil(2);
        prop_assert!(printed.matches("move from: ").count() >= turns.min(1));
        prop_assert!(printed.ends_with('\n'));
    }
}
