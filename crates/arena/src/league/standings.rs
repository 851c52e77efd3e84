//! The table of a league: points, ratings, who beat whom.

use std::collections::BTreeMap;
use std::fmt;

use kingme_play::minute;
use kingme_rules::Side;

use super::knockout::{self, Stage};
use super::schedule::glicko;
use super::trial::Trial;
use super::{Finished, Format, History, LeagueFile, Round, tournament};
use crate::stats::{Glicko, PairResult, Rating, Ratings, bradley_terry};
use crate::swiss::{Placing, placings};

/// The table of a league, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// A row for each player.
    pub rows: Vec<Row>,
    /// What it is worth to move first, in Elo, under the conditions of now.
    pub first_move: Rating,
    /// How many games were played.
    pub games: u64,
    /// The stages of a knockout; the last one may be in progress.
    pub stages: Vec<Stage>,
    /// The winner of a knockout, by number.
    pub winner: Option<usize>,
    /// How the test stands that ends the league, in words.
    pub test: Option<String>,
    /// What changed since the league began, in words, with its time.
    pub changes: Vec<String>,
    /// Ratings from before the changes.
    pub former: Vec<Former>,
    format: Format,
    /// Names by number.
    names: Vec<String>,
    /// Whether a meeting has several games.
    has_long_meetings: bool,
}

/// A player's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The player's number in the log.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Whether it has left.
    pub withdrawn: bool,
    /// A win is 1, a draw ½; a bye is as good as a won meeting.
    pub points: f64,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
    /// Strength by all games together, of its present version under the conditions of now.
    pub rating: Rating,
    /// Strength by the games in their order.
    pub glicko: Glicko,
    /// Meetings and tie-breaks of a Swiss.
    pub swiss: Option<Placing>,
    /// Points and games against each player, in the order of the rows; nothing in a league of more
    /// than a hundred.
    pub against: Vec<(f64, u32)>,
}

/// What a player was before something changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Former {
    /// The player's number.
    pub player: usize,
    /// What it played.
    pub plays: String,
    /// How many times conditions had changed by then.
    pub conditions: usize,
    /// Its points then.
    pub points: f64,
    /// Its games then.
    pub games: u32,
    /// Its strength then.
    pub rating: Rating,
}

/// More players than this have no cross-table: nobody could read it.
const WIDEST: usize = 100;

impl Standings {
    /// The table after these results.
    pub fn new(
        file: &LeagueFile,
        history: &History,
        results: &BTreeMap<u64, Finished>,
    ) -> Standings {
        let counted = Counted::new(file, history, results);
        let strengths = Strengths::new(file, history, results);
        let is_swiss = file.format == Format::Swiss;
        let swiss = is_swiss.then(|| placings(&tournament(file, &history.rounds, results)));
        let (reached, winner) = match file.format {
            Format::Knockout => knockout::reached(file, &history.rounds, results),
            _ => (vec![0; file.players.len()], None),
        };
        let mut rows: Vec<Row> = (0..file.players.len())
            .map(|player| Row {
                player,
                name: file.players[player].name.clone(),
                withdrawn: file.players[player].withdrawn,
                points: counted.points[player],
                results: counted.results[player],
                rating: strengths.now[player],
                glicko: strengths.glicko[player],
                swiss: swiss
                    .as_ref()
                    .and_then(|table| table.iter().find(|row| row.player == player).copied()),
                against: Vec::new(),
            })
            .collect();
        let place = |player: usize| {
            let rows = swiss.iter().flatten();
            rows.into_iter()
                .position(|row| row.player == player)
                .unwrap_or(0)
        };
        let keys: Vec<Key> = rows
            .iter()
            .map(|row| Key::new(file.format, row, reached[row.player], place(row.player)))
            .collect();
        rows.sort_by(|a, b| keys[a.player].cmp(&keys[b.player]));
        if rows.len() <= WIDEST {
            counted.cross(&mut rows);
        }
        Standings {
            rows,
            first_move: strengths.first_move,
            games: results.len() as u64,
            stages: match file.format {
                Format::Knockout => knockout::stages(file, &history.rounds, results),
                _ => Vec::new(),
            },
            winner,
            test: Trial::new(file, history, results).map(|trial| trial.in_words()),
            changes: changes(file, history),
            former: strengths.former,
            format: file.format,
            names: file
                .players
                .iter()
                .map(|entry| entry.name.clone())
                .collect(),
            has_long_meetings: file.games > 1,
        }
    }
}

