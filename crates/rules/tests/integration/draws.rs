//! When games end without a last capture.

use kingme_rules::{Game, Position, Side, Turn, Variant};

fn game(variant: &str, fen: &str) -> Game {
    let variant = Variant::named(variant).expect(variant);
    Game::from_position(Position::from_fen(&variant, fen).expect(fen))
}

/// Plays the moves over and over until the game is over; returns the plies and the outcome.
fn play_round(mut game: Game, moves: &[&str], most: usize) -> (usize, String) {
    for text in moves.iter().cycle().take(most) {
        if let Some(outcome) = game.outcome() {
            return (game.plies(), outcome.in_words(game.variant()));
        }
        game.play_text(text).expect(text);
    }
    let outcome = game.outcome().map_or_else(
        || "not over".to_owned(),
        |outcome| outcome.in_words(game.variant()),
    );
    (game.plies(), outcome)
}

#[test]
fn threefold_repetition() {
    let game = game("english", "W:WK1,K5:BK32,K28");
    let (plies, outcome) = play_round(game, &["1-6", "32-27", "6-1", "27-32"], 100);
    assert_eq!(
        (plies, outcome.as_str()),
        (8, "Draw: the same position for the third time.")
    );
}

/// Plays on without captures until the game is over, and without repeating a position where that
/// would end it.
fn play_quietly(mut game: Game) -> (usize, String) {
    let repetition_draws = game.variant().definition().draws.repetition.is_some();
    let mut seen = vec![game.position().clone()];
    while game.outcome().is_none() {
        let next = game
            .legal_moves()
            .into_iter()
            .find(|mv| {
                let next = game.position().play(mv).expect("legal");
                !(next.can_capture() || repetition_draws && seen.contains(&next))
            })
            .expect("a safe move");
        game.play(&next).expect("legal");
        seen.push(game.position().clone());
    }
    let words = game.outcome().expect("over").in_words(game.variant());
    (game.plies(), words)
}

#[test]
fn one_king_against_two_in_international() {
    let (plies, outcome) = play_quietly(game("international", "W:WK46,K47:BK15"));
    assert_eq!(
        (plies, outcome.as_str()),
        (
            10,
            "Draw: 10 moves of both sides together without progress."
        )
    );
}

#[test]
fn one_king_against_three_in_international() {
    let (plies, outcome) = play_quietly(game("international", "W:WK46,K47,K48:BK15"));
    assert_eq!(
        (plies, outcome.as_str()),
        (
            32,
            "Draw: 32 moves of both sides together without progress."
        )
    );
}

#[test]
fn the_league_counts_pieces_after_forty_plies() {
    let (plies, outcome) = play_quietly(game("league", "W:WK1,K2:BK32"));
    assert_eq!(
        (plies, outcome.as_str()),
        (
            40,
            "White wins: 40 moves of both sides together without progress."
        )
    );
    let (plies, outcome) = play_quietly(game("league", "W:WK1:BK32"));
    assert_eq!(
        (plies, outcome.as_str()),
        (
            40,
            "Draw: 40 moves of both sides together without progress."
        )
    );
}

#[test]
fn misere_and_most_pieces() {
    let stuck = game("poddavki", "W:W:Ba3");
    assert_eq!(
        stuck.outcome().expect("over").in_words(stuck.variant()),
        "White wins: White has no pieces left."
    );
    let counted = game("pown-chess", "W:WA6,B6:BC1");
    assert_eq!(
        counted.outcome().expect("over").in_words(counted.variant()),
        "w wins: w can't move."
    );
}

#[test]
fn taking_back_restores_everything() {
    let variant = Variant::named("international").expect("international");
    let mut game = Game::new(&variant);
    for text in ["32-28", "19-23", "28x19", "14x23"] {
        game.play_text(text).expect(text);
    }
    let before = game.position().clone();
    game.play_text("37-32").expect("37-32");
    game.undo();
    assert_eq!(game.position(), &before);
    while game.undo().is_some() {}
    assert_eq!(game.position(), &variant.start());
}

#[test]
fn a_passed_turn_is_part_of_the_game_and_can_be_taken_back() {
    let mut game = Game::new(&Variant::named("english").unwrap());
    game.play_text("11-15").unwrap();
    game.pass().unwrap();
    game.play_text("9-13").unwrap();
    assert_eq!((game.plies(), game.moves().count()), (3, 2));
    assert_eq!(game.move_texts(), ["11-15", "9-13"]);
    let (start, moves) = game.since_pass();
    assert_eq!((start.turn(), moves.count()), (Side::Black, 1));
    let pdn = kingme_rules::pdn::from_game(&game, Vec::new());
    let texts: Vec<&str> = pdn.moves.iter().map(|node| node.text.as_str()).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts[1].starts_with("/B:W21"), "{texts:?}");
    assert!(matches!(game.undo(), Some(Turn::Move(_))));
    assert_eq!(game.undo(), Some(Turn::Pass));
    assert_eq!(game.turn(), Side::White);
}

