//! Our side as the one who listens: games with whoever calls.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use kingme_engine::{GameTime, Limit};
use kingme_rules::{Game, Side, Variant};

use super::connection::{Connection, DxpError};
use super::message::{Accept, GameRequest, Message, MoveMessage, Verdict};
use super::position::{check_board, read, read_last, write_last};
use crate::{Player, Question};
use kingme_play::Stop;

/// What happens while somebody plays against us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosted {
    /// A game begins.
    Began {
        /// Who asked for it.
        opponent: String,
        /// Our side.
        side: Side,
    },
    /// Somebody has moved.
    Moved {
        /// Who.
        side: Side,
        /// The move in the game's notation.
        text: String,
    },
    /// The game is over.
    Ended {
        /// Who won; `None` for a draw or if nobody says.
        winner: Option<Side>,
    },
    /// The other side says something.
    Said(String),
}

/// Plays with whoever has called until they want no more games, or go away.
///
/// # Errors
///
/// If the other side breaks the protocol, or the line goes down in the middle of a game.
pub fn serve(
    stream: TcpStream,
    variant: &Variant,
    player: &mut dyn Player,
    stop: &Stop,
    on_event: &mut dyn FnMut(&Hosted),
) -> Result<(), DxpError> {
    check_board(variant)?;
    let mut host = Host {
        connection: Connection::new(stream)?,
        variant,
        player,
        stop,
        on_event,
        playing: None,
    };
    loop {
        match host.connection.receive(None, stop) {
            Ok(message) => {
                if host.answer(message)? == Next::Leave {
                    return Ok(());
                }
            }
            Err(DxpError::Closed) if host.playing.is_none() => return Ok(()),
            Err(DxpError::Message(error)) if error.0.starts_with('R') => {
                host.accept(Accept::Version)?;
            }
            Err(error) => return Err(error),
        }
    }
}

#[derive(PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

struct Host<'a> {
    connection: Connection,
    variant: &'a Variant,
    player: &'a mut dyn Player,
    stop: &'a Stop,
    on_event: &'a mut dyn FnMut(&Hosted),
    playing: Option<Playing>,
}

/// A game in progress.
struct Playing {
    game: Game,
    side: Side,
    left: Duration,
    /// Moves for the whole game; 0: no limit.
    moves: u16,
}

impl Host<'_> {
    fn answer(&mut self, message: Message) -> Result<Next, DxpError> {
        match message {
            Message::GameRequest(request) => self.begin(&request)?,
            Message::Move(message) => self.hear(&message)?,
            Message::GameEnd { verdict, stop } => {
                self.end(verdict, stop)?;
                return Ok(if stop { Next::Leave } else { Next::Stay });
            }
            Message::Chat(text) => (self.on_event)(&Hosted::Said(text)),
            Message::BackRequest { number, side } => self.go_back(number, side)?,
            Message::GameAccept { .. } | Message::BackAccept(_) => {}
        }
        Ok(Next::Stay)
    }

    fn accept(&mut self, answer: Accept) -> Result<(), DxpError> {
        let name = self.player.name();
        self.connection.send(&Message::GameAccept { name, answer })
    }

    fn begin(&mut self, request: &GameRequest) -> Result<(), DxpError> {
        let position = match read(self.variant, request.position.as_ref()) {
            Ok(position) if !position.legal_moves().is_empty() => position,
            Ok(_) => return self.accept(Accept::NotThis),
            Err(message) => {
                self.connection.send(&Message::Chat(message))?;
                return self.accept(Accept::NotThis);
            }
        };
        let game = Game::from_position(position);
        // Whoever can't begin is asked for a move nevertheless.
        let _ = self.player.new_game(&game, request.follower);
        self.accept(Accept::Yes)?;
        (self.on_event)(&Hosted::Began {
            opponent: request.name.clone(),
            side: request.follower,
        });
        self.playing = Some(Playing {
            game,
            side: request.follower,
            left: Duration::from_mins(request.minutes.into()),
            moves: request.moves,
        });
        self.move_if_ours()
    }

    fn hear(&mut self, message: &MoveMessage) -> Result<(), DxpError> {
        let Some(playing) = &mut self.playing else {
            return Ok(());
        };
        let mv = match read_last(playing.game.position(), message) {
            Ok(mv) if playing.game.turn() != playing.side => mv,
            Ok(_) => return self.refuse("it is not your turn".to_owned()),
            Err(message) => return self.refuse(message),
        };
        let event = playing.play(&mv);
        (self.on_event)(&event);
        self.move_if_ours()
    }

    fn refuse(&mut self, message: String) -> Result<(), DxpError> {
        self.connection.send(&Message::Chat(message.clone()))?;
        Err(DxpError::Move(message))
    }

    /// Makes our move, or ends the game if it is over.
    fn move_if_ours(&mut self) -> Result<(), DxpError> {
        let Some(playing) = &mut self.playing else {
            return Ok(());
        };
        if playing.game.turn() != playing.side {
            return Ok(());
        }
        if let Some(verdict) = playing.verdict() {
            return self.finish(verdict);
        }
        let asked = Instant::now();
        let question = playing.question(self.stop.clone());
        let answer = self
            .player
            .choose(&playing.game, &question)
            .ok()
            .or_else(|| question.suggestion());
        let position = playing.game.position();
        let Some(mv) = answer.and_then(|answer| answer.reply.find(position).ok()) else {
            return self.finish(Verdict::Lost);
        };
        playing.left = playing.left.saturating_sub(asked.elapsed());
        let event = playing.play(&mv);
        let message =
            write_last(&playing.game, asked.elapsed().as_secs()).expect("it was just played");
        self.connection.send(&Message::Move(message))?;
        (self.on_event)(&event);
        Ok(())
    }

    /// Ends the game on our turn; the other side confirms it.
    fn finish(&mut self, verdict: Verdict) -> Result<(), DxpError> {
        self.connection.send(&Message::GameEnd {
            verdict,
            stop: false,
        })?;
        if let Some(playing) = self.playing.take() {
            let winner = playing.winner(verdict, playing.side);
            self.player.end_game(&playing.game, winner);
            (self.on_event)(&Hosted::Ended { winner });
        }
        Ok(())
    }

    /// The other side ends the game, or confirms our end of it.
    fn end(&mut self, verdict: Verdict, stop: bool) -> Result<(), DxpError> {
        let Some(playing) = self.playing.take() else {
            return Ok(());
        };
        let winner = playing.winner(verdict, !playing.side);
        self.player.end_game(&playing.game, winner);
        (self.on_event)(&Hosted::Ended { winner });
        let verdict = Verdict::Unknown;
        self.connection.send(&Message::GameEnd { verdict, stop })
    }

    fn go_back(&mut self, number: u16, side: Side) -> Result<(), DxpError> {
        let Some(playing) = &mut self.playing else {
            return self.connection.send(&Message::BackAccept(Accept::NotThis));
        };
        let Some(plies) = playing.plies_before(number, side) else {
            return self.connection.send(&Message::BackAccept(Accept::NotThis));
        };
        while playing.game.plies() > plies {
            playing.game.undo();
        }
        self.connection.send(&Message::BackAccept(Accept::Yes))?;
        self.move_if_ours()
    }
}

