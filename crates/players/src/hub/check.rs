//! Walks through the protocol with a bot, step by step, and says in plain words what is wrong.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_rules::{Game, Move, Position, Variant};

use super::level::write_level;
use super::line::Line;
use super::moves::{read_move_among, write_move};
use super::setting::Settings;
use crate::{Caps, PlayerFault, Process, Sandbox};
use kingme_play::{Chance, Stop};

/// One step of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was tried.
    pub title: &'static str,
    /// How it went.
    pub finding: Finding,
}

/// How a step went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// As it should; the text says what was seen.
    Fine(String),
    /// It works, but could be better.
    Hint(String),
    /// It does not work: what is wrong, and what to do.
    Wrong(String),
}

/// To answer what needs no thought.
const SOON: Duration = Duration::from_secs(2);
/// To think about a move, and how much later the answer may come.
const THINK: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(500);
/// A move in the game at the end is to be quick.
const QUICK: Duration = Duration::from_millis(250);
/// So long is that game at most.
const PLIES: usize = 100;

/// Checks a bot in a game; `on_step` hears of every step. True if nothing is wrong.
pub fn check_bot(
    command: &[String],
    options: &[(String, String)],
    sandbox: &Sandbox,
    start: Duration,
    variant: &Variant,
    seed: u64,
    on_step: &mut dyn FnMut(&Step),
) -> bool {
    let process = match Process::spawn(command, sandbox, Caps::default()) {
        Ok(process) => process,
        Err(fault) => {
            on_step(&Step {
                title: "start the program",
                finding: Finding::Wrong(format!(
                    "{fault}. Is the command right, and may the file be executed?"
                )),
            });
            return false;
        }
    };
    let mut walk = Walk {
        process,
        settings: Settings::default(),
        options: options.to_vec(),
        start,
        variant: variant.clone(),
        chance: Chance::new(seed),
        noise: None,
        complaint: None,
        late: 0,
    };
    for (title, step) in STEPS {
        walk.process.start_turn();
        let finding = step(&mut walk);
        let finding = finding.unwrap_or_else(|words| Finding::Wrong(words + &walk.traceback()));
        let wrong = matches!(finding, Finding::Wrong(_));
        on_step(&Step { title, finding });
        if wrong {
            return false;
        }
    }
    true
}

type StepResult = Result<Finding, String>;
type StepFunction = fn(&mut Walk) -> StepResult;

const STEPS: [(&str, StepFunction); 10] = [
    ("say who you are", Walk::introduction),
    ("learn the game", Walk::game),
    ("get ready", Walk::ready),
    ("answer a ping, ignore what you don't know", Walk::ping),
    ("make a first move", Walk::first_move),
    ("make a capture", Walk::capture),
    ("play a game against chance", Walk::whole_game),
    ("stop when told to", Walk::stop),
    ("ponder and analyse", Walk::ponder_and_analyse),
    ("quit", Walk::quit),
];

struct Walk {
    process: Process,
    settings: Settings,
    options: Vec<(String, String)>,
    /// How long it may take to start and to get ready.
    start: Duration,
    variant: Variant,
    chance: Chance,
    /// A line that is none of the protocol's.
    noise: Option<String>,
    /// The bot's last `error` line.
    complaint: Option<String>,
    /// How often its time was over before it was done.
    late: u32,
}

/// The lines that a bot may say.
const KNOWN: [&str; 8] = [
    "id", "param", "wait", "ready", "info", "done", "pong", "error",
];

impl Walk {
    fn send(&mut self, text: &str) -> Result<(), String> {
        let deadline = Some(Instant::now() + SOON);
        let sent = self.process.send(text, deadline, &Stop::new());
        let first = text.lines().next().unwrap_or_default();
        sent.map_err(|fault| self.gone(&fault, &format!("before it had read `{}`", short(first))))
    }

    /// The next line with this command, within a time.
    fn expect(&mut self, command: &str, within: Duration, after: &str) -> Result<String, String> {
        let deadline = Some(Instant::now() + within);
        loop {
            let text = match self.process.read_line(deadline, &Stop::new()) {
                Ok(text) => text,
                Err(PlayerFault::Late) => return Err(self.silent(command, within, after)),
                Err(fault) => return Err(self.gone(&fault, &format!("after `{after}`"))),
            };
            let line = Line::new(&text);
            if line.command() == command {
                return Ok(text);
            }
            self.note(line, &text);
        }
    }

    fn note(&mut self, line: Line, text: &str) {
        self.settings.note(line);
        if line.command() == "error" {
            self.complaint = line.get("message").map(str::to_owned);
        } else if !KNOWN.contains(&line.command()) && !text.trim().is_empty() {
            self.noise.get_or_insert_with(|| text.to_owned());
        }
    }

