//! A program that listens for `DamExchange`, as a player.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_rules::{Game, Side, Variant};

use super::connection::{Connection, DxpError};
use super::message::{Accept, GameRequest, Message, Verdict};
use super::position::{check_board, read_last, text, write, write_last};
use crate::{Player, PlayerFault, Question};
use kingme_play::{Answer, Reply, Stop, TimeControl};

/// How long a program may take to answer what needs no thought.
const PATIENCE: Duration = Duration::from_secs(5);
/// So many moves a game usually has, to make minutes out of seconds a move.
const USUAL_MOVES: u32 = 60;

/// A program on the network. We ask for the games, it follows.
#[derive(Debug)]
pub struct DxpPlayer {
    host: String,
    port: u16,
    name: Option<String>,
    side: Side,
    connection: Option<Connection>,
    /// So many plies of the game are known to both; `None` before a game was asked for.
    known: Option<usize>,
    /// Why it was not to be had for this game: it is not called again before the next one.
    dead: Option<PlayerFault>,
    /// How long it may take to answer what needs no thought.
    patience: Duration,
}

impl DxpPlayer {
    /// The program at a host and a port. It is called when the first game begins.
    pub fn new(host: &str, port: u16) -> DxpPlayer {
        DxpPlayer {
            host: host.to_owned(),
            port,
            name: None,
            side: Side::White,
            connection: None,
            known: None,
            dead: None,
            patience: PATIENCE,
        }
    }

    fn connection(&mut self) -> Result<&mut Connection, DxpError> {
        if self.connection.is_none() {
            self.connection = Some(Connection::open(&self.host, self.port, self.patience)?);
        }
        Ok(self.connection.as_mut().expect("it was just opened"))
    }

    /// Brings the program to where the game stands: asks for the game, or sends the last move.
    fn catch_up(&mut self, game: &Game, minutes: u16) -> Result<(), PlayerFault> {
        let plies = game.plies();
        match self.known {
            None => self.begin(game, minutes)?,
            Some(known) if known == plies => {}
            Some(known)
                if known + 1 == plies
                    && let Some(message) = write_last(game, 0) =>
            {
                self.send(&Message::Move(message))?;
            }
            Some(_) => {
                let words = "the referee has moved for it, and DamExchange can't tell it";
                return Err(PlayerFault::Protocol(words.to_owned()));
            }
        }
        self.known = Some(plies);
        Ok(())
    }

    /// Asks for a game, once: whoever does not answer would keep every move waiting.
    fn begin(&mut self, game: &Game, minutes: u16) -> Result<(), PlayerFault> {
        if let Some(fault) = &self.dead {
            return Err(fault.clone());
        }
        let asked = self.ask_for_game(game, minutes);
        self.dead = asked.clone().err();
        asked
    }

