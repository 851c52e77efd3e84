//! The referee: one loop that owns the game and the clock, asks the players and trusts nobody.

use std::time::{Duration, Instant};

use kingme_rules::{Game, Side};

use crate::policy::{OnIllegal, OnLate};
use crate::record::{ChosenBy, EndReason, GameEnd, GameRecord, Incident, Ply};
use crate::{
    Answer, Budget, Chance, Clock, Player, PlayerFault, Policy, Reply, Stop, TimeControl, Turn,
};

/// The conditions of a game.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What White and Black may use.
    pub time: [TimeControl; 2],
    /// What happens when they are late, wrong or gone.
    pub policy: Policy,
    /// For the moves that the referee has to choose.
    pub seed: u64,
}

/// Hears of every turn before the players do. An error, such as a log that can't be written, stops
/// the game; its text goes into the record.
pub type OnPly<'a> = dyn FnMut(&Game, &Ply) -> Result<(), String> + 'a;

/// Plays a game to its end. `players` are White's and Black's.
///
/// It returns soon after `stop` is requested; the game is then [`EndReason::Aborted`].
pub fn play<'a>(
    game: Game,
    players: [&'a mut dyn Player; 2],
    conditions: &'a Conditions,
    stop: &'a Stop,
    on_ply: &mut OnPly,
) -> GameRecord {
    let mut referee = Referee::new(game, players, conditions, stop);
    referee.begin();
    let end = loop {
        if let Some(end) = referee.is_over() {
            break end;
        }
        match referee.turn() {
            Ok(ply) => {
                if let Err(words) = on_ply(&referee.game, &ply) {
                    break aborted(words);
                }
                referee.announce(ply);
            }
            Err(end) => break end,
        }
    };
    referee.finish(end)
}

struct Referee<'a> {
    game: Game,
    players: [&'a mut dyn Player; 2],
    conditions: &'a Conditions,
    stop: &'a Stop,
    chance: Chance,
    plies: Vec<Ply>,
    left: [Duration; 2],
    /// Moves made by each side.
    made: [u32; 2],
    /// Fatal faults of each side.
    failures: [u32; 2],
}

/// A turn that is decided and played.
struct Decision {
    /// The move's text; `None` if the turn was passed.
    text: Option<String>,
    by: ChosenBy,
    answer: Option<Answer>,
    incident: Option<Incident>,
}

impl<'a> Referee<'a> {
    fn new(
        game: Game,
        players: [&'a mut dyn Player; 2],
        conditions: &'a Conditions,
        stop: &'a Stop,
    ) -> Referee<'a> {
        let start = conditions.time.map(|time| match time {
            TimeControl::Game { time, .. } => time,
            _ => Duration::ZERO,
        });
        Referee {
            game,
            players,
            conditions,
            stop,
            chance: Chance::new(conditions.seed),
            plies: Vec::new(),
            left: start,
            made: [0; 2],
            failures: [0; 2],
        }
    }

    fn begin(&mut self) {
        for side in Side::BOTH {
            // A player that fails here is asked for its moves nevertheless, and fails again.
            if self.players[side]
                .new_game(&self.game, side)
                .is_err_and(|fault| fault.is_fatal())
            {
                self.failures[side] += 1;
            }
        }
    }

    /// Whether the rules or the policy end the game here.
    fn is_over(&self) -> Option<GameEnd> {
        if let Some(outcome) = self.game.outcome() {
            return Some(GameEnd {
                winner: outcome.winner,
                reason: EndReason::Rules,
                words: outcome.in_words(self.game.variant()),
            });
        }
        if self.stop.is_requested() {
            return Some(aborted("stopped".to_owned()));
        }
        match self.conditions.policy.ply_limit {
            Some(limit) if self.plies.len() >= limit as usize => Some(adjudicated(
                None,
                format!("Draw: {limit} plies were played."),
            )),
            _ => self.agreed().or_else(|| self.in_tables()),
        }
    }

    fn turn(&mut self) -> Result<Ply, GameEnd> {
        let side = self.game.turn();
        let started = Instant::now();
        let turn = Turn::new(self.clock(side, started), self.stop.clone());
        let decision = self.decide(side, &turn)?;
        let time = match &decision.answer {
            Some(Answer {
                time: Some(time), ..
            }) => *time,
            _ => started.elapsed(),
        };
        self.press_clock(side, time);
        let answer = decision.answer;
        Ok(Ply {
            side,
            text: decision.text,
            by: decision.by,
            time,
            clock: matches!(self.conditions.time[side], TimeControl::Game { .. })
                .then_some(self.left[side]),
            score: answer.as_ref().and_then(|answer| answer.score),
            depth: answer.as_ref().and_then(|answer| answer.depth),
            nodes: answer.as_ref().and_then(|answer| answer.nodes),
            incident: decision.incident,
        })
    }