/// What decides about the order of two players: the smaller is better.
struct Key(usize, [f64; 2]);

impl Key {
    fn new(format: Format, row: &Row, reached: usize, place: usize) -> Key {
        match format {
            Format::Ladder => Key(0, [-row.glicko.rating, 0.0]),
            Format::Swiss => Key(place, [0.0; 2]),
            Format::Knockout => Key(usize::MAX - reached, [-row.points, -row.rating.elo]),
            Format::RoundRobin | Format::Gauntlet => Key(0, [-row.points, -row.rating.elo]),
        }
    }

    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        let values = self.1.iter().zip(&other.1);
        let values = values.map(|(a, b)| a.total_cmp(b));
        self.0
            .cmp(&other.0)
            .then(values.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then))
    }
}

/// Results, counted.
struct Counted {
    points: Vec<f64>,
    results: Vec<[u32; 3]>,
    /// Points and games of each against each who has met.
    against: Vec<BTreeMap<usize, (f64, u32)>>,
}

impl Counted {
    fn new(file: &LeagueFile, history: &History, results: &BTreeMap<u64, Finished>) -> Counted {
        let count = file.players.len();
        let mut counted = Counted {
            points: vec![0.0; count],
            results: vec![[0; 3]; count],
            against: vec![BTreeMap::new(); count],
        };
        for game in results.values() {
            let [white, black] = game.players;
            counted.add(white, black, game.white_score);
            counted.add(black, white, 1.0 - game.white_score);
        }
        if file.format == Format::Swiss {
            for round in &history.rounds {
                counted.add_unplayed(file, round, results);
            }
        }
        counted
    }

    fn add(&mut self, player: usize, other: usize, score: f64) {
        self.points[player] += score;
        self.results[player][2 - (score * 2.0) as usize] += 1;
        let against = self.against[player].entry(other).or_default();
        *against = (against.0 + score, against.1 + 1);
    }

    /// The points of a Swiss that nobody played for: byes, and meetings with who has left.
    fn add_unplayed(
        &mut self,
        file: &LeagueFile,
        round: &Round,
        results: &BTreeMap<u64, Finished>,
    ) {
        if !round.is_over(file, results) {
            return;
        }
        for &player in &round.byes {
            self.points[player] += f64::from(round.games);
        }
        for (index, meeting) in round.meetings.iter().enumerate() {
            let missing = round.games - round.score(index, results).games;
            for player in [meeting.0, meeting.1] {
                if !file.players[player].withdrawn {
                    self.points[player] += f64::from(missing);
                }
            }
        }
    }

    fn cross(&self, rows: &mut [Row]) {
        let order: Vec<usize> = rows.iter().map(|row| row.player).collect();
        for row in rows {
            let against = &self.against[row.player];
            let found = order.iter().map(|other| against.get(other).copied());
            row.against = found.map(Option::unwrap_or_default).collect();
        }
    }
}

/// Everybody's strength, now and before.
struct Strengths {
    now: Vec<Rating>,
    glicko: Vec<Glicko>,
    first_move: Rating,
    former: Vec<Former>,
}

impl Strengths {
    fn new(file: &LeagueFile, history: &History, results: &BTreeMap<u64, Finished>) -> Strengths {
        let units = Units::new(history);
        let current = units.conditions(history.era());
        let mut strengths = Strengths {
            now: Vec::new(),
            glicko: Vec::new(),
            first_move: Rating::default(),
            former: Vec::new(),
        };
        for conditions in 0..=current {
            let games: Vec<&Finished> = results
                .values()
                .filter(|game| units.conditions(game.era) == conditions)
                .collect();
            let mut group = Group::default();
            if conditions == current {
                for player in 0..file.players.len() {
                    group.number((player, units.version(player, history.era())));
                }
            }
            group.rate(file, &units, &games);
            let is_now = |(player, version): (usize, usize)| {
                conditions == current && version == units.version(player, history.era())
            };
            if conditions == current {
                let players = file.players.len();
                strengths.now = group.ratings.players[..players].to_vec();
                strengths.first_move = group.ratings.first_move;
            }
            for (index, &(player, version)) in group.units.iter().enumerate() {
                if !is_now((player, version)) {
                    strengths.former.push(Former {
                        player,
                        plays: units.plays(history, player, version),
                        conditions,
                        points: group.sums[index].0,
                        games: group.sums[index].1,
                        rating: group.ratings.players[index],
                    });
                }
            }
        }
        strengths.glicko = ladder_ratings(file, history, results.values());
        strengths
    }
}

