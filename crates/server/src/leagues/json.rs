//! Leagues on the wire.

use std::collections::BTreeMap;

use kingme_arena::league::{
    Finished, Format, GameIncident, LeagueFile, LiveGame, LoggedGame, Round, Stage, StageMeeting,
    Standings, Written,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cards::CardJson;
use crate::wire::{MoveJson, SideJson, board_text, history};

/// A league in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LeagueCardJson {
    /// The name of its log.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What is played.
    pub card: CardJson,
    /// Who plays.
    pub players: Vec<String>,
    /// How many games have ended.
    pub games: usize,
    /// Whether it is being played now.
    pub running: bool,
}

/// A league, or what is new in it: parts that have not changed are left out.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LeagueJson {
    /// Whether it is being played now.
    pub running: bool,
    /// What never changes; only in the first message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<AboutJson>,
    /// The standings, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<RowJson>>,
    /// The stages of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bracket: Option<BracketJson>,
    /// The round that is played now, or the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundJson>,
    /// How the test stands that ends the league, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The latest games that have ended, the last one first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Vec<FinishedJson>>,
    /// How many have ended.
    pub games: usize,
    /// The games in progress.
    pub live: Vec<LiveJson>,
}

/// A round of a league.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoundJson {
    /// Its number, from 1.
    pub number: u32,
    /// How many have been paired.
    pub rounds: usize,
    /// Who meets whom.
    pub meetings: Vec<MeetingJson>,
    /// Who has nobody to meet.
    pub byes: Vec<String>,
}

/// A meeting of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeetingJson {
    /// The two: White and Black of the first game.
    pub players: [String; 2],
    /// Their points.
    pub points: [f64; 2],
    /// How many games have been played.
    pub played: u32,
    /// How many there are.
    pub games: u32,
    /// The number of the first of them; the others follow it.
    pub first: u64,
}

/// What went wrong for a player in a game: the first of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IncidentJson {
    /// The number of the game.
    pub game: u64,
    /// The turn, from 1; the opening's moves are no turns.
    pub ply: u32,
    /// Whose turn it was.
    pub name: String,
    /// What it was, in a word.
    pub reason: String,
    /// What it was, in words. Those of a player with an owner are for that account only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// How often something went wrong after that in the same game.
    pub more: usize,
    /// The last lines that the bot wrote in that game, if they are kept: for its owner only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
}

/// A knockout, stage by stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BracketJson {
    /// The stages, the first one first.
    pub stages: Vec<StageJson>,
    /// Who has won all of it.
    pub winner: Option<String>,
}

/// A stage of a knockout.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StageJson {
    /// How many players were left when it began.
    pub players: usize,
    /// Who meets whom.
    pub meetings: Vec<StageMeetingJson>,
    /// Who goes on without playing.
    pub byes: Vec<String>,
}

/// A meeting of a knockout.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StageMeetingJson {
    /// The two.
    pub players: [String; 2],
    /// Their points.
    pub points: [f64; 2],
    /// Which of them goes on, 0 or 1, once that is known.
    pub winner: Option<usize>,
}

/// What is known of a league from the start.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AboutJson {
    /// What it is called.
    pub name: String,
    /// What is played.
    pub card: CardJson,
    /// The names of the squares.
    pub squares: Vec<String>,
    /// The time control.
    pub time: String,
    /// The format.
    pub format: String,
}

/// A player's line in the standings.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RowJson {
    /// Who.
    pub name: String,
    /// A win is 1, a draw ½.
    pub points: f64,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
    /// Elo by all games together.
    pub elo: f64,
    /// With 95 % certainty the strength is so near to it.
    pub error: f64,
    /// Points and games against each player, in the order of the rows.
    pub against: Vec<(f64, u32)>,
}

/// A game that has ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FinishedJson {
    /// Its number.
    pub number: u64,
    /// Its round.
    pub round: u32,
    /// White's and Black's name.
    pub players: [String; 2],
    /// 1, ½ or 0 for White.
    pub white_score: f64,
    /// How many plies it took.
    pub plies: u32,
}

/// A game in progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LiveJson {
    /// Its number.
    pub number: u64,
    /// Its round.
    pub round: u32,
    /// White's and Black's name.
    pub players: [String; 2],
    /// The pieces.
    pub board: String,
    /// Whose turn it is.
    pub turn: SideJson,
    /// How many moves were made.
    pub ply: usize,
    /// The last of them.
    pub last: Option<MoveJson>,
}

/// A game that has ended, move by move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LeagueGameJson {
    /// Its number.
    pub number: u64,
    /// White's and Black's name.
    pub players: [String; 2],
    /// The pieces at the start.
    pub start: String,
    /// The moves.
    pub history: Vec<MoveJson>,
    /// How many of them were the opening's.
    pub opening: usize,
    /// Who won; nobody in a draw.
    pub winner: Option<SideJson>,
    /// Why it ended.
    pub words: String,
}

/// Most finished games in a message; earlier ones can be asked for.
pub const LATEST: usize = 60;

fn names(file: &LeagueFile, players: [usize; 2]) -> [String; 2] {
    players.map(|player| file.name_of(player).to_owned())
}

