//! Tournament report files, TRF16: what arbiters' programs exchange (FIDE Handbook C.04, annex 2).
//!
//! A line each, with a number of three digits in front: `012` is the tournament's name, `001` a
//! player with all rounds, in fixed columns. `XXR` is the number of rounds and `XXC` the first
//! colour, as pairing programs read them.

use std::collections::HashMap;
use std::fmt::Write as _;

use kingme_rules::Side;

use super::{Outcome, Player, Tournament};

/// What is wrong with a tournament file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrfError {
    /// A line can't be read.
    #[error("line {line}: {why}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// There are no players in it.
    #[error("there are no players in it: lines that begin with 001")]
    Empty,
}

/// Where the rounds begin in a player's line, and how wide each is.
const ROUNDS: usize = 91;
const WIDTH: usize = 10;
/// The characters of a name.
const NAME: std::ops::Range<usize> = 14..47;

impl Tournament {
    /// Reads a tournament file.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and where.
    pub fn from_trf(text: &str) -> Result<Tournament, TrfError> {
        let mut reading = Reading::default();
        // Some programs end lines as old Macintoshes did.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (index, line) in text.lines().enumerate() {
            let read = reading.line(line.trim_start_matches('\u{feff}'), index + 1);
            read.map_err(|why| TrfError::Line {
                line: index + 1,
                why,
            })?;
        }
        reading.tournament()
    }

    /// Writes a tournament file.
    pub fn to_trf(&self) -> String {
        let mut text = String::new();
        let put = |text: &mut String, line: std::fmt::Arguments| {
            writeln!(text, "{line}").expect("a string takes it");
        };
        put(&mut text, format_args!("012 {}", self.name));
        put(&mut text, format_args!("062 {}", self.players.len()));
        put(
            &mut text,
            format_args!("092 Individual: Swiss-System (FIDE Dutch)"),
        );
        put(&mut text, format_args!("XXR {}", self.rounds));
        let first = match self.first_colour {
            Side::White => "white1",
            Side::Black => "black1",
        };
        put(&mut text, format_args!("XXC {first}"));
        let placings = super::placings(self);
        for player in 0..self.players.len() {
            let place = placings.iter().position(|row| row.player == player);
            let line = self.player_line(player, place.unwrap_or(0) + 1);
            put(&mut text, format_args!("{}", line.trim_end()));
        }
        text
    }

    fn player_line(&self, number: usize, place: usize) -> String {
        let player = &self.players[number];
        // A column is a character, and a tab or a new line would be the end of the columns.
        let name: String = player.name.chars().take(NAME.len()).collect();
        let name = name.replace(char::is_control, " ");
        let rating = match player.rating {
            0 => String::new(),
            rating => rating.to_string(),
        };
        let points = f64::from(self.halves(number)) / 2.0;
        let mut line = format!(
            "001 {:>4} {:5}{name:33} {rating:>4} {:26} {points:>4.1} {place:>4}  ",
            number + 1,
            "",
            ""
        );
        for outcome in &player.outcomes {
            line += &cell(*outcome);
        }
        line
    }
}

/// A round of a player, in ten characters.
fn cell(outcome: Outcome) -> String {
    let letter = |colour: Side| if colour == Side::White { 'w' } else { 'b' };
    let (opponent, colour, result) = match outcome {
        Outcome::Played {
            opponent,
            colour,
            halves,
        } => {
            let result = ['0', '=', '1'][halves.min(2) as usize];
            (opponent + 1, letter(colour), result)
        }
        Outcome::Forfeit {
            opponent,
            colour,
            is_won,
        } => (opponent + 1, letter(colour), if is_won { '+' } else { '-' }),
        Outcome::Bye => (0, '-', 'U'),
        Outcome::FullPause => (0, '-', 'F'),
        Outcome::HalfPause => (0, '-', 'H'),
        Outcome::Absent => (0, '-', 'Z'),
    };
    let opponent = match opponent {
        0 => "0000".to_owned(),
        number => number.to_string(),
    };
    format!("{opponent:>4} {colour} {result}  ")
}

/// A file that is being read.
#[derive(Default)]
struct Reading {
    name: String,
    rounds: Option<usize>,
    first_colour: Option<Side>,
    players: Vec<Line>,
    /// Where a pairing number is in the list.
    numbers: HashMap<usize, usize>,
}

