//! Players: whatever answers a game with a move.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kingme_engine::{GameTime, Limit};
use kingme_play::{Answer, Measure, Moment, Session, Stop, TimeControl};
use kingme_rules::{Game, Side, Variant};

use crate::PlayerFault;

/// Somebody or something that answers a game with a move.
///
/// The referee asks, and never trusts: it checks every answer against the rules and against its
/// own clock. A player in turn may rely on this order of calls: [`new_game`](Player::new_game),
/// any number of [`choose`](Player::choose), [`end_game`](Player::end_game), and then perhaps
/// another game. A call may follow any fault; a player that has lost its process starts a new one.
pub trait Player: Send {
    /// The name to show.
    fn name(&self) -> String;

    /// What its program says it is, as in `Scan 3.1`, as soon as it has said it.
    fn version(&self) -> Option<String> {
        None
    }

    /// A seed for the choices of the next game, for those that play by chance; it comes before
    /// [`new_game`](Player::new_game), so that a game can be played again as it was.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Starts what has to be started for games of a variant, with a side in the first of them. Who
    /// can't play at all says so here, before anything is played.
    ///
    /// # Errors
    ///
    /// Why the player can't play.
    fn start(&mut self, variant: &Variant, side: Side) -> Result<(), PlayerFault> {
        let _ = (variant, side);
        Ok(())
    }

    /// Something that is to stand in the player's log, if it keeps one.
    fn note(&mut self, words: &str) {
        let _ = words;
    }

    /// A game begins, from `game`'s position, and this player has a side in it.
    ///
    /// # Errors
    ///
    /// Why the player can't play it. It is asked for its moves nevertheless.
    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        let _ = (game, side);
        Ok(())
    }

    /// Answers with a move for the side to move. Returns by the question's deadline, and at once
    /// when its `stop` is requested; hands the best answer so far to [`Question::suggest`]
    /// whenever it has a better one, so that a late player is not left without a move.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault>;

    /// The game is over; `game` has all its moves, and `winner` is who won, if anybody did.
    fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        let _ = (game, winner);
    }

    /// What keeps this player from harming the machine, if it is a program: one short phrase.
    fn isolation(&self) -> Option<String> {
        None
    }
}

/// One question to a player: what it may use, how it is interrupted, and its best answer so far.
#[derive(Debug)]
pub struct Question {
    /// When it is asked.
    pub asked: Instant,
    /// What it may use; without any limit it thinks as long as it usually does.
    pub limit: Limit,
    /// When its answer must be there; `None`: never.
    ///
    /// It is one absolute moment: whatever a player does until then, and in however many pieces its
    /// answer comes, the moment stays the same.
    pub deadline: Option<Instant>,
    /// How much its processes may compute for the answer, where its time is what they compute. The
    /// deadline is then only for those that wait instead.
    pub cpu: Option<Duration>,
    /// Requested when the answer is not wanted any more.
    pub stop: Stop,
    so_far: Mutex<Option<Box<Answer>>>,
}

impl Question {
    /// A question without a deadline.
    pub fn new(limit: Limit, stop: Stop) -> Question {
        Question {
            asked: Instant::now(),
            limit,
            deadline: None,
            cpu: None,
            stop,
            so_far: Mutex::new(None),
        }
    }

    /// The same with a deadline.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>) -> Question {
        Question { deadline, ..self }
    }

    /// The question to the side to move of a session, asked now.
    pub fn of(session: &Session, stop: Stop) -> Question {
        let clock = session.clock();
        let side = session.turn();
        let policy = &session.terms().policy;
        let left = clock.left(side, Moment::ZERO).unwrap_or_default();
        let (limit, time) = match clock.control(side) {
            TimeControl::Move(time) => (Limit::move_time(time), Some(time + policy.grace)),
            TimeControl::Game { increment, .. } => {
                let game_time = GameTime {
                    left,
                    increment,
                    moves: clock.turns_to_go(side),
                };
                let limit = Limit {
                    game_time: Some(game_time),
                    ..Limit::INFINITE
                };
                (limit, Some(left + policy.grace))
            }
            TimeControl::Depth(depth) => (Limit::depth(depth), policy.patience),
            TimeControl::Nodes(nodes) => (Limit::nodes(nodes), policy.patience),
            TimeControl::Free => (Limit::INFINITE, None),
        };
        let is_timed = limit.longest().is_some();
        let measure = Some(policy.measure).filter(|_| is_timed);
        let measure = measure.unwrap_or_default();
        let mut question = Question::new(limit, stop);
        question.deadline = time.map(|time| question.asked + measure.on_the_wall(time));
        question.cpu = time.filter(|_| measure == Measure::Cpu);
        question
    }

    /// Notes the player's best answer so far; a later one replaces it.
    pub fn suggest(&self, answer: Answer) {
        *self.lock() = Some(Box::new(answer));
    }

    /// The best answer so far.
    pub fn suggestion(&self) -> Option<Answer> {
        self.lock().as_deref().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<Answer>>> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it is to the deadline: nothing if it has passed, `None` if there is none.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether the answer is not wanted any more: interrupted, or too late.
    pub fn is_over(&self) -> bool {
        self.stop.is_requested() || self.time_left().is_some_and(|left| left.is_zero())
    }
}
