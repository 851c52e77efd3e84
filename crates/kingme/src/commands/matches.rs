//! `kingme match`: games between two players, in mirrored pairs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kingme_arena::league::{League, MatchLog, program_hash};
use kingme_arena::stats::{EloModel, Sprt, Verdict};
use kingme_arena::{
    BookCut, BookOrder, Cores, MatchConfig, MatchGame, Openings, Standing, run_match, share_match,
};
use kingme_play::{
    Adjudication, Agreement, EndReason, Heading, Measure, OnIllegal, OnLate, Policy, TimeControl,
    Verdicts, duration, to_pdn,
};
use kingme_players::dxp::clock_note;
use kingme_players::hub::Patience;
use kingme_players::{
    BotLog, BotLogs, Equipment, Isolation, OpenError, Player, PlayerSpec, TableShelf, TableVerdicts,
};
use kingme_rules::{Side, Variant};
use serde_json::json;

use super::match_log;
use super::sharing::Sharing;
use super::tables::DataArgs;
use super::{Answer, Result};
use crate::variant::VariantArgs;

type Error = Box<dyn std::error::Error>;

/// Arguments of `kingme match`.
#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools)] // flags of a command
pub struct Args {
    /// A player: engine, engine:level=3, random, minimax, hub:COMMAND, dxp:HOST:PORT, python:FILE:CLASS
    pub(super) a: PlayerSpec,
    /// The other player
    pub(super) b: PlayerSpec,
    /// A game's name (see `kingme variants`), or the path of a variant file
    #[arg(long, value_name = "V")]
    pub(super) variant: String,
    /// Play on a board of N by N squares
    #[arg(long, value_name = "N")]
    pub(super) size: Option<u32>,
    /// How many games; each opening is played twice, with colours swapped
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) games: u64,
    /// Time: 1s or 500ms a move, 5m+3s a game and an increment, 40/5m [default: 1s]
    #[arg(long, value_name = "T", conflicts_with_all = ["nodes", "depth"])]
    pub(super) time: Option<TimeControl>,
    /// Positions a move
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
    /// What A may use instead: 500ms, 5m+3s, nodes=5000 or depth=4
    #[arg(long, value_name = "T", value_parser = match_log::own_time)]
    pub(super) time_a: Option<TimeControl>,
    /// What B may use instead
    #[arg(long, value_name = "T", value_parser = match_log::own_time)]
    pub(super) time_b: Option<TimeControl>,
    /// Begin from the games of a PDN file, or from a file with a FEN a line
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub(super) openings: Option<String>,
    /// The order of the openings: file, or random (all of them before any comes again)
    #[arg(long, value_name = "ORDER", requires = "openings")]
    pub(super) openings_order: Option<BookOrder>,
    /// Begin from the position after so many plies of each opening
    #[arg(long, value_name = "PLIES", requires = "openings")]
    pub(super) openings_from: Option<u32>,
    /// Leave the openings after so many plies
    #[arg(long, value_name = "PLIES", requires = "openings")]
    pub(super) openings_cut: Option<u32>,
    /// Begin after K random plies
    #[arg(long, value_name = "K")]
    pub(super) random_plies: Option<u32>,
    /// Seed of every random choice
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// How many games are played at a time
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    /// How many cores each of them has to itself [default: 1, or what engine:threads=N and --ponder need]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) cores: Option<u16>,
    /// A late, illegal or lost answer loses the game; otherwise a legal move is played for it
    #[arg(long)]
    pub(super) forfeit: bool,
    /// No answer in time: last-answer (what the player has suggested so far, the default), random, lose
    #[arg(long, value_name = "WHAT", conflicts_with = "forfeit")]
    pub(super) on_late: Option<OnLate>,
    /// An illegal answer: random (the default), skip (the turn), ask-again, ask-again:3, lose
    #[arg(long, value_name = "WHAT", conflicts_with = "forfeit")]
    pub(super) on_illegal: Option<OnIllegal>,
    /// How much later than the limit an answer may come [default: 50ms]
    #[arg(long, value_name = "T", value_parser = grace)]
    pub(super) grace: Option<Duration>,
    /// What a program's time is: wall, or cpu (what its processes compute, so that a busy machine costs it nothing)
    #[arg(long, value_name = "WHAT", default_value = "wall")]
    pub(super) clock: Measure,
    /// A bot that can't be started does not end the match: a legal move is played for it
    #[arg(long)]
    pub(super) allow_failing: bool,
    /// How long a bot may take to start and to get ready [default: 10s]
    #[arg(long, value_name = "T", value_parser = super::limit)]
    pub(super) start_limit: Option<Duration>,
    /// How long it may take to hear of a new game [default: 10s]
    #[arg(long, value_name = "T", value_parser = super::limit)]
    pub(super) new_game_limit: Option<Duration>,
    /// How long it may take to answer when it is told to stop [default: 500ms]
    #[arg(long, value_name = "T", value_parser = super::limit)]
    pub(super) stop_limit: Option<Duration>,
    /// Programs that speak Hub think on their opponents' time, too
    #[arg(long)]
    pub(super) ponder: bool,
    /// Stop when it is clear whether A is better than B by E0 or by E1, in Elo
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    pub(super) sprt: Option<Sprt>,
    /// How often it may be accepted that A is better when it is not [default: 0.05]
    #[arg(long, value_name = "SHARE", requires = "sprt")]
    pub(super) sprt_alpha: Option<f64>,
    /// How often it may be refused when it is [default: 0.05]
    #[arg(long, value_name = "SHARE", requires = "sprt")]
    pub(super) sprt_beta: Option<f64>,
    /// What Elo means in the test: normalised (the default) or logistic
    #[arg(long, value_name = "MODEL", requires = "sprt")]
    pub(super) sprt_model: Option<EloModel>,
    /// End a game that both players call won by MEN, in PLIES plies in a row
    #[arg(long, value_name = "MEN,PLIES")]
    pub(super) adjudicate_win: Option<Agreement>,
    /// End a game that both players call even within MEN, in PLIES plies in a row;
    /// 0.1,8,from=60,pieces=12 waits for 60 plies of the game and for 12 pieces
    #[arg(long, value_name = "MEN,PLIES")]
    pub(super) adjudicate_draw: Option<Agreement>,
    /// End a game whose result the endgame tables know
    #[arg(long)]
    pub(super) adjudicate_tables: bool,
    /// End a game as a draw after N plies [default: 1000; beyond 26×26, ten a square]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_plies: Option<u32>,
    /// Keep the match in this file; the same command goes on with it after an interruption
    #[arg(long, value_name = "LOG")]
    pub(super) log: Option<PathBuf>,
    /// The same in kingme's data folder, where `kingme serve` finds it for *Watch*
    #[arg(long, conflicts_with = "log")]
    pub(super) watch: bool,
    /// Keep a log of what each bot is told and says, in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) log_bots: Option<PathBuf>,
    /// Write the games, with times and scores
    #[arg(long, value_name = "OUT")]
    pub(super) pdn: Option<String>,
    /// End with one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) sharing: Sharing,
    #[command(flatten)]
    pub(super) data: DataArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    args.refuse_people()?;
    let tables = args.data.shelf();
    let config = args.config(tables.as_deref())?;
    let logs = args.log_bots.as_deref().map(super::league::bot_logs);
    let logs = logs.transpose()?;
    let room = Room::open(args, &config, logs.as_ref())?;
    let stop = super::stop_on_interrupt()?;
    let mut pdn = match &args.pdn {
        Some(path) => Some(BufWriter::new(create(path)?)),
        None => None,
    };
    let mut failure = None;
    let (before, interrupted) = room.before()?;
    let mut progress = Progress::new(&config, before);
    eprintln!("{}", args.introduction(&config));
    if before + interrupted > 0 {
        eprintln!(
            "{before} games are finished, {interrupted} were interrupted and are played again"
        );
    }
    for note in args.clock_notes(&config) {
        eprintln!("{note}");
    }
    let names = args.names();
    let has_log = room.has_log();
    let mut on_game = |game: &MatchGame, standing: &Standing| {
        if let Some(Err(error)) = pdn
            .as_mut()
            .map(|pdn| write_pdn(pdn, game, &names, &times_in_words(config.time, game.side)))
        {
            failure.get_or_insert(error);
            stop.request();
        }
        progress.show(standing, game);
    };
    let standing = match room {
        Room::Shared(league) => share_match(*league, &config.hashes, &stop, &mut on_game)?,
        Room::Here(log) => {
            let seats = args.seats(&config, tables, logs.as_ref());
            run_match(&config, &seats, log.as_ref(), &stop, &mut on_game)?
        }
    };
    progress.end();
    if has_log && stop.is_requested() {
        eprintln!("stopped; the same command goes on");
    }
    if let Some(error) = failure {
        return Err(format!("{}: {error}", args.pdn.as_deref().unwrap_or_default()).into());
    }
    if let Some(failure) = logs.and_then(|logs| logs.failure()) {
        return Err(failure.into());
    }
    if let Some(mut pdn) = pdn {
        pdn.flush()?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json(&config, &names, &standing))?;
    } else {
        write!(out, "{}", summary(&config, &names, &standing))?;
    }
    Ok(Answer::Yes)
}

