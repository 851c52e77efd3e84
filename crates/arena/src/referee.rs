//! The referee: drives a session, asks the programs in it for their moves and trusts nobody.

use std::borrow::Cow;
use std::time::Instant;

use kingme_play::{
    Answer, Chance, End, EndReason, Event, Incident, Moment, OnIllegal, Refusal, Session, Stop,
};
use kingme_rules::{Game, Side};

use kingme_players::{Player, PlayerFault, Question};

/// Where a session is that a referee drives. Others may act in it meanwhile: people who play at
/// screens of their own.
pub trait Host {
    /// Decides on an event as the session stands now, writes it down, applies it and tells
    /// everybody. Without a decision nothing happens.
    ///
    /// # Errors
    ///
    /// Why it can't be written down: the game can't go on.
    fn commit(&mut self, decide: &mut Decide) -> Result<(), String>;

    /// Looks at the session.
    fn look(&self, look: &mut dyn FnMut(&Session));

    /// The time of its clocks.
    fn now(&self) -> Moment;

    /// The game as it stands, to be shown to a player who takes some time.
    fn game(&self) -> Cow<'_, Game>;

    /// Waits until more than so many events have happened, or the side to move is late, or `stop`
    /// is requested. Only where people act by themselves.
    fn wait(&self, seq: u64, stop: &Stop);

    /// Requested when somebody else ends the session, so that no program thinks on in vain.
    fn over(&self) -> Option<Stop> {
        None
    }
}

/// Says what is to happen at a moment, if anything.
pub type Decide<'a> = dyn FnMut(&Session, Moment) -> Option<Event> + 'a;

/// Hears of every event before it counts. An error, such as a log that can't be written, stops the
/// game.
pub type OnEvent<'a> = dyn FnMut(&Event) -> Result<(), String> + 'a;

/// The same for a session that others act in as well.
pub type Recorder = Box<dyn FnMut(&Event) -> Result<(), String> + Send>;

/// Plays a game between two programs to its end: `players` are White's and Black's.
///
/// It returns soon after `stop` is requested; the game is then [`EndReason::Aborted`].
///
/// # Errors
///
/// What `on_event` has said.
pub fn play(
    mut session: Session,
    players: [&mut dyn Player; 2],
    seed: u64,
    stop: &Stop,
    on_event: &mut OnEvent,
) -> Result<Session, String> {
    session.start_clock(Moment::ZERO);
    let mut alone = Alone {
        session,
        began: Instant::now(),
        on_event,
    };
    referee(&mut alone, players.map(Some), seed, stop)?;
    Ok(alone.session)
}

/// A session that nobody else acts in.
struct Alone<'a, 'b> {
    session: Session,
    began: Instant,
    on_event: &'a mut OnEvent<'b>,
}

impl Host for Alone<'_, '_> {
    fn commit(&mut self, decide: &mut Decide) -> Result<(), String> {
        let now = self.now();
        let Some(event) = decide(&self.session, now) else {
            return Ok(());
        };
        (self.on_event)(&event)?;
        let consumed = self.session.consume(event, now);
        consumed.map_err(|unfit| unfit.to_string())
    }

    fn look(&self, look: &mut dyn FnMut(&Session)) {
        look(&self.session);
    }

    fn now(&self) -> Moment {
        self.began.elapsed()
    }

    fn game(&self) -> Cow<'_, Game> {
        Cow::Borrowed(self.session.game())
    }

    fn wait(&self, _seq: u64, _stop: &Stop) {
        unreachable!("both players are programs");
    }
}

/// Drives a session to its end. Where there is no player, somebody acts in the session without
/// being asked.
///
/// # Errors
///
/// If an event can't be written down.
pub fn referee(
    host: &mut dyn Host,
    players: [Option<&mut dyn Player>; 2],
    seed: u64,
    stop: &Stop,
) -> Result<(), String> {
    let enough = Stop::new();
    let pass_on = |from: &Stop| {
        let enough = enough.clone();
        from.on_request(move || enough.request())
    };
    let _passed_on = (pass_on(stop), host.over().as_ref().map(pass_on));
    let mut referee = Referee {
        host,
        players,
        chance: Chance::new(seed),
        failures: [0; 2],
        stop,
        enough: &enough,
    };
    referee.begin();
    let outcome = referee.play();
    referee.finish();
    outcome
}

struct Referee<'a, 'p> {
    host: &'a mut dyn Host,
    players: [Option<&'p mut dyn Player>; 2],
    chance: Chance,
    /// Fatal faults of each side.
    failures: [u32; 2],
    /// Requested when the game is to end.
    stop: &'a Stop,
    /// Requested when no answer is wanted any more.
    enough: &'a Stop,
}

/// What a referee has to do as a session stands: one at a time, on the stack.
#[allow(clippy::large_enum_variant)]
enum Next {
    /// Nothing more: it is over.
    Done,
    /// End it.
    End(End),
    /// Ask the player of the side to move.
    Ask {
        side: Side,
        question: Question,
        illegal: OnIllegal,
        most_restarts: u32,
    },
    /// Somebody acts without being asked, and is late.
    Late,
    /// Somebody acts without being asked: wait for the next event.
    Wait(u64),
}

impl Referee<'_, '_> {
    fn begin(&mut self) {
        let game = self.host.game();
        for side in Side::BOTH {
            let Some(player) = &mut self.players[side] else {
                continue;
            };
            // A player that fails here is asked for its moves nevertheless, and fails again.
            let begun = player.new_game(&game, side);
            self.failures[side] += u32::from(begun.is_err_and(|fault| fault.is_fatal()));
        }
    }

