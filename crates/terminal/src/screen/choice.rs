//! Choosing a move on the board: a piece, then square after square.

use kingme_rules::{Game, Move, MoveError, Square};

/// The squares of a move chosen so far: the piece, then where it has gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    squares: Vec<Square>,
}

/// What came of choosing a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A piece is selected, deselected, or on its way.
    Changed,
    /// The move is complete.
    Move(Move),
    /// The move is complete, and can go on: the same square again stops here.
    MayStop,
    /// It can't be chosen; a sentence says why.
    Refused(String),
}

impl Choice {
    /// The choice that is made for the player: a piece that is the only one to move.
    pub fn forced(game: &Game) -> Choice {
        let mut squares: Vec<Square> = game.legal_moves().iter().map(|mv| mv.from).collect();
        squares.dedup();
        match squares.len() {
            1 => Choice { squares },
            _ => Choice::default(),
        }
    }

    /// The piece, and the squares it has gone to.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Where the piece is now.
    pub fn last(&self) -> Option<Square> {
        self.squares.last().copied()
    }

    /// Whether the piece has left its square.
    pub fn is_under_way(&self) -> bool {
        self.squares.len() > 1
    }

    /// The moves that begin with what is chosen.
    pub fn candidates(&self, game: &Game) -> Vec<Move> {
        let Some((from, path)) = self.squares.split_first() else {
            return Vec::new();
        };
        let mut moves = game.legal_moves();
        moves.retain(|mv| mv.from == *from && mv.path.starts_with(path));
        moves
    }

    /// The squares that can be chosen next, for the piece that is selected.
    pub fn targets(&self, game: &Game) -> Vec<Square> {
        let gone = self.squares.len().saturating_sub(1);
        let candidates = self.candidates(game);
        candidates
            .iter()
            .filter_map(|mv| mv.path.get(gone).copied())
            .collect()
    }

    /// The pieces that are captured on the way so far.
    pub fn taken(&self, game: &Game) -> Vec<Square> {
        let gone = self.squares.len().saturating_sub(1);
        let first = self.candidates(game).into_iter().next();
        first.map_or_else(Vec::new, |mv| mv.captured.into_iter().take(gone).collect())
    }

    /// Chooses a square.
    pub fn choose(&mut self, game: &Game, square: Square) -> Chosen {
        if self.targets(game).contains(&square) {
            return self.go(game, square);
        }
        if let Some(mv) = self.complete(game, square) {
            return Chosen::Move(mv);
        }
        if self.is_under_way() {
            return Chosen::Refused(
                "Go on with the piece, or take its move back with Esc.".to_owned(),
            );
        }
        if game.legal_moves().iter().any(|mv| mv.from == square) {
            self.select(game, square);
            return Chosen::Changed;
        }
        Chosen::Refused(refusal(game, self.last().unwrap_or(square), square))
    }

    /// Takes the piece back to its square, or deselects it.
    pub fn cancel(&mut self, game: &Game) {
        *self = Choice::forced(game);
    }

    fn select(&mut self, game: &Game, square: Square) {
        if self.last() == Some(square) {
            self.cancel(game);
        } else {
            self.squares = vec![square];
        }
    }

    fn go(&mut self, game: &Game, square: Square) -> Chosen {
        self.squares.push(square);
        let gone = self.squares.len() - 1;
        let candidates = self.candidates(game);
        let complete = candidates.iter().find(|mv| mv.path.len() == gone);
        let goes_on = candidates.iter().any(|mv| mv.path.len() > gone);
        match complete {
            Some(mv) if !goes_on => Chosen::Move(mv.clone()),
            Some(_) => Chosen::MayStop,
            None => Chosen::Changed,
        }
    }

    /// The move that ends on a square: where the piece stands already, or the only one that leads
    /// there, however many squares are skipped.
    fn complete(&self, game: &Game, square: Square) -> Option<Move> {
        let gone = self.squares.len().saturating_sub(1);
        let mut moves = self.candidates(game);
        if gone > 0 && self.last() == Some(square) {
            return moves.into_iter().find(|mv| mv.path.len() == gone);
        }
        moves.retain(|mv| mv.to == square);
        (moves.len() == 1).then(|| moves.swap_remove(0))
    }
}

/// Why a piece can't go from one square to another, or be selected at all.
fn refusal(game: &Game, from: Square, to: Square) -> String {
    let position = game.position();
    let board = position.variant().board();
    // Whoever clicks on an own piece means to select it, not to go there.
    let from = match position.piece(to) {
        Some(piece) if piece.side == position.turn() => to,
        _ => from,
    };
    let text = format!("{}-{}", board.name(from), board.name(to));
    let why = match position.find_move(&text) {
        Err(MoveError::Illegal(illegal)) => illegal.refusal.to_string(),
        Err(error) => error.to_string(),
        Ok(_) => "choose its squares one by one".to_owned(),
    };
    sentence(&why)
}