/// Where the games of a match are played.
enum Room {
    /// Here, perhaps with a log.
    Here(Option<MatchLog>),
    /// Here and elsewhere, as a league of two.
    Shared(Box<League>),
}

impl Room {
    fn open(
        args: &Args,
        config: &MatchConfig,
        logs: Option<&BotLogs>,
    ) -> std::result::Result<Room, Error> {
        if !args.sharing.is_wanted() {
            return Ok(Room::Here(args.open_log()?));
        }
        let mut league = args.open_shared(config)?;
        if let Some(logs) = logs {
            league.keep_bot_logs(logs.clone());
        }
        Ok(Room::Shared(Box::new(league)))
    }

    fn has_log(&self) -> bool {
        !matches!(self, Room::Here(None))
    }

    /// How many games an earlier run has finished, and how many it has left in the middle.
    fn before(&self) -> std::result::Result<(u64, u64), Error> {
        Ok(match self {
            Room::Here(None) => (0, 0),
            Room::Here(Some(log)) => (log.finished()?.len() as u64, log.interrupted()),
            Room::Shared(league) => {
                let mut finished = 0;
                league.games(&mut |_, _| finished += 1)?;
                (finished, league.interrupted())
            }
        })
    }
}

fn grace(text: &str) -> std::result::Result<Duration, String> {
    duration(text).ok_or_else(|| format!("`{text}` is no time; write 50ms or 0s"))
}