    /// Asks for a game from the position that stands now: what was before doesn't matter to it.
    fn ask_for_game(&mut self, game: &Game, minutes: u16) -> Result<(), PlayerFault> {
        let request = GameRequest {
            name: "kingme".to_owned(),
            follower: self.side,
            minutes,
            moves: 0,
            position: write(game.position()),
        };
        self.send(&Message::GameRequest(request))?;
        let deadline = Some(Instant::now() + self.patience);
        loop {
            match self.receive(deadline, &Stop::new())? {
                Message::GameAccept {
                    name,
                    answer: Accept::Yes,
                } => {
                    self.name = Some(name).filter(|name| !name.is_empty());
                    return Ok(());
                }
                Message::GameAccept { answer, .. } => {
                    return Err(PlayerFault::Protocol(format!(
                        "it does not accept the game: {}",
                        why(answer)
                    )));
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, message: &Message) -> Result<(), PlayerFault> {
        let sent = self
            .connection()
            .and_then(|connection| connection.send(message));
        sent.map_err(|error| self.fault(error))
    }

    fn receive(&mut self, deadline: Option<Instant>, stop: &Stop) -> Result<Message, PlayerFault> {
        let received = self
            .connection()
            .and_then(|connection| connection.receive(deadline, stop));
        received.map_err(|error| self.fault(error))
    }

    /// What an error means for the game; the connection is given up if it has to be.
    fn fault(&mut self, error: DxpError) -> PlayerFault {
        let fault = match error {
            DxpError::Late => PlayerFault::Stalled,
            DxpError::Interrupted => PlayerFault::Interrupted,
            DxpError::Message(_) => PlayerFault::Protocol(error.to_string()),
            other => PlayerFault::Crashed(format!("{}:{}: {other}", self.host, self.port)),
        };
        self.connection = None;
        self.known = None;
        fault
    }

    /// Waits for a message of some kind; the connection stays if none comes in time.
    fn hear(&mut self, is_meant: impl Fn(&Message) -> bool) -> Option<Message> {
        let deadline = Some(Instant::now() + self.patience);
        let connection = self.connection.as_mut()?;
        loop {
            match connection.receive(deadline, &Stop::new()) {
                Ok(message) if is_meant(&message) => return Some(message),
                Ok(_) => {}
                Err(DxpError::Late) => return None,
                Err(_) => {
                    self.connection = None;
                    return None;
                }
            }
        }
    }

    fn listen(&mut self, game: &Game, question: &Question) -> Result<Reply, PlayerFault> {
        loop {
            match self.receive(question.deadline, &question.stop)? {
                Message::Move(message) => {
                    self.known = Some(game.plies() + 1);
                    return Ok(match read_last(game.position(), &message) {
                        Ok(mv) => Reply::Move(mv),
                        Err(_) => Reply::Text(text(&message)),
                    });
                }
                Message::GameEnd { verdict, stop } => return self.give_up(verdict, stop),
                Message::BackRequest { .. } => self.send(&Message::BackAccept(Accept::Version))?,
                _ => {}
            }
        }
    }

    /// The program has ended the game, which it may do on its turn.
    fn give_up(&mut self, verdict: Verdict, stop: bool) -> Result<Reply, PlayerFault> {
        self.known = None;
        self.send(&Message::GameEnd {
            verdict: Verdict::Unknown,
            stop,
        })?;
        let says = match verdict {
            Verdict::Lost => return Ok(Reply::Resign),
            Verdict::Unknown => "without a reason",
            Verdict::Draw => "and says it is a draw",
            Verdict::Won => "and says it has won",
        };
        Err(PlayerFault::Protocol(format!("it ended the game {says}")))
    }
}

fn why(answer: Accept) -> &'static str {
    match answer {
        Accept::Yes => "it does",
        Accept::Version => "another version of the protocol",
        Accept::NotThis => "not this one",
        Accept::Never => "it wants no game at all",
    }
}

impl Player for DxpPlayer {
    fn name(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| format!("dxp:{}:{}", self.host, self.port))
    }

    fn version(&self) -> Option<String> {
        self.name.clone()
    }

    fn start(&mut self, variant: &Variant, _side: Side) -> Result<(), PlayerFault> {
        check_board(variant).map_err(|error| PlayerFault::Protocol(error.to_string()))?;
        let opened = self.connection().map(|_| ());
        opened.map_err(|error| self.fault(error))
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.side = side;
        self.known = None;
        self.dead = None;
        let opened = self.start(game.variant(), side);
        self.dead = opened.clone().err();
        opened
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        self.catch_up(game, minutes(question.limit))?;
        let asked = Instant::now();
        let reply = self.listen(game, question)?;
        Ok(Answer {
            time: Some(asked.elapsed()),
            ..Answer::new(reply)
        })
    }

    fn end_game(&mut self, game: &Game, winner: Option<Side>) {
        if self.known.is_none() {
            return;
        }
        let is_up_to_date = self.catch_up(game, 1).is_ok();
        let bye = Message::GameEnd {
            verdict: match winner {
                None => Verdict::Draw,
                Some(winner) if winner == self.side => Verdict::Lost,
                Some(_) => Verdict::Won,
            },
            stop: false,
        };
        // On its own turn the program may see the end itself and say so first. One that does not,
        // since the game was adjudicated, moves on, and may be told on our turn.
        let its_turn = is_up_to_date && game.turn() == self.side;
        let says_so = its_turn
            && self
                .hear(|message| !is_chat(message))
                .is_some_and(|said| is_end(&said));
        let told = self.connection.is_some() && self.send(&bye).is_ok();
        if told && !says_so && self.hear(is_end).is_none() {
            // It does not listen. The next game begins with another call.
            self.connection = None;
        }
        self.known = None;
    }
}

fn is_end(message: &Message) -> bool {
    matches!(message, Message::GameEnd { .. })
}

fn is_chat(message: &Message) -> bool {
    matches!(message, Message::Chat(_))
}

/// What is to be said of a time control that is not the protocol's: it knows minutes for a game.
pub fn clock_note(time: TimeControl) -> Option<String> {
    let limit = match time {
        TimeControl::Game { .. } => return None,
        TimeControl::Move(time) => Limit::move_time(time),
        _ => Limit::INFINITE,
    };
    let minutes = minutes(limit);
    let s = if minutes == 1 { "" } else { "s" };
    Some(format!(
        "DXP keeps clocks of its own: the program is told of {minutes} minute{s} for the game, and \
         not of {time}; a time such as 5m+0s is for both"
    ))
}

/// Minutes for a whole game, as the protocol counts them: one at least.
fn minutes(limit: Limit) -> u16 {
    let for_game = limit.game_time.map(|game| game.left);
    let time = for_game
        .or(limit.move_time.map(|time| time * USUAL_MOVES))
        .unwrap_or(Duration::from_mins(5));
    u16::try_from(time.as_secs().div_ceil(60))
        .unwrap_or(999)
        .clamp(1, 999)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use kingme_rules::Variant;

    use super::*;

    #[test]
    fn whoever_never_answers_is_asked_once_a_game() {
        // The system takes the call; nobody listens.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut player = DxpPlayer {
            patience: Duration::from_millis(50),
            ..DxpPlayer::new("127.0.0.1", listener.local_addr().unwrap().port())
        };
        let game = Game::new(&Variant::named("international").unwrap());
        player.new_game(&game, Side::White).unwrap();
        let limit = Limit::move_time(Duration::from_secs(1));
        for _ in 0..3 {
            let question = Question::new(limit, Stop::new());
            let answer = player.choose(&game, &question);
            assert_eq!(answer.unwrap_err(), PlayerFault::Stalled);
        }
        listener.set_nonblocking(true).unwrap();
        assert_eq!(listener.incoming().take_while(Result::is_ok).count(), 1);
    }