/// Glicko-2 ratings in the order of the games; a new version begins anew.
pub(super) fn ladder_ratings<'a>(
    file: &LeagueFile,
    history: &History,
    games: impl Iterator<Item = &'a Finished>,
) -> Vec<Glicko> {
    let units = Units::new(history);
    let mut numbers = Group::default();
    for player in 0..file.players.len() {
        numbers.number((player, units.version(player, history.era())));
    }
    let renumbered: Vec<Finished> = games
        .map(|game| Finished {
            players: game
                .players
                .map(|player| numbers.number((player, units.version(player, game.era)))),
            ..*game
        })
        .collect();
    let mut ratings = glicko(numbers.units.len(), renumbered.iter());
    ratings.truncate(file.players.len());
    ratings
}

/// Which version of a player, and which conditions, a stretch of the league has.
struct Units {
    conditions: Vec<usize>,
    /// The eras at which a player's version changes.
    versions: BTreeMap<usize, Vec<u32>>,
}

impl Units {
    fn new(history: &History) -> Units {
        let eras = 0..=history.era();
        let mut versions: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for change in &history.changes {
            if let super::What::Version { player, .. } = change.what {
                versions.entry(player).or_default().push(change.era);
            }
        }
        Units {
            conditions: eras.map(|era| history.conditions_at(era)).collect(),
            versions,
        }
    }

    fn conditions(&self, era: u32) -> usize {
        let last = self.conditions.len() - 1;
        self.conditions[(era as usize).min(last)]
    }

    fn version(&self, player: usize, era: u32) -> usize {
        let changes = self.versions.get(&player);
        changes.map_or(0, |eras| eras.partition_point(|&changed| changed <= era))
    }

    /// What a version of a player plays.
    fn plays(&self, history: &History, player: usize, version: usize) -> String {
        let changes = self.versions.get(&player).map_or(&[][..], Vec::as_slice);
        let era = match version.checked_sub(1) {
            Some(index) => changes[index],
            None => changes
                .first()
                .map_or(history.era(), |era| era.saturating_sub(1)),
        };
        history.version_at(player, era).1.to_owned()
    }
}

/// Versions of players that are rated together.
#[derive(Default)]
struct Group {
    units: Vec<(usize, usize)>,
    places: BTreeMap<(usize, usize), usize>,
    sums: Vec<(f64, u32)>,
    ratings: Ratings,
}

impl Group {
    fn number(&mut self, unit: (usize, usize)) -> usize {
        let next = self.units.len();
        let place = *self.places.entry(unit).or_insert(next);
        if place == next {
            self.units.push(unit);
            self.sums.push((0.0, 0));
        }
        place
    }

    fn rate(&mut self, file: &LeagueFile, units: &Units, games: &[&Finished]) {
        let white_first = file.variant.definition().sides.first == Side::White;
        let mut sums: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for game in games {
            let [white, black] = game
                .players
                .map(|player| self.number((player, units.version(player, game.era))));
            for (unit, score) in [(white, game.white_score), (black, 1.0 - game.white_score)] {
                let sum = &mut self.sums[unit];
                *sum = (sum.0 + score, sum.1 + 1);
            }
            let (key, score) = if white_first {
                ((white, black), game.white_score)
            } else {
                ((black, white), 1.0 - game.white_score)
            };
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + score, sum.1 + 1.0);
        }
        let pair = |((first, second), (points, games))| PairResult {
            first,
            second,
            points,
            games,
        };
        let pairs: Vec<PairResult> = sums.into_iter().map(pair).collect();
        self.ratings = bradley_terry(self.units.len(), &pairs);
    }
}

