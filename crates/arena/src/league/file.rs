//! A league's file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use kingme_rules::variant::Definition;
use kingme_rules::{Board, Variant};
use serde::Deserialize;

use super::LeagueError;
use super::keys::explain;
use crate::stats::Sprt;
use crate::{BookCut, Openings, read_file};
use kingme_play::{Policy, TimeControl, duration};
use kingme_players::hub::Patience;
use kingme_players::{
    EngineOptions, Equipment, Isolation, OpenError, Player, PlayerSpec, Sandbox, TableShelf,
    TableVerdicts,
};

/// Who meets whom.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Players with equal scores meet.
    Swiss,
    /// Who loses is out.
    Knockout,
    /// Neighbours in the ratings meet, without end.
    Ladder,
}

/// A league's file, checked.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    /// What the league is called.
    pub name: String,
    /// The game.
    pub variant: Variant,
    /// The text of the game's own file, if it does not come with the program.
    pub variant_text: Option<String>,
    /// The size of the board, if it is not the game's usual one.
    pub size: Option<u32>,
    /// What programs may use.
    pub time: TimeControl,
    /// What people may use; by default the league waits for them.
    pub people_time: TimeControl,
    /// Who meets whom.
    pub format: Format,
    /// How often everybody meets (round robin, gauntlet), or how many rounds there are (Swiss,
    /// ladder); `None`: once, or as many as it takes.
    pub rounds: Option<u32>,
    /// Games in a meeting.
    pub games: u32,
    /// Where games begin.
    pub openings: Openings,
    /// Ends the league as soon as this test of the first player against the others is decided.
    pub sprt: Option<Sprt>,
    /// What happens when players are late, wrong or gone.
    pub policy: Policy,
    /// Whether programs think on their opponents' time.
    pub ponder: bool,
    /// Whether endgame tables end games; see [`LeagueFile::take_tables`].
    pub adjudicate_tables: bool,
    /// Whether a player that can't be started plays nevertheless: by chance, on record.
    pub allow_failing: bool,
    /// Seed of every random choice.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// How many cores each of them has to itself, if the machine has enough.
    pub cores: usize,
    /// What must confine players who are not trusted.
    pub isolation: Isolation,
    /// Who takes part.
    pub players: Vec<Entry>,
    /// What the log is checked against: which league it is.
    pub identity: String,
    /// The keys that say how games are played, with their values as they are written.
    pub conditions: Vec<(String, String)>,
    /// The text of the file.
    pub text: String,
    /// Where the file is.
    pub folder: PathBuf,
}

/// Pairing a Swiss takes the square of its players in memory, and nearly the cube in time.
const MOST_IN_SWISS: usize = 2000;

/// A player of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the table.
    pub name: String,
    /// Who it is.
    pub plays: PlayerSpec,
    /// Whether it may run without much confinement.
    pub trusted: bool,
    /// Which version of its program it is, if the file says so.
    pub version: Option<String>,
    /// Whether it has left.
    pub withdrawn: bool,
    /// The account on a server whose it is: only that one sees there what the program said when
    /// something went wrong.
    pub owner: Option<String>,
    /// What it has of its own instead of what the league has.
    pub own: Own,
}

/// What a player has of its own: handicaps, time odds, and what its program needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// What it may use.
    pub time: Option<TimeControl>,
    /// What its program finds in its environment.
    pub env: Vec<(String, String)>,
    /// How many cores its program may use.
    pub cores: Option<usize>,
    /// How long its program may take to start and to stop.
    pub patience: Patience,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    variant: String,
    size: Option<u32>,
    time: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    people_time: Option<String>,
    format: Format,
    rounds: Option<u32>,
    #[serde(default = "two")]
    games: u32,
    openings: Option<PathBuf>,
    openings_order: Option<String>,
    openings_from: Option<u32>,
    openings_cut: Option<u32>,
    random_plies: Option<u32>,
    sprt: Option<String>,
    sprt_alpha: Option<f64>,
    sprt_beta: Option<f64>,
    sprt_model: Option<String>,
    #[serde(default)]
    forfeit: bool,
    on_late: Option<String>,
    on_illegal: Option<String>,
    grace: Option<String>,
    max_plies: Option<u32>,
    adjudicate_win: Option<String>,
    adjudicate_draw: Option<String>,
    #[serde(default)]
    adjudicate_tables: bool,
    #[serde(default)]
    ponder: bool,
    #[serde(default)]
    allow_failing: bool,
    #[serde(default)]
    seed: u64,
    #[serde(default = "one")]
    concurrency: usize,
    cores: Option<usize>,
    isolation: Option<String>,
    start_limit: Option<String>,
    new_game_limit: Option<String>,
    stop_limit: Option<String>,
    #[serde(default)]
    player: Vec<RawPlayer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlayer {
    name: Option<String>,
    plays: String,
    #[serde(default = "yes")]
    trusted: bool,
    version: Option<String>,
    #[serde(default)]
    withdrawn: bool,
    owner: Option<String>,
    time: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    #[serde(default)]
    options: toml::Table,
    #[serde(default)]
    env: toml::Table,
    cores: Option<usize>,
    start_limit: Option<String>,
    new_game_limit: Option<String>,
    stop_limit: Option<String>,
}

