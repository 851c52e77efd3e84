//! Players that do as they are told.

use std::collections::VecDeque;
use std::time::Duration;

use kingme_play::{Answer, Chance, Reply};
use kingme_players::{Player, PlayerFault, Question};
use kingme_rules::Game;

/// What a scripted player does in a turn.
#[derive(Clone, Debug)]
pub enum Act {
    /// Says a move.
    Say(&'static str),
    /// Suggests a move and fails.
    SuggestAndFail(&'static str, PlayerFault),
    /// Fails.
    Fail(PlayerFault),
    /// Answers with a move and claims to have thought so long.
    After(Duration),
    /// Gives up.
    Resign,
    /// Any legal move, with a score.
    Score(f32),
}

/// Plays a script, then any legal moves.
pub struct Scripted {
    acts: VecDeque<Act>,
    chance: Chance,
    /// How often it was asked.
    pub asked: usize,
}

impl Scripted {
    pub fn new(acts: impl IntoIterator<Item = Act>) -> Scripted {
        Scripted {
            acts: acts.into_iter().collect(),
            chance: Chance::new(1),
            asked: 0,
        }
    }
}

impl Player for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        self.asked += 1;
        let text = |text: &str| Answer::new(Reply::Text(text.to_owned()));
        let legal = game.legal_moves();
        let any = Answer::from(self.chance.pick(&legal).expect("the game is on").clone());
        match self.acts.pop_front() {
            None => Ok(any),
            Some(Act::Say(mv)) => Ok(text(mv)),
            Some(Act::Fail(fault)) => Err(fault),
            Some(Act::Resign) => Ok(Answer::new(Reply::Resign)),
            Some(Act::SuggestAndFail(mv, fault)) => {
                question.suggest(text(mv));
                Err(fault)
            }
            Some(Act::After(time)) => Ok(Answer {
                time: Some(time),
                ..any
            }),
            Some(Act::Score(score)) => Ok(Answer {
                score: Some(score),
                ..any
            }),
        }
    }
}
