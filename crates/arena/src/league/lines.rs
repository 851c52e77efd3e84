//! Events as lines of text, with tabs between their fields: what the live file consists of.
//!
//! ```text
//! start ⇥ game ⇥ milliseconds since 1970 ⇥ round ⇥ White ⇥ Black ⇥ FEN ⇥ move ⇥ move …
//! ply   ⇥ game ⇥ move, or `-` ⇥ by ⇥ time ⇥ clock ⇥ score ⇥ depth ⇥ nodes ⇥ reason ⇥ words ⇥ line
//! end   ⇥ game ⇥ milliseconds since 1970 ⇥ winner ⇥ reason ⇥ words
//! ```
//!
//! What is not known is empty, and empty fields at the end are left out. Times are microseconds.

use std::fmt::Write;
use std::str::{FromStr, Split};

use kingme_play::{End, escaped, unescaped};
use kingme_rules::{Game, Position, Side, Variant};

use super::Job;

/// A game that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub game: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub round: u32,
    pub players: [usize; 2],
    /// The FEN it begins with, and the moves of its opening.
    pub opening: String,
}

/// A game that ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub game: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub how: End,
}

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Start(Start),
    /// A game's turn, still as text: most readers only count them.
    Ply(u64, &'a str),
    End(Ending),
}

impl Start {
    pub fn new(job: &Job, at: i64, opening: &Game) -> Start {
        Start {
            game: job.game,
            at,
            round: job.round,
            players: job.players,
            opening: write_opening(opening),
        }
    }

    pub fn write(&self, line: &mut String) {
        let [white, black] = self.players;
        let (game, at, round) = (self.game, self.at, self.round);
        let opening = &self.opening;
        put(
            line,
            format_args!("start\t{game}\t{at}\t{round}\t{white}\t{black}\t{opening}\n"),
        );
    }

    /// Writes how the line of each turn begins; see [`kingme_play::write_ply`].
    pub fn begin_ply(&self, line: &mut String) {
        put(line, format_args!("ply\t{}\t", self.game));
    }

    fn read(mut fields: Split<char>) -> Option<Start> {
        Some(Start {
            game: number(&mut fields)?,
            at: number(&mut fields)?,
            round: number(&mut fields)?,
            players: [number(&mut fields)?, number(&mut fields)?],
            opening: fields.collect::<Vec<_>>().join("\t"),
        })
    }
}

impl Ending {
    pub fn write(&self, line: &mut String) {
        let winner = match self.how.winner {
            Some(side) => side.letter().to_string(),
            None => String::new(),
        };
        let (game, at, reason) = (self.game, self.at, self.how.reason);
        let words = escaped(&self.how.words);
        put(
            line,
            format_args!("end\t{game}\t{at}\t{winner}\t{reason}\t{words}\n"),
        );
    }

    fn read(mut fields: Split<char>) -> Option<Ending> {
        Some(Ending {
            game: number(&mut fields)?,
            at: number(&mut fields)?,
            how: End {
                winner: winner(fields.next()?),
                reason: number(&mut fields)?,
                words: unescaped(fields.next().unwrap_or_default()),
            },
        })
    }
}

impl<'a> Line<'a> {
    /// The event of a line; `None` for a line that was not written whole.
    pub fn read(line: &'a str) -> Option<Line<'a>> {
        let (kind, rest) = line.split_once('\t')?;
        match kind {
            "start" => Start::read(rest.split('\t')).map(Line::Start),
            "ply" => {
                let (game, ply) = rest.split_once('\t')?;
                Some(Line::Ply(game.parse().ok()?, ply))
            }
            "end" => Ending::read(rest.split('\t')).map(Line::End),
            _ => None,
        }
    }
}

pub(super) fn winner(letter: &str) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|side| letter.starts_with(side.letter()))
}

/// The text of an opening: a FEN, then moves.
pub(super) fn write_opening(opening: &Game) -> String {
    let mut text = opening.start().fen();
    for mv in opening.move_texts() {
        text.push('\t');
        text += &mv;
    }
    text
}

/// The game of an opening: a FEN, then moves.
pub fn play_opening(variant: &Variant, text: &str) -> Option<Game> {
    let mut fields = text.split('\t');
    let start = Position::from_fen(variant, fields.next()?).ok()?;
    let mut game = Game::from_position(start);
    for mv in fields {
        game.play_text(mv).ok()?;
    }
    Some(game)
}

fn put(line: &mut String, text: std::fmt::Arguments) {
    line.write_fmt(text).expect("a string takes everything");
}

fn number<T: FromStr>(fields: &mut Split<char>) -> Option<T> {
    fields.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use kingme_play::EndReason;

    use super::*;

    fn check(event: &Line, write: impl Fn(&mut String)) {
        let mut line = String::new();
        write(&mut line);
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(Line::read(line.trim_end()).as_ref(), Some(event));
    }

    #[test]
    fn games_begin_and_end_as_they_are_written() {
        let mut opening = Game::new(&Variant::named("english").unwrap());
        opening.play_text("11-15").unwrap();
        let job = Job {
            game: 7,
            round: 2,
            players: [3, 1],
            pair: 6,
        };
        let start = Start::new(&job, 1_700_000_000_123, &opening);
        check(&Line::Start(start.clone()), |line| start.write(line));
        let again = play_opening(opening.variant(), &start.opening).unwrap();
        assert_eq!(again.turns(), opening.turns());
        for (winner, words) in [
            (Some(Side::Black), "said:\t\"\\n\"\n\\"),
            (None, ""),
            (Some(Side::White), "White wins."),
        ] {
            let end = Ending {
                game: 7,
                at: 5,
                how: End {
                    winner,
                    reason: EndReason::Protocol,
                    words: words.to_owned(),
                },
            };
            check(&Line::End(end.clone()), |line| end.write(line));
        }
    }

    #[test]
    fn half_a_line_is_none() {
        for line in [
            "",
            "start\t5",
            "ply\t3",
            "end\t3\t17\tW",
            "\0\0\0\t\0",
            "ply\t-1\tx",
        ] {
            assert_eq!(Line::read(line), None, "{line:?}");
        }
    }
}
