//! What a referee decides: the move of a player who gave none, and the end of a game that is
//! decided.

use kingme_rules::Side;

use crate::{
    Agreement, Answer, Chance, ChosenBy, End, Event, Incident, Moment, OnIllegal, OnLate, Session,
};

impl Session {
    /// What follows when the side to move has given no answer in time, or none at all. Its last
    /// suggestion may serve.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn without_answer(
        &self,
        incident: Incident,
        suggestion: Option<&Answer>,
        chance: &mut Chance,
        now: Moment,
    ) -> Event {
        match self.terms().policy.late {
            OnLate::Lose => self.lost_by(&incident),
            OnLate::LastAnswer => self.substitute(incident, suggestion, chance, now),
            OnLate::Random => self.substitute(incident, None, chance, now),
        }
    }

    /// What follows when the answer of the side to move was not legal, and it is not asked again.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn with_illegal_answer(
        &self,
        incident: Incident,
        answer: Option<&Answer>,
        suggestion: Option<&Answer>,
        chance: &mut Chance,
        now: Moment,
    ) -> Event {
        match self.terms().policy.illegal {
            OnIllegal::Lose => self.lost_by(&incident),
            OnIllegal::Skip => match self.game().step_by_passing() {
                Ok(step) => {
                    let ply = self.ply(step, answer, now);
                    Event::Turn(ply.chosen_by(ChosenBy::Referee, incident))
                }
                // Where the other side can't be to move, nobody passes.
                Err(_) => self.substitute(incident, suggestion, chance, now),
            },
            OnIllegal::Random | OnIllegal::AskAgain(_) => {
                self.substitute(incident, suggestion, chance, now)
            }
        }
    }

    /// The side to move has used up its time: the game is lost, or the referee moves for it.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn out_of_time(&self, chance: &mut Chance, now: Moment) -> Event {
        if self.terms().policy.late == OnLate::Lose {
            return Event::Ended(End::out_of_time(self.turn(), self.game().variant()));
        }
        self.substitute(Incident::late(), None, chance, now)
    }

    fn lost_by(&self, incident: &Incident) -> Event {
        let variant = self.game().variant();
        let end = End::lost(self.turn(), incident.reason, &incident.words, variant);
        Event::Ended(end)
    }

    /// The suggestion, if it is legal, or any legal move.
    fn substitute(
        &self,
        incident: Incident,
        suggestion: Option<&Answer>,
        chance: &mut Chance,
        now: Moment,
    ) -> Event {
        let suggested =
            suggestion.and_then(|answer| Some((self.find(&answer.reply).ok()?, answer)));
        if let Some((mv, answer)) = suggested {
            let ply = self.ply(self.game().step(mv), Some(answer), now);
            return Event::Turn(ply.chosen_by(ChosenBy::Suggestion, incident));
        }
        let legal = self.game().legal_moves();
        let mv = chance.pick(&legal).expect("the game is not over");
        let ply = self.ply(self.game().step(mv.clone()), None, now);
        Event::Turn(ply.chosen_by(ChosenBy::Referee, incident))
    }

    /// How the policy ends the game here, though its rules don't.
    pub fn adjudicate(&self) -> Option<End> {
        let variant = self.game().variant();
        match self.terms().policy.ply_limit {
            Some(limit) if self.plies().len() >= limit as usize => {
                let why = format!("{limit} plies were played");
                Some(End::adjudicated(None, &why, variant))
            }
            _ => self.agreed().or_else(|| self.known()),
        }
    }

    /// Whether both players' last scores agree that the game is decided.
    fn agreed(&self) -> Option<End> {
        let rules = &self.terms().policy.adjudication;
        let end = |winner| {
            let variant = self.game().variant();
            End::adjudicated(winner, "both players agree", variant)
        };
        let all = |rule: Agreement, holds: &dyn Fn(f32) -> bool| {
            if !self.is_far_enough_for(rule) {
                return false;
            }
            let scores = self.last_scores(rule.plies);
            scores.is_some_and(|scores| scores.into_iter().all(holds))
        };
        if let Some(rule) = rules.draw
            && all(rule, &|score| score.abs() <= rule.score)
        {
            return Some(end(None));
        }
        let rule = rules.win?;
        if all(rule, &|score| score >= rule.score) {
            return Some(end(Some(Side::White)));
        }
        all(rule, &|score| -score >= rule.score).then(|| end(Some(Side::Black)))
    }

    fn is_far_enough_for(&self, rule: Agreement) -> bool {
        let pieces = || self.position().pieces().len() as u32;
        self.plies().len() >= rule.from && rule.pieces.is_none_or(|most| pieces() <= most)
    }

    /// Whether endgame tables know how the game ends.
    fn known(&self) -> Option<End> {
        let tables = self.terms().policy.adjudication.tables.as_ref()?;
        let winner = tables.winner(self.position())?;
        let variant = self.game().variant();
        Some(End::adjudicated(
            winner,
            "the endgame tables know it",
            variant,
        ))
    }

    /// The scores of the last plies from White's side, if every one of them has one.
    fn last_scores(&self, plies: usize) -> Option<Vec<f32>> {
        let plies = plies.max(2);
        if self.plies().len() < plies {
            return None;
        }
        let white = |(side, score): (Side, f32)| if side == Side::White { score } else { -score };
        let last = self.plies().rev().take(plies);
        last.map(|(side, ply)| Some(white((side, ply.score?))))
            .collect()
    }
}
