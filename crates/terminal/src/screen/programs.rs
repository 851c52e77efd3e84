//! Programs that think while the screen stays awake.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use kingme_play::{Answer, Stop};
use kingme_players::{OpenError, PlayerFault, Question};
use kingme_rules::Move;

use super::app::App;
use crate::hint;
use crate::seat::Seats;

/// The programs of a game, each question on a thread of its own.
pub struct Programs {
    seats: Arc<Mutex<Seats>>,
    asked: Option<Asked>,
    hint_version: Option<u64>,
    game: u64,
    answers: Receiver<Heard>,
    send: Sender<Heard>,
}

struct Asked {
    version: u64,
    stop: Stop,
}

struct Heard {
    game: u64,
    version: u64,
    what: What,
}

enum What {
    Answer(Box<(Result<Answer, PlayerFault>, Option<Answer>)>),
    Hint(Option<Move>),
}

impl Programs {
    /// The programs of the app's game.
    ///
    /// # Errors
    ///
    /// If one can't be started.
    pub fn open(app: &App) -> Result<Programs, OpenError> {
        let (send, answers) = channel();
        let options = app.options();
        let seats = Seats::open(&options.players, options.game.game(), options.seed)?;
        Ok(Programs {
            seats: Arc::new(Mutex::new(seats)),
            asked: None,
            hint_version: None,
            game: app.games,
            answers,
            send,
        })
    }

    /// Brings the app what the programs have answered, and asks what is to be asked next.
    pub fn follow(&mut self, app: &mut App, now: Instant) {
        if self.game != app.games {
            self.change_game(app);
        }
        while let Ok(answer) = self.answers.try_recv() {
            self.heard(app, answer, now);
        }
        self.forget_old_question(app);
        if app.sitting.is_programs_turn() && app.overlay.is_none() && self.asked.is_none() {
            self.ask(app);
        }
        if std::mem::take(&mut app.wants_hint) && self.hint_version.is_none() {
            self.ask_hint(app);
        }
    }

    /// Whether somebody is thinking.
    pub fn are_busy(&self) -> bool {
        self.asked.is_some() || self.hint_version.is_some()
    }

    fn change_game(&mut self, app: &mut App) {
        self.stop();
        match Programs::open(app) {
            Ok(programs) => *self = programs,
            Err(error) => {
                // Nobody plays what can't be played: people take over.
                app.sitting.without_programs(error.to_string());
                self.game = app.games;
            }
        }
    }

    /// Interrupts whoever thinks.
    pub fn stop(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.request();
        }
    }

    fn forget_old_question(&mut self, app: &App) {
        if self
            .asked
            .as_ref()
            .is_some_and(|asked| asked.version != app.sitting.version)
        {
            self.stop();
        }
    }

    fn heard(&mut self, app: &mut App, answer: Heard, now: Instant) {
        if answer.game != app.games {
            return;
        }
        let is_wanted = answer.version == app.sitting.version;
        match answer.what {
            What::Answer(heard) => {
                if is_wanted {
                    let (answer, suggestion) = *heard;
                    self.asked = None;
                    app.answered(&answer, suggestion.as_ref(), now);
                }
            }
            What::Hint(mv) => {
                self.hint_version = None;
                if is_wanted {
                    app.sitting.hinted(mv);
                }
            }
        }
    }

    fn ask(&mut self, app: &App) {
        let (game, version) = (app.games, app.sitting.version);
        let session = app.sitting.game.session().clone();
        let stop = Stop::new();
        let stopped = stop.clone();
        let (seats, send, delay) = (self.seats.clone(), self.send.clone(), app.options().delay);
        std::thread::spawn(move || {
            stopped.wait_until(Some(Instant::now() + delay));
            let mut seats = seats.lock().unwrap_or_else(PoisonError::into_inner);
            let question = Question::of(&session, stopped);
            let answer = seats.ask(session.game(), &question);
            let what = What::Answer(Box::new((answer, question.suggestion())));
            // The screen may be gone by now.
            let _ = send.send(Heard {
                game,
                version,
                what,
            });
        });
        self.asked = Some(Asked { version, stop });
    }

    fn ask_hint(&mut self, app: &mut App) {
        let (number, version) = (app.games, app.sitting.version);
        let (game, seed) = (app.sitting.game.game().clone(), app.options().seed);
        let answers = self.send.clone();
        app.sitting.tell("Thinking...");
        std::thread::spawn(move || {
            let what = What::Hint(hint(&game, seed));
            let _ = answers.send(Heard {
                game: number,
                version,
                what,
            });
        });
        self.hint_version = Some(version);
    }
}