/// The changes of a league in words.
fn changes(file: &LeagueFile, history: &History) -> Vec<String> {
    let name = |player: usize| file.players[player].name.clone();
    let line = |change: &super::Change| {
        let words = change.what.in_words(&name);
        format!("{} UTC  {words}", minute(change.at))
    };
    history.later_changes().map(line).collect()
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_head(f)?;
        for (index, row) in self.rows.iter().enumerate() {
            self.write_row(f, index, row)?;
        }
        let first = self.first_move;
        writeln!(
            f,
            "{} games; moving first is worth {:+.0} ± {:.0} Elo",
            self.games, first.elo, first.error
        )?;
        if !self.has_cross_table() {
            let count = self.rows.len();
            writeln!(
                f,
                "{count} players are too many for a table of who beat whom"
            )?;
        }
        if let Some(test) = &self.test {
            writeln!(f, "{test}")?;
        }
        self.write_bracket(f)?;
        self.write_changes(f)
    }
}

impl Standings {
    fn has_cross_table(&self) -> bool {
        self.rows.len() <= WIDEST
    }

    fn is_swiss(&self) -> bool {
        self.format == Format::Swiss
    }

    fn name_width(&self) -> usize {
        let names = self.rows.iter().map(|row| row.name.chars().count());
        names.max().unwrap_or(0).max(6)
    }

    fn write_head(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "  # {:width$}  Points",
            "Player",
            width = self.name_width()
        )?;
        if self.is_swiss() {
            let meetings = if self.has_long_meetings {
                "  Meetings"
            } else {
                ""
            };
            write!(f, "{meetings}  Buchholz      S-B")?;
        }
        let strength = match self.format {
            Format::Ladder => "Glicko-2",
            _ => "Elo",
        };
        write!(f, "  Games  {strength:13}")?;
        if self.has_cross_table() {
            for index in 0..self.rows.len() {
                write!(f, " {:>6}", index + 1)?;
            }
        }
        writeln!(f)
    }

    fn write_row(&self, f: &mut fmt::Formatter, index: usize, row: &Row) -> fmt::Result {
        let width = self.name_width();
        write!(
            f,
            "{:>3} {:width$}  {:>6.1}",
            index + 1,
            row.name,
            row.points
        )?;
        if let Some(swiss) = &row.swiss {
            let half = |halves: u32| f64::from(halves) / 2.0;
            if self.has_long_meetings {
                write!(f, "  {:>8.1}", half(swiss.halves))?;
            }
            let quarters = f64::from(swiss.sonneborn_berger) / 4.0;
            write!(f, "  {:>8.1}  {quarters:>7.2}", half(swiss.buchholz))?;
        }
        let games: u32 = row.results.iter().sum();
        let strength = match self.format {
            Format::Ladder => format!(
                "{:>6.0} ± {:<4.0}",
                row.glicko.rating,
                1.96 * row.glicko.deviation
            ),
            _ => format!("{:>+6.0} ± {:<4.0}", row.rating.elo, row.rating.error),
        };
        write!(f, "  {games:>5}  {strength}")?;
        if self.has_cross_table() {
            for (other, (points, games)) in row.against.iter().enumerate() {
                match (other == index, games) {
                    (true, _) => write!(f, " {:>6}", "*")?,
                    (_, 0) => write!(f, " {:>6}", ".")?,
                    _ => write!(f, " {points:>6.1}")?,
                }
            }
        }
        writeln!(f, "{}", if row.withdrawn { "  withdrawn" } else { "" })
    }

    fn write_bracket(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for stage in &self.stages {
            writeln!(f, "\n{}", stage.name())?;
            for meeting in &stage.meetings {
                let [first, second] = meeting.players.map(|player| &self.names[player]);
                let [points, others] = meeting.points;
                let end = match meeting.winner {
                    Some(winner) => format!("{} goes on", self.names[winner]),
                    None => "not decided".to_owned(),
                };
                writeln!(f, "    {first} {points:.1} - {others:.1} {second}: {end}")?;
            }
            for &player in &stage.byes {
                writeln!(f, "    {} goes on without playing", self.names[player])?;
            }
        }
        match self.winner {
            Some(winner) => writeln!(f, "\n{} has won the cup", self.names[winner]),
            None => Ok(()),
        }
    }

    fn write_changes(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.changes.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nChanges")?;
        for change in &self.changes {
            writeln!(f, "    {change}")?;
        }
        if !self.former.is_empty() {
            writeln!(f, "Before them (Elo above is of what came after)")?;
        }
        for former in &self.former {
            writeln!(
                f,
                "    {}, {}: {:.1} of {}, Elo {:+.0} ± {:.0}",
                self.names[former.player],
                former.plays,
                former.points,
                former.games,
                former.rating.elo,
                former.rating.error
            )?;
        }
        Ok(())
    }
}
