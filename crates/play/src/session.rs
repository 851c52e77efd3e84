//! A game in play.

use std::time::Duration;

use kingme_rules::{Game, Move, MoveError, Position, SetupError, Side, Step};

use crate::{
    Answer, By, Clock, Command, End, Event, Incident, Moment, Offer, PlayerId, Ply, Policy,
    Refusal, Reply, Seat, TimeControl,
};

/// How long somebody must have been away before the other may claim the win.
const CLAIM_AFTER: Duration = Duration::from_mins(1);

/// What is agreed before a game begins.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What White and Black may use.
    pub time: [TimeControl; 2],
    /// What happens when they are late, wrong or gone.
    pub policy: Policy,
    /// What it is played for.
    pub stakes: Stakes,
}

impl Default for Terms {
    /// No limit of time, and nothing at stake.
    fn default() -> Terms {
        Terms {
            time: [TimeControl::Free; 2],
            policy: Policy::default(),
            stakes: Stakes::Casual,
        }
    }
}

/// What a game is played for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stakes {
    /// For fun: moves may be taken back.
    Casual,
    /// For the players' ratings: what is played stays played.
    Rated,
    /// For a league, which decides on everything but moves and giving up.
    League,
}

/// A game in play, with all that belongs to it. It changes by events only.
#[derive(Clone, Debug)]
pub struct Session {
    game: Game,
    /// Turns that were taken before the game came here.
    opening: usize,
    plies: Vec<Ply>,
    seats: [Seat; 2],
    terms: Terms,
    clock: Clock,
    offer: Option<(Side, Offer)>,
    end: Option<End>,
    rematch: Option<String>,
    seq: u64,
}

/// Why an event of a file does not fit the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// A move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A turn that can't be passed.
    #[error(transparent)]
    Pass(#[from] SetupError),
}

impl Session {
    /// A game from where it stands; its clocks stand still.
    pub fn new(game: Game, seats: [Seat; 2], terms: Terms) -> Session {
        let end = game.outcome();
        Session {
            end: end.map(|outcome| End::by_rules(outcome, game.variant())),
            opening: game.plies(),
            game,
            plies: Vec::new(),
            seats,
            clock: Clock::new(terms.time),
            terms,
            offer: None,
            rematch: None,
            seq: 0,
        }
    }

    /// The same with others on its seats.
    #[must_use]
    pub fn with_seats(self, seats: [Seat; 2]) -> Session {
        Session { seats, ..self }
    }