impl RoundJson {
    /// A round by its number, from 1; `None` if it has not been paired.
    pub fn new(
        file: &LeagueFile,
        rounds: &[Round],
        number: usize,
        results: &BTreeMap<u64, Finished>,
    ) -> Option<RoundJson> {
        let round = rounds.get(number.checked_sub(1)?)?;
        let meetings = round.meetings.iter().enumerate().map(|(index, meeting)| {
            let score = round.score(index, results);
            MeetingJson {
                players: names(file, [meeting.0, meeting.1]),
                points: score.points,
                played: score.games,
                games: round.games,
                first: round.first_game + index as u64 * u64::from(round.games),
            }
        });
        let name = |player: &usize| file.name_of(*player).to_owned();
        Some(RoundJson {
            number: round.number,
            rounds: rounds.len(),
            meetings: meetings.collect(),
            byes: round.byes.iter().map(name).collect(),
        })
    }

    /// The round that is played now, or the last one.
    pub fn now(
        file: &LeagueFile,
        rounds: &[Round],
        results: &BTreeMap<u64, Finished>,
    ) -> Option<RoundJson> {
        let open = rounds
            .iter()
            .position(|round| !round.is_over(file, results));
        let number = open.map_or(rounds.len(), |index| index + 1);
        RoundJson::new(file, rounds, number, results)
    }
}

impl IncidentJson {
    /// An incident as an account sees it.
    pub fn new(
        file: &LeagueFile,
        (incident, more): &(GameIncident, usize),
        account: Option<&str>,
        written: &mut Written,
    ) -> IncidentJson {
        let name = file.name_of(incident.player);
        let entry = file.players.get(incident.player);
        let owner = entry.and_then(|entry| entry.owner.as_deref());
        let is_owner = owner.is_some() && owner == account;
        let written = if is_owner {
            written.in_game(name, incident.game)
        } else {
            Vec::new()
        };
        IncidentJson {
            game: incident.game,
            ply: incident.ply,
            reason: incident.reason.word().to_owned(),
            words: (is_owner || owner.is_none()).then(|| incident.words.clone()),
            more: *more,
            written: written.into_iter().map(str::to_owned).collect(),
            name: name.to_owned(),
        }
    }
}

impl AboutJson {
    pub fn new(file: &LeagueFile) -> AboutJson {
        let board = file.variant.board();
        AboutJson {
            name: file.name.clone(),
            card: CardJson::new(&file.variant),
            squares: board.squares().map(|square| board.name(square)).collect(),
            time: file.time.to_string(),
            format: file.format.word().to_owned(),
        }
    }
}

/// The standings as they go over the wire.
pub fn rows(table: &Standings) -> Vec<RowJson> {
    let row = |row: &kingme_arena::league::Row| RowJson {
        name: row.name.clone(),
        points: row.points,
        results: row.results,
        elo: row.rating.elo.round(),
        error: row.rating.error.round(),
        against: row.against.clone(),
    };
    table.rows.iter().map(row).collect()
}

/// The stages of a knockout, if it is one.
pub fn bracket(file: &LeagueFile, table: &Standings) -> Option<BracketJson> {
    let name = |player: usize| file.players[player].name.clone();
    let meeting = |meeting: &StageMeeting| StageMeetingJson {
        players: meeting.players.map(name),
        points: meeting.points,
        winner: meeting
            .players
            .iter()
            .position(|player| Some(*player) == meeting.winner),
    };
    let stage = |stage: &Stage| StageJson {
        players: 2 * stage.meetings.len() + stage.byes.len(),
        meetings: stage.meetings.iter().map(meeting).collect(),
        byes: stage.byes.iter().copied().map(name).collect(),
    };
    (file.format == Format::Knockout).then(|| BracketJson {
        stages: table.stages.iter().map(stage).collect(),
        winner: table.winner.map(name),
    })
}

impl FinishedJson {
    pub fn new(file: &LeagueFile, game: &Finished) -> FinishedJson {
        FinishedJson {
            number: game.game,
            round: game.round,
            players: names(file, game.players),
            white_score: game.white_score,
            plies: game.plies,
        }
    }
}

impl LiveJson {
    pub fn new(file: &LeagueFile, live: &LiveGame) -> LiveJson {
        let game = live.session.game();
        let last = game.history().last();
        LiveJson {
            number: live.number,
            round: live.round,
            players: names(file, live.players),
            board: board_text(game.position()),
            turn: game.turn().into(),
            ply: game.plies(),
            last: last.and_then(|(position, turn)| Some(MoveJson::new(position, turn.as_move()?))),
        }
    }
}

impl LeagueGameJson {
    pub fn new(file: &LeagueFile, logged: &LoggedGame) -> LeagueGameJson {
        let game = logged.session.game();
        let end = logged.session.end();
        LeagueGameJson {
            number: logged.finished.game,
            players: names(file, logged.finished.players),
            start: board_text(game.start()),
            history: history(game),
            opening: game.plies().saturating_sub(logged.session.plies().len()),
            winner: end.and_then(|end| end.winner).map(SideJson::from),
            words: end.map_or_else(String::new, |end| end.words.clone()),
        }
    }
}
