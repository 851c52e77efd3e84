//! A bot's process as a player.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_play::{Answer, Stop};
use kingme_rules::{Game, Position, Side, Variant};

use super::heard::Search;
use super::level::{after, or_usual, write_level};
use super::line::Line;
use super::moves::read_move;
use super::setting::Settings;
use super::story::Story;
use crate::{BotLog, Caps, LogLine, Player, PlayerFault, Process, Question, Sandbox};

/// How long a bot may take to hear what it is to ponder about.
const SOON: Duration = Duration::from_millis(100);

/// How long a bot may take.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To start, to say who it is and to get ready.
    pub start: Duration,
    /// To take in that a new game begins.
    pub new_game: Duration,
    /// To answer after it was told to stop.
    pub stop: Duration,
    /// To end after it was told to quit.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(10),
            new_game: Duration::from_secs(10),
            stop: Duration::from_millis(500),
            quit: Duration::from_millis(500),
        }
    }
}

/// A program that speaks Hub. It is started when the first game begins.
#[derive(Debug)]
pub struct HubPlayer {
    command: Vec<String>,
    label: String,
    sandbox: Sandbox,
    patience: Patience,
    options: Vec<(String, String)>,
    log: Option<BotLog>,
    bot: Option<Bot>,
    side: Side,
    ponders: bool,
    // Why it can't play this game at all.
    lost: Option<PlayerFault>,
}

/// A bot that has been started and told the game.
#[derive(Debug)]
struct Bot {
    process: Process,
    settings: Settings,
    variant: Variant,
    story: Story,
    /// The last question, whose memory the next one uses.
    question: String,
    /// The last level, and its line: mostly it is the same again.
    level: (Limit, String),
    /// The position it ponders about: where the game stands if its guess is right.
    guess: Option<Position>,
}

impl HubPlayer {
    /// A player for a command: the program and its arguments.
    pub fn new(command: Vec<String>, sandbox: Sandbox) -> HubPlayer {
        HubPlayer {
            label: label(&command),
            command,
            sandbox,
            patience: Patience::default(),
            options: Vec::new(),
            log: None,
            bot: None,
            side: Side::White,
            ponders: false,
            lost: None,
        }
    }

    /// The same player, thinking on its opponent's time if it is to.
    #[must_use]
    pub fn pondering(mut self, ponders: bool) -> HubPlayer {
        self.ponders = ponders;
        self
    }

    /// The same player with another name, until it says its own.
    #[must_use]
    pub fn called(mut self, label: &str) -> HubPlayer {
        label.clone_into(&mut self.label);
        self
    }

    /// The same player with other limits.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> HubPlayer {
        self.patience = patience;
        self
    }

    /// The same player with parameters that it is to set.
    #[must_use]
    pub fn with_options(mut self, options: Vec<(String, String)>) -> HubPlayer {
        self.options = options;
        self
    }

    /// The same player with a log of all it is told and says.
    #[must_use]
    pub fn with_log(mut self, log: Option<BotLog>) -> HubPlayer {
        self.log = log;
        self
    }

    /// The bot, started if it has to be.
    fn bot(&mut self, variant: &Variant, stop: &Stop) -> Result<&mut Bot, PlayerFault> {
        if let Some(fault) = &self.lost {
            return Err(fault.clone());
        }
        if self.bot.as_ref().is_none_or(|bot| bot.variant != *variant) {
            self.end();
            let started = self.launch(variant, stop);
            // Who fails to start will fail again.
            self.lost = started.as_ref().err().cloned();
            self.bot = Some(started?);
        }
        Ok(self.bot.as_mut().expect("it was just started"))
    }

    /// Begins a game, with a bot that is started if it has to be.
    fn begin(&mut self, variant: &Variant, stop: &Stop) -> Result<(), PlayerFault> {
        let (side, patience) = (self.side, self.patience.new_game);
        let bot = self.bot(variant, stop)?;
        bot.new_game(side, Some(Instant::now() + patience), stop)
    }

    fn launch(&self, variant: &Variant, stop: &Stop) -> Result<Bot, PlayerFault> {
        let mut process = Process::spawn(&self.command, &self.sandbox, Caps::default())?;
        process.keep_log(self.log.clone());
        let deadline = Some(Instant::now() + self.patience.start);
        let mut bot = Bot {
            process,
            settings: Settings::default(),
            variant: variant.clone(),
            story: Story::default(),
            question: String::new(),
            level: (Limit::INFINITE, write_level(&Limit::INFINITE)),
            guess: None,
        };
        bot.greet(self.side, &self.options, deadline, stop)?;
        Ok(bot)
    }

    /// Its turn is over. Who was told to ponder thinks on.
    fn rest(&self) {
        if let Some(bot) = self.bot.as_ref().filter(|_| !self.ponders) {
            bot.process.end_turn();
        }
    }

    fn end(&mut self) {
        if let Some(bot) = self.bot.take() {
            bot.process.close("quit\n", self.patience.quit);
        }
    }
}