    /// A program that plays by a script: for each message that it gets, what it says. It tells of
    /// all it has heard, and hangs up when it has nothing more to say.
    fn scripted(script: Vec<Vec<&'static str>>) -> (DxpPlayer, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let program = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut connection = Connection::new(stream).unwrap();
            let mut heard = Vec::new();
            for says in script {
                let message = connection.receive(None, &Stop::new()).unwrap();
                heard.push(message.write());
                for text in says {
                    connection.send(&Message::read(text).unwrap()).unwrap();
                }
            }
            heard
        });
        let player = DxpPlayer {
            patience: Duration::from_secs(20),
            ..DxpPlayer::new("127.0.0.1", port)
        };
        (player, program)
    }

    const YES: &str = "AMoby                            0";

    #[test]
    fn who_does_not_see_the_end_is_told_of_it() {
        // It plays White. Its second move comes when the game was adjudicated already.
        let script = vec![
            vec![YES, "M0000322800"],
            vec!["M0000313700"],
            vec!["E00"],
            vec![YES],
        ];
        let (mut player, program) = scripted(script);
        let mut game = Game::new(&Variant::named("international").unwrap());
        player.new_game(&game, Side::White).unwrap();
        let question = Question::new(Limit::move_time(Duration::from_mins(1)), Stop::new());
        let answer = player.choose(&game, &question).unwrap();
        let Reply::Move(mv) = answer.reply else {
            panic!("{answer:?}")
        };
        game.play(&mv).unwrap();
        game.play_text("19-23").unwrap();
        player.end_game(&game, None);
        // The next game finds a program that is done with the last one.
        player.new_game(&game, Side::White).unwrap();
        player.catch_up(&game, 1).unwrap();
        let heard: Vec<String> = program.join().unwrap();
        let kinds: Vec<&str> = heard.iter().map(|message| &message[..1]).collect();
        assert_eq!(kinds, ["R", "M", "E", "R"]);
        assert_eq!(heard[2], "E20", "a draw");
    }

    #[test]
    fn whom_the_referee_has_moved_for_is_told_of_the_end_too() {
        let script = vec![vec![YES], vec!["E00"], vec![YES]];
        let (mut player, program) = scripted(script);
        let mut game = Game::new(&Variant::named("international").unwrap());
        player.new_game(&game, Side::White).unwrap();
        player.catch_up(&game, 1).unwrap();
        game.play_text("32-28").unwrap();
        game.play_text("19-23").unwrap();
        player.end_game(&game, Some(Side::Black));
        player.new_game(&game, Side::White).unwrap();
        player.catch_up(&game, 1).unwrap();
        let heard = program.join().unwrap();
        assert_eq!(heard[1], "E30", "it has lost");
    }
}
