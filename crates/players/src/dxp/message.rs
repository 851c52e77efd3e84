//! The messages and their layout.

use std::fmt::Write;

use kingme_rules::Side;

/// A message, without the zero byte at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `R`: let us play a game.
    GameRequest(GameRequest),
    /// `A`: the answer to that, with the follower's name.
    GameAccept {
        /// Who answers.
        name: String,
        /// What.
        answer: Accept,
    },
    /// `M`: a move.
    Move(MoveMessage),
    /// `E`: the game is over, or the answer to that.
    GameEnd {
        /// What the sender says of it.
        verdict: Verdict,
        /// Whether the sender wants no more games.
        stop: bool,
    },
    /// `C`: any text.
    Chat(String),
    /// `B`: back to where this side was to make its move of this number.
    BackRequest {
        /// The number, from 1.
        number: u16,
        /// Who is to move.
        side: Side,
    },
    /// `K`: the answer to that.
    BackAccept(Accept),
}

/// What a game is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRequest {
    /// The initiator's name.
    pub name: String,
    /// The side of the follower.
    pub follower: Side,
    /// Minutes for each side.
    pub minutes: u16,
    /// Moves for the whole game; 0: no limit.
    pub moves: u16,
    /// Where it begins: who moves, and the 50 squares as letters; `None`: at the start.
    pub position: Option<(Side, String)>,
}

/// A move by the numbers of its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveMessage {
    /// Seconds it took.
    pub seconds: u16,
    /// From where.
    pub from: u16,
    /// To where.
    pub to: u16,
    /// What it takes, in any order.
    pub captured: Vec<u16>,
}

/// An answer to a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Accept {
    /// Yes.
    Yes,
    /// No: another version of the protocol, or no taking back at all.
    Version,
    /// No, not this one.
    NotThis,
    /// No, and none at all.
    Never,
}

/// What the sender of the end of a game says about it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing.
    Unknown,
    /// It has lost.
    Lost,
    /// A draw.
    Draw,
    /// It has won.
    Won,
}

/// A text that is not a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a DamExchange message")]
pub struct MessageError(pub String);

/// The longest message.
pub(crate) const LONGEST: usize = 127;
const NAME: usize = 32;
const VERSION: &str = "01";
const SQUARES: usize = 50;

impl Message {
    /// The text of a message.
    pub fn write(&self) -> String {
        match self {
            Message::GameRequest(request) => request.write(),
            Message::GameAccept { name, answer } => format!("A{}{}", padded(name), answer.code()),
            Message::Move(mv) => mv.write(),
            Message::GameEnd { verdict, stop } => format!("E{}{}", verdict.code(), u8::from(*stop)),
            Message::Chat(text) => {
                let clean = text.chars().map(|c| {
                    if ('\u{1}'..='\u{7f}').contains(&c) {
                        c
                    } else {
                        '?'
                    }
                });
                format!("C{}", clean.take(LONGEST - 1).collect::<String>())
            }
            Message::BackRequest { number, side } => {
                format!("B{:03}{}", number.min(&999), letter(*side))
            }
            Message::BackAccept(answer) => format!("K{}", answer.code()),
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    ///
    /// If the text is none.
    pub fn read(text: &str) -> Result<Message, MessageError> {
        let mut fields = Fields(text);
        let message = read_fields(&mut fields).filter(|_| fields.0.is_empty());
        message.ok_or_else(|| MessageError(text.chars().take(LONGEST).collect()))
    }
}

fn read_fields(fields: &mut Fields) -> Option<Message> {
    Some(match fields.letter()? {
        'R' => Message::GameRequest(GameRequest::read(fields)?),
        'A' => Message::GameAccept {
            name: fields.text(NAME)?.trim_end().to_owned(),
            answer: Accept::of(fields.letter()?)?,
        },
        'M' => Message::Move(MoveMessage::read(fields)?),
        'E' => Message::GameEnd {
            verdict: Verdict::of(fields.letter()?)?,
            stop: fields.number(1)? == 1,
        },
        'C' => Message::Chat(std::mem::take(&mut fields.0).to_owned()),
        'B' => Message::BackRequest {
            number: fields.number(3)?,
            side: fields.side()?,
        },
        'K' => Message::BackAccept(Accept::of(fields.letter()?)?),
        _ => return None,
    })
}

impl GameRequest {
    fn write(&self) -> String {
        let mut text = format!(
            "R{VERSION}{}{}{:03}{:03}",
            padded(&self.name),
            letter(self.follower),
            self.minutes.min(999),
            self.moves.min(999),
        );
        match &self.position {
            None => text.push('A'),
            Some((turn, squares)) => {
                let _ = write!(text, "B{}{squares}", letter(*turn));
            }
        }
        text
    }

    fn read(fields: &mut Fields) -> Option<GameRequest> {
        // Another version can't be read; whoever sends it is told so.
        fields.text(2).filter(|&version| version == VERSION)?;
        Some(GameRequest {
            name: fields.text(NAME)?.trim_end().to_owned(),
            follower: fields.side()?,
            minutes: fields.number(3)?,
            moves: fields.number(3)?,
            position: match fields.letter()? {
                'A' => None,
                'B' => Some((fields.side()?, fields.text(SQUARES)?.to_owned())),
                _ => return None,
            },
        })
    }
}

impl MoveMessage {
    fn write(&self) -> String {
        let count = self.captured.len();
        let mut text = format!(
            "M{:04}{:02}{:02}{count:02}",
            self.seconds.min(9999),
            self.from,
            self.to
        );
        for square in &self.captured {
            let _ = write!(text, "{square:02}");
        }
        text
    }

    fn read(fields: &mut Fields) -> Option<MoveMessage> {
        let seconds = fields.number(4)?;
        let (from, to, count) = (fields.number(2)?, fields.number(2)?, fields.number(2)?);
        let captured = (0..count)
            .map(|_| fields.number(2))
            .collect::<Option<_>>()?;
        Some(MoveMessage {
            seconds,
            from,
            to,
            captured,
        })
    }
}

impl Accept {
    const ALL: [Accept; 4] = [Accept::Yes, Accept::Version, Accept::NotThis, Accept::Never];

    fn code(self) -> char {
        code(&Accept::ALL, &self)
    }

    fn of(letter: char) -> Option<Accept> {
        of(&Accept::ALL, letter)
    }
}

impl Verdict {
    const ALL: [Verdict; 4] = [Verdict::Unknown, Verdict::Lost, Verdict::Draw, Verdict::Won];

    fn code(self) -> char {
        code(&Verdict::ALL, &self)
    }

    fn of(letter: char) -> Option<Verdict> {
        of(&Verdict::ALL, letter)
    }
}

fn code<T: PartialEq>(all: &[T], one: &T) -> char {
    let index = all
        .iter()
        .position(|other| other == one)
        .unwrap_or_default();
    char::from(b'0' + index as u8)
}

fn of<T: Copy>(all: &[T], letter: char) -> Option<T> {
    all.get(letter.to_digit(10)? as usize).copied()
}

/// White is `W`; black is `Z`, for *zwart*.
fn letter(side: Side) -> char {
    ['W', 'Z'][side]
}

/// A name in its fixed width: plain letters, not beginning with a blank.
fn padded(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii() && !c.is_control() {
            c
        } else {
            '?'
        }
    };
    let name: String = name.trim_start().chars().map(plain).take(NAME).collect();
    format!("{name:NAME$}")
}

/// What is left of a message.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn text(&mut self, length: usize) -> Option<&'a str> {
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    fn letter(&mut self) -> Option<char> {
        self.text(1)?.chars().next()
    }