/// The log of a player, if logs are kept.
fn bot_log(logs: Option<&BotLogs>, name: &str) -> std::result::Result<Option<BotLog>, OpenError> {
    let log = logs.map(|logs| logs.open(name)).transpose();
    log.map_err(|error| OpenError::Start {
        spec: name.to_owned(),
        why: format!("its log: {error}"),
    })
}

impl Args {
    fn config(&self, tables: Option<&TableShelf>) -> std::result::Result<MatchConfig, Error> {
        let variant = VariantArgs {
            variant: self.variant.clone(),
            size: self.size,
        }
        .load()?;
        Ok(MatchConfig {
            games: self.games,
            time: self.times(),
            policy: self.policy(&variant, tables)?,
            openings: self.openings(&variant)?,
            seed: self.seed,
            concurrency: self.concurrency.into(),
            cores: self.cores.map_or_else(
                || PlayerSpec::cores([&self.a, &self.b], self.ponder),
                usize::from,
            ),
            allow_failing: self.allow_failing,
            hashes: self.hashes(&variant),
            sprt: self.test()?,
            variant,
        })
    }

    /// What tells A's and B's programs apart from others, for whoever keeps a record.
    fn hashes(&self, variant: &Variant) -> [String; 2] {
        let has_log = self.log.is_some() || self.watch || self.sharing.is_wanted();
        if self.pdn.is_none() && !has_log {
            return Default::default();
        }
        [&self.a, &self.b].map(|spec| program_hash(spec, variant, Path::new(".")))
    }

