//! Pown Chess, as its worksheet describes it.

use kingme_play::Chance;
use kingme_rules::{Game, Side, Variant};
use kingme_terminal::Options;
use kingme_terminal::plain::Ended;
use proptest::prelude::*;

use super::play::{board, session, set_up, transcript};

const START: &str = include_str!("pown-chess.txt");

fn options() -> Options {
    super::play::options("pown-chess")
}

fn shown(fen: &str) -> String {
    board("pown-chess", fen)
}

/// A square that is typed is refused to w.
fn check_invalid(square: &str) {
    let fen = "W:WA1,B6:BC6";
    let expected = format!("{0}w move: INVALID MOVE\n{0}b move: \n", shown(fen));
    assert_eq!(
        transcript(&set_up("pown-chess", fen), &format!("{square}\n")),
        expected
    );
}

#[test]
fn the_example_of_the_text() {
    let expected = format!(
        "{START}w move: w moves from B1 to B2!\n{}b move: b moves from F6 to F5\n{}w move: \n",
        shown("B:WA1,B2,C1,D1,E1,F1:BA6,B6,C6,D6,E6,F6"),
        shown("W:WA1,B2,C1,D1,E1,F1:BA6,B6,C6,D6,E6,F5"),
    );
    assert_eq!(session(&options(), "B1\nF6\n"), (expected, Ended::Left));
}

#[test]
fn moving_onto_an_enemy_powns_it() {
    let options = set_up("pown-chess", "B:WC3,A1:BC4");
    let expected = format!(
        "{}b move: b moves from C4 to C3\nb powns a w\n{}w move: \n",
        shown("B:WC3,A1:BC4"),
        shown("W:WA1:BC3"),
    );
    assert_eq!(transcript(&options, "C4\n"), expected);
    let options = set_up("pown-chess", "W:WC3:BC4,A6");
    assert!(transcript(&options, "C3\n").contains("w moves from C3 to C4!\nw powns a b\n"));
}

#[test]
fn the_end_of_the_text_without_a_board() {
    let options = set_up("pown-chess", "B:WA6,B6:BF2,D1,E1");
    let expected = format!(
        "{}b move: b moves from F2 to F1\nThere are no more moves for w\n\
         b has 3 pieces\nw has 2 pieces\nb wins!!\nGAME OVER\n",
        shown("B:WA6,B6:BF2,D1,E1"),
    );
    assert_eq!(
        session(&options, "F2\n"),
        (expected, Ended::Over(Some(Side::Black)))
    );
}

#[test]
fn the_stuck_player_may_win() {
    let options = set_up("pown-chess", "B:WA6,B6:BF2");
    let end =
        "There are no more moves for w\nb has 1 pieces\nw has 2 pieces\nw wins!!\nGAME OVER\n";
    assert!(transcript(&options, "F2\n").ends_with(end));
}

#[test]
fn a_tie() {
    let options = set_up("pown-chess", "B:WA6:BF2");
    let end = "b has 1 pieces\nw has 1 pieces\nIt's a tie!!\nGAME OVER\n";
    let (printed, ended) = session(&options, "F2\n");
    assert!(printed.ends_with(end));
    assert_eq!(ended, Ended::Over(None));
}

#[test]
fn b_may_be_stuck_as_well() {
    let options = set_up("pown-chess", "W:WA5:BF1");
    let end = "w moves from A5 to A6!\nThere are no more moves for b\n";
    assert!(transcript(&options, "A5\n").contains(end));
}

#[test]
fn the_last_piece_may_be_powned() {
    let options = set_up("pown-chess", "W:WA5:BA6");
    let end = "w powns a b\nThere are no more moves for b\n\
               b has 0 pieces\nw has 1 pieces\nw wins!!\nGAME OVER\n";
    assert!(transcript(&options, "A5\n").ends_with(end));
}

#[test]
fn a_forfeited_turn_may_end_the_game() {
    let options = set_up("pown-chess", "W:WA5:BF1");
    let expected = format!(
        "{}w move: INVALID MOVE\nThere are no more moves for b\n\
         b has 1 pieces\nw has 1 pieces\nIt's a tie!!\nGAME OVER\n",
        shown("W:WA5:BF1"),
    );
    assert_eq!(transcript(&options, "nonsense\n"), expected);
}

#[test]
fn invalid_moves() {
    for square in [
        "G1", "A7", "A0", "", "B2", "C6", "B6", "a1", " A1", "A1 ", "A1B1", "1",
    ] {
        check_invalid(square);
    }
}

#[test]
fn the_input_may_end_at_each_prompt() {
    assert_eq!(
        session(&options(), ""),
        (format!("{START}w move: \n"), Ended::Left)
    );
    assert!(transcript(&options(), "B1").ends_with("b move: \n"));
    assert!(transcript(&options(), "B1\r\nF6\r\n").ends_with("w move: \n"));
    assert!(!transcript(&options(), "B1\r\nF6\r\n").contains("INVALID"));
}

#[test]
fn score_and_counter() {
    let mut options = options();
    options.score = true;
    assert!(transcript(&options, "").starts_with(&format!("           w: 6  b: 6\n{START}")));
    options.counter = true;
    assert!(transcript(&options, "").starts_with(&format!("      Move #0 -- w: 6  b:6\n{START}")));
}

#[test]
fn nice_lets_the_same_player_try_again() {
    let mut options = options();
    options.nice = true;
    let expected = format!("{START}w move: INVALID MOVE\n{START}w move: w moves from B1 to B2!\n");
    assert!(transcript(&options, "A6\n b1 \n").starts_with(&expected));
}

proptest! {
    /// A piece that leaves the board takes its column's other piece with it, or is taken: each
    /// column keeps one of its two.
    #[test]
    fn a_finished_game_leaves_six_pieces(seed: u64) {
        let mut game = Game::new(&Variant::named("pown-chess").unwrap());
        let mut chance = Chance::new(seed);
        let mut typed = String::new();
        while let Some(mv) = chance.pick(&game.legal_moves()).cloned() {
            typed.push_str(&game.variant().board().name(mv.from));
            typed.push('\n');
            // Now and then somebody can't type.
            if chance.below(10) == 0 {
                typed += "oops\noops\n";
            }
            game.play(&mv).unwrap();
        }
        let printed = transcript(&options(), &typed);
        let pieces: u32 = printed
            .lines()
            .filter_map(|line| line.strip_suffix(" pieces")?.split(' ').next_back()?.parse::<u32>().ok())
            .sum();
        prop_assert_eq!(pieces, 6, "{}", printed);
    }
}