    fn silent(&self, command: &str, within: Duration, after: &str) -> String {
        let instead = match &self.noise {
            Some(noise) => format!(
                "; it said `{}` instead, which is not in the protocol",
                short(noise)
            ),
            None => ". Does it flush its output after every line?".to_owned(),
        };
        let seconds = within.as_secs_f64();
        let slow = if command == "done" && self.noise.is_none() {
            "too slow: "
        } else {
            ""
        };
        format!("{slow}there was no `{command}` within {seconds} s after `{after}`{instead}")
    }

    /// The traceback that a bot in Python has left on stderr, as lines of its own.
    fn traceback(&mut self) -> String {
        let stderr = self.process.whole_complaint();
        let Some(start) = stderr.rfind("Traceback (most recent call last):") else {
            return String::new();
        };
        let lines = stderr[start..].lines();
        lines.flat_map(|line| ["\n      ", line]).collect()
    }

    /// A move that is fine, or would be if the bot had been quicker.
    fn in_time(&self, late_before: u32, text: String) -> Finding {
        match self.late - late_before {
            0 => Finding::Fine(text),
            _ => Finding::Hint(format!(
                "{text}; too slow: it was still thinking when its time was over, and what it had \
                 suggested so far counts"
            )),
        }
    }

    fn gone(&self, fault: &PlayerFault, when: &str) -> String {
        let stderr = self.process.complaint();
        let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
        match self.complaint.as_deref().or(last) {
            Some(words) => format!("{fault} ({when}); its last words were `{}`", short(words)),
            None => format!("{fault} ({when})"),
        }
    }

    fn introduction(&mut self) -> StepResult {
        self.send("hub\n")?;
        self.expect("wait", self.start, "hub")?;
        let Some(name) = &self.settings.name else {
            return Err("it said `wait`, but no `id name=…` before it".to_owned());
        };
        let version = self.settings.version.as_deref().unwrap_or_default();
        Ok(Finding::Fine(
            format!("it is {name} {version}").trim_end().to_owned(),
        ))
    }

    fn game(&mut self) -> StepResult {
        let side = Game::new(&self.variant).turn();
        let lines = self.settings.for_game(&self.variant, side);
        let lines = lines.map_err(|unfit| {
            format!(
                "{unfit}. Declare the game with `param name=variant value={0} type=enum values={0}`, \
                 or let the arena hand the legal moves over with `param name=hand-over value=legal`",
                self.variant.name(),
            )
        })?;
        let options = self.settings.with_options(&self.options);
        let options = options.map_err(|unfit| unfit.to_string())?;
        self.send(&(lines + &options))?;
        Ok(Finding::Fine(format!("it plays {}", self.variant.name())))
    }

    fn ready(&mut self) -> StepResult {
        self.send("init\n")?;
        self.expect("ready", self.start, "init")?;
        match self.noise.take() {
            Some(noise) => Ok(Finding::Hint(format!(
                "it is, but `{}` is not a line of the protocol; print such things to stderr",
                short(&noise),
            ))),
            None => Ok(Finding::Fine("it is".to_owned())),
        }
    }

    fn ping(&mut self) -> StepResult {
        self.send("make-tea sugar=2\nping\n")?;
        self.expect("pong", SOON, "ping")?;
        Ok(Finding::Fine("pong".to_owned()))
    }

    fn first_move(&mut self) -> StepResult {
        let game = Game::new(&self.variant);
        self.send_new_game(&game)?;
        let late = self.late;
        let (text, mv) = self.ask(&game, THINK)?;
        let inexact = inexactness(&game, &text, &mv);
        Ok(self.in_time(late, format!("{text}{inexact}")))
    }

    fn send_new_game(&mut self, game: &Game) -> Result<(), String> {
        let line = self.settings.new_game(game.turn());
        self.send(&line)
    }

    /// Asks for a move and makes sure that it is one.
    fn ask(&mut self, game: &Game, time: Duration) -> Result<(String, Move), String> {
        self.process.start_turn();
        let level = write_level(&Limit::move_time(time));
        let question = format!("{}{}go think\n", self.settings.position(game), level);
        self.complaint = None;
        self.send(&question)?;
        let line = self.expect("done", time + GRACE, "go think")?;
        let position = game.position();
        let is_late = Line::new(&line).get("late") == Some("true");
        self.late += u32::from(is_late);
        let Some(text) = Line::new(&line).get("move").filter(|text| !text.is_empty()) else {
            let late =
                "too slow: it was still thinking when its time was over, and had suggested nothing";
            let usual = if is_late {
                late
            } else {
                "write `done move=…`"
            };
            let words = self.complaint.as_deref().unwrap_or(usual);
            return Err(format!("`{}` has no move: {words}", short(&line)));
        };
        if let Some(words) = &self.complaint {
            return Err(format!(
                "it answered `{}`, but failed: {words}",
                short(text)
            ));
        }
        let mv = read_move_among(position, &game.legal_moves(), text).map_err(|error| {
            let history = if game.plies() == 0 {
                String::new()
            } else {
                format!(" after the moves {game}; is `moves=` of the `pos` line played on the bot's board?")
            };
            format!("{error} ({}{history})", position.fen())
        })?;
        Ok((text.to_owned(), mv))
    }

