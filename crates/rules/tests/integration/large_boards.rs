//! Boards beyond 26×26, up to the limit. `compare.rs` has their moves.

use kingme_rules::{Board, Game, Position, Reason, Side, Variant};

fn league(size: u32) -> Variant {
    Variant::named("league").unwrap().sized(size).unwrap()
}

#[track_caller]
fn check_size(name: &str, size: u32, message: &str) {
    let refused = Variant::named(name).unwrap().sized(size).unwrap_err();
    assert_eq!(refused.to_string(), message);
}

#[test]
fn the_limit_is_named() {
    let message = "`league` can be played on even sizes from 4 to 100, not 102";
    check_size("league", 102, message);
    // The alphabet has no more letters.
    let message = "`russian` can be played on even sizes from 4 to 26, not 28";
    check_size("russian", 28, message);
}

#[test]
fn a_file_beyond_the_limit_is_refused() {
    let check = |keys: &str, message: &str| {
        let text = format!("extends = \"russian\"\nname = \"mine\"\n[board]\nsizes = []\n{keys}");
        let error = Variant::from_toml(&text).unwrap_err();
        assert_eq!(error.to_string(), message);
    };
    check(
        "rows = 101",
        "line 5: board.rows: found 101, expected a whole number from 2 to 100",
    );
    check(
        "columns = 27",
        "line 5: board.columns: letters (notation.squares) name 26 columns at most; say \"numbers\"",
    );
}

/// Where a king lands that zigzags along three rows to the right, down, to the left, and so on: men
/// stand between any two of these places.
fn snake(first_column: usize) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for row in (0..100).step_by(8) {
        let right = (0..50).map(|step| (row + 2 * (step % 2), 2 * step));
        let left = (1..49)
            .rev()
            .map(|step| (row + 4 + 2 * (step % 2), 2 * step));
        places.extend(right.chain(left));
    }
    places.retain(|(row, _)| *row < 100);
    let place = |(row, column)| (row, first_column + column);
    places.into_iter().map(place).collect()
}

#[test]
fn a_capture_may_be_longer_than_a_stack_is_deep() {
    let english = Variant::named("english").unwrap().sized(100).unwrap();
    let board = english.board();
    let name = |(row, column)| board.name(board.at(row, column).unwrap());
    let places = snake(usize::from(board.at(0, 0).is_none()));
    let middle = |a: usize, b: usize| usize::midpoint(a, b);
    let men = places
        .windows(2)
        .map(|pair| name((middle(pair[0].0, pair[1].0), middle(pair[0].1, pair[1].1))));
    let men: Vec<String> = men.collect();
    let fen = format!("B:W{}:BK{}", men.join(","), name(places[0]));
    let position = Position::from_fen(&english, &fen).unwrap();
    let moves = position.legal_moves();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].captured.len(), 1_225);
    assert_eq!(position.play(&moves[0]).unwrap().count(Side::White), 0);
}

/// A king among men with gaps between them has more ways than can be followed.
#[test]
fn too_many_captures_are_refused_in_words() {
    let variant = Variant::named("international").unwrap().sized(100).unwrap();
    let board = variant.board();
    // Every other row is full, so that each man can be jumped from all sides.
    let men = board.squares().filter(|&square| {
        let (row, _) = board.row_column(square);
        (2..98).contains(&row) && row % 2 == 0
    });
    let names: Vec<String> = men.map(|man| board.name(man)).collect();
    let king = board.at(1, 50).or(board.at(1, 51)).unwrap();
    let king = board.name(king);
    let fen = format!("W:WK{king}:B{}", names.join(","));
    let refused = Position::from_fen(&variant, &fen);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "FEN: this position has too many captures to list"
    );
}

#[test]
fn a_position_survives_fen() {
    for size in [28, 40, 100] {
        let start = league(size).start();
        assert_eq!(start.pieces().len(), (size * (size / 2 - 1)) as usize);
        assert_eq!(Position::from_fen(start.variant(), &start.fen()), Ok(start));
    }
}

#[test]
fn squares_are_numbered_to_ten_thousand() {
    let all = "extends = \"turkish\"\nname = \"vast\"\n[board]\nsizes = []\ncolumns = 100\nrows = 100\n\
               [notation]\nsquares = \"numbers\"";
    let variant = Variant::from_toml(all).unwrap();
    let board = variant.board();
    assert_eq!(board.len(), usize::from(Board::LARGEST).pow(2));
    let corner = board.numbered(10_000).unwrap();
    assert_eq!(board.parse(&board.name(corner)), Some(corner));
}

#[test]
fn a_refusal_says_why() {
    let mut game = Game::new(&league(100));
    let mut refused = |text: &str| game.play_text(text).unwrap_err().to_string();
    assert_eq!(
        refused("50,1;49,0"),
        "50,1;49,0 is not possible: there is no piece on 50,1"
    );
    assert_eq!(
        refused("51,0;50,1"),
        "51,0;50,1 is not possible: the piece on 51,0 is Black's, and it is White's turn"
    );
    assert_eq!(
        refused("48,1;50,3"),
        "48,1;50,3 is not possible: the man on 48,1 can't go there; it can go to 49,2 or 49,0"
    );
    game.play_text("48,1;49,2").unwrap();
    game.play_text("51,4;50,3").unwrap();
    let refused = game.play_text("48,5;49,4").unwrap_err().to_string();
    assert_eq!(
        refused,
        "48,5;49,4 is not possible: there is a capture with 49,2"
    );
}

#[test]
fn forty_plies_without_progress_end_a_league_game() {
    let variant = league(40);
    // Far apart, two kings against one.
    let fen = "W:WK1,K3:BK800";
    let mut game = Game::from_position(Position::from_fen(&variant, fen).unwrap());
    let mut plies = 0;
    while game.outcome().is_none() {
        // To and fro: the first move is the way back every other time.
        let back = game
            .turns()
            .iter()
            .nth_back(1)
            .and_then(|turn| turn.as_move());
        let moves = game.legal_moves();
        let returns = back.and_then(|last| {
            moves
                .iter()
                .find(|mv| mv.to == last.from && mv.from == last.to)
        });
        let mv = returns.unwrap_or(&moves[0]).clone();
        game.play(&mv).unwrap();
        plies += 1;
    }
    let outcome = game.outcome().unwrap();
    assert_eq!((plies, outcome.winner), (40, Some(Side::White)));
    assert_eq!(outcome.reason, Reason::Counter(40));
}