fn one() -> usize {
    1
}

fn two() -> u32 {
    2
}

fn yes() -> bool {
    true
}

type Result<T> = std::result::Result<T, LeagueError>;

fn wrong<T>(why: impl Into<String>) -> Result<T> {
    Err(LeagueError::File(why.into()))
}

impl Entry {
    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        self.person().is_some()
    }

    /// The person's name, if it is one.
    pub fn person(&self) -> Option<&str> {
        match &self.plays {
            PlayerSpec::Human { name } => Some(name.as_deref().unwrap_or(&self.name)),
            _ => None,
        }
    }
}

impl LeagueFile {
    /// Reads a league from the text of its file. Paths in it are relative to `folder`.
    ///
    /// # Errors
    ///
    /// What is wrong, in one sentence.
    pub fn read(text: &str, folder: &Path) -> Result<LeagueFile> {
        let raw = raw(text)?;
        let mut file = LeagueFile::checked(&raw, text, folder)?;
        file.openings = openings(&raw, &file.variant, folder)?;
        Ok(file)
    }

    /// The same for one that is not played here: its openings are not needed.
    pub(super) fn read_to_show(text: &str, folder: &Path) -> Result<LeagueFile> {
        LeagueFile::checked(&raw(text)?, text, folder)
    }

    fn checked(raw: &Raw, text: &str, folder: &Path) -> Result<LeagueFile> {
        if raw.games == 0 {
            return wrong("`games = 0` leaves nothing to play");
        }
        if raw.concurrency == 0 {
            return wrong("`concurrency = 0` plays no game at a time");
        }
        if raw.cores == Some(0) {
            return wrong("`cores = 0` leaves nothing to think with");
        }
        if raw.max_plies == Some(0) {
            return wrong("`max_plies = 0` leaves nothing to play");
        }
        if raw.rounds == Some(0) {
            return wrong("`rounds = 0` leaves nothing to play");
        }
        let variant_text = variant_text(raw, folder)?;
        let variant = variant(raw, variant_text.as_deref())?;
        let players = players(raw)?;
        if raw.format == Format::Swiss && players.len() > MOST_IN_SWISS {
            return wrong(format!(
                "a Swiss has at most {MOST_IN_SWISS} players, and there are {}",
                players.len()
            ));
        }
        Ok(LeagueFile {
            name: raw.name.clone(),
            policy: policy(raw, variant.board())?,
            variant,
            variant_text,
            size: raw.size,
            time: league_time(raw)?,
            people_time: people_time(raw)?,
            format: raw.format,
            rounds: raw.rounds,
            games: raw.games,
            openings: Openings::Start,
            sprt: sprt(raw)?,
            ponder: raw.ponder,
            adjudicate_tables: raw.adjudicate_tables,
            allow_failing: raw.allow_failing,
            seed: raw.seed,
            concurrency: raw.concurrency,
            cores: cores(raw, &players),
            isolation: isolation(raw)?,
            players,
            identity: identity(raw),
            conditions: conditions(text)?,
            text: text.to_owned(),
            folder: folder.to_owned(),
        })
    }

    /// A player's name, by its number; a damaged log may name nobody.
    pub fn name_of(&self, player: usize) -> &str {
        let entry = self.players.get(player);
        entry.map_or("?", |entry| &entry.name)
    }

    /// What a player may use.
    pub fn time_of(&self, entry: &Entry) -> TimeControl {
        let usual = if entry.is_person() {
            self.people_time
        } else {
            self.time
        };
        entry.own.time.unwrap_or(usual)
    }