    /// Makes the players of games that are played here.
    fn seats<'a>(
        &'a self,
        config: &'a MatchConfig,
        tables: Option<Arc<TableShelf>>,
        logs: Option<&'a BotLogs>,
    ) -> impl Fn() -> std::result::Result<[Box<dyn Player>; 2], OpenError> + Sync {
        let equipment = Equipment {
            tables,
            ponder: self.ponder,
            patience: self.patience(),
            ..Equipment::default()
        };
        let open = move |spec: &PlayerSpec, name: &str| {
            let equipment = Equipment {
                log: bot_log(logs.filter(|_| spec.is_process()), name)?,
                ..equipment.clone()
            };
            spec.open_with(&config.variant, config.seed, &equipment)
        };
        let names = self.names();
        move || Ok([open(&self.a, &names[0])?, open(&self.b, &names[1])?])
    }

    fn patience(&self) -> Patience {
        let usual = Patience::default();
        Patience {
            start: self.start_limit.unwrap_or(usual.start),
            new_game: self.new_game_limit.unwrap_or(usual.new_game),
            stop: self.stop_limit.unwrap_or(usual.stop),
            ..usual
        }
    }

    fn test(&self) -> std::result::Result<Option<Sprt>, Error> {
        let Some(bounds) = self.sprt else {
            return Ok(None);
        };
        let test = Sprt {
            alpha: self.sprt_alpha.unwrap_or(bounds.alpha),
            beta: self.sprt_beta.unwrap_or(bounds.beta),
            model: self.sprt_model.unwrap_or_default(),
            ..bounds
        };
        test.check()?;
        Ok(Some(test))
    }

    pub(super) fn time_control(&self) -> TimeControl {
        let default = TimeControl::Move(std::time::Duration::from_secs(1));
        let work = self
            .nodes
            .map(TimeControl::Nodes)
            .or(self.depth.map(TimeControl::Depth));
        self.time.or(work).unwrap_or(default)
    }

    /// What A and B may use.
    fn times(&self) -> [TimeControl; 2] {
        [self.time_a, self.time_b].map(|own| own.unwrap_or_else(|| self.time_control()))
    }

    /// What is to be said of players over the network that keep clocks of their own.
    fn clock_notes(&self, config: &MatchConfig) -> impl Iterator<Item = String> {
        let players = [&self.a, &self.b].into_iter().zip(config.time);
        let dxp = players.filter(|(spec, _)| matches!(spec, PlayerSpec::Dxp { .. }));
        dxp.filter_map(|(_, time)| clock_note(time)).take(1)
    }

    fn policy(
        &self,
        variant: &Variant,
        tables: Option<&TableShelf>,
    ) -> std::result::Result<Policy, Error> {
        let policy = if self.forfeit {
            Policy::strict()
        } else {
            Policy::lenient()
        };
        let tables = match (self.adjudicate_tables, tables) {
            (false, _) => None,
            (true, Some(tables)) => {
                let verdicts = TableVerdicts(tables.ready(variant)?);
                Some(Arc::new(verdicts) as Arc<dyn Verdicts>)
            }
            (true, None) => {
                return Err("there is no folder for tables; name one with --data".into());
            }
        };
        Ok(Policy {
            late: self.on_late.unwrap_or(policy.late),
            illegal: self.on_illegal.unwrap_or(policy.illegal),
            grace: self.grace.unwrap_or(policy.grace),
            measure: self.clock,
            ply_limit: Some(
                self.max_plies
                    .unwrap_or_else(|| Policy::usual_ply_limit(variant.board())),
            ),
            adjudication: Adjudication {
                win: self.adjudicate_win,
                draw: self.adjudicate_draw,
                tables,
            },
            ..policy
        })
    }

    fn openings(&self, variant: &Variant) -> std::result::Result<Openings, Error> {
        match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let text =
                    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
                let cut = BookCut {
                    order: self.openings_order.unwrap_or_default(),
                    from: self.openings_from.unwrap_or(0),
                    plies: self.openings_cut,
                };
                let book = Openings::read(&text, variant).and_then(|book| book.cut(cut, self.seed));
                book.map_err(|error| format!("{path}: {error}").into())
            }
            (None, Some(plies)) => Ok(Openings::Random { plies }),
            (None, None) => Ok(Openings::Start),
        }
    }

    /// A match is for programs: nobody waits for a person here.
    fn refuse_people(&self) -> std::result::Result<(), OpenError> {
        let is_person = |spec: &&PlayerSpec| matches!(spec, PlayerSpec::Human { .. });
        match [&self.a, &self.b].into_iter().find(is_person) {
            Some(person) => Err(OpenError::Person(person.to_string())),
            None => Ok(()),
        }
    }

    /// A's and B's names, which are never the same.
    pub(super) fn names(&self) -> [String; 2] {
        let names = [self.a.to_string(), self.b.to_string()];
        if names[0] == names[1] {
            return [format!("{} (A)", names[0]), format!("{} (B)", names[1])];
        }
        names
    }

    fn introduction(&self, config: &MatchConfig) -> String {
        let [a, b] = self.names();
        let isolation = if self.a.is_process() || self.b.is_process() {
            let cores = Cores::for_games(config.concurrency, config.cores).in_words();
            format!(
                ", bots confined by {}{cores}",
                Isolation::available().in_words()
            )
        } else {
            String::new()
        };
        let time = match config.time {
            [time, other] if time == other => time.to_string(),
            [time, other] => format!("A {time}, B {other}"),
        };
        format!(
            "{a} against {b}: {} games of {}, {time}{isolation}",
            config.games,
            config.variant.name(),
        )
    }
}

