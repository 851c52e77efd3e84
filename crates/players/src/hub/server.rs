//! Our side of the protocol: a thinker that a screen or a match asks.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use kingme_engine::Limit;
use kingme_rules::{Game, Move, Position, Variant};

use super::level::{both, read_level};
use super::line::{Line, LineWriter};
use super::moves::{read_move, write_move, write_moves};
use super::names::{hub_aliases, our_name};
use super::position::read_position;
use super::thinker::{Info, Purpose, Task, Thinker, Thought};
use kingme_play::Stop;

/// Answers until `quit` or the end of the input. The thinker starts with this game; the other
/// side may choose another.
///
/// # Errors
///
/// If the input can't be read or the output can't be written.
pub fn serve<I, O, T>(mut input: I, output: O, variant: &Variant, thinker: T) -> io::Result<()>
where
    I: BufRead,
    O: Write + Send + 'static,
    T: Thinker + 'static,
{
    let mut server = Server::new(output, variant, thinker);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        // What is no text is nothing we understand, and is ignored like all of that.
        let text = String::from_utf8_lossy(&line);
        if server.answer(Line::new(&text))? == Next::Quit {
            break;
        }
        line.clear();
    }
    server.stop_search();
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

struct Server<O, T> {
    output: Output<O>,
    // Gone while a search has it.
    thinker: Option<T>,
    search: Option<Search<T>>,
    given: Variant,
    variant: Variant,
    /// The variant that the thinker has made ready for.
    prepared: Option<Variant>,
    /// None after a position that could not be read.
    game: Option<Game>,
    limit: Limit,
    /// Whether the level was given before the position.
    level_is_old: bool,
}

struct Search<T> {
    stop: Stop,
    hit: Stop,
    thread: JoinHandle<T>,
}

impl<O: Write + Send + 'static, T: Thinker + 'static> Server<O, T> {
    fn new(output: O, variant: &Variant, thinker: T) -> Server<O, T> {
        Server {
            output: Output(Arc::new(Mutex::new(output))),
            thinker: Some(thinker),
            search: None,
            given: variant.clone(),
            variant: variant.clone(),
            prepared: None,
            game: Some(Game::new(variant)),
            limit: Limit::INFINITE,
            level_is_old: false,
        }
    }

    fn answer(&mut self, line: Line) -> io::Result<Next> {
        match line.command() {
            "ping" => self.output.send("pong\n")?,
            "stop" => self.request_stop(),
            "ponder-hit" => self.ponder_hit(),
            "quit" => return Ok(Next::Quit),
            _ => self.answer_at_rest(line)?,
        }
        Ok(Next::GoOn)
    }

    /// The commands that don't come during a search; if they do, the search is over.
    fn answer_at_rest(&mut self, line: Line) -> io::Result<()> {
        match line.command() {
            "hub" => self.introduce(),
            "init" => {
                self.prepare();
                self.output.send("ready\n")
            }
            "set-param" => self.set_param(line),
            "new-game" => {
                self.prepare();
                self.thinker().new_game();
                Ok(())
            }
            "pos" => self.set_position(line),
            "level" => {
                self.set_level(line);
                Ok(())
            }
            "go" => self.go(line),
            _ => Ok(()),
        }
    }

    fn thinker(&mut self) -> &mut T {
        self.stop_search();
        self.thinker.as_mut().expect("no search has it")
    }

    fn introduce(&mut self) -> io::Result<()> {
        let (name, version) = self.thinker().id();
        let own = self.thinker().params();
        let mut text = LineWriter::new("id")
            .with("name", name)
            .with("version", version)
            .with("author", "kingme")
            .finish();
        let mut names: Vec<&str> = Variant::names().chain(hub_aliases()).collect();
        if !names.contains(&self.given.name()) {
            names.push(self.given.name());
        }
        text += &LineWriter::new("param")
            .with("name", "variant")
            .with("value", self.variant.name())
            .with("type", "enum")
            .with("values", names.join(" "))
            .finish();
        text += &LineWriter::new("param")
            .with("name", "size")
            .with("value", self.variant.board().columns())
            .with("type", "int")
            .finish();
        for (name, value, kind) in own {
            let line = LineWriter::new("param")
                .with("name", name)
                .with("value", value);
            text += &line.flag(&kind).finish();
        }
        text += "wait\n";
        self.output.send(&text)
    }

    /// Makes ready for the game that is set, once.
    fn prepare(&mut self) {
        let variant = self.variant.clone();
        if self.prepared.as_ref() != Some(&variant) {
            self.thinker().prepare(&variant);
            self.prepared = Some(variant);
        }
    }

    /// Limits add up until the next position; those of the position before count if there are no
    /// others.
    fn set_level(&mut self, line: Line) {
        let limit = read_level(line);
        let is_new = std::mem::take(&mut self.level_is_old) || line.has("infinite");
        self.limit = if is_new {
            limit
        } else {
            both(self.limit, limit)
        };
    }

    fn set_param(&mut self, line: Line) -> io::Result<()> {
        let name = line.get("name").unwrap_or_default();
        let value = line.get("value").unwrap_or_default();
        let outcome = match name {
            "variant" => self.set_variant(value),
            "size" => self.set_size(value),
            _ => {
                // A stronger level may need what a weaker one did not.
                self.prepared = None;
                self.thinker().set_param(name, value)
            }
        };
        outcome.or_else(|message| self.output.error(&message))
    }

