//! What a bot says while it thinks.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_rules::Game;

use super::line::Line;
use super::moves::{read_move, squares};
use crate::PlayerFault;
use kingme_play::{Answer, Reply};

/// So many moves of a line are on record.
pub(crate) const MOST_EXPECTED: usize = 16;

/// What a bot has said about one question so far.
pub(super) struct Search<'a> {
    game: &'a Game,
    limit: Limit,
    asked: Instant,
    score: Option<f32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    best: String,
    /// The line that it expects, as it says it.
    line: String,
    news: bool,
    pub complaint: Option<String>,
    /// The opponent's move that the bot expects.
    pub guess: Option<String>,
}

impl<'a> Search<'a> {
    pub fn new(game: &'a Game, limit: Limit) -> Search<'a> {
        Search {
            game,
            limit,
            asked: Instant::now(),
            score: None,
            depth: None,
            nodes: None,
            best: String::new(),
            line: String::new(),
            news: false,
            complaint: None,
            guess: None,
        }
    }

    pub fn note(&mut self, line: Line) {
        let number = |name: &str| line.get(name);
        self.score = number("score")
            .and_then(|text| text.parse().ok())
            .filter(|score: &f32| score.is_finite())
            .or(self.score);
        self.depth = number("depth")
            .and_then(|text| text.parse().ok())
            .or(self.depth);
        self.nodes = number("nodes")
            .and_then(|text| text.parse().ok())
            .or(self.nodes);
        let expected = line.get("pv").unwrap_or_default();
        if let Some(best) = expected.split_whitespace().next() {
            self.news = best != self.best;
            best.clone_into(&mut self.best);
            expected.clone_into(&mut self.line);
        }
    }

    /// The first move of the line that the bot expects, if it is a new one.
    pub fn suggestion(&mut self) -> Option<Answer> {
        let text = std::mem::take(&mut self.news).then_some(&self.best)?;
        let mv = read_move(self.game.position(), text).ok()?;
        Some(self.dressed(Reply::Move(mv), None))
    }

    /// How long it had been asked at a moment.
    pub fn time_until(&self, moment: Instant) -> Duration {
        moment.saturating_duration_since(self.asked)
    }

    pub fn answer(&mut self, line: Line, time: Duration) -> Result<Answer, PlayerFault> {
        let Some(text) = line.get("move").filter(|text| !text.is_empty()) else {
            return self.no_move(time);
        };
        self.guess = line.get("ponder").map(str::to_owned);
        let reply = match squares(self.game.variant().board(), text) {
            Ok(squares) => Reply::Squares(squares),
            Err(_) => Reply::Text(text.to_owned()),
        };
        Ok(Answer {
            line: (text == self.best).then(|| self.expected()),
            remark: self.complaint.take().map(String::into_boxed_str),
            ..self.dressed(reply, Some(time))
        })
    }

    /// The bot is done and has no move to show for it.
    fn no_move(&mut self, time: Duration) -> Result<Answer, PlayerFault> {
        match self.complaint.take() {
            Some(complaint) => Err(PlayerFault::Crashed(complaint)),
            None if self.limit.move_time.is_some_and(|limit| time >= limit) => {
                Err(PlayerFault::Late)
            }
            None => Ok(self.dressed(Reply::Text(String::new()), Some(time))),
        }
    }

    /// The line that the bot expects, as far as anybody wants to read it.
    fn expected(&self) -> Box<str> {
        let words = self.line.split_whitespace().take(MOST_EXPECTED);
        words.collect::<Vec<_>>().join(" ").into_boxed_str()
    }

    fn dressed(&self, reply: Reply, time: Option<Duration>) -> Answer {
        Answer {
            reply,
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            line: None,
            time,
            remark: None,
        }
    }
}