    fn capture(&mut self) -> StepResult {
        let Some(game) = self.game_with_capture() else {
            return Ok(Finding::Fine(
                "no capture came up by chance, so there is nothing to see".to_owned(),
            ));
        };
        self.send_new_game(&game)?;
        let late = self.late;
        let (text, mv) = self.ask(&game, THINK)?;
        let inexact = inexactness(&game, &text, &mv);
        if mv.is_capture() && !inexact.is_empty() {
            return Ok(Finding::Hint(format!(
                "{text}{inexact}, with all captured squares at the end"
            )));
        }
        Ok(self.in_time(late, text))
    }

    /// A game by chance that has come to a capture, preferably one of several pieces.
    fn game_with_capture(&mut self) -> Option<Game> {
        let mut found = None;
        for _ in 0..20 {
            let mut game = Game::new(&self.variant);
            while let Some(mv) = self.chance.pick(&game.legal_moves()).cloned() {
                if can_capture_several(game.position()) {
                    return Some(game);
                }
                if found.is_none() && game.position().can_capture() {
                    found = Some(game.clone());
                }
                game.play(&mv).ok()?;
                if game.plies() > 150 {
                    break;
                }
            }
        }
        found
    }

    fn whole_game(&mut self) -> StepResult {
        let mut game = Game::new(&self.variant);
        self.send_new_game(&game)?;
        let late = self.late;
        let side = game.turn();
        while game.outcome().is_none() && game.plies() < PLIES {
            let mv = if game.turn() == side {
                self.ask(&game, QUICK)?.1
            } else {
                let legal = game.legal_moves();
                self.chance
                    .pick(&legal)
                    .cloned()
                    .ok_or("there is no move")?
            };
            game.play(&mv).map_err(|error| error.to_string())?;
        }
        let plies = game.plies();
        Ok(match self.late - late {
            0 => Finding::Fine(format!("{plies} plies, all legal and in time")),
            times => Finding::Hint(format!(
                "{plies} plies, all legal; too slow {times} times: it was still thinking after {} \
                 s, and what it had suggested so far counts",
                QUICK.as_secs_f64()
            )),
        })
    }

    fn stop(&mut self) -> StepResult {
        let game = Game::new(&self.variant);
        self.send_new_game(&game)?;
        let position = self.settings.position(&game);
        self.send(&format!("{position}level infinite\ngo think\nstop\n"))?;
        let answered = self.expect("done", SOON, "stop");
        match answered {
            Ok(_) => Ok(Finding::Fine("it does".to_owned())),
            Err(error) => Err(format!(
                "{error}. A bot that goes on is ended and started again"
            )),
        }
    }

    /// A bot may answer before it is told to, but it has to answer once.
    fn ponder_and_analyse(&mut self) -> StepResult {
        let game = Game::new(&self.variant);
        self.send_new_game(&game)?;
        let position = self.settings.position(&game);
        let tries = [
            ("level move-time=0.1\ngo ponder\nponder-hit\n", "ponder-hit"),
            ("level infinite\ngo analyze\nstop\n", "stop"),
        ];
        for (lines, last) in tries {
            self.send(&format!("{position}{lines}"))?;
            if let Err(error) = self.expect("done", SOON, last) {
                return Ok(Finding::Hint(format!(
                    "{error}. Matches do without it, unless they are played with --ponder"
                )));
            }
        }
        Ok(Finding::Fine("it does".to_owned()))
    }

    fn quit(&mut self) -> StepResult {
        // A bot may be gone before it has taken this in.
        let _ = self.send("quit\n");
        let deadline = Some(Instant::now() + SOON);
        loop {
            match self.process.read_line(deadline, &Stop::new()) {
                Ok(_) => {}
                Err(PlayerFault::Late) => {
                    return Err(format!(
                        "it was still there {} s after `quit`",
                        SOON.as_secs()
                    ));
                }
                Err(_) => return Ok(Finding::Fine("it has".to_owned())),
            }
        }
    }
}

/// What is inexact in the text of a move that we could guess nevertheless.
fn inexactness(game: &Game, text: &str, mv: &Move) -> String {
    let exact = write_move(game.variant().board(), mv);
    let same = text.split(['-', 'x']).count() == exact.split(['-', 'x']).count();
    if same {
        String::new()
    } else {
        format!("; others will want {exact}")
    }
}

fn can_capture_several(position: &Position) -> bool {
    position.can_capture()
        && position
            .legal_moves()
            .iter()
            .any(|mv| mv.captured.len() > 1)
}

/// The beginning of what a bot has said.
fn short(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
