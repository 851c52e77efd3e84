//! A person who reads text and types moves.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use kingme_rules::{Game, Side};

use crate::{Player, PlayerFault, Question};
use kingme_play::{Answer, Reply};

/// The lines that people type, for all people who share a keyboard.
#[derive(Clone, Debug)]
pub struct Keyboard {
    lines: Arc<Mutex<Receiver<Typed>>>,
    sender: Sender<Typed>,
}

/// What comes from a keyboard.
#[derive(Debug)]
enum Typed {
    Line(String),
    /// The input has ended.
    End,
    /// Nothing was typed, but whoever waits should look around.
    Wake,
}

impl Keyboard {
    /// Reads lines from now on, until the input ends.
    pub fn new(input: impl BufRead + Send + 'static) -> Keyboard {
        let (sender, receiver) = channel();
        // A read can't be interrupted, so it has a thread of its own, which ends with the input.
        let reader = sender.clone();
        thread::spawn(move || read_lines(input, &reader));
        Keyboard {
            lines: Arc::new(Mutex::new(receiver)),
            sender,
        }
    }

    fn line(&self, question: &Question) -> Result<String, PlayerFault> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = self.sender.clone();
        let _on_stop = question.stop.on_request(move || {
            // Nobody waits any more when the keyboard is gone.
            sender.send(Typed::Wake).unwrap_or_default();
        });
        loop {
            if question.stop.is_requested() {
                return Err(PlayerFault::Interrupted);
            }
            let typed = match question.time_left() {
                None => lines.recv().unwrap_or(Typed::End),
                Some(left) => match lines.recv_timeout(left) {
                    Ok(typed) => typed,
                    Err(RecvTimeoutError::Timeout) => return Err(PlayerFault::Late),
                    Err(RecvTimeoutError::Disconnected) => Typed::End,
                },
            };
            match typed {
                Typed::Line(line) => return Ok(line),
                Typed::Wake => {}
                // Whoever has left can't be waited for; the league goes on another day. Who asks
                // next has to hear of it, too.
                Typed::End => {
                    self.sender.send(Typed::End).unwrap_or_default();
                    return Err(PlayerFault::Interrupted);
                }
            }
        }
    }
}

fn read_lines(input: impl BufRead, sender: &Sender<Typed>) {
    let lines = input.lines().map_while(Result::ok).map(Typed::Line);
    for typed in lines.chain([Typed::End]) {
        if sender.send(typed).is_err() {
            return;
        }
    }
}

/// A person at a terminal. What is not legal is explained and asked again.
pub struct Person {
    name: String,
    keyboard: Keyboard,
    screen: Box<dyn Write + Send>,
    side: Side,
}

impl Person {
    /// Somebody with a keyboard and a screen.
    pub fn new(name: &str, keyboard: Keyboard, screen: Box<dyn Write + Send>) -> Person {
        Person {
            name: name.to_owned(),
            keyboard,
            screen,
            side: Side::White,
        }
    }

    /// Shows text; nobody is to blame for a screen that is gone.
    fn show(&mut self, text: &str) {
        let _ = self
            .screen
            .write_all(text.as_bytes())
            .and_then(|()| self.screen.flush());
    }
}

impl Player for Person {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.side = side;
        let colour = game.variant().definition().sides.names[side].clone();
        self.show(&format!(
            "{}: a game begins, you play {colour}.\n",
            self.name
        ));
        Ok(())
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        let position = game.position();
        if let Some(last) = game.move_texts().last() {
            self.show(&format!("Last move: {last}\n"));
        }
        self.show(&position.text_board(self.side));
        loop {
            self.show(&format!("\n{}, your move: ", self.name));
            let line = self.keyboard.line(question)?;
            match line.trim() {
                "resign" => return Ok(Answer::new(Reply::Resign)),
                text => match position.find_move(text) {
                    Ok(mv) => return Ok(mv.into()),
                    Err(error) => self.show(&format!("{error}\n")),
                },
            }
        }
    }

    fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        let words = match winner {
            Some(side) if side == self.side => "you win",
            Some(_) => "you lose",
            None => "nobody wins",
        };
        self.show(&format!(
            "{}\n{}: the game is over, {words}.\n",
            game.position().text_board(self.side),
            self.name
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingme_engine::Limit;
    use kingme_play::Stop;
    use kingme_rules::Variant;

    fn ask(input: &'static str) -> Result<Answer, PlayerFault> {
        let keyboard = Keyboard::new(input.as_bytes());
        let mut person = Person::new("Ada", keyboard, Box::new(std::io::sink()));
        let game = Game::new(&Variant::named("english").unwrap());
        person.choose(&game, &Question::new(Limit::INFINITE, Stop::new()))
    }

    #[test]
    fn what_is_not_legal_is_asked_again() {
        let answer = ask("what?\n11-20\n11-15\n").unwrap();
        let game = Game::new(&Variant::named("english").unwrap());
        assert_eq!(
            answer.reply,
            Reply::Move(game.position().find_move("11-15").unwrap())
        );
    }

    #[test]
    fn a_person_can_resign_or_leave() {
        assert_eq!(ask("resign\n").unwrap().reply, Reply::Resign);
        assert_eq!(ask("").unwrap_err(), PlayerFault::Interrupted);
    }
}