    /// Has endgame tables end games, if the file wants it.
    ///
    /// # Errors
    ///
    /// If the game can't have any.
    pub fn take_tables(&mut self, tables: Option<&TableShelf>) -> Result<()> {
        if !self.adjudicate_tables {
            return Ok(());
        }
        let wrong = |why: String| LeagueError::File(format!("`adjudicate_tables`: {why}"));
        let tables = tables.ok_or_else(|| wrong("there is no folder for tables".to_owned()))?;
        let tables = tables
            .ready(&self.variant)
            .map_err(|error| wrong(error.to_string()))?;
        self.policy.adjudication.tables = Some(Arc::new(TableVerdicts(tables)));
        Ok(())
    }

    /// Whether every player can play here: its program is there, unless it may fail, and what
    /// confines it is enough.
    ///
    /// # Errors
    ///
    /// Who can't, and why.
    pub fn check_players(&self) -> Result<()> {
        if !self.allow_failing {
            self.find_programs()?;
        }
        self.check_trust(Isolation::available())
    }

    fn find_programs(&self) -> Result<()> {
        for player in self.players.iter().filter(|player| !player.withdrawn) {
            find_program(&player.plays, &self.folder).map_err(|why| LeagueError::Player {
                name: player.name.clone(),
                why,
            })?;
        }
        Ok(())
    }

    /// A player of the league, as its file wants it, with the tables and the log that are given.
    ///
    /// # Errors
    ///
    /// If it is a person, or can't be had.
    pub fn open_player(
        &self,
        entry: &Entry,
        seed: u64,
        given: Equipment,
    ) -> std::result::Result<Box<dyn Player>, OpenError> {
        let equipment = Equipment {
            ponder: self.ponder,
            sandbox: Sandbox {
                folder: Some(self.folder.clone()),
                env: entry.own.env.clone(),
                cores: entry.own.cores,
                ..Sandbox::default()
            },
            patience: entry.own.patience,
            ..given
        };
        let plays = with_weights_in(&entry.plays, &self.folder);
        plays.open_with(&self.variant, seed, &equipment)
    }

    /// Whether what this system offers is enough to confine those who are not trusted.
    fn check_trust(&self, available: Isolation) -> Result<()> {
        let mut active = self.players.iter().filter(|player| !player.withdrawn);
        match active.find(|player| !player.trusted) {
            Some(player) if available < self.isolation => Err(LeagueError::Player {
                name: player.name.clone(),
                why: format!(
                    "it is not trusted and needs {}, and this system offers {available}",
                    self.isolation
                ),
            }),
            _ => Ok(()),
        }
    }
}

fn raw(text: &str) -> Result<Raw> {
    toml::from_str(text).map_err(|error| LeagueError::File(explain(text, &error)))
}

/// The text of the file that `variant` names, if it names one.
fn variant_text(raw: &Raw, folder: &Path) -> Result<Option<String>> {
    if Path::new(&raw.variant).extension().is_none() {
        return Ok(None);
    }
    let path = folder.join(&raw.variant);
    let text = read_file(&path, Definition::MOST_BYTES + 1);
    text.map(Some)
        .map_err(|error| LeagueError::File(format!("`variant`: {}: {error}", path.display())))
}

fn variant(raw: &Raw, text: Option<&str>) -> Result<Variant> {
    let file = |error: &dyn std::fmt::Display| LeagueError::File(format!("`variant`: {error}"));
    let variant = match text {
        Some(text) => Variant::from_toml(text).map_err(|error| file(&error.faults[0]))?,
        None => Variant::named(&raw.variant).map_err(|error| file(&error))?,
    };
    match raw.size {
        Some(size) => variant
            .sized(size)
            .map_err(|error| LeagueError::File(format!("`size`: {error}"))),
        None => Ok(variant),
    }
}

