//! What went wrong in the games of a league.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use kingme_play::{EndReason, read_ply};
use kingme_players::{BotLogs, written_by_game};
use kingme_rules::Side;

/// Something that went wrong in a game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameIncident {
    /// The number of the game.
    pub game: u64,
    /// The turn of the game, from 1; the opening's moves are no turns.
    pub ply: u32,
    /// Whose turn it was: the player's number.
    pub player: usize,
    /// What it was.
    pub reason: EndReason,
    /// In words: the bot's own, if it said any.
    pub words: String,
}

/// What went wrong for a player in a game, for those who don't want to read it turn by turn: what
/// was first, and how often something did after it.
pub fn first_of_each(incidents: Vec<GameIncident>) -> Vec<(GameIncident, usize)> {
    let mut places = HashMap::new();
    let mut firsts: Vec<(GameIncident, usize)> = Vec::new();
    for incident in incidents {
        let place = *places
            .entry((incident.game, incident.player))
            .or_insert(firsts.len());
        match firsts.get_mut(place) {
            Some((_, more)) => *more += 1,
            None => firsts.push((incident, 0)),
        }
    }
    firsts
}

/// So many fields of a turn's line come before what went wrong in it.
const BEFORE_REASON: usize = 7;

/// What went wrong in a game, by its text in the log: the game is not played again for that.
pub(super) fn incidents(
    game: u64,
    players: [usize; 2],
    opening: &str,
    plies: &str,
) -> Vec<GameIncident> {
    let first = first_turn(opening);
    let turns = plies.lines().enumerate();
    let has_incident = |line: &str| {
        let reason = line.split('\t').nth(BEFORE_REASON);
        reason.is_some_and(|reason| !reason.is_empty())
    };
    turns
        .filter(|(_, line)| has_incident(line))
        .filter_map(|(index, line)| {
            let incident = read_ply(line)?.incident?;
            let side = if index % 2 == 0 { first } else { !first };
            Some(GameIncident {
                game,
                ply: index as u32 + 1,
                player: players[side],
                reason: incident.reason,
                words: incident.words,
            })
        })
        .collect()
}

/// Whose turn it is after an opening: a FEN, then moves.
fn first_turn(opening: &str) -> Side {
    let start = if opening.starts_with(Side::White.letter()) {
        Side::White
    } else {
        Side::Black
    };
    match opening.matches('\t').count() % 2 {
        0 => start,
        _ => !start,
    }
}

/// So many lines of what a bot wrote are shown with an incident.
const MOST_LINES: usize = 24;

/// What bots wrote to stderr, by the logs in a folder; each log is read once.
#[derive(Debug)]
pub struct Written<'a> {
    folder: &'a Path,
    bots: HashMap<String, ByGame>,
}

/// The last lines of each game.
type ByGame = HashMap<u64, VecDeque<String>>;

impl<'a> Written<'a> {
    /// What is in a folder; see [`League::bots_path`](super::League::bots_path).
    pub fn new(folder: &'a Path) -> Written<'a> {
        Written {
            folder,
            bots: HashMap::new(),
        }
    }

    /// The last lines that a bot wrote in a game; nothing if it has no log.
    pub fn in_game(&mut self, bot: &str, game: u64) -> Vec<&str> {
        let path = BotLogs::path(self.folder, bot);
        let games = self
            .bots
            .entry(bot.to_owned())
            .or_insert_with(|| read(&path));
        let lines = games.get(&game).into_iter().flatten();
        lines.map(String::as_str).collect()
    }
}

fn read(log: &Path) -> ByGame {
    let Ok(file) = File::open(log) else {
        return ByGame::new();
    };
    // What a bot writes may be anything.
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let texts = lines.map(|line| Cow::from(String::from_utf8_lossy(&line).into_owned()));
    written_by_game(texts, MOST_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_wrong_is_found_in_the_text_of_a_game() {
        let plies =
            "11-15\tp\t17\n22-18\tr\t9\t\t\t\t\ttime\tno answer\n-\tr\t1\t\t\t\t\tillegal\n";
        let found = incidents(7, [3, 5], "B:W21-32:B1-12", plies);
        let seen: Vec<_> = found
            .iter()
            .map(|each| (each.ply, each.player, each.reason, each.words.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                (2, 3, EndReason::Time, "no answer"),
                (3, 5, EndReason::Illegal, "")
            ]
        );
        let firsts = first_of_each([found.clone(), found.clone()].concat());
        assert_eq!(firsts, [(found[0].clone(), 1), (found[1].clone(), 1)]);
        // After a move of the opening it is the other side's turn.
        let turned = incidents(7, [3, 5], "B:W21-32:B1-12\t11-15", plies);
        assert_eq!([turned[0].player, turned[1].player], [5, 3]);
        assert_eq!(
            incidents(7, [3, 5], "", "11-15\tp\t17\t\t\t\t\t\t\t11-15"),
            []
        );
    }
}