    fn play(&mut self) -> Result<(), String> {
        loop {
            match self.next() {
                Next::Done => return Ok(()),
                Next::End(end) => self.end(&end)?,
                Next::Late => self.rule(&Err(PlayerFault::Late), None)?,
                Next::Wait(seq) => self.host.wait(seq, self.stop),
                Next::Ask {
                    side,
                    question,
                    illegal,
                    most_restarts,
                } if self.failures[side] <= most_restarts => self.ask(side, &question, illegal)?,
                Next::Ask { .. } => {
                    let words = "not asked any more after so many failures".to_owned();
                    self.rule(&Err(PlayerFault::Crashed(words)), None)?;
                }
            }
        }
    }

    fn next(&self) -> Next {
        let mut next = Next::Done;
        self.host.look(&mut |session| next = self.next_in(session));
        next
    }

    fn next_in(&self, session: &Session) -> Next {
        if session.end().is_some() {
            return Next::Done;
        }
        if self.stop.is_requested() {
            return Next::End(End::aborted("stopped"));
        }
        if let Some(end) = session.adjudicate() {
            return Next::End(end);
        }
        let side = session.turn();
        let policy = &session.terms().policy;
        match self.players[side] {
            Some(_) => Next::Ask {
                side,
                question: Question::of(session, self.enough.clone()),
                illegal: policy.illegal,
                most_restarts: policy.most_restarts,
            },
            None if session.is_late(self.host.now()) => Next::Late,
            None => Next::Wait(session.seq()),
        }
    }

    fn finish(&mut self) {
        let game = self.host.game();
        let mut winner = None;
        self.host
            .look(&mut |session| winner = session.end().and_then(|end| end.winner));
        for player in self.players.iter_mut().flatten() {
            player.end_game(&game, winner);
        }
    }

    fn end(&mut self, end: &End) -> Result<(), String> {
        self.host.commit(&mut |session, _| {
            let is_over = session.end().is_some();
            (!is_over).then(|| Event::Ended(end.clone()))
        })
    }

    /// Asks a player until its turn is decided.
    fn ask(&mut self, side: Side, question: &Question, illegal: OnIllegal) -> Result<(), String> {
        let mut again = match illegal {
            OnIllegal::AskAgain(times) => times,
            _ => 0,
        };
        let mut asked = question.asked;
        loop {
            let answer = self.choose(side, question, asked);
            if let Err(PlayerFault::Interrupted) = answer {
                // We are to stop, or the person who was asked has left. A game that somebody else
                // has ended stays as it is.
                return self.end(&End::aborted("stopped"));
            }
            let is_fatal = answer.as_ref().is_err_and(PlayerFault::is_fatal);
            self.failures[side] += u32::from(is_fatal);
            if again == 0 || !self.is_illegal(&answer) {
                return self.rule(&answer, question.suggestion().as_ref());
            }
            again -= 1;
            asked = Instant::now();
        }
    }

    fn is_illegal(&self, answer: &Result<Answer, PlayerFault>) -> bool {
        let mut illegal = false;
        if let Ok(answer) = answer {
            self.host.look(&mut |session| {
                illegal = session.find(&answer.reply).is_err();
            });
        }
        illegal
    }

    /// Does what an answer, or the want of one, leads to.
    fn rule(
        &mut self,
        answer: &Result<Answer, PlayerFault>,
        suggestion: Option<&Answer>,
    ) -> Result<(), String> {
        let chance = &mut self.chance;
        self.host
            .commit(&mut |session, now| ruling(session, answer, suggestion, chance, now))
    }

    /// One answer, by our own clock.
    fn choose(
        &mut self,
        side: Side,
        question: &Question,
        asked: Instant,
    ) -> Result<Answer, PlayerFault> {
        let game = self.host.game();
        let player = self.players[side].as_mut();
        let player = player.ok_or(PlayerFault::Interrupted)?;
        let answer = player.choose(&game, question)?;
        let used = answer.time.unwrap_or_else(|| asked.elapsed());
        match question.deadline {
            Some(deadline) if asked + used > deadline => Err(PlayerFault::Late),
            _ => Ok(Answer {
                time: Some(used),
                ..answer
            }),
        }
    }
}

/// What a program's answer, or the want of one, leads to, by the policy of the session: a program is
/// never trusted. Nothing, if the program was interrupted or the game is over.
pub fn ruling(
    session: &Session,
    answer: &Result<Answer, PlayerFault>,
    suggestion: Option<&Answer>,
    chance: &mut Chance,
    now: Moment,
) -> Option<Event> {
    if session.end().is_some() {
        return None;
    }
    let answer = match answer {
        Ok(answer) => answer,
        Err(PlayerFault::Interrupted) => return None,
        Err(fault) => {
            return Some(session.without_answer(fault.into(), suggestion, chance, now));
        }
    };
    match session.answer(session.turn(), answer, now) {
        Ok(event) => Some(event),
        Err(Refusal::Late) => {
            Some(session.without_answer(Incident::late(), suggestion, chance, now))
        }
        Err(refusal) => {
            let incident = Incident {
                reason: EndReason::Illegal,
                words: match &answer.remark {
                    Some(remark) => remark.to_string(),
                    None => refusal.to_string(),
                },
            };
            Some(session.with_illegal_answer(incident, Some(answer), suggestion, chance, now))
        }
    }
}