/// What a player may use, if it is said.
fn time(
    time: Option<&str>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> std::result::Result<Option<TimeControl>, String> {
    let nothing = |what: &str| Err(format!("`{what} = 0` leaves nothing to think with"));
    match (time, nodes, depth) {
        (Some(text), None, None) => text
            .parse()
            .map(Some)
            .map_err(|error| format!("`time`: {error}")),
        (None, Some(0), None) => nothing("nodes"),
        (None, Some(nodes), None) => Ok(Some(TimeControl::Nodes(nodes))),
        (None, None, Some(0)) => nothing("depth"),
        (None, None, Some(depth)) => Ok(Some(TimeControl::Depth(depth))),
        (None, None, None) => Ok(None),
        _ => Err("give one of `time`, `nodes` and `depth`".to_owned()),
    }
}

/// What all programs may use.
fn league_time(raw: &Raw) -> Result<TimeControl> {
    let time = time(raw.time.as_deref(), raw.nodes, raw.depth).map_err(LeagueError::File)?;
    let missing = "there is no `time`; write `time = \"1s\"`, or `nodes` or `depth`";
    time.map_or_else(|| wrong(missing), Ok)
}

fn people_time(raw: &Raw) -> Result<TimeControl> {
    match &raw.people_time {
        None => Ok(TimeControl::Free),
        Some(text) => text
            .parse()
            .map_err(|error| LeagueError::File(format!("`people_time`: {error}"))),
    }
}

fn policy(raw: &Raw, board: &Board) -> Result<Policy> {
    let mut policy = if raw.forfeit {
        Policy::strict()
    } else {
        Policy::lenient()
    };
    if let Some(late) = parsed("on_late", raw.on_late.as_deref())? {
        policy.late = late;
    }
    if let Some(illegal) = parsed("on_illegal", raw.on_illegal.as_deref())? {
        policy.illegal = illegal;
    }
    if let Some(grace) = &raw.grace {
        policy.grace = grace_time(grace)?;
    }
    let plies = raw.max_plies;
    policy.ply_limit = Some(plies.unwrap_or_else(|| Policy::usual_ply_limit(board)));
    policy.adjudication.win = parsed("adjudicate_win", raw.adjudicate_win.as_deref())?;
    policy.adjudication.draw = parsed("adjudicate_draw", raw.adjudicate_draw.as_deref())?;
    Ok(policy)
}

fn parsed<T: FromStr<Err = String>>(key: &str, text: Option<&str>) -> Result<Option<T>> {
    text.map(str::parse)
        .transpose()
        .map_err(|error| LeagueError::File(format!("`{key}`: {error}")))
}

fn grace_time(text: &str) -> Result<Duration> {
    duration(text)
        .ok_or_else(|| LeagueError::File(format!("`grace`: `{text}` is no time; write 50ms")))
}

fn openings(raw: &Raw, variant: &Variant, folder: &Path) -> Result<Openings> {
    let cut = book_cut(raw)?;
    match (&raw.openings, raw.random_plies) {
        (Some(_), Some(_)) => wrong("give one of `openings` and `random_plies`"),
        (None, _) if cut != BookCut::default() => {
            wrong("`openings_order`, `openings_from` and `openings_cut` need `openings`")
        }
        (None, None) => Ok(Openings::Start),
        (None, Some(plies)) => Ok(Openings::Random { plies }),
        (Some(path), None) => {
            let path = folder.join(path);
            let fault = |error: String| {
                LeagueError::File(format!("`openings`: {}: {error}", path.display()))
            };
            let text = std::fs::read_to_string(&path).map_err(|error| fault(error.to_string()))?;
            let openings = Openings::read(&text, variant).and_then(|book| book.cut(cut, raw.seed));
            openings.map_err(|error| fault(error.to_string()))
        }
    }
}

fn book_cut(raw: &Raw) -> Result<BookCut> {
    Ok(BookCut {
        order: parsed("openings_order", raw.openings_order.as_deref())?.unwrap_or_default(),
        from: raw.openings_from.unwrap_or(0),
        plies: raw.openings_cut,
    })
}

/// The test that ends a league.
fn sprt(raw: &Raw) -> Result<Option<Sprt>> {
    let Some(bounds) = &raw.sprt else {
        let others = [
            raw.sprt_alpha.is_some(),
            raw.sprt_beta.is_some(),
            raw.sprt_model.is_some(),
        ];
        if others.contains(&true) {
            return wrong(
                "`sprt_alpha`, `sprt_beta` and `sprt_model` need `sprt`, as in `sprt = \"0,5\"`",
            );
        }
        return Ok(None);
    };
    let is_gauntlet = raw.format == Format::Gauntlet;
    let is_duel = raw.format == Format::RoundRobin && raw.player.len() == 2;
    if !is_gauntlet && !is_duel {
        return wrong("`sprt` is for a gauntlet, or for a round robin of two players");
    }
    if raw.games % 2 == 1 {
        return wrong("`sprt` counts pairs of games; `games` should be even");
    }
    let fault = |error: String| LeagueError::File(format!("`sprt`: {error}"));
    let bounds: Sprt = bounds.parse().map_err(|error| fault(format!("{error}")))?;
    let test = Sprt {
        alpha: raw.sprt_alpha.unwrap_or(bounds.alpha),
        beta: raw.sprt_beta.unwrap_or(bounds.beta),
        model: parsed("sprt_model", raw.sprt_model.as_deref())?.unwrap_or_default(),
        ..bounds
    };
    test.check().map_err(fault)?;
    Ok(Some(test))
}

fn isolation(raw: &Raw) -> Result<Isolation> {
    match &raw.isolation {
        None => Ok(Isolation::Landlock),
        Some(word) => word
            .parse()
            .map_err(|error| LeagueError::File(format!("`isolation`: {error}"))),
    }
}

fn players(raw: &Raw) -> Result<Vec<Entry>> {
    let mut names = HashSet::new();
    let mut players = Vec::new();
    for player in &raw.player {
        let name = player.name.clone().unwrap_or_else(|| player.plays.clone());
        let fault = |why: String| LeagueError::Player {
            name: name.clone(),
            why,
        };
        let plays: PlayerSpec = player
            .plays
            .parse()
            .map_err(|error| fault(format!("{error}")))?;
        let options = texts("options", &player.options).map_err(fault)?;
        let plays = plays
            .with_options(&options)
            .map_err(|error| fault(format!("`options`: {error}")))?;
        let own = own(player, &plays, raw).map_err(fault)?;
        if !names.insert(name.clone()) {
            return wrong(format!("two players are called `{name}`"));
        }
        players.push(Entry {
            name,
            plays,
            trusted: player.trusted,
            version: player.version.clone(),
            withdrawn: player.withdrawn,
            owner: player.owner.clone(),
            own,
        });
    }
    match players.len() {
        0 | 1 => wrong("a league needs two players at least"),
        _ => Ok(players),
    }
}

/// What a player has of its own.
fn own(player: &RawPlayer, plays: &PlayerSpec, raw: &Raw) -> std::result::Result<Own, String> {
    if !plays.is_process() && (player.cores.is_some() || !player.env.is_empty()) {
        let hint = "`env` and `cores` are for programs, `hub:…` and `python:…`; \
                    the engine has `options = { threads = 2 }`";
        return Err(hint.to_owned());
    }
    if player.cores == Some(0) {
        return Err("`cores = 0` leaves nothing to think with".to_owned());
    }
    let env = texts("env", &player.env)?;
    if let Some((name, _)) = env
        .iter()
        .find(|(name, value)| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0'))
    {
        return Err(format!("`env`: `{name}` can't be the name of a variable"));
    }
    Ok(Own {
        time: time(player.time.as_deref(), player.nodes, player.depth)?,
        env,
        cores: player.cores,
        patience: patience(player, raw)?,
    })
}

/// How long a program may take: as its player says, else as the league does.
fn patience(player: &RawPlayer, raw: &Raw) -> std::result::Result<Patience, String> {
    let usual = Patience::default();
    let limit = |key: &str, own: &Option<String>, all: &Option<String>, usual: Duration| {
        let Some(text) = own.as_ref().or(all.as_ref()) else {
            return Ok(usual);
        };
        let limit = duration(text).filter(|limit| !limit.is_zero());
        limit.ok_or_else(|| format!("`{key}`: `{text}` is no time; write 30s"))
    };
    Ok(Patience {
        start: limit(
            "start_limit",
            &player.start_limit,
            &raw.start_limit,
            usual.start,
        )?,
        new_game: limit(
            "new_game_limit",
            &player.new_game_limit,
            &raw.new_game_limit,
            usual.new_game,
        )?,
        stop: limit(
            "stop_limit",
            &player.stop_limit,
            &raw.stop_limit,
            usual.stop,
        )?,
        ..usual
    })
}

/// A table of names with texts, numbers or yes and no.
fn texts(key: &str, table: &toml::Table) -> std::result::Result<Vec<(String, String)>, String> {
    let text = |(name, value): (&String, &toml::Value)| match value {
        toml::Value::String(_)
        | toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_) => Ok((name.clone(), value_text(value))),
        _ => Err(format!(
            "`{key}`: `{name}` should be a text, a number, `true` or `false`"
        )),
    };
    table.iter().map(text).collect()
}

/// As many cores as the file says, or as the player needs who needs most.
fn cores(raw: &Raw, players: &[Entry]) -> usize {
    let need = |player: &Entry| match player.own.cores {
        Some(own) if raw.ponder => 2 * own,
        Some(own) => own,
        None => PlayerSpec::cores([&player.plays; 2], raw.ponder),
    };
    let needs = players.iter().map(need).max().unwrap_or(1);
    raw.cores.unwrap_or(needs)
}

/// The same player, with the file of an engine's weights in a folder.
fn with_weights_in(plays: &PlayerSpec, folder: &Path) -> PlayerSpec {
    let mut plays = plays.clone();
    if let PlayerSpec::Engine(EngineOptions {
        weights: Some(file),
        ..
    }) = &mut plays
    {
        *file = folder.join(&*file).to_string_lossy().into_owned();
    }
    plays
}

/// Whether what a player needs is there.
fn find_program(spec: &PlayerSpec, folder: &Path) -> std::result::Result<(), String> {
    match spec {
        PlayerSpec::Hub { command, .. } => {
            let program = &command[0];
            let is_there = if program.contains('/') {
                folder.join(program).exists()
            } else {
                let folders = std::env::var_os("PATH").unwrap_or_default();
                std::env::split_paths(&folders).any(|folder| folder.join(program).exists())
            };
            is_there
                .then_some(())
                .ok_or_else(|| format!("there is no program `{program}`"))
        }
        PlayerSpec::Python { file, .. } => folder
            .join(file)
            .exists()
            .then_some(())
            .ok_or_else(|| format!("there is no file `{file}`")),
        _ => Ok(()),
    }
}

impl Format {
    /// The name that logs have for it, since the first of them: it stays.
    fn in_logs(self) -> &'static str {
        match self {
            Format::RoundRobin => "RoundRobin",
            Format::Gauntlet => "Gauntlet",
            Format::Swiss => "Swiss",
            Format::Knockout => "Knockout",
            Format::Ladder => "Ladder",
        }
    }

    /// The word for it in a league's file.
    pub fn word(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
            Format::Ladder => "ladder",
        }
    }
}

