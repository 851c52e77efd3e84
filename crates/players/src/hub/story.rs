//! How a game came to where it stands, as a `pos` line tells it.

use kingme_rules::{Board, Game, Move, Position, Turn};

use super::moves::append_move;
use super::position::write_position;

/// The beginning of a game's `pos` line, kept from one turn to the next: a referee asks thousands
/// of times a second, and only the last moves are new.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    text: String,
    plies: usize,
    hash: u64,
    has_moves: bool,
}

impl Story {
    /// The line up to the last move, without the mark that closes the list of moves.
    pub fn tell(&mut self, game: &Game) -> &str {
        if !self.goes_on_in(game) {
            self.begin(game.start(), 0);
        }
        for turn in &game.turns()[self.plies..] {
            self.plies += 1;
            match turn {
                Turn::Move(mv) => self.add(game.variant().board(), mv),
                // The protocol knows no passing: the story begins anew from there.
                Turn::Pass => self.begin(game.since_pass().0, self.plies),
            }
        }
        self.hash = game.position().hash();
        &self.text
    }

    /// Whether the line has a list of moves, which wants to be closed.
    pub fn has_moves(&self) -> bool {
        self.has_moves
    }

    fn begin(&mut self, position: &Position, plies: usize) {
        self.text = format!("pos pos={}", write_position(position));
        self.plies = plies;
        self.has_moves = false;
    }

    fn add(&mut self, board: &Board, mv: &Move) {
        let begin = if self.has_moves { " " } else { " moves=\"" };
        self.text += begin;
        append_move(&mut self.text, board, mv);
        self.has_moves = true;
    }

    /// Whether the game has come by where the story ends; moves may have been taken back.
    fn goes_on_in(&self, game: &Game) -> bool {
        let there = game.position_after(self.plies);
        !self.text.is_empty() && there.is_some_and(|position| position.hash() == self.hash)
    }
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;

    #[test]
    fn a_kept_story_is_the_same_as_a_fresh_one() {
        let mut game = Game::new(&Variant::named("english").unwrap());
        let mut kept = Story::default();
        let mut check = |game: &Game| {
            assert_eq!(kept.tell(game), Story::default().tell(game));
        };
        check(&game);
        for text in ["11-15", "22-18", "15x22", "25x18"] {
            game.play_text(text).unwrap();
            check(&game);
        }
        game.undo();
        game.undo();
        check(&game);
        game.play_text("15x22").unwrap();
        game.play_text("26x17").unwrap();
        check(&game);
    }
}
