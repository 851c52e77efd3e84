//! Games of any file in canonical form.

use super::moves::play_line;
use super::record::{add_game, add_start, add_tag, text};
use super::replay::position;
use super::variants::Assumption;
use super::{MoveNode, PdnGame, Replay};
use crate::Position;

impl PdnGame {
    /// The game in canonical form: its moves and variations in the notation of its rules, with the
    /// tags that say its result, its game and its start. What could not be played stays as it was,
    /// and a game that was only guessed is not claimed.
    #[must_use]
    pub fn canonical(&self, replay: &Replay) -> PdnGame {
        let mut game = self.clone();
        let displacing: Vec<MoveNode> = game.moves.drain(..replay.displaced).collect();
        if let Some(first) = game.moves.first_mut() {
            let said = displacing.into_iter();
            let said = said.flat_map(|node| node.before.into_iter().chain(node.comments));
            first.before.splice(0..0, said);
        }
        if let Some(result) = self.result.as_ref() {
            add_tag(&mut game, "Result", || result.to_string());
        }
        let guessed = |assumed: &Assumption| matches!(assumed, Assumption::Variant { .. });
        if !replay.assumed.iter().any(guessed) {
            add_game(&mut game, replay.start.variant());
        }
        add_start(&mut game, &replay.start);
        rewrite(&mut game.moves, &replay.start);
        game
    }
}

/// Rewrites the moves of a line as far as they are legal.
fn rewrite(nodes: &mut [MoveNode], start: &Position) {
    let (mut at, mut rest) = (start.clone(), nodes);
    loop {
        let setup = rest.iter().position(|node| node.setup().is_some());
        let (line, after) = rest.split_at_mut(setup.unwrap_or(rest.len()));
        let (played, error) = play_line(&at, line);
        for (node, mv) in line.iter_mut().zip(&played.moves) {
            for variation in &mut node.variations {
                rewrite(variation, &at);
            }
            node.text = text(&at, mv);
            at = at.play_unchecked(mv);
        }
        let Some((node, next)) = after.split_first_mut().filter(|_| error.is_none()) else {
            return;
        };
        match position(at.variant(), node.setup().unwrap_or_default()) {
            Ok(position) => at = position,
            Err(_) => return, // It stays as it was told, like all that follows.
        }
        node.text = format!("/{}/", at.fen());
        rest = next;
    }
}