    /// The same with other clocks.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Session {
        Session { clock, ..self }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How it stands.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.game.turn()
    }

    /// The turns that were taken here, each with whose it was. Those of an opening come before.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (Side, &Ply)> + ExactSizeIterator {
        let first = self.game.position_after(self.opening);
        let first = first.map_or(self.turn(), Position::turn);
        let side = move |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        let plies = self.plies.iter().enumerate();
        plies.map(move |(number, ply)| (side(number), ply))
    }

    /// What went wrong, and for whom.
    pub fn incidents(&self) -> impl Iterator<Item = (Side, &Incident)> {
        self.plies()
            .filter_map(|(side, ply)| Some((side, ply.incident.as_ref()?)))
    }

    /// Who sits where, White first.
    pub fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    /// What was agreed beforehand.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What one side has offered the other.
    pub fn offer(&self) -> Option<(Side, Offer)> {
        self.offer
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The next game of the same two.
    pub fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// How many events there were.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The clock of the side to move runs from now on: at the beginning, for games whose first move
    /// is not free, and when whoever drives the game was away.
    pub fn start_clock(&mut self, now: Moment) {
        if self.end.is_none() {
            self.clock.start(self.turn(), now);
        }
    }

    /// The sides that a player holds.
    pub fn sides_of(&self, player: PlayerId) -> impl Iterator<Item = Side> {
        let holds = move |side: &Side| self.seats[*side].player() == Some(player);
        Side::BOTH.into_iter().filter(holds)
    }

    /// The side that still has nobody.
    pub fn open_side(&self) -> Option<Side> {
        let is_open = |side: &Side| self.seats[*side] == Seat::Open;
        Side::BOTH.into_iter().find(is_open)
    }

    /// Whether the side to move has used up its time, and the grace.
    pub fn is_late(&self, now: Moment) -> bool {
        self.used_too_much(self.clock.used(now))
    }

    fn used_too_much(&self, used: Duration) -> bool {
        let Some((side, _)) = self.clock.runs_out() else {
            return false;
        };
        let left = self.clock.left(side, Moment::ZERO);
        left.is_some_and(|left| used > left + self.terms.policy.grace)
    }

    /// The event that a command leads to, as the game stands.
    ///
    /// # Errors
    ///
    /// Why it leads to none.
    pub fn decide(&self, by: By, command: Command, now: Moment) -> Result<Event, Refusal> {
        if let Command::Join { player, name } = command {
            return self.join(player, name);
        }
        let side = self.side_of(by).ok_or(Refusal::NotPlayer)?;
        self.fits_the_stakes(&command)?;
        match command {
            Command::Answer(answer) => self.answer(side, &answer, now),
            Command::TakeBack => self.take_back(side),
            Command::Draw => self.offer_draw(side),
            Command::Claim { away } => self.claim(side, away, now),
            Command::Rematch { next } => self.offer_rematch(side, next),
            Command::Accept { next } => self.accept(side, next),
            Command::Decline | Command::Join { .. } => {
                self.offer.ok_or(Refusal::NothingOffered)?;
                Ok(Event::Declined)
            }
        }
    }

    /// The side that somebody acts for: the one to move, if they hold both.
    fn side_of(&self, by: By) -> Option<Side> {
        match by {
            By::Side(side) => Some(side),
            By::Player(player) => {
                let turn = self.turn();
                let mut sides = self.sides_of(player);
                let first = sides.next()?;
                Some(if first == turn || sides.next().is_none() {
                    first
                } else {
                    turn
                })
            }
        }
    }

    fn fits_the_stakes(&self, command: &Command) -> Result<(), Refusal> {
        match (self.terms.stakes, command) {
            (Stakes::Rated, Command::TakeBack) => Err(Refusal::RatedStays),
            (
                Stakes::League,
                Command::TakeBack | Command::Draw | Command::Claim { .. } | Command::Rematch { .. },
            ) => Err(Refusal::NotInLeague),
            _ => Ok(()),
        }
    }

    fn not_over(&self) -> Result<(), Refusal> {
        match self.end {
            Some(_) => Err(Refusal::Over),
            None => Ok(()),
        }
    }

    fn join(&self, player: PlayerId, name: String) -> Result<Event, Refusal> {
        if self.sides_of(player).next().is_some() {
            return Err(Refusal::YouPlay);
        }
        let side = self.open_side().ok_or(Refusal::SeatTaken)?;
        Ok(Event::Joined { side, player, name })
    }

    /// The event that a side's answer leads to: [`Session::decide`] for whoever asks for answers.
    ///
    /// # Errors
    ///
    /// Why it leads to none.
    pub fn answer(&self, side: Side, answer: &Answer, now: Moment) -> Result<Event, Refusal> {
        self.not_over()?;
        if answer.reply == Reply::Resign {
            return Ok(Event::Ended(End::resigned(side, self.game.variant())));
        }
        if self.open_side().is_some() {
            return Err(Refusal::NotHere);
        }
        if side != self.turn() {
            let names = &self.game.variant().definition().sides.names;
            return Err(Refusal::NotTurn(names[self.turn()].clone()));
        }
        if self.used_too_much(answer.time.unwrap_or(self.clock.used(now))) {
            return Err(Refusal::Late);
        }
        let step = self.game.step(self.find(&answer.reply)?);
        let ply = self.ply(step, Some(answer), now);
        let incident = answer.remark.as_ref().map(|words| Incident {
            reason: crate::EndReason::Crash,
            words: words.to_string(),
        });
        Ok(Event::Turn(Ply { incident, ..ply }))
    }

    /// The move of a reply, if it is legal.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn find(&self, reply: &Reply) -> Result<Move, MoveError> {
        reply.find(self.game.position())
    }

    /// The side to move loses its turn.
    ///
    /// # Errors
    ///
    /// If the other side can't be to move in this position.
    pub fn pass(&self, now: Moment) -> Result<Event, SetupError> {
        let step = self.game.step_by_passing()?;
        Ok(Event::Turn(self.ply(step, None, now)))
    }

    /// A turn of the side to move, with what a player has said about it.
    pub(crate) fn ply(&self, step: Step, answer: Option<&Answer>, now: Moment) -> Ply {
        let mover = self.turn();
        let used = answer.and_then(|answer| answer.time);
        let used = used.unwrap_or(self.clock.used(now));
        let mut after = self.clock.clone();
        after.press(mover, used, now);
        let has_clock = matches!(self.terms.time[mover], TimeControl::Game { .. });
        Ply {
            time: Some(used),
            clock: after.left(mover, now).filter(|_| has_clock),
            score: answer.and_then(|answer| answer.score),
            depth: answer.and_then(|answer| answer.depth),
            nodes: answer.and_then(|answer| answer.nodes),
            line: answer.and_then(|answer| answer.line.clone()),
            ..Ply::new(step, |mv| self.game.position().squares_text(mv))
        }
    }

    /// Whether the other side has to be asked, for what one may otherwise just do.
    fn must_ask(&self, side: Side) -> bool {
        let [own, other] = [side, !side].map(|side| self.seats[side].player());
        own.is_some() && other.is_some() && own != other
    }

    fn take_back(&self, side: Side) -> Result<Event, Refusal> {
        let by_rules = self.game.outcome().is_some();
        let plies = self.plies_to_take_back(side);
        if plies == 0 || (self.end.is_some() && !by_rules) {
            return Err(Refusal::NothingToTakeBack);
        }
        let offer = Offer::TakeBack;
        Ok(if self.must_ask(side) {
            Event::Offered { side, offer }
        } else {
            Event::TakenBack { plies }
        })
    }

    /// How many plies lead back to this side's last decision; 0 if it made none. Whoever plays both
    /// sides, or lets programs play them, decides everything.
    fn plies_to_take_back(&self, side: Side) -> usize {
        let [own, other] = [side, !side].map(|side| self.seats[side].player());
        let back = if own == other || self.turn() != side {
            1
        } else {
            2
        };
        if back <= self.game.plies() { back } else { 0 }
    }

    fn offer_draw(&self, side: Side) -> Result<Event, Refusal> {
        self.not_over()?;
        let own = self.seats[side].player();
        match &self.seats[!side] {
            Seat::Open => Err(Refusal::NotHere),
            Seat::Person { player, .. } if own == Some(*player) => Ok(Event::Ended(End::agreed())),
            _ => Ok(Event::Offered {
                side,
                offer: Offer::Draw,
            }),
        }
    }

    fn claim(
        &self,
        side: Side,
        away: [Option<Duration>; 2],
        now: Moment,
    ) -> Result<Event, Refusal> {
        self.not_over()?;
        if self.clock.left(side, now).is_none() {
            return Err(Refusal::NoHurry);
        }
        if away[!side].is_none_or(|away| away < CLAIM_AFTER) {
            return Err(Refusal::StillHere);
        }
        Ok(Event::Ended(End::left(!side, self.game.variant())))
    }

    fn offer_rematch(&self, side: Side, next: String) -> Result<Event, Refusal> {
        if self.end.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.rematch.is_some() {
            return Err(Refusal::NextBegun);
        }
        let offer = Offer::Rematch;
        Ok(if self.must_ask(side) {
            Event::Offered { side, offer }
        } else {
            Event::Rematched { game: next }
        })
    }

    fn accept(&self, side: Side, next: String) -> Result<Event, Refusal> {
        let (offerer, offer) = self.offer.ok_or(Refusal::NothingOffered)?;
        let own = self.seats[side].player();
        if side == offerer && own.is_none_or(|own| self.seats[!side].player() != Some(own)) {
            return Err(Refusal::OtherAccepts);
        }
        Ok(match offer {
            Offer::Draw => Event::Ended(End::agreed()),
            Offer::TakeBack => Event::TakenBack {
                plies: self.plies_to_take_back(offerer),
            },
            Offer::Rematch => Event::Rematched { game: next },
        })
    }

    /// How the game ends with an event that was decided on, if it does.
    pub fn end_by(&self, event: &Event) -> Option<End> {
        match event {
            Event::Ended(end) => Some(end.clone()),
            Event::Turn(ply) => {
                let outcome = ply.step.as_ref()?.outcome()?;
                Some(End::by_rules(outcome, self.game.variant()))
            }
            _ => None,
        }
    }

    /// Takes note of an event that was decided on.
    ///
    /// # Errors
    ///
    /// If a move of a file is not legal: the file is not this game's.
    pub fn apply(&mut self, event: &Event, now: Moment) -> Result<(), Unfit> {
        self.consume(event.clone(), now)
    }

    /// The same for an event that nobody else needs: nothing of it is copied.
    ///
    /// # Errors
    ///
    /// If a move of a file is not legal: the file is not this game's.
    pub fn consume(&mut self, event: Event, now: Moment) -> Result<(), Unfit> {
        match event {
            Event::Joined { side, player, name } => {
                self.seats[side] = Seat::Person { player, name };
            }
            Event::Turn(ply) => self.take_turn(ply, now)?,
            Event::TakenBack { plies } => self.go_back(plies, now),
            Event::Offered { side, offer } => self.offer = Some((side, offer)),
            Event::Declined => self.offer = None,
            Event::Ended(end) => self.finish(end, now),
            Event::Rematched { game } => {
                self.offer = None;
                self.rematch = Some(game);
            }
            Event::Resumed => {
                if let Some(side) = self.clock.running() {
                    self.clock.start(side, now);
                }
            }
        }
        self.seq += 1;
        Ok(())
    }

    fn take_turn(&mut self, mut ply: Ply, now: Moment) -> Result<(), Unfit> {
        let mover = self.turn();
        match (ply.step.take(), &ply.text) {
            (Some(step), _) => self.game.take(*step),
            (None, Some(text)) => self.game.play_text(text).map(|_| ())?,
            (None, None) => self.game.pass()?,
        }
        let used = ply.time.unwrap_or(self.clock.used(now));
        self.clock.press(mover, used, now);
        self.plies.push(ply);
        // Whoever moves on has declined.
        self.offer = self.offer.filter(|(side, _)| *side == mover);
        if let Some(outcome) = self.game.outcome() {
            let end = End::by_rules(outcome, self.game.variant());
            self.finish(end, now);
        }
        Ok(())
    }

    fn go_back(&mut self, plies: usize, now: Moment) {
        for _ in 0..plies {
            self.game.undo();
            self.plies.pop();
        }
        self.opening = self.opening.min(self.game.plies());
        self.offer = None;
        let was_over = self.end.take().is_some();
        if self.clock.running().is_some() || was_over {
            self.clock.stop(now);
            self.clock.start(self.turn(), now);
        }
    }

    fn finish(&mut self, end: End, now: Moment) {
        self.end = Some(end);
        self.offer = None;
        self.clock.stop(now);
    }
}