    fn announce(&mut self, ply: Ply) {
        self.players[!ply.side].opponent_moved(&self.game);
        self.plies.push(ply);
    }

    fn finish(self, end: GameEnd) -> GameRecord {
        for player in self.players {
            player.end_game(&self.game, end.winner);
        }
        GameRecord {
            game: self.game,
            plies: self.plies,
            end,
        }
    }

    /// The clock of a ply.
    fn clock(&self, side: Side, started: Instant) -> Clock {
        let policy = &self.conditions.policy;
        let (budget, time) = match self.conditions.time[side] {
            TimeControl::Move(time) => (Budget::Move(time), Some(time + policy.grace)),
            TimeControl::Game {
                increment, moves, ..
            } => {
                let left = self.left[side];
                let budget = Budget::Game {
                    left,
                    opponent: self.left[!side],
                    increment,
                    moves: moves.map(|moves| moves - self.made[side] % moves),
                };
                (budget, Some(left + policy.grace))
            }
            TimeControl::Depth(depth) => (Budget::Depth(depth), policy.patience),
            TimeControl::Nodes(nodes) => (Budget::Nodes(nodes), policy.patience),
            TimeControl::Free => (Budget::Free, None),
        };
        Clock {
            budget,
            deadline: time.map(|time| started + time),
        }
    }

    fn press_clock(&mut self, side: Side, used: Duration) {
        self.made[side] += 1;
        if let TimeControl::Game {
            time,
            increment,
            moves,
        } = self.conditions.time[side]
        {
            let mut left = self.left[side].saturating_sub(used) + increment;
            if moves.is_some_and(|moves| self.made[side].is_multiple_of(moves)) {
                left += time;
            }
            self.left[side] = left;
        }
    }

    /// Asks the player until the turn is decided.
    fn decide(&mut self, side: Side, turn: &Turn) -> Result<Decision, GameEnd> {
        if self.failures[side] > self.conditions.policy.most_restarts {
            let words = "not asked any more after so many failures".to_owned();
            return self.without_answer(
                side,
                turn,
                Incident {
                    reason: EndReason::Crash,
                    words,
                },
            );
        }
        let mut asked = 0;
        loop {
            let answer = match self.ask(side, turn) {
                Ok(answer) => answer,
                Err(PlayerFault::Interrupted) => return Err(aborted("stopped".to_owned())),
                Err(fault) => {
                    self.failures[side] += u32::from(fault.is_fatal());
                    let (reason, words) = (EndReason::from(&fault), fault.to_string());
                    return self.without_answer(side, turn, Incident { reason, words });
                }
            };
            asked += 1;
            match self.accept(&answer.reply) {
                Ok(Some(text)) => return Ok(chosen(text, ChosenBy::Player, answer, None)),
                Ok(None) => return Err(self.lost(side, EndReason::Resigned, "resigns")),
                Err(words) => {
                    let incident = Incident {
                        reason: EndReason::Illegal,
                        words,
                    };
                    if matches!(self.conditions.policy.illegal, OnIllegal::AskAgain(times) if asked <= times)
                    {
                        continue;
                    }
                    return self.with_illegal_answer(side, turn, answer, incident);
                }
            }
        }
    }

    /// One answer, in time by our own clock.
    fn ask(&mut self, side: Side, turn: &Turn) -> Result<Answer, PlayerFault> {
        let started = Instant::now();
        let answer = self.players[side].choose(&self.game, turn)?;
        let used = answer.time.unwrap_or_else(|| started.elapsed());
        match turn.clock.deadline {
            Some(deadline) if started + used > deadline => Err(PlayerFault::Late),
            _ => Ok(answer),
        }
    }

    /// Plays a reply, if it is legal, and gives its text; `None` if it gives up.
    fn accept(&mut self, reply: &Reply) -> Result<Option<String>, String> {
        match reply {
            Reply::Resign => return Ok(None),
            Reply::Text(text) => {
                self.game
                    .play_text(text)
                    .map_err(|error| error.to_string())?;
            }
            Reply::Move(mv) => self.game.play(mv).map_err(|error| error.to_string())?,
        }
        Ok(self.last_text())
    }

    /// The text of the move that was played last.
    fn last_text(&self) -> Option<String> {
        let (position, turn) = self.game.history().last()?;
        Some(position.move_text(turn.as_move()?))
    }