/// What the players may use: White's and Black's if they differ, when A has a side.
fn times_in_words(times: [TimeControl; 2], side: Side) -> String {
    match (times, side) {
        ([a, b], _) if a == b => a.to_string(),
        ([a, b], Side::White) => format!("White {a}, Black {b}"),
        ([a, b], Side::Black) => format!("White {b}, Black {a}"),
    }
}

fn create(path: &str) -> std::result::Result<File, Error> {
    File::create(path).map_err(|error| format!("{path}: {error}").into())
}

fn write_pdn(
    out: &mut impl Write,
    game: &MatchGame,
    names: &[String; 2],
    time: &str,
) -> std::io::Result<()> {
    let [a, b] = names.clone();
    let heading = Heading {
        event: "kingme match".to_owned(),
        round: (game.number + 1).to_string(),
        players: if game.side == Side::White {
            [a, b]
        } else {
            [b, a]
        },
        date: Some(game.began),
        time: time.to_owned(),
        programs: game.programs.clone(),
    };
    out.write_all(kingme_rules::pdn::to_text(&to_pdn(&game.session, &heading)).as_bytes())
}

/// How the match goes on, on stderr: one line that changes on a terminal, plain lines elsewhere.
struct Progress {
    games: u64,
    /// How many were played by a run before this one.
    before: u64,
    sprt: Option<Sprt>,
    is_terminal: bool,
    next: u64,
    shown: Instant,
}

impl Progress {
    fn new(config: &MatchConfig, before: u64) -> Progress {
        Progress {
            games: config.games,
            before,
            sprt: config.sprt,
            is_terminal: std::io::stderr().is_terminal(),
            next: 1,
            shown: Instant::now(),
        }
    }