    fn set_variant(&mut self, value: &str) -> Result<(), String> {
        self.stop_search();
        self.variant = if value == self.given.name() {
            self.given.clone()
        } else {
            Variant::named(our_name(value)).map_err(|error| error.to_string())?
        };
        self.game = Some(Game::new(&self.variant));
        Ok(())
    }

    fn set_size(&mut self, value: &str) -> Result<(), String> {
        self.stop_search();
        let size = value
            .parse()
            .map_err(|_| format!("`{value}` is not a size"))?;
        self.variant = self
            .variant
            .sized(size)
            .map_err(|error| error.to_string())?;
        self.game = Some(Game::new(&self.variant));
        Ok(())
    }

    fn set_position(&mut self, line: Line) -> io::Result<()> {
        self.stop_search();
        self.level_is_old = true;
        let text = line.get("pos").unwrap_or_default();
        let moves = line.get("moves").unwrap_or_default();
        match game_of(&self.variant, text, moves) {
            Ok(game) => {
                self.game = Some(game);
                Ok(())
            }
            Err(message) => {
                self.game = None;
                self.output.error(&message)
            }
        }
    }

    fn go(&mut self, line: Line) -> io::Result<()> {
        self.stop_search();
        let Some(game) = self.game.clone() else {
            return self.output.error("there is no position to think about");
        };
        if game.position().legal_moves().is_empty() {
            return self.output.error("the game is over");
        }
        let task = Task {
            limit: self.limit,
            purpose: match (line.has("ponder"), line.has("analyze")) {
                (true, _) => Purpose::Ponder,
                (_, true) => Purpose::Analyse,
                _ => Purpose::Think,
            },
            stop: Stop::new(),
            hit: Stop::new(),
        };
        let mut thinker = self
            .thinker
            .take()
            .expect("the search before this one has ended");
        let (stop, hit, output) = (task.stop.clone(), task.hit.clone(), self.output.clone());
        let thread = std::thread::spawn(move || {
            think(&mut thinker, &game, &task, &output);
            thinker
        });
        self.search = Some(Search { stop, hit, thread });
        Ok(())
    }

    fn request_stop(&self) {
        if let Some(search) = &self.search {
            search.stop.request();
        }
    }

    /// Our own clock starts now: what was thought so far is a present.
    fn ponder_hit(&self) {
        if let Some(search) = &self.search {
            search.hit.request();
        }
    }

    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.request();
            let thinker = search.thread.join();
            self.thinker = Some(thinker.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    }
}

/// The game of a `pos` line.
fn game_of(variant: &Variant, position: &str, moves: &str) -> Result<Game, String> {
    let start = read_position(variant, position).map_err(|error| error.to_string())?;
    let mut game = Game::from_position(start);
    for text in moves.split_whitespace() {
        let mv = read_move(game.position(), text).map_err(|error| error.to_string())?;
        // Others may play on where our draw rules would stop.
        if game.outcome().is_some() {
            game = Game::from_position(game.position().clone());
        }
        game.play(&mv).map_err(|error| error.to_string())?;
    }
    if game.outcome().is_some() {
        game = Game::from_position(game.position().clone());
    }
    Ok(game)
}

fn think<O: Write>(thinker: &mut impl Thinker, game: &Game, task: &Task, output: &Output<O>) {
    let board = game.variant().board();
    let mut report = |info: &Info| {
        // If nobody reads any more, the main loop sees the end of the input.
        let _ = output.send(&info_line(game, info));
    };
    // Whatever goes wrong, whoever asked gets a move.
    let thought = catch_unwind(AssertUnwindSafe(|| thinker.think(game, task, &mut report)));
    let thought = thought.unwrap_or_else(|_| {
        let _ = output.error("thinking has failed; this move is the first that is legal");
        None
    });
    let Thought { best, ponder } = thought.unwrap_or_else(|| Thought {
        best: game.position().legal_moves().swap_remove(0),
        ponder: None,
    });
    let line = LineWriter::new("done")
        .with("move", write_move(board, &best))
        .with_some("ponder", ponder.map(|mv| write_move(board, &mv)));
    let _ = output.send(&line.finish());
}

fn info_line(game: &Game, info: &Info) -> String {
    let seconds = info.time.as_secs_f64();
    let speed = info
        .nodes
        .filter(|_| seconds > 0.0)
        .map(|nodes| nodes as f64 / seconds / 1e6);
    LineWriter::new("info")
        .with_some("depth", info.depth)
        .with_some("score", info.score.map(|score| format!("{score:.2}")))
        .with_some("nodes", info.nodes)
        .with("time", format!("{seconds:.3}"))
        .with_some("nps", speed.map(|speed| format!("{speed:.1}")))
        .with("pv", line_text(game.position(), &info.line))
        .finish()
}

fn line_text(position: &Position, line: &[Move]) -> String {
    write_moves(position.variant().board(), line)
}

/// The output that the main loop and the search share; a line goes out whole and at once.
struct Output<O>(Arc<Mutex<O>>);

impl<O> Clone for Output<O> {
    fn clone(&self) -> Output<O> {
        Output(Arc::clone(&self.0))
    }
}

impl<O: Write> Output<O> {
    fn send(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    fn error(&self, message: &str) -> io::Result<()> {
        self.send(&LineWriter::new("error").with("message", message).finish())
    }
}
