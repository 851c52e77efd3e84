//! Bad input says what is wrong, in one sentence.

use kingme_rules::{Game, Position, Variant};

#[track_caller]
fn refused(variant: &str, fen: &str, mv: &str, expected: &str) {
    let variant = Variant::named(variant).expect(variant);
    let position = Position::from_fen(&variant, fen).expect(fen);
    let error = position.find_move(mv).expect_err(mv);
    assert_eq!(error.to_string(), expected);
}

#[test]
fn squares_that_can_capture_are_named_once() {
    let fen = "W:W22,23,32:B17,18,19,1";
    for mv in ["32-32", "32-28"] {
        let expected = format!("{mv} is not possible: there is a capture with 22 or 23");
        refused("english", fen, mv, &expected);
    }
}

#[test]
fn moves_are_refused_with_the_reason() {
    let fen = "W:W32,33,40:B28,10";
    refused(
        "international",
        fen,
        "40-34",
        "40-34 is not possible: there is a capture with 32 or 33",
    );
    refused(
        "international",
        fen,
        "31-27",
        "31-27 is not possible: there is no piece on 31",
    );
    refused(
        "international",
        fen,
        "10-14",
        "10-14 is not possible: the piece on 10 is Black's, and it is White's turn",
    );
    refused(
        "international",
        fen,
        "32",
        "`32` is not a move; write it like 33x22",
    );
    refused(
        "international",
        fen,
        "32-99",
        "`32-99`: there is no square 99 on this board",
    );
    refused(
        "international",
        "W:W32,33:B10",
        "32-22",
        "32-22 is not possible: the man on 32 can't go there; it can go to 27 or 28",
    );
    refused(
        "international",
        "W:W50,46:B44,45,39,40",
        "50-44",
        "50-44 is not possible: the man on 50 can't move",
    );
}

#[test]
fn shorter_captures_name_a_longer_one() {
    refused(
        "international",
        "W:W32,42:B28,19,37,7",
        "42x31",
        "42x31 is not possible: a longer capture exists (2 pieces: 32x14)",
    );
    refused(
        "international",
        "W:W32:B28,19",
        "32x23",
        "32x23 is not possible: the chain must go on from 23",
    );
    refused(
        "italian",
        "W:WK23,30:B19,26",
        "30x21",
        "30x21 is not possible: a capture with a king comes first: 23x14",
    );
}

#[test]
fn a_tired_king_is_named() {
    refused(
        "frisian",
        "W:WK46,35:BK5:R46=3",
        "46-41",
        "46-41 is not possible: the king on 46 has made 3 moves in a row; move another piece or capture",
    );
}

#[test]
fn ambiguous_captures_list_their_routes() {
    refused(
        "international",
        "W:WK4:B13,32,37,20",
        "4x15",
        "`4x15` can mean 4x27x38x15 or 4x31x42x15",
    );
}

#[test]
fn nothing_moves_when_the_game_is_over() {
    let variant = Variant::named("english").expect("english");
    let position = Position::from_fen(&variant, "W:W:B1").expect("a finished game");
    let mut game = Game::from_position(position);
    assert_eq!(
        game.outcome().expect("over").in_words(&variant),
        "Black wins: White has no pieces left."
    );
    let error = game.play_text("1-5").expect_err("over");
    assert_eq!(error.to_string(), "1-5 is not possible: the game is over");
}

#[track_caller]
fn bad_fen(variant: &str, fen: &str, expected: &str) {
    let variant = Variant::named(variant).expect(variant);
    let error = Position::from_fen(&variant, fen).expect_err(fen);
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_is_too_long_to_read_is_quoted_shortly() {
    let long = "x".repeat(5_000);
    let shown = "x".repeat(40);
    bad_fen(
        "english",
        &long,
        &format!("FEN: expected the side to move, `W` or `B`, found `{shown}…`"),
    );
    refused(
        "international",
        "W:W32:B1",
        &long,
        &format!("`{shown}…` is not a move; write it like 32-27"),
    );
    let numbers = "32-".repeat(2_000);
    let message = Game::new(&Variant::named("international").expect("a game"))
        .play_text(&numbers)
        .expect_err("no move")
        .to_string();
    assert!(message.len() < 200, "{message}");
}

#[test]
fn fens_are_refused_with_the_culprit() {
    bad_fen(
        "english",
        "X:W1:B2",
        "FEN: expected the side to move, `W` or `B`, found `X`",
    );
    bad_fen(
        "english",
        "",
        "FEN: expected the side to move, `W` or `B`, found ``",
    );
    bad_fen("english", "W:W21,21:B2", "FEN: two pieces stand on 21");
    bad_fen(
        "english",
        "W:W33:B2",
        "FEN: `33` is not a square of this board",
    );
    bad_fen(
        "english",
        "W:W2:B5",
        "FEN: the White man on 2 stands on its promotion square",
    );
    bad_fen(
        "english",
        "W:W20-18:B2",
        "FEN: `20-18` is not a range of squares",
    );
    bad_fen(
        "english",
        "W:Z1:B2",
        "FEN: expected a list of pieces that starts with `W` or `B`, found `Z1`",
    );
}

#[test]
fn fens_of_other_programs_are_read() {
    #[track_caller]
    fn same(variant: &str, fen: &str, canonical: &str) {
        let variant = Variant::named(variant).expect(variant);
        assert_eq!(
            Position::from_fen(&variant, fen).expect(fen).fen(),
            canonical
        );
    }
    same("international", "W:W48-50:B1-3.", "W:W48,49,50:B1,2,3");
    same("international", "\"W:W31,K46:B18\"", "W:W31,K46:B18");
    same("international", "?:W31:B18:H0:F1", "W:W31:B18");
    same("international", "W:WK31-33:B", "W:WK31,K32,K33:B");
    same("russian", "W:Wa1,Kc3:Bh8", "W:Wa1,Kc3:Bh8");
    same("russian", "W:W29,K22:B5", "W:Wa1,Kc3:Ba7");
}

#[test]
fn sizes_and_names_are_refused() {
    let league = Variant::named("league").expect("league");
    for size in [2, 5, 102] {
        let error = league.sized(size).expect_err("no such size");
        let expected = format!("`league` can be played on even sizes from 4 to 100, not {size}");
        assert_eq!(error.to_string(), expected);
    }
    for size in (4..=100).step_by(2) {
        let game = Game::new(&league.sized(size).expect("a size"));
        assert!(!game.legal_moves().is_empty());
        let men = (size * (size / 2 - 1) / 2) as usize;
        assert_eq!(game.position().pieces().len(), 2 * men);
    }
    let error = Variant::named("frisan").expect_err("a slip");
    assert_eq!(
        error.to_string(),
        "there is no game `frisan`; did you mean `frisian`?"
    );
}