    fn show(&mut self, standing: &Standing, game: &MatchGame) {
        if standing.tally.games() <= self.before {
            return;
        }
        for (side, incident) in game.session.incidents().take(1) {
            let who = if side == game.side { "A" } else { "B" };
            self.clear();
            eprintln!(
                "game {}: {who}: {}: {}",
                game.number + 1,
                incident.reason,
                incident.words
            );
        }
        let done = standing.tally.games();
        if self.is_terminal {
            let now = Instant::now();
            if done == self.games || now.duration_since(self.shown).as_millis() >= 100 {
                self.shown = now;
                eprint!("\r\x1b[K{}", self.line(standing));
            }
        } else if done >= self.next {
            // Twenty lines or so, whatever the number of games.
            self.next = done + (self.games / 20).max(1);
            eprintln!("{}", self.line(standing));
        }
    }

    fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }

    fn end(&self) {
        self.clear();
    }

    fn line(&self, standing: &Standing) -> String {
        format!(
            "{}/{}  {}",
            standing.tally.games(),
            self.games,
            figures(standing, self.sprt)
        )
    }
}

/// The score with what it means.
fn figures(standing: &Standing, sprt: Option<Sprt>) -> String {
    let tally = &standing.tally;
    let mut parts = vec![format!(
        "+{} ={} -{}",
        tally.wins, tally.draws, tally.losses
    )];
    if let (Some(elo), Some(los)) = (tally.elo(), tally.likelihood_of_superiority()) {
        parts.push(format!("Elo {:+.1} ± {:.1}", elo.difference, elo.error));
        parts.push(format!("LOS {:.1} %", los * 100.0));
        parts.push(format!("draws {:.1} %", tally.draw_rate() * 100.0));
    }
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        parts.push(format!(
            "LLR {:.2} ({low:.2}, {high:.2})",
            sprt.llr(tally.pairs)
        ));
    }
    parts.join("  ")
}

fn summary(config: &MatchConfig, names: &[String; 2], standing: &Standing) -> String {
    let tally = &standing.tally;
    let mut lines = vec![
        format!("{} against {}", names[0], names[1]),
        figures(standing, config.sprt),
        format!("pairs 0 ½ 1 1½ 2: {:?}", tally.pairs),
        format!("ended by: {}", counts(&standing.reasons)),
    ];
    for (name, incidents) in names.iter().zip(&standing.incidents) {
        if !incidents.is_empty() {
            lines.push(format!("what went wrong for {name}: {}", counts(incidents)));
        }
    }
    if let Some(sprt) = config.sprt {
        lines.push(sprt.in_words(tally.pairs));
    }
    lines.join("\n") + "\n"
}

fn counts(reasons: &BTreeMap<EndReason, u64>) -> String {
    let words: Vec<String> = reasons
        .iter()
        .map(|(reason, count)| format!("{reason} {count}"))
        .collect();
    words.join(", ")
}

fn json(config: &MatchConfig, names: &[String; 2], standing: &Standing) -> serde_json::Value {
    let tally = &standing.tally;
    let counts = |counts: &BTreeMap<EndReason, u64>| {
        counts
            .iter()
            .map(|(reason, count)| (reason.word().to_owned(), json!(count)))
            .collect::<serde_json::Map<_, _>>()
    };
    let elo = tally.elo();
    json!({
        "a": names[0],
        "b": names[1],
        "variant": config.variant.name(),
        "time": config.time[0].to_string(),
        "time_b": config.time[1].to_string(),
        "seed": config.seed,
        "games": tally.games(),
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "pairs": tally.pairs,
        "elo": elo.map(|elo| elo.difference),
        "elo_error": elo.map(|elo| elo.error),
        "los": tally.likelihood_of_superiority(),
        "draw_rate": tally.draw_rate(),
        "llr": config.sprt.map(|sprt| sprt.llr(tally.pairs)),
        "sprt": config.sprt.map(|sprt| match sprt.verdict(tally.pairs) {
            Verdict::Accepted => "accepted",
            Verdict::Refused => "refused",
            Verdict::Open => "open",
        }),
        "reasons": counts(&standing.reasons),
        "incidents": { "a": counts(&standing.incidents[0]), "b": counts(&standing.incidents[1]) },
    })
}
