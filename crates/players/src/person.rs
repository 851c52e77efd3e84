//! A person who reads text and types moves.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use kingme_rules::{Game, Position, Side};

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

    /// Nobody types here any more.
    fn end(&self) {
        self.sender.send(Typed::End).unwrap_or_default();
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
                    self.end();
                    return Err(PlayerFault::Interrupted);
                }
            }
        }
    }
}

/// All moves of a position.
fn moves_text(position: &Position) -> String {
    position.move_texts(&position.legal_moves()).join(", ")
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
    /// Whether others sit at the same screen: then the board stands still.
    is_shared: bool,
}

/// What can be typed instead of a move.
const HELP: &str = "Type a move, such as the ones below, with or without the squares in between.
  moves    all moves that you can make
  board    the board again
  resign   give up this game; the league goes on
  quit     stop the league for now: `kingme league run` goes on with it
";

impl Person {
    /// Somebody with a keyboard and a screen.
    pub fn new(name: &str, keyboard: Keyboard, screen: Box<dyn Write + Send>) -> Person {
        Person {
            name: name.to_owned(),
            keyboard,
            screen,
            side: Side::White,
            is_shared: false,
        }
    }

    /// The same at a screen that others play at, too.
    #[must_use]
    pub fn at_shared_screen(self) -> Person {
        Person {
            is_shared: true,
            ..self
        }
    }

    /// The board: one's own side is at the bottom, or the game's own at a screen for all.
    fn board(&self, position: &Position) -> String {
        let bottom = if self.is_shared {
            !position.variant().definition().sides.top
        } else {
            self.side
        };
        position.text_board(bottom)
    }

    /// A line that was typed; `None` if the input has ended.
    fn typed(&mut self, question: &Question, prompt: &str) -> Result<String, PlayerFault> {
        self.show(&format!("\n{}, {prompt}", self.name));
        let line = self.keyboard.line(question)?;
        Ok(line.trim().to_owned())
    }

    /// Whether a person who wants to do something for good means it.
    fn is_sure(&mut self, question: &Question, what: &str) -> Result<bool, PlayerFault> {
        let answer = self.typed(question, &format!("{what}? Type yes or no: "))?;
        Ok(["y", "yes"].contains(&answer.to_lowercase().as_str()))
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
            "{}: a game begins, you play {colour}. Type help for what you can do.\n",
            self.name
        ));
        Ok(())
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        let position = game.position();
        if let Some(last) = game.move_texts().last() {
            self.show(&format!("Last move: {last}\n"));
        }
        self.show(&self.board(position));
        loop {
            let line = self.typed(question, "your move: ")?;
            match line.as_str() {
                "" => {}
                "help" | "?" => {
                    let moves = moves_text(position);
                    self.show(&format!("{HELP}Your moves: {moves}\n"));
                }
                "moves" => self.show(&format!("Your moves: {}\n", moves_text(position))),
                "board" => self.show(&self.board(position)),
                "resign" => {
                    if self.is_sure(question, "do you resign this game")? {
                        return Ok(Answer::new(Reply::Resign));
                    }
                }
                "quit" | "exit" => {
                    if self.is_sure(question, "do you stop the league for now")? {
                        self.keyboard.end();
                        return Err(PlayerFault::Interrupted);
                    }
                }
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
            self.board(game.position()),
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

    /// A screen that can be looked at.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(text)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Screen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    fn ask(input: &'static str) -> Result<Answer, PlayerFault> {
        shown(input, Side::Black, false).0
    }

    /// What comes of a person's typing, and what is on the screen then.
    fn shown(
        input: &'static str,
        side: Side,
        is_shared: bool,
    ) -> (Result<Answer, PlayerFault>, String) {
        let keyboard = Keyboard::new(input.as_bytes());
        let screen = Screen::default();
        let mut person = Person::new("Ada", keyboard, Box::new(screen.clone()));
        if is_shared {
            person = person.at_shared_screen();
        }
        let game = Game::new(&Variant::named("english").unwrap());
        person.new_game(&game, side).unwrap();
        let answer = person.choose(&game, &Question::new(Limit::INFINITE, Stop::new()));
        (answer, screen.text())
    }

    /// Whoever plays has their own side at the bottom; at a screen for all the board stands still.
    #[test]
    fn a_board_stands_as_whoever_sees_it_wants_it() {
        let start = Variant::named("english").unwrap().start();
        for side in Side::BOTH {
            let (_, own) = shown("11-15\n", side, false);
            assert!(own.contains(&start.text_board(side)), "{own}");
            let (_, shared) = shown("11-15\n", side, true);
            assert!(shared.contains(&start.text_board(Side::White)), "{shared}");
        }
    }

    #[test]
    fn help_tells_what_can_be_typed() {
        let (answer, text) = shown("help\nmoves\nboard\n\n11-15\n", Side::Black, false);
        assert!(answer.is_ok());
        for word in ["moves ", "board ", "resign ", "quit ", "11-15, 12-16"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        let board = Variant::named("english")
            .unwrap()
            .start()
            .text_board(Side::Black);
        assert_eq!(text.matches(&board).count(), 2);
    }

    /// What can't be taken back is asked about first.
    #[test]
    fn who_resigns_or_quits_is_asked_whether_they_mean_it() {
        let (answer, text) = shown("resign\nno\nquit\nno\n11-15\n", Side::Black, false);
        assert!(matches!(answer.unwrap().reply, Reply::Move(_)));
        assert!(
            text.contains("do you resign this game? Type yes or no: "),
            "{text}"
        );
        assert!(text.contains("do you stop the league for now? Type yes or no: "));
        // The input goes on, and nobody is asked again nevertheless.
        let (answer, _) = shown("quit\nyes\n11-15\n", Side::Black, false);
        assert_eq!(answer.unwrap_err(), PlayerFault::Interrupted);
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
        assert_eq!(ask("resign\nyes\n").unwrap().reply, Reply::Resign);
        assert_eq!(ask("").unwrap_err(), PlayerFault::Interrupted);
    }
}