/// The keys that say how games are played: when one of them changes, results before and after it
/// are told apart.
const CONDITIONS: [&str; 18] = [
    "time",
    "nodes",
    "depth",
    "people_time",
    "openings",
    "openings_order",
    "openings_from",
    "openings_cut",
    "random_plies",
    "forfeit",
    "on_late",
    "on_illegal",
    "grace",
    "max_plies",
    "adjudicate_win",
    "adjudicate_draw",
    "adjudicate_tables",
    "ponder",
];

/// How games are played, by the text of a file.
pub(super) fn conditions(text: &str) -> Result<Vec<(String, String)>> {
    let table: toml::Table =
        toml::from_str(text).map_err(|error| LeagueError::File(explain(text, &error)))?;
    let value = |key: &str| table.get(key).map(value_text).unwrap_or_default();
    Ok(CONDITIONS
        .iter()
        .map(|key| ((*key).to_owned(), value(key)))
        .collect())
}

fn value_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(is_so) => is_so.to_string(),
        other => format!("a {}", other.type_str()),
    }
}

/// Which league it is, as text: its name, game, format, games in a meeting and seed. Who plays, how
/// often and under which conditions may change. Logs have this text, those of version 2 with the
/// players after it, so it stays as it is.
fn identity(raw: &Raw) -> String {
    let size = match raw.size {
        Some(size) => format!("Some({size})"),
        None => "None".to_owned(),
    };
    format!(
        "{}\n{} {size}\n{} {} {}\n",
        raw.name,
        raw.variant,
        raw.format.in_logs(),
        raw.games,
        raw.seed,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What logs of all versions have to say whose they are.
    #[test]
    fn the_identity_in_logs_stays_as_it_is() {
        let file = LeagueFile::read(GOOD, Path::new(".")).unwrap();
        assert_eq!(file.identity, "Test\nleague Some(6)\nRoundRobin 2 0\n");
        let other = GOOD
            .replace("size = 6\n", "")
            .replace("round-robin", "swiss");
        let file = LeagueFile::read(&other, Path::new(".")).unwrap();
        assert_eq!(file.identity, "Test\nleague None\nSwiss 2 0\n");
    }
    use kingme_play::{OnIllegal, OnLate};

    const GOOD: &str = r#"
name = "Test"
variant = "league"
size = 6
time = "100ms"
format = "round-robin"

[[player]]
name = "one"
plays = "random"

[[player]]
name = "two"
plays = "minimax"
"#;

    fn read(text: &str) -> Result<LeagueFile> {
        let file = LeagueFile::read(text, Path::new("."))?;
        file.check_players()?;
        Ok(file)
    }

    fn check_error((from, to): (&str, &str), message: &str) {
        assert!(GOOD.contains(from), "{from}");
        let error = read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
        assert_eq!(error, message);
    }

    #[test]
    fn a_file_is_read() {
        let file = read(GOOD).unwrap();
        assert_eq!(file.players.len(), 2);
        assert_eq!(file.games, 2);
        assert_eq!(file.variant.board().columns(), 6);
    }

    #[test]
    fn faults_are_dealt_with_as_the_file_says() {
        let policy = |line: &str| read(&GOOD.replace("size = 6", line)).unwrap().policy;
        assert_eq!(policy("forfeit = true").late, OnLate::Lose);
        let strange = policy("forfeit = true\non_late = \"random\"\non_illegal = \"skip\"");
        assert_eq!(strange.late, OnLate::Random);
        assert_eq!(strange.illegal, OnIllegal::Skip);
    }

    #[test]
    fn who_is_not_trusted_needs_confinement() {
        let read = |text: &str| LeagueFile::read(text, Path::new(".")).unwrap();
        let stranger = GOOD.replace("\"minimax\"", "\"minimax\"\ntrusted = false");
        assert!(read(&stranger).check_trust(Isolation::Landlock).is_ok());
        let error = read(&stranger).check_trust(Isolation::Limits).unwrap_err();
        assert_eq!(
            error.to_string(),
            "player `two`: it is not trusted and needs landlock, and this system offers limits"
        );
        let strict = stranger.replace("size = 6", "isolation = \"namespaces\"");
        assert!(read(&strict).check_trust(Isolation::Bubblewrap).is_err());
        assert!(read(GOOD).check_trust(Isolation::Limits).is_ok());
    }

    #[test]
    fn bad_files_are_explained() {
        check_error(
            ("variant = \"league\"", "variant = \"leage\""),
            "`variant`: there is no game `leage`; did you mean `league`?",
        );
        check_error(
            ("size = 6", "size = 7"),
            "`size`: `league` can be played on even sizes from 4 to 100, not 7",
        );
        check_error(
            ("time = \"100ms\"", "time = \"0s\""),
            "`time`: `0s` leaves no time to think; the least is 1ms",
        );
        check_error(
            ("time = \"100ms\"", ""),
            "there is no `time`; write `time = \"1s\"`, or `nodes` or `depth`",
        );
        check_error(("\"two\"", "\"one\""), "two players are called `one`");
        check_error(
            ("\"minimax\"", "\"hub:/no/such/bot\""),
            "player `two`: there is no program `/no/such/bot`",
        );
        check_error(
            ("\"minimax\"", "\"python:none.py:Bot\""),
            "player `two`: there is no file `none.py`",
        );
        check_error(
            ("\"minimax\"", "\"minmax\""),
            "player `two`: there is no player `minmax`; did you mean `minimax`?",
        );
        check_error(
            ("[[player]]\nname = \"one\"\nplays = \"random\"", ""),
            "a league needs two players at least",
        );
        check_error(
            ("size = 6", "games = 0"),
            "`games = 0` leaves nothing to play",
        );
        check_error(
            ("size = 6", "cores = 0"),
            "`cores = 0` leaves nothing to think with",
        );
        check_error(
            ("size = 6", "adjudicate_win = \"much\""),
            "`adjudicate_win`: `much` should be a score in men and a number of plies, as in `5,8`",
        );
        check_error(
            ("size = 6", "on_late = \"skip\""),
            "`on_late`: `skip` is none of last-answer, random and lose",
        );
        check_error(
            ("size = 6", "on_illegal = \"pass\""),
            "`on_illegal`: `pass` is none of random, skip, ask-again, ask-again:3 and lose",
        );
        check_error(
            ("size = 6", "people_time = \"0s\""),
            "`people_time`: `0s` leaves no time to think; the least is 1ms",
        );
    }

    /// Whatever stands there instead of what is right, the answer is what is right, and where.
    #[test]
    fn wrong_values_are_named_by_what_would_be_right() {
        let line = |key: &str| format!("size = 6\n{key}");
        let check = |wrong: &str, message: &str| {
            check_error(
                ("size = 6", &line(wrong)),
                &format!("line 5: `{wrong}` should be {message}"),
            );
        };
        check("rounds = two", "a whole number, as in `rounds = 2`");
        check("rounds = \"2\"", "a whole number, as in `rounds = 2`");
        check("rounds = -1", "a whole number, as in `rounds = 2`");
        check("games = 2.5", "a whole number, as in `games = 2`");
        check(
            "seed = 99999999999999999999",
            "a whole number, as in `seed = 7`",
        );
        check("forfeit = yes", "`true` or `false`");
        check("ponder = 1", "`true` or `false`");
        check("grace = 50", "a time, as in `grace = \"50ms\"`");
        check(
            "openings = 3",
            "the name of a file, as in `openings = \"book.pdn\"`",
        );
        check("sprt = 5", "two differences in Elo, as in `sprt = \"0,5\"`");
        check_error(
            ("\"round-robin\"", "\"robin\""),
            "line 6: `format = \"robin\"` should be one of \"round-robin\", \"gauntlet\", \
             \"swiss\", \"knockout\" and \"ladder\"",
        );
        check_error(
            ("time = \"100ms\"", "time = 100"),
            "line 5: `time = 100` should be a time, as in `time = \"1s\"` or `time = \"5m+3s\"`",
        );
        check_error(
            ("plays = \"random\"", "plays = \"random\"\ntrusted = no"),
            "line 11: `trusted = no` should be `true` or `false`",
        );
        check_error(
            ("size = 6", "isolation = \"jail\""),
            "`isolation`: there is no isolation `jail`; it is one of limits, landlock, bubblewrap \
             and namespaces",
        );
        check_error(
            ("size = 6", "openings_order = \"any\""),
            "`openings_order`: `any` is none of file and random",
        );
        check_error(
            ("size = 6", "openings_cut = 4"),
            "`openings_order`, `openings_from` and `openings_cut` need `openings`",
        );
        check_error(
            ("size = 6", "max_plies = 0"),
            "`max_plies = 0` leaves nothing to play",
        );
    }

    #[test]
    fn a_swiss_has_its_limit() {
        let swiss = GOOD.replace("round-robin", "swiss");
        let more = |count: usize| -> String {
            let player = |number| format!("[[player]]\nname = \"p{number}\"\nplays = \"random\"\n");
            (0..count).map(player).collect()
        };
        assert!(read(&(swiss.clone() + &more(1998))).is_ok());
        assert_eq!(
            read(&(swiss + &more(1999))).unwrap_err().to_string(),
            "a Swiss has at most 2000 players, and there are 2001"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        check_error(
            ("name = \"Test\"\n", ""),
            "there is no `name`; write a text, as in `name = \"Club\"`",
        );
        check_error(
            ("plays = \"random\"", ""),
            "line 8: the player has no `plays`; write who it is, as in `plays = \"engine:level=3\"`",
        );
    }

    #[test]
    fn tests_that_end_leagues_are_checked() {
        let sprt = |lines: &str| read(&GOOD.replace("size = 6", lines));
        assert!(sprt("sprt = \"0,5\"").unwrap().sprt.is_some());
        let error = |lines: &str| sprt(lines).unwrap_err().to_string();
        assert_eq!(
            error("sprt = \"5,0\""),
            "`sprt`: `5,0` names no test; give two differences in Elo, the lower one first, as in `0,5`"
        );
        assert_eq!(
            error("sprt = \"0,5\"\nsprt_alpha = 1.5"),
            "`sprt`: alpha is the share of wrong decisions, more than 0 and less than 0.5, not 1.5"
        );
        assert_eq!(
            error("sprt = \"0,5\"\nsprt_model = \"bayes\""),
            "`sprt_model`: `bayes` is none of normalised and logistic"
        );
        assert_eq!(
            error("sprt_beta = 0.1"),
            "`sprt_alpha`, `sprt_beta` and `sprt_model` need `sprt`, as in `sprt = \"0,5\"`"
        );
        let swiss = GOOD
            .replace("round-robin", "swiss")
            .replace("size = 6", "sprt = \"0,5\"");
        assert_eq!(
            read(&swiss).unwrap_err().to_string(),
            "`sprt` is for a gauntlet, or for a round robin of two players"
        );
    }

    #[test]
    fn unknown_keys_are_named_with_their_line() {
        check_error(
            ("time =", "tiem ="),
            "line 5: there is no key `tiem`; did you mean `time`?",
        );
        check_error(
            ("plays = \"random\"", "plays = \"random\"\nelo = 3"),
            "line 11: there is no key `elo`",
        );
    }
}