/// Words with a capital and a full stop.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect::<String>() + "."
}

#[cfg(test)]
mod tests {
    use kingme_rules::{Position, Variant};

    use super::*;

    fn game(variant: &str, fen: &str) -> Game {
        let variant = Variant::named(variant).unwrap();
        Game::from_position(Position::from_fen(&variant, fen).unwrap())
    }

    fn choose(choice: &mut Choice, game: &Game, name: &str) -> Chosen {
        choice.choose(game, game.variant().board().parse(name).unwrap())
    }

    fn refused(variant: &str, fen: &str, names: &[&str]) -> String {
        let game = game(variant, fen);
        let mut choice = Choice::default();
        let mut last = None;
        for name in names {
            last = Some(choose(&mut choice, &game, name));
        }
        match last {
            Some(Chosen::Refused(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    fn text(game: &Game, chosen: &Chosen) -> String {
        match chosen {
            Chosen::Move(mv) => game.position().move_text(mv),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_piece_and_a_square_make_a_move() {
        let game = game("english", "B:W30:B1,2");
        let mut choice = Choice::default();
        assert_eq!(choose(&mut choice, &game, "1"), Chosen::Changed);
        assert_eq!(choice.targets(&game).len(), 2);
        assert_eq!(text(&game, &choose(&mut choice, &game, "5")), "1-5");
    }

    #[test]
    fn choosing_a_piece_again_deselects_it_and_another_replaces_it() {
        let game = game("english", "B:W30:B1,2");
        let mut choice = Choice::default();
        choose(&mut choice, &game, "1");
        choose(&mut choice, &game, "1");
        assert_eq!(choice, Choice::default());
        choose(&mut choice, &game, "1");
        choose(&mut choice, &game, "2");
        assert_eq!(choice.last(), game.variant().board().parse("2"));
    }

    #[test]
    fn the_only_piece_that_can_capture_is_selected_and_stays_so() {
        let game = game("english", "B:W18:B15,1");
        let mut choice = Choice::forced(&game);
        assert_eq!(choice.last(), game.variant().board().parse("15"));
        choose(&mut choice, &game, "15");
        assert_eq!(choice, Choice::forced(&game));
        choice.cancel(&game);
        assert_eq!(choice, Choice::forced(&game));
    }

    #[test]
    fn a_chain_goes_square_by_square() {
        let game = game("english", "B:W6,14,23:B1");
        let mut choice = Choice::forced(&game);
        assert_eq!(choose(&mut choice, &game, "10"), Chosen::Changed);
        assert!(choice.is_under_way());
        assert_eq!(
            choice.taken(&game),
            [game.variant().board().parse("6").unwrap()]
        );
        assert_eq!(text(&game, &choose(&mut choice, &game, "17")), "1x17");
    }

    #[test]
    fn the_last_square_completes_a_chain_at_once() {
        let game = game("english", "B:W6,14,23:B1");
        let mut choice = Choice::forced(&game);
        assert_eq!(text(&game, &choose(&mut choice, &game, "17")), "1x17");
    }

    #[test]
    fn a_chain_under_way_can_be_taken_back() {
        let game = game("english", "B:W6,14,23:B1");
        let mut choice = Choice::forced(&game);
        choose(&mut choice, &game, "10");
        assert!(matches!(
            choose(&mut choice, &game, "3"),
            Chosen::Refused(_)
        ));
        choice.cancel(&game);
        assert!(!choice.is_under_way());
    }

    #[test]
    fn where_a_chain_may_stop_the_same_square_stops_it() {
        let game = game("league", "W:W2:B6,14,32");
        let mut choice = Choice::forced(&game);
        assert_eq!(choose(&mut choice, &game, "2,1"), Chosen::MayStop);
        assert_eq!(
            text(&game, &choose(&mut choice.clone(), &game, "2,1")),
            "0,3;2,1"
        );
        assert_eq!(
            text(&game, &choose(&mut choice, &game, "4,3")),
            "0,3;2,1;4,3"
        );
    }

    #[test]
    fn refusals_say_why() {
        let (variant, fen) = ("english", "B:W18,30:B15,1");
        assert_eq!(refused(variant, fen, &["1"]), "There is a capture with 15.");
        assert_eq!(refused(variant, fen, &["10"]), "There is no piece on 10.");
        assert_eq!(
            refused(variant, fen, &["30"]),
            "The piece on 30 is White's, and it is Black's turn."
        );
        assert_eq!(
            refused(variant, fen, &["15", "11"]),
            "The man on 15 can't go there; it can go to 22."
        );
        assert_eq!(
            refused("english", "B:W9,14,32:B5,1", &["5"]),
            "The man on 5 can't move."
        );
    }
}