    fn number(&mut self, digits: usize) -> Option<u16> {
        // Some programs pad with blanks.
        self.text(digits)?.trim().parse().ok()
    }

    fn side(&mut self) -> Option<Side> {
        match self.letter()? {
            'W' => Some(Side::White),
            'Z' => Some(Side::Black),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, message: &Message) {
        assert_eq!(message.write(), text);
        assert_eq!(Message::read(text).as_ref(), Ok(message));
    }

    #[test]
    fn requests_and_answers() {
        let mut request = GameRequest {
            name: "kingme".to_owned(),
            follower: Side::Black,
            minutes: 60,
            moves: 50,
            position: None,
        };
        check(
            "R01kingme                          Z060050A",
            &Message::GameRequest(request.clone()),
        );
        let squares = "e".repeat(48) + "wZ";
        request.position = Some((Side::White, squares.clone()));
        check(
            &format!("R01kingme                          Z060050BW{squares}"),
            &Message::GameRequest(request),
        );
        check(
            "ATornado voor Windows 4.0        0",
            &Message::GameAccept {
                name: "Tornado voor Windows 4.0".to_owned(),
                answer: Accept::Yes,
            },
        );
    }

    #[test]
    fn moves() {
        let quiet = MoveMessage {
            seconds: 12,
            from: 6,
            to: 11,
            captured: vec![],
        };
        check("M0012061100", &Message::Move(quiet));
        let capture = MoveMessage {
            seconds: 12,
            from: 5,
            to: 25,
            captured: vec![22, 12, 23, 20],
        };
        check("M001205250422122320", &Message::Move(capture));
    }

    #[test]
    fn ends_chats_and_steps_back() {
        let draw = Message::GameEnd {
            verdict: Verdict::Draw,
            stop: false,
        };
        check("E20", &draw);
        check("CWell played", &Message::Chat("Well played".to_owned()));
        let back = Message::BackRequest {
            number: 5,
            side: Side::Black,
        };
        check("B005Z", &back);
        check("K2", &Message::BackAccept(Accept::NotThis));
    }

    #[test]
    fn what_does_not_fit_is_made_to_fit() {
        let long = Message::Chat("é".repeat(500)).write();
        assert_eq!(long, format!("C{}", "?".repeat(126)));
        let name = "x".repeat(50);
        let answer = Message::GameAccept {
            name,
            answer: Accept::Yes,
        };
        assert_eq!(answer.write().len(), 34);
    }

    #[test]
    fn rubbish_is_refused() {
        for text in [
            "",
            "X",
            "R01",
            "R02kingme                          Z060050A",
            "M0012",
            "M00120611001",
            "E9",
            "E00x",
            "Mé",
        ] {
            assert_eq!(
                Message::read(text),
                Err(MessageError(text.to_owned())),
                "{text}"
            );
        }
    }
}
