//! Pieces that could have captured and are taken off for it. [`compare`](crate::compare) has the
//! same rule in games at random, against the model.

use kingme_rules::variant::Obligation;
use kingme_rules::{Game, Position, Side, Variant};

use crate::model::Model;

/// A shipped game with huffing, and what else is said of it.
fn huffing(base: &str, more: &str) -> Variant {
    let toml = format!(
        "extends = \"{base}\"\nname = \"huffing\"\n{more}\n\
         [capture]\nobligation = \"huff\"\npriority = []\n"
    );
    Variant::from_toml(&toml).unwrap_or_else(|error| panic!("{error}"))
}

fn position(variant: &Variant, fen: &str) -> Position {
    Position::from_fen(variant, fen).expect(fen)
}

/// What each move leads to: `22-17 → B:W32:B1,18`.
#[track_caller]
fn check(variant: &Variant, fen: &str, expected: &[&str]) {
    let before = position(variant, fen);
    let moves = before.legal_moves();
    let after = |mv| before.play(mv).expect("legal").fen();
    let said = |mv| format!("{} → {}", before.move_text(mv), after(mv));
    let mut found: Vec<String> = moves.iter().map(said).collect();
    found.sort();
    assert_eq!(found, expected, "{fen}");
    // Read back, a move is the same, and leads to a position that is the same as one set up.
    for mv in &moves {
        assert_eq!(before.find_move(&before.move_text(mv)).as_ref(), Ok(mv));
        let next = before.play(mv).expect("legal");
        let set_up = position(variant, &next.fen());
        assert_eq!((&next, next.hash()), (&set_up, set_up.hash()));
    }
}

#[test]
fn the_piece_that_moved_is_taken_off_where_it_arrives() {
    check(
        &huffing("english", ""),
        "W:W22:B1,18",
        &["22-17 → B:W:B1,18", "22x15 → B:W15:B1"],
    );
}

#[test]
fn for_the_move_of_another_the_first_piece_that_could_capture_is() {
    check(
        &huffing("english", ""),
        "W:W22,23,32:B1,18",
        &[
            "22-17 → B:W23,32:B1,18",
            "22x15 → B:W15,23,32:B1",
            "23-19 → B:W22,32:B1,18",
            "23x14 → B:W14,22,32:B1",
            "32-27 → B:W23,27:B1,18",
            "32-28 → B:W23,28:B1,18",
        ],
    );
}

#[test]
fn where_nothing_can_be_captured_nothing_is_lost() {
    check(
        &huffing("english", ""),
        "W:W32:B1",
        &["32-27 → B:W27:B1", "32-28 → B:W28:B1"],
    );
}

/// The man on 7 could have taken backward.
#[test]
fn a_piece_that_is_taken_off_is_not_promoted() {
    let variant = huffing("international", "");
    check(
        &variant,
        "W:W7,50:B12",
        &[
            "50-44 → B:W44:B12",
            "50-45 → B:W45:B12",
            "7-1 → B:W50:B12",
            "7-2 → B:W50:B12",
            "7x18 → B:W18,50:B",
        ],
    );
    let before = position(&variant, "W:W7,50:B12");
    let huffs = before.legal_moves().into_iter();
    assert!(
        huffs
            .filter(|mv| mv.huffed.is_some())
            .all(|mv| !mv.is_promotion())
    );
    assert!(before.find_move("7-1").unwrap().takes_off());
}

/// From 28 one piece can be taken, from 21 two: that is the capture that was missed.
#[test]
fn only_captures_that_are_legal_count() {
    let variant = Variant::from_toml(
        "extends = \"english\"\nname = \"huffing\"\n\
         [capture]\nobligation = \"huff\"\npriority = [\"most-pieces\"]\n",
    )
    .unwrap();
    let fen = "W:W21,28,32:B1,10,17,24";
    check(
        &variant,
        fen,
        &["21x7 → B:W7,28,32:B1,24", "32-27 → B:W27,28:B1,10,17,24"],
    );
    let refused = |mv: &str| {
        position(&variant, fen)
            .find_move(mv)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused("28x19"),
        "28x19 is not possible: a longer capture exists (2 pieces: 21x7)"
    );
    assert_eq!(
        refused("28-23"),
        "28-23 is not possible: there is a capture with 21"
    );
}

#[track_caller]
fn outcome(variant: &Variant, fen: &str, mv: &str) -> String {
    let mut game = Game::from_position(position(variant, fen));
    game.play_text(mv).expect(mv);
    let said = game.outcome().map(|outcome| outcome.in_words(variant));
    said.unwrap_or_default()
}

#[test]
fn whose_last_piece_is_taken_off_has_no_piece_left() {
    let fen = "W:W22:B1,18";
    let english = huffing("english", "");
    let expected = "Black wins: White has no pieces left.";
    assert_eq!(outcome(&english, fen, "22-17"), expected);
    let over = position(&english, fen).find_move("22-17").unwrap();
    let over = position(&english, fen).play(&over).unwrap();
    assert_eq!((over.turn(), over.legal_moves()), (Side::Black, Vec::new()));
    assert!(!over.can_move());
    let giveaway = huffing("english", "[end]\nstuck = \"wins\"");
    let expected = "White wins: White has no pieces left.";
    assert_eq!(outcome(&giveaway, fen, "22-17"), expected);
    let counted = huffing("english", "[end]\nstuck = \"most-pieces\"");
    assert!(outcome(&counted, fen, "22-17").starts_with("Black wins"));
}

#[test]
fn a_huff_starts_counters_anew_as_a_capture_does() {
    let counter = "[[draws.counters]]\nplies = 2\nrestart = [\"capture\"]\nresult = \"draw\"";
    let variant = huffing("english", counter);
    let mut game = Game::from_position(position(&variant, "B:W22,32:B1,15"));
    game.play_text("15-18").unwrap();
    game.play_text("32-28").unwrap();
    assert_eq!(game.outcome(), None, "22 was taken off");
    assert_eq!(game.position().count(Side::White), 1);
    game.play_text("1-5").unwrap();
    game.play_text("28-24").unwrap();
    assert!(game.outcome().is_some(), "two moves without a capture");
    while game.undo().is_some() {}
    assert_eq!(game.position().fen(), "B:W22,32:B1,15");
}

/// The board that the game is played on, far enough for captures to be missed.
#[test]
fn malaysian_is_counted_alike_by_the_generator_and_the_model() {
    let variant = Variant::named("malaysian").unwrap();
    let model = Model::new(variant.definition());
    let counted = variant.start().perft(5);
    assert_eq!(counted, 211_250);
    assert_eq!(counted, variant.start().perft_loaded(5));
    assert_eq!(counted, model.perft(&model.start(), 5));
    let mut compulsory = variant.definition().clone();
    compulsory.capture.obligation = Obligation::Must;
    let compulsory = Variant::from_definition(compulsory).unwrap();
    assert!(counted > compulsory.start().perft(5), "some miss a capture");
}