impl Playing {
    /// Plays a legal move. Others may play on where our draw rules would stop.
    fn play(&mut self, mv: &kingme_rules::Move) -> Hosted {
        let side = self.game.turn();
        let text = self.game.position().move_text(mv);
        if self.game.play(mv).is_err() {
            self.game = Game::from_position(self.game.position().play_unchecked(mv));
        }
        Hosted::Moved { side, text }
    }

    /// How it stands if we, who are to move, have to end it.
    fn verdict(&self) -> Option<Verdict> {
        if let Some(outcome) = self.game.outcome() {
            return Some(match outcome.winner {
                None => Verdict::Draw,
                Some(winner) if winner == self.side => Verdict::Won,
                Some(_) => Verdict::Lost,
            });
        }
        let played = self.game.plies() / 2;
        (self.moves > 0 && played >= usize::from(self.moves)).then_some(Verdict::Unknown)
    }

    fn winner(&self, verdict: Verdict, speaker: Side) -> Option<Side> {
        match verdict {
            Verdict::Won => Some(speaker),
            Verdict::Lost => Some(!speaker),
            Verdict::Draw => None,
            // The rules may know what the speaker doesn't say.
            Verdict::Unknown => self.game.outcome().and_then(|outcome| outcome.winner),
        }
    }

    fn question(&self, stop: Stop) -> Question {
        let now = Instant::now();
        if self.left.is_zero() {
            let soon = Duration::from_millis(100);
            return Question::new(Limit::move_time(soon), stop).until(Some(now + soon));
        }
        let played = (self.game.plies() / 2) as u32;
        let moves = u32::from(self.moves);
        let game_time = GameTime {
            left: self.left,
            increment: Duration::ZERO,
            moves: (moves > 0).then(|| moves.saturating_sub(played).max(1)),
        };
        let limit = Limit {
            game_time: Some(game_time),
            ..Limit::INFINITE
        };
        Question::new(limit, stop).until(Some(now + self.left))
    }

    /// How many plies were played when a side was to make its move of a number.
    fn plies_before(&self, number: u16, side: Side) -> Option<usize> {
        let first = self.game.start().turn();
        let moves_of_both = usize::from(number.checked_sub(1)?) * 2;
        let plies = (moves_of_both + usize::from(side == Side::Black))
            .checked_sub(usize::from(first == Side::Black))?;
        (plies <= self.game.plies()).then_some(plies)
    }
}