impl Player for HubPlayer {
    fn name(&self) -> String {
        let name = self.bot.as_ref().and_then(|bot| bot.settings.name.clone());
        name.unwrap_or_else(|| self.label.clone())
    }

    fn version(&self) -> Option<String> {
        let settings = &self.bot.as_ref()?.settings;
        let words = [settings.name.as_deref(), settings.version.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    fn note(&mut self, words: &str) {
        if let Some(log) = &self.log {
            log.write(LogLine::Happened, words);
        }
    }

    fn start(&mut self, variant: &Variant, side: Side) -> Result<(), PlayerFault> {
        self.side = side;
        self.lost = None;
        let started = self.bot(variant, &Stop::new()).map(|_| ());
        self.rest();
        started
    }

    fn new_game(&mut self, game: &Game, side: Side) -> Result<(), PlayerFault> {
        self.side = side;
        self.lost = None;
        let outcome = self.begin(game.variant(), &Stop::new());
        self.rest();
        if outcome.as_ref().is_err_and(PlayerFault::is_fatal) {
            self.bot = None;
        }
        outcome
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        let (patience, ponders) = (self.patience.stop, self.ponders);
        if self.bot.is_none() {
            self.begin(game.variant(), &question.stop)?;
        }
        let bot = self.bot(game.variant(), &question.stop)?;
        let answer = bot.choose(game, question, patience, ponders);
        self.rest();
        answer.unwrap_or_else(|Lost(fault)| {
            self.bot = None;
            Err(fault)
        })
    }

    fn end_game(&mut self, _game: &Game, _winner: Option<Side>) {
        let patience = self.patience.stop;
        if let Some(bot) = &mut self.bot
            && bot.stop_pondering(patience).is_err()
        {
            self.bot = None;
        }
    }

    fn isolation(&self) -> Option<String> {
        self.bot
            .as_ref()
            .map(|bot| bot.process.isolation().to_string())
    }
}

impl Drop for HubPlayer {
    fn drop(&mut self) {
        self.end();
    }
}

/// The process is gone.
struct Lost(PlayerFault);

impl Bot {
    /// The first words: who are you, this is the game, are you ready?
    fn greet(
        &mut self,
        side: Side,
        options: &[(String, String)],
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        self.process.start_turn();
        self.send("hub\n", deadline, stop)?;
        let mut settings = Settings::default();
        self.read_until("wait", deadline, stop, |line| settings.note(line))?;
        let lines = settings
            .with_options(options)
            .and_then(|lines| Ok(settings.for_game(&self.variant, side)? + &lines))
            .map_err(|unfit| PlayerFault::Protocol(unfit.to_string()))?;
        self.settings = settings;
        self.send(&format!("{lines}init\n"), deadline, stop)?;
        let mut settings = std::mem::take(&mut self.settings);
        let ready = self.read_until("ready", deadline, stop, |line| settings.note_name(line));
        self.settings = settings;
        ready
    }

    fn new_game(
        &mut self,
        side: Side,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        self.story = Story::default();
        self.process.start_turn();
        let line = self.settings.new_game(side);
        self.send(&line, deadline, stop)
    }

    fn send(
        &mut self,
        text: &str,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        let sent = self.process.send(text, deadline, stop);
        sent.map_err(|fault| explain(fault, None, &self.process))
    }

    /// Reads lines until one has this command; without it, the bot is not of use.
    fn read_until(
        &mut self,
        command: &str,
        deadline: Option<Instant>,
        stop: &Stop,
        mut note: impl FnMut(Line),
    ) -> Result<(), PlayerFault> {
        let mut complaint = None;
        loop {
            let text = match self.process.read_line(deadline, stop) {
                Ok(text) => text,
                Err(PlayerFault::Late) => {
                    self.process.kill();
                    return Err(PlayerFault::Stalled);
                }
                Err(fault) => return Err(explain(fault, complaint, &self.process)),
            };
            let line = Line::new(&text);
            if line.command() == command {
                return Ok(());
            }
            if line.command() == "error" {
                complaint = line.get("message").map(str::to_owned);
            }
            note(line);
        }
    }

    /// One question and its answer. The outer error says that the process is gone.
    fn choose(
        &mut self,
        game: &Game,
        question: &Question,
        patience: Duration,
        ponders: bool,
    ) -> Result<Result<Answer, PlayerFault>, Lost> {
        let deadline = question.deadline;
        let limit = or_usual(question.limit);
        if self.guess.as_ref() == Some(game.position()) {
            self.guess = None;
            self.start_turn(question.cpu)?;
            let sent = self.send("ponder-hit\n", deadline, &question.stop);
            sent.map_err(Lost)?;
        } else {
            self.stop_pondering(patience)?;
            self.start_turn(question.cpu)?;
            let sent = self.ask(game, limit, "think", deadline, &question.stop);
            sent.map_err(Lost)?;
        }
        let mut search = Search::new(game, limit);
        let heard = self.listen(&mut search, deadline, question);
        self.process.limit_cpu(None);
        match heard {
            Ok(answer) => {
                if let (true, Ok(answer)) = (ponders, &answer) {
                    self.ponder(game, answer, search.guess.as_deref(), limit);
                }
                Ok(answer)
            }
            Err(fault) if fault.is_fatal() => {
                Err(Lost(explain(fault, search.complaint, &self.process)))
            }
            Err(fault) => self.interrupt(fault, patience),
        }
    }

    /// From now on it is asked. What it has said until now is no answer.
    fn start_turn(&mut self, cpu: Option<Duration>) -> Result<(), Lost> {
        let unasked = self.process.forget_unasked();
        unasked.map_err(|fault| Lost(explain(fault, None, &self.process)))?;
        self.process.start_turn();
        self.process.limit_cpu(cpu);
        Ok(())
    }

    /// Asks about a game, to `think` or to `ponder`.
    fn ask(
        &mut self,
        game: &Game,
        limit: Limit,
        how: &str,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        if self.level.0 != limit {
            self.level = (limit, write_level(&limit));
        }
        let mut text = std::mem::take(&mut self.question);
        text.clear();
        self.settings
            .append_position(&mut text, &mut self.story, game);
        for part in [&self.level.1, "go ", how, "\n"] {
            text += part;
        }
        let sent = self.send(&text, deadline, stop);
        self.question = text;
        sent
    }

    /// Has it think on while its opponent does, about the answer it expects. Where that is no
    /// legal move there is nothing to think about; whoever can't be asked will fail soon enough.
    fn ponder(&mut self, game: &Game, answer: &Answer, guess: Option<&str>, limit: Limit) {
        let next = || {
            let mut next = game.clone();
            next.play_unchecked(answer.reply.find(next.position()).ok()?);
            let expected = read_move(next.position(), guess?).ok()?;
            next.play(&expected).ok()?;
            next.outcome().is_none().then_some(next)
        };
        let Some(next) = next() else { return };
        let limit = after(limit, answer.time.unwrap_or_default());
        let soon = Some(Instant::now() + SOON);
        if self.ask(&next, limit, "ponder", soon, &Stop::new()).is_ok() {
            self.guess = Some(next.position().clone());
        }
    }

    /// The guess was wrong, or the game is over.
    fn stop_pondering(&mut self, patience: Duration) -> Result<(), Lost> {
        if self.guess.take().is_none() {
            return Ok(());
        }
        let (deadline, stop) = (Some(Instant::now() + patience), Stop::new());
        self.send("stop\n", deadline, &stop)
            .and_then(|()| self.read_until("done", deadline, &stop, |_| ()))
            .map_err(Lost)
    }

    fn listen(
        &mut self,
        search: &mut Search,
        deadline: Option<Instant>,
        question: &Question,
    ) -> Result<Result<Answer, PlayerFault>, PlayerFault> {
        loop {
            let text = self.process.read_line(deadline, &question.stop)?;
            let line = Line::new(&text);
            match line.command() {
                "info" => {
                    search.note(line);
                    search
                        .suggestion()
                        .into_iter()
                        .for_each(|answer| question.suggest(answer));
                }
                "error" => search.complaint = line.get("message").map(str::to_owned),
                "done" => {
                    let time = self.process.cpu_used();
                    let time = time.unwrap_or_else(|| search.time_until(self.process.read_at()));
                    return Ok(search.answer(line, time));
                }
                _ => {}
            }
        }
    }

    /// The answer is not wanted any more. A bot that heeds `stop` may stay.
    fn interrupt(
        &mut self,
        fault: PlayerFault,
        patience: Duration,
    ) -> Result<Result<Answer, PlayerFault>, Lost> {
        let deadline = Some(Instant::now() + patience);
        let stop = Stop::new();
        let heeded = self
            .process
            .send("stop\n", deadline, &stop)
            .and_then(|()| self.read_until("done", deadline, &stop, |_| ()));
        match (heeded, fault) {
            (Ok(()), fault) => Ok(Err(fault)),
            (Err(PlayerFault::Late), PlayerFault::Late) => Err(Lost(PlayerFault::Stalled)),
            (Err(_), PlayerFault::Interrupted) => Err(Lost(PlayerFault::Interrupted)),
            (Err(fault), _) => Err(Lost(fault)),
        }
    }
}

/// A crash with the bot's own words, which its author wants to see: its last `error` line, or the
/// last line on stderr.
fn explain(fault: PlayerFault, complaint: Option<String>, process: &Process) -> PlayerFault {
    let PlayerFault::Crashed(reason) = fault else {
        return fault;
    };
    let stderr = process.complaint();
    let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
    match complaint.or_else(|| last.map(|line| line.trim().to_owned())) {
        Some(words) => PlayerFault::Crashed(format!("{reason}: {words}")),
        None => PlayerFault::Crashed(reason),
    }
}

/// The name of a program that has not said its name: its file's name, or that of the script it
/// runs.
fn label(command: &[String]) -> String {
    let file = |word: &String| word.rsplit('/').next().unwrap_or(word).to_owned();
    let script = command
        .iter()
        .skip(1)
        .find(|word| word.contains('.') && !word.starts_with('-'));
    script.or(command.first()).map(file).unwrap_or_default()
}