/// The line of a player; opponents are still pairing numbers.
struct Line {
    number: usize,
    at: usize,
    halves: Option<u32>,
    player: Player,
}

impl Reading {
    fn line(&mut self, line: &str, at: usize) -> Result<(), String> {
        let (code, rest) = line.split_at_checked(3).unwrap_or((line, ""));
        match code {
            "012" => rest.trim().clone_into(&mut self.name),
            "001" => self.player(&line.chars().collect::<Vec<_>>(), at)?,
            "XXR" | "142" => {
                let rounds = rest.trim().parse();
                let right = |_| format!("`{}` is no number of rounds", rest.trim());
                self.rounds = Some(rounds.map_err(right)?);
            }
            "XXC" => {
                for word in rest.split_whitespace() {
                    self.first_colour = first_colour(word).or(self.first_colour);
                }
            }
            "152" => self.first_colour = first_colour(&rest.trim().to_lowercase()),
            // All else is for people: dates, arbiters, teams.
            _ => {}
        }
        Ok(())
    }

    fn player(&mut self, line: &[char], at: usize) -> Result<(), String> {
        let field = |range: std::ops::Range<usize>| {
            let end = range.end.min(line.len());
            let start = range.start.min(end);
            line[start..end]
                .iter()
                .collect::<String>()
                .trim()
                .to_owned()
        };
        let number = field(4..8);
        let number = number
            .parse::<usize>()
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| format!("`{number}` in columns 5 to 8 is no pairing number"))?;
        if self.numbers.insert(number, self.players.len()).is_some() {
            return Err(format!("there are two players with the number {number}"));
        }
        let rating = field(48..52);
        let mut outcomes = Vec::new();
        let mut start = ROUNDS;
        while start < line.len() {
            outcomes.push(outcome(&field(start..start + WIDTH))?);
            start += WIDTH;
        }
        self.players.push(Line {
            number,
            at,
            halves: points(&field(80..84))?,
            player: Player {
                name: field(NAME),
                rating: rating.parse().unwrap_or(0),
                outcomes,
            },
        });
        Ok(())
    }

    fn tournament(mut self) -> Result<Tournament, TrfError> {
        if self.players.is_empty() {
            return Err(TrfError::Empty);
        }
        self.players.sort_by_key(|line| line.number);
        let places = self.players.iter().enumerate();
        self.numbers = places.map(|(place, line)| (line.number, place)).collect();
        let played = self.played();
        for line in &mut self.players {
            let resolved = resolve(line, &self.numbers, played);
            resolved.map_err(|why| TrfError::Line { line: line.at, why })?;
        }
        self.check_meetings()?;
        let players: Vec<Player> = self.players.into_iter().map(|line| line.player).collect();
        Ok(Tournament {
            name: self.name,
            rounds: self.rounds.unwrap_or(played).max(played),
            played,
            first_colour: self
                .first_colour
                .unwrap_or_else(|| guessed_colour(&players)),
            players,
        })
    }

    /// The last round that anybody was paired in.
    fn played(&self) -> usize {
        let last = |line: &Line| {
            let paired = line.player.outcomes.iter().rposition(|o| o.was_paired());
            paired.map_or(0, |round| round + 1)
        };
        self.players.iter().map(last).max().unwrap_or(0)
    }

    /// Both players of a meeting must tell the same story.
    fn check_meetings(&self) -> Result<(), TrfError> {
        for (number, line) in self.players.iter().enumerate() {
            for (round, outcome) in line.player.outcomes.iter().enumerate() {
                let (Outcome::Played {
                    opponent, colour, ..
                }
                | Outcome::Forfeit {
                    opponent, colour, ..
                }) = *outcome
                else {
                    continue;
                };
                let other = self.players[opponent].player.outcomes.get(round);
                let agrees = match other {
                    Some(
                        Outcome::Played {
                            opponent,
                            colour: theirs,
                            ..
                        }
                        | Outcome::Forfeit {
                            opponent,
                            colour: theirs,
                            ..
                        },
                    ) => *opponent == number && *theirs != colour,
                    _ => false,
                };
                if !agrees {
                    let why = format!(
                        "round {}: player {} does not say the same",
                        round + 1,
                        self.players[opponent].number
                    );
                    return Err(TrfError::Line { line: line.at, why });
                }
            }
        }
        Ok(())
    }
}