    fn without_answer(
        &mut self,
        side: Side,
        turn: &Turn,
        incident: Incident,
    ) -> Result<Decision, GameEnd> {
        match self.conditions.policy.late {
            OnLate::Lose => Err(self.lost(side, incident.reason, &incident.words)),
            OnLate::LastAnswer => Ok(self.substitute(turn.take_suggestion(), incident)),
            OnLate::Random => Ok(self.substitute(None, incident)),
        }
    }

    fn with_illegal_answer(
        &mut self,
        side: Side,
        turn: &Turn,
        answer: Answer,
        incident: Incident,
    ) -> Result<Decision, GameEnd> {
        match self.conditions.policy.illegal {
            OnIllegal::Lose => Err(self.lost(side, EndReason::Illegal, &incident.words)),
            OnIllegal::Random | OnIllegal::AskAgain(_) => {
                Ok(self.substitute(turn.take_suggestion(), incident))
            }
            OnIllegal::Skip => {
                // Where nobody can pass, the player is asked once more.
                let _ = self.game.pass();
                Ok(Decision {
                    text: None,
                    by: ChosenBy::Referee,
                    answer: Some(answer),
                    incident: Some(incident),
                })
            }
        }
    }

    /// The suggestion, if it is legal, or any legal move.
    fn substitute(&mut self, suggestion: Option<Answer>, incident: Incident) -> Decision {
        let suggested = suggestion.and_then(|answer| match self.accept(&answer.reply) {
            Ok(Some(text)) => Some((text, answer)),
            _ => None,
        });
        if let Some((text, answer)) = suggested {
            return chosen(text, ChosenBy::Suggestion, answer, Some(incident));
        }
        let legal = self.game.legal_moves();
        let mv = self.chance.pick(&legal).expect("the game is not over");
        self.game.play(mv).expect("it is legal");
        Decision {
            text: self.last_text(),
            by: ChosenBy::Referee,
            answer: None,
            incident: Some(incident),
        }
    }

    fn lost(&self, side: Side, reason: EndReason, why: &str) -> GameEnd {
        let names = &self.game.variant().definition().sides.names;
        let words = match reason {
            EndReason::Resigned => format!("{} {why}.", names[side]),
            _ => format!("{} loses: {why}.", names[side]),
        };
        GameEnd {
            winner: Some(!side),
            reason,
            words,
        }
    }

    /// Whether both players' last scores agree that the game is decided.
    fn agreed(&self) -> Option<GameEnd> {
        let rules = &self.conditions.policy.adjudication;
        if let Some(rule) = rules.draw
            && self
                .last_scores(rule.plies)
                .is_some_and(|mut scores| scores.all(|score| score.abs() <= rule.score))
        {
            return Some(adjudicated(None, "Draw: both players agree.".to_owned()));
        }
        let rule = rules.win?;
        Side::BOTH.into_iter().find_map(|side| {
            let sign = if side == Side::White { 1.0 } else { -1.0 };
            let mut scores = self.last_scores(rule.plies)?;
            let name = &self.game.variant().definition().sides.names[side];
            scores
                .all(|score| score * sign >= rule.score)
                .then(|| adjudicated(Some(side), format!("{name} wins: both players agree.")))
        })
    }

    /// Whether endgame tables know how the game ends.
    fn in_tables(&self) -> Option<GameEnd> {
        let tables = self.conditions.policy.adjudication.tables.as_ref()?;
        let winner = tables.winner(self.game.position())?;
        let words = match winner {
            Some(side) => {
                let name = &self.game.variant().definition().sides.names[side];
                format!("{name} wins: the endgame tables know it.")
            }
            None => "Draw: the endgame tables know it.".to_owned(),
        };
        Some(adjudicated(winner, words))
    }

    /// The scores of the last plies from White's side, if every one of them has one.
    fn last_scores(&self, plies: usize) -> Option<impl Iterator<Item = f32>> {
        let from = self.plies.len().checked_sub(plies.max(2))?;
        let last = &self.plies[from..];
        last.iter().all(|ply| ply.score.is_some()).then(|| {
            last.iter().map(|ply| {
                let score = ply.score.unwrap_or_default();
                if ply.side == Side::White {
                    score
                } else {
                    -score
                }
            })
        })
    }
}

fn chosen(text: String, by: ChosenBy, answer: Answer, incident: Option<Incident>) -> Decision {
    Decision {
        text: Some(text),
        by,
        answer: Some(answer),
        incident,
    }
}

fn aborted(words: String) -> GameEnd {
    GameEnd {
        winner: None,
        reason: EndReason::Aborted,
        words,
    }
}

fn adjudicated(winner: Option<Side>, words: String) -> GameEnd {
    GameEnd {
        winner,
        reason: EndReason::Adjudicated,
        words,
    }
}