/// A game of one's own: English with a counter.
fn counted(counter: &str, fen: &str) -> Game {
    let variant = Variant::named("english").unwrap();
    let change = ("draws.counters".to_owned(), format!("[{{ {counter} }}]"));
    let definition = variant.definition().with(&[change]).unwrap();
    let variant = Variant::from_definition(definition).unwrap();
    Game::from_position(Position::from_fen(&variant, fen).unwrap())
}

#[test]
fn one_against_one_goes_on_while_there_is_a_capture() {
    let capture = game("turkish", "W:WKa4:BKd4");
    assert_eq!(capture.outcome(), None);
    assert_eq!(capture.legal_moves().len(), 4);
    let quiet = game("turkish", "B:WKa4:BKd5");
    let words = quiet.outcome().unwrap().in_words(quiet.variant());
    assert_eq!(words, "Draw: neither side can win with what is left.");
    assert!(game("armenian", "W:WKa4:BKd4").outcome().is_none());
}

#[test]
fn a_counter_may_end_with_a_win() {
    let counter = "plies = 0, restart = [], one = { pieces = \"2+\" }, other = { pieces = \"1\" }, \
                   result = \"one-wins\"";
    for (fen, winner) in [
        ("W:WK1,K5:BK32", Some(Side::White)),
        ("W:WK1:BK32,K31", Some(Side::Black)),
    ] {
        let game = counted(counter, fen);
        assert_eq!(game.outcome().unwrap().winner, winner, "{fen}");
    }
    assert_eq!(counted(counter, "W:WK1,K5:BK32,K31").outcome(), None);
    // Where both are the one, neither wins.
    let both = "plies = 0, restart = [], one = { kings = \"1\" }, result = \"one-wins\"";
    let game = counted(both, "W:WK1:BK32");
    assert_eq!(game.outcome().unwrap().winner, None);
}

/// Disputed in Turkish and Armenian: the guide has the counter.
#[test]
fn a_king_may_win_against_a_lone_man() {
    let counter = "plies = 0, restart = [], one = { men = \"0\", kings = \"1\" }, \
                   other = { men = \"1\", kings = \"0\" }, unless_capture = true, \
                   result = \"one-wins\"";
    let winner = |fen: &str| counted(counter, fen).outcome().and_then(|end| end.winner);
    assert_eq!(winner("W:WK1:B20"), Some(Side::White));
    assert_eq!(winner("B:W20:BK1"), Some(Side::Black));
    assert_eq!(winner("W:WK1:BK20"), None);
    assert_eq!(winner("W:W15:BK10"), None, "the man can capture");
}

/// As the file of the international game says that a text of the FMJD has it.
#[test]
fn a_king_on_the_long_diagonal_may_have_five_moves() {
    let variant = Variant::named("international").unwrap();
    let counter = "[{ plies = 10, restart = [], one = { men = \"0\", kings = \"1\" }, \
                   other = { pieces = \"3\", kings = \"1+\" }, result = \"draw\", on = [\"5\", \
                   \"10\", \"14\", \"19\", \"23\", \"28\", \"32\", \"37\", \"41\", \"46\"] }]";
    let change = ("draws.counters".to_owned(), counter.to_owned());
    let definition = variant.definition().with(&[change]).unwrap();
    let variant = Variant::from_definition(definition).unwrap();
    let start = Position::from_fen(&variant, "B:WK1,K2,K3:BK46").unwrap();
    let moves = [
        "46-41", "1-6", "41-37", "6-11", "37-32", "11-16", "32-28", "16-21", "28-23", "2-7",
    ];
    let (plies, outcome) = play_round(Game::from_position(start), &moves, 40);
    let expected = "Draw: 10 moves of both sides together without progress.";
    assert_eq!((plies, outcome.as_str()), (10, expected));
}

#[test]
fn three_kings_against_two_have_thirty_moves_in_russian() {
    let (plies, outcome) = play_quietly(game("russian", "W:WKa1,Kb2,Kg1:BKb8,Ka7"));
    let expected = "Draw: 60 moves of both sides together without progress.";
    assert_eq!((plies, outcome.as_str()), (60, expected));
}

#[test]
fn three_kings_against_one_have_thirteen_moves_in_pool() {
    let (plies, outcome) = play_quietly(game("pool", "B:WK30,K31,K32:BK4"));
    let expected = "Draw: 26 moves of both sides together without progress.";
    assert_eq!((plies, outcome.as_str()), (26, expected));
}

#[test]
fn kings_alone_have_twenty_moves_in_brazilian() {
    let (plies, outcome) = play_quietly(game("brazilian", "W:WKa1,Kb2,Kg1:BKb8,Ka7"));
    let expected = "Draw: 40 moves of both sides together without progress.";
    assert_eq!((plies, outcome.as_str()), (40, expected));
}