/// Makes opponents of pairing numbers, fills up rounds that are not there, and checks the points.
fn resolve(line: &mut Line, numbers: &HashMap<usize, usize>, played: usize) -> Result<(), String> {
    let outcomes = &mut line.player.outcomes;
    outcomes.truncate(played + 1);
    if outcomes.len() < played {
        outcomes.resize(played, Outcome::Absent);
    }
    for outcome in outcomes.iter_mut() {
        if let Outcome::Played { opponent, .. } | Outcome::Forfeit { opponent, .. } = outcome {
            let place = numbers.get(opponent);
            *opponent = *place.ok_or_else(|| format!("there is no player {opponent}"))?;
        }
    }
    let halves = line.player.halves_after(played);
    match line.halves {
        Some(written) if written != halves => Err(format!(
            "{:.1} points are written, and the results give {:.1}",
            f64::from(written) / 2.0,
            f64::from(halves) / 2.0
        )),
        _ => Ok(()),
    }
}

/// The first colour, by who had which in the first round with colours: they alternate among those
/// who were there by then.
fn guessed_colour(players: &[Player]) -> Side {
    let first = |player: &Player| player.outcomes.iter().position(|o| o.colour().is_some());
    let Some(round) = players.iter().filter_map(first).min() else {
        return Side::White;
    };
    let was_there = |player: &&Player| {
        let rounds = player.outcomes.iter().take(round + 1);
        rounds.into_iter().any(|outcome| outcome.was_paired())
    };
    let seen = players.iter().filter(was_there).enumerate();
    let mut colours = seen.filter_map(|(rank, player)| {
        let colour = player.outcomes.get(round)?.colour()?;
        Some(if rank.is_multiple_of(2) {
            colour
        } else {
            !colour
        })
    });
    colours.next().unwrap_or(Side::White)
}

fn first_colour(word: &str) -> Option<Side> {
    match word {
        "white1" | "w" => Some(Side::White),
        "black1" | "b" => Some(Side::Black),
        _ => None,
    }
}

fn points(field: &str) -> Result<Option<u32>, String> {
    if field.is_empty() {
        return Ok(None);
    }
    let points = field.replace(',', ".").parse::<f64>().ok();
    let halves = points.map(|points| points * 2.0);
    match halves.filter(|halves| *halves >= 0.0 && halves.fract() == 0.0) {
        Some(halves) => Ok(Some(halves as u32)),
        None => Err(format!(
            "`{field}` in columns 81 to 84 is no number of points"
        )),
    }
}

/// A round of a player.
fn outcome(cell: &str) -> Result<Outcome, String> {
    let words: Vec<&str> = cell.split_whitespace().collect();
    let (opponent, colour, result) = match words[..] {
        [] => return Ok(Outcome::Absent),
        [opponent, colour, result] => (opponent, colour, result),
        _ => return Err(unreadable(cell)),
    };
    let number = opponent.parse::<usize>().map_err(|_| unreadable(cell))?;
    if number == 0 {
        return match result {
            "U" | "+" => Ok(Outcome::Bye),
            "F" => Ok(Outcome::FullPause),
            "H" => Ok(Outcome::HalfPause),
            "Z" | "-" => Ok(Outcome::Absent),
            _ => Err(unreadable(cell)),
        };
    }
    let colour = match colour {
        "w" => Side::White,
        "b" => Side::Black,
        _ => return Err(unreadable(cell)),
    };
    let played = |halves| Outcome::Played {
        opponent: number,
        colour,
        halves,
    };
    let forfeit = |is_won| Outcome::Forfeit {
        opponent: number,
        colour,
        is_won,
    };
    match result {
        "1" | "W" => Ok(played(2)),
        "=" | "D" => Ok(played(1)),
        "0" | "L" => Ok(played(0)),
        "+" => Ok(forfeit(true)),
        "-" => Ok(forfeit(false)),
        _ => Err(unreadable(cell)),
    }
}

fn unreadable(cell: &str) -> String {
    format!(
        "`{}` is no round; write an opponent, `w` or `b`, and 1, =, 0, + or -, as in `12 w 1`, or `0000 - U`, F, H or Z",
        cell.trim()
    )
}
