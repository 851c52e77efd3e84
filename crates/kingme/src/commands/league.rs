//! `kingme league`: play a league from its file, show it, export it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kingme_arena::league::{
    Entry, ExportFormat, History, Hosted, League, LeagueError, LeagueEvent, LeagueFile, LogPlace,
    People, Reader, Schedule, SharedLogs, Standings, Written, export,
};
use kingme_arena::{Cores, Host};
use kingme_data::Place;
use kingme_play::Stop;
use kingme_players::dxp::clock_note;
use kingme_players::{BotLogs, Isolation, Keyboard, Person, Player, PlayerSpec};

use super::sharing::{Sharing, data_base};
use super::tables::DataArgs;
use super::{Answer, Result};

/// Arguments of `kingme league`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

impl Args {
    /// Whether games are played.
    #[cfg(target_os = "linux")]
    pub fn plays(&self) -> bool {
        matches!(self.action, Action::Run { .. })
    }
}

#[derive(clap::Subcommand)]
enum Action {
    /// Play what is left to play; an interrupted league goes on where it stopped
    Run {
        #[command(flatten)]
        which: Which,
        /// Keep a log of what each bot is told and says, in a folder beside the league's log
        #[arg(long)]
        log_bots: bool,
        #[command(flatten)]
        sharing: Sharing,
        #[command(flatten)]
        data: DataArgs,
    },
    /// Print the table with ratings
    Show {
        #[command(flatten)]
        which: Kept,
        /// List what went wrong, with what the bots wrote meanwhile (see --log-bots of run)
        #[arg(long)]
        incidents: bool,
    },
    /// Write the games and the table
    Export {
        #[command(flatten)]
        which: Kept,
        /// pdn, csv, json, html, or trf for a Swiss; by the ending of OUT if left out
        #[arg(long)]
        format: Option<ExportFormat>,
        /// Where to write
        #[arg(long, value_name = "OUT")]
        out: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
struct Which {
    /// The league's file (see docs/LEAGUES.md)
    file: PathBuf,
    /// The league's log [default: FILE with the ending .db; with --store, FILE's name without one]
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,
}

/// A league that was played.
#[derive(clap::Args)]
struct Kept {
    /// The league's file, its log or a match's; with --store its log's name there will do, and
    /// without any `show` lists all that are there
    #[arg(required_unless_present = "store")]
    file: Option<PathBuf>,
    /// The league's log [default: FILE with the ending .db; with --store, FILE's name without one]
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,
    /// The log is in this data base: `postgres://user@host/name`, with the password from `PGPASSWORD`
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

impl Which {
    /// Where the log is: in a data base if one is named.
    fn log(&self, store: Option<&Place>) -> std::result::Result<LogPlace, LeagueError> {
        let log = self.log.clone();
        let Some(store) = store else {
            return Ok(log.unwrap_or_else(|| League::log_path(&self.file)).into());
        };
        let name = match &log {
            Some(log) => Some(log.as_os_str()),
            None => self.file.file_stem(),
        };
        let name = name.unwrap_or_default().to_string_lossy();
        let folder = self.file.is_file().then(|| self.file.parent()).flatten();
        LogPlace::shared(store, &name, folder)
    }

    /// Whether the log's file itself was named.
    fn is_log(&self) -> bool {
        self.log.is_none() && self.file == League::log_path(&self.file)
    }
}

impl Kept {
    /// The league that was named.
    fn which(&self) -> std::result::Result<Which, &'static str> {
        let file = self.file.clone().ok_or(
            "name a league; `kingme league show` with the same --store lists those that are there",
        )?;
        let log = self.log.clone();
        Ok(Which { file, log })
    }

    fn store(&self) -> std::result::Result<Option<Place>, Box<dyn std::error::Error>> {
        self.store.as_deref().map(data_base).transpose()
    }

    /// The log, to be read.
    fn reader(&self) -> std::result::Result<Reader, Box<dyn std::error::Error>> {
        let (which, store) = (self.which()?, self.store()?);
        let log = which.log(store.as_ref())?;
        let is_named = match store {
            None => which.is_log(),
            Some(_) => !which.file.is_file(),
        };
        if is_named {
            return Ok(Reader::open(&log)?);
        }
        Ok(Reader::of(&League::read(&which.file)?, &log)?)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    match &args.action {
        Action::Run {
            which,
            log_bots,
            sharing,
            data,
        } => play(which, *log_bots, sharing, data),
        Action::Show {
            which,
            incidents: true,
        } => show_incidents(which),
        Action::Show { which, .. } => show(which),
        Action::Export { which, format, out } => write(which, *format, out.as_deref()),
    }
}

fn play(which: &Which, log_bots: bool, sharing: &Sharing, data: &DataArgs) -> Result {
    let store = sharing.place()?;
    if store.is_none() && which.is_log() {
        let log = which.file.display();
        return Err(format!("`{log}` is a log; name the league's file to play it").into());
    }
    let log = which.log(store.as_ref())?;
    let mut league = League::open(&which.file, &log, data.shelf())?;
    let bot_logs = log_bots.then(|| bot_logs(&log.bots()));
    let bot_logs = bot_logs.transpose()?;
    if let Some(logs) = &bot_logs {
        league.keep_bot_logs(logs.clone());
    }
    if let Some(elsewhere) = sharing.elsewhere(league.number())? {
        league.share(elsewhere);
    }
    let stop = super::stop_on_interrupt()?;
    let has_people = league.people().next().is_some();
    let keyboard = has_people.then(|| Keyboard::new(BufReader::new(std::io::stdin())));
    let people = AtTerminal {
        keyboard,
        is_shared: league.people().count() > 1,
    };
    for note in clock_notes(&league.file) {
        eprintln!("{note}");
    }
    let mut progress = Progress::new(&league.file);
    let show = &mut |event: &LeagueEvent| progress.show(event);
    let (file, summary) = league.play(&people, &stop, show)?;
    progress.end();
    if let Some(failure) = bot_logs.and_then(|logs| logs.failure()) {
        return Err(failure.into());
    }
    print(&Standings::new(&file, &summary.history, &summary.results))?;
    if summary.complete {
        return Ok(Answer::Yes);
    }
    let store = store.map_or("", |_| " with the same --store");
    eprintln!(
        "stopped; `kingme league run {}`{store} goes on",
        which.file.display()
    );
    Ok(Answer::No)
}

/// What is to be said of players over the network that keep clocks of their own.
fn clock_notes(file: &LeagueFile) -> impl Iterator<Item = String> {
    let is_dxp = |entry: &&Entry| matches!(entry.plays, PlayerSpec::Dxp { .. });
    let dxp = file.players.iter().filter(is_dxp);
    dxp.filter_map(|entry| {
        let note = clock_note(entry.own.time.unwrap_or(file.time))?;
        Some(format!("{}: {note}", entry.name))
    })
}

/// People who share this terminal.
struct AtTerminal {
    keyboard: Option<Keyboard>,
    is_shared: bool,
}

impl People for AtTerminal {
    fn are_together(&self) -> bool {
        true
    }

    fn player(&self, name: &str) -> Option<Box<dyn Player>> {
        let keyboard = self.keyboard.clone()?;
        let person = Person::new(name, keyboard, Box::new(std::io::stdout()));
        Some(Box::new(if self.is_shared {
            person.at_shared_screen()
        } else {
            person
        }))
    }

    fn host(
        &self,
        _game: Hosted,
        _stop: &Stop,
    ) -> std::result::Result<Option<Box<dyn Host>>, String> {
        Err("everybody here is asked".to_owned())
    }
}

fn show(which: &Kept) -> Result {
    if let (None, Some(store)) = (&which.file, which.store()?) {
        return list(&store);
    }
    let mut reader = which.reader()?;
    let (results, history) = (reader.results()?, reader.history()?);
    print(&Standings::new(reader.league(), &history, &results))?;
    print!("{}", progress(&mut reader, history, results.len())?);
    Ok(Answer::Yes)
}

/// The leagues in a data base, a line each: what its log is called, and how far it is.
fn list(store: &Place) -> Result {
    let logs = SharedLogs::connect(store)?;
    let mut text = String::new();
    for name in logs.names()? {
        let mut reader = logs.reader(&name)?;
        let (history, finished) = (reader.history()?, reader.results()?.len());
        let games = Schedule::new(reader.league(), history).games();
        let total = games.map_or_else(String::new, |games| format!(" of {games}"));
        let state = if reader.is_running() {
            ", being played"
        } else {
            ""
        };
        let league = &reader.league().name;
        writeln!(text, "{name}  {league}: {finished}{total} games{state}")
            .expect("a string takes it");
    }
    if text.is_empty() {
        text += "no leagues\n";
    }
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Answer::Yes)
}

/// A folder for the logs of bots.
pub fn bot_logs(folder: &Path) -> std::result::Result<BotLogs, String> {
    BotLogs::create(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// What went wrong in the games of a league, each with what the bot wrote in that game.
fn show_incidents(which: &Kept) -> Result {
    let reader = which.reader()?;
    let folder = reader.bots_path();
    let mut written = Written::new(&folder);
    let mut text = String::new();
    let (mut incidents, _) = reader.incidents_after(0)?;
    incidents.sort_by_key(|incident| (incident.game, incident.ply));
    for (index, incident) in incidents.iter().enumerate() {
        let name = reader.league().name_of(incident.player);
        let (game, ply, reason) = (incident.game, incident.ply, incident.reason);
        let words = &incident.words;
        writeln!(text, "game {game}, ply {ply}: {name}: {reason}: {words}")
            .expect("a string takes it");
        let is_followed = incidents[index + 1..]
            .iter()
            .take_while(|other| other.game == game)
            .any(|other| other.player == incident.player);
        if is_followed {
            continue;
        }
        let lines = written.in_game(name, game);
        text.extend(lines.into_iter().flat_map(|line| ["    ", line, "\n"]));
    }
    if text.is_empty() {
        text += "nothing went wrong\n";
    } else if !folder.is_dir() {
        text += "`kingme league run --log-bots` keeps what bots write\n";
    }
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(Answer::Yes)
}

/// How far the league is, and the games in progress if it is being played.
fn progress(
    reader: &mut Reader,
    history: History,
    finished: usize,
) -> std::result::Result<String, LeagueError> {
    let games = Schedule::new(reader.league(), history).games();
    let total = games.map_or_else(String::new, |games| format!(" of {games}"));
    if !reader.is_running() {
        return Ok(format!("{finished}{total} games are finished\n"));
    }
    let mut text = format!("{finished}{total} games are finished; it is being played now\n");
    for live in reader.live()? {
        let [white, black] = live
            .players
            .map(|player| &reader.league().players[player].name);
        let last = live.session.game().move_texts().pop().unwrap_or_default();
        writeln!(
            text,
            "game {}, round {}, {white} - {black}: {} plies, {last}",
            live.number,
            live.round,
            live.session.game().plies()
        )
        .expect("a string takes it");
    }
    Ok(text)
}

fn print(table: &Standings) -> std::io::Result<()> {
    write!(std::io::stdout().lock(), "{table}")
}

fn write(which: &Kept, format: Option<ExportFormat>, out: Option<&Path>) -> Result {
    let ending = out
        .and_then(Path::extension)
        .and_then(|ending| ending.to_str());
    let format = match (format, ending) {
        (Some(format), _) => format,
        (None, Some(ending)) => ending.parse()?,
        (None, None) => {
            return Err("say what to export: `--format pdn`, csv, json, html or trf".into());
        }
    };
    let mut reader = which.reader()?;
    match out {
        None => {
            // In one piece, so that a reader who has seen enough is not an error of the league.
            let mut text = Vec::new();
            export(&mut reader, format, &mut text)?;
            std::io::stdout().lock().write_all(&text)?;
        }
        Some(out) => {
            let fault =
                |error: std::io::Error| LeagueError::File(format!("{}: {error}", out.display()));
            let mut writer = BufWriter::new(File::create(out).map_err(fault)?);
            export(&mut reader, format, &mut writer)?;
            writer.flush().map_err(fault)?;
        }
    }
    Ok(Answer::Yes)
}

fn names(file: &LeagueFile) -> Vec<String> {
    let entries = file.players.iter();
    entries.map(|entry| entry.name.clone()).collect()
}

/// How the league goes on, on stderr.
struct Progress {
    games: Option<u64>,
    names: Vec<String>,
    /// What confines the players; empty if none of them is a program.
    confined: String,
    is_terminal: bool,
    shown: Instant,
}

impl Progress {
    fn new(file: &LeagueFile) -> Progress {
        let is_process = |entry: &Entry| entry.plays.is_process();
        let cores = Cores::for_games(file.concurrency, file.cores).in_words();
        Progress {
            games: Schedule::new(file, History::default()).games(),
            names: names(file),
            confined: if file.players.iter().any(is_process) {
                format!(
                    "bots are confined by {}{cores}",
                    Isolation::available().in_words()
                )
            } else {
                String::new()
            },
            is_terminal: std::io::stderr().is_terminal(),
            shown: Instant::now(),
        }
    }

    fn show(&mut self, event: &LeagueEvent) {
        match event {
            LeagueEvent::Resumed { finished, aborted } => {
                if !self.confined.is_empty() {
                    eprintln!("{}", self.confined);
                }
                if *finished + *aborted > 0 {
                    eprintln!(
                        "{finished} games are finished, {aborted} were interrupted and are played again"
                    );
                }
            }
            LeagueEvent::Changed {
                file,
                history,
                changes,
            } => {
                self.clear();
                let changes = match changes.join("; ") {
                    none if none.is_empty() => "longer or faster".to_owned(),
                    changes => changes,
                };
                eprintln!("the league's file has changed: {changes}");
                self.games = Schedule::new(file, (*history).clone()).games();
                self.names = names(file);
            }
            LeagueEvent::NotChanged { why } => {
                self.clear();
                eprintln!("the league's file has changed, and goes unused: {why}");
            }
            LeagueEvent::Game {
                finished,
                session,
                results,
                ..
            } => {
                for (side, incident) in session.incidents().take(1) {
                    let name = &self.names[finished.players[side]];
                    self.clear();
                    eprintln!(
                        "game {}: {name}: {}: {}",
                        finished.game, incident.reason, incident.words
                    );
                }
                let total = self
                    .games
                    .map_or_else(String::new, |games| format!("/{games}"));
                let [white, black] = finished.players.map(|player| &self.names[player]);
                let line = format!(
                    "{}{total}  round {}  {white} - {black}: {}",
                    results.len(),
                    finished.round,
                    session.end().map_or("", |end| &end.words)
                );
                self.line(&line, self.games == Some(results.len() as u64));
            }
        }
    }

    /// A line that changes on a terminal, a line a second elsewhere.
    fn line(&mut self, text: &str, is_last: bool) {
        let pause = if self.is_terminal {
            Duration::from_millis(100)
        } else {
            Duration::from_secs(1)
        };
        if self.shown.elapsed() < pause && !is_last {
            return;
        }
        self.shown = Instant::now();
        if self.is_terminal {
            eprint!("\r\x1b[K{text}");
        } else {
            eprintln!("{text}");
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
}
