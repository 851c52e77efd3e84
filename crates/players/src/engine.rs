//! Our engine as a player.

use std::ops::ControlFlow;
use std::sync::Arc;

use cpu_time::ThreadTime;
use kingme_engine::{Engine, Handle, Limit, Options, Report, Score};
use kingme_play::Answer;
use kingme_rules::{Game, Move, Position, Side, Variant};

use crate::OURS;
use crate::OpenError;
use crate::hub::MOST_EXPECTED;
use crate::{EngineOptions, Player, PlayerFault, Question, TableShelf};

/// Our engine.
pub struct EnginePlayer {
    engine: Engine,
    name: String,
    tables: Option<Arc<TableShelf>>,
}

impl EnginePlayer {
    /// An engine under a name.
    pub fn new(engine: Engine, name: String) -> EnginePlayer {
        EnginePlayer {
            engine,
            name,
            tables: None,
        }
    }

    /// The same engine with endgame tables; weaker levels don't look into them.
    #[must_use]
    pub fn with_tables(mut self, tables: Option<Arc<TableShelf>>) -> EnginePlayer {
        self.tables = tables;
        self
    }
}

impl EngineOptions {
    /// The engine that they describe, for games of a variant; the seed is for the weaker levels.
    ///
    /// # Errors
    ///
    /// If the file of weights can't be read or is for another game.
    pub fn engine(&self, variant: &Variant, seed: u64) -> Result<Engine, OpenError> {
        let usual = Options::default();
        let mut engine = Engine::new(Options {
            level: self.level.unwrap_or(usual.level),
            threads: self.threads.map_or(usual.threads, |n| n as usize),
            hash: self.hash.map_or(usual.hash, |hash| hash as usize),
            seed,
            ..usual
        });
        if let Some(path) = &self.weights {
            let refused = |why: &dyn std::fmt::Display| OpenError::Start {
                spec: self.to_string(),
                why: format!("{path}: {why}"),
            };
            let file = std::fs::read(path).map_err(|error| refused(&error))?;
            let used = engine.use_weights(&file, variant);
            used.map_err(|error| refused(&error))?;
        }
        Ok(engine)
    }
}

/// Gives an engine what it needs of a game before a clock runs: the evaluation, and the endgame
/// tables. Games that can't have any are played without.
pub(crate) fn take_tables(engine: &mut Engine, shelf: Option<&TableShelf>, variant: &Variant) {
    engine.prepare(variant);
    let shelf = shelf.filter(|_| may_ask_tables(engine));
    match shelf.and_then(|shelf| shelf.ready(variant).ok()) {
        Some(tables) => engine.use_tables(variant, tables),
        None => engine.forget_tables(),
    }
}

/// Whether an engine's level is one that knows endgames by heart: the strongest.
pub(crate) fn may_ask_tables(engine: &Engine) -> bool {
    engine.options().knows_endings()
}

impl Player for EnginePlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn version(&self) -> Option<String> {
        Some(OURS.to_owned())
    }

    fn seed(&mut self, seed: u64) {
        let options = Options {
            seed,
            ..self.engine.options().clone()
        };
        self.engine.set_options(options);
    }

    fn new_game(&mut self, game: &Game, _side: Side) -> Result<(), PlayerFault> {
        // No clock runs yet, so that building small tables costs nobody's time.
        take_tables(&mut self.engine, self.tables.as_deref(), game.variant());
        self.engine.clear();
        Ok(())
    }

    fn choose(&mut self, game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        let handle = Handle::new();
        self.engine.set_handle(handle.clone());
        let _on_stop = question.stop.on_request(move || handle.stop());
        let limit = self.limit(question);
        let began = ThreadTime::now();
        let mut line = Vec::new();
        let choice = self.engine.search(game, &limit, &mut |report| {
            suggest(question, report);
            if let Some(first) = report.lines.first() {
                line.clone_from(&first.moves);
            }
            ControlFlow::Continue(())
        });
        if question.stop.is_requested() {
            return Err(PlayerFault::Interrupted);
        }
        let choice = choice.ok_or(PlayerFault::Late)?;
        // The last report has the depth and the nodes.
        let last = question.suggestion();
        Ok(Answer {
            score: Some(men(choice.score)),
            depth: last.as_ref().and_then(|answer| answer.depth),
            nodes: last.as_ref().and_then(|answer| answer.nodes),
            time: question.cpu.map(|_| began.elapsed()),
            line: (line.first() == Some(&choice.mv)).then(|| line_text(game.position(), &line)),
            ..Answer::from(choice.mv)
        })
    }
}

impl EnginePlayer {
    /// What the engine may use: what it was given, and in any case no more than until the deadline.
    fn limit(&self, question: &Question) -> Limit {
        let limit = if question.limit.ends() {
            Limit {
                on_cpu: question.cpu.and(question.time_left()),
                ..question.limit
            }
        } else {
            Limit::move_time(self.engine.options().usual_time())
        };
        match question.time_left() {
            // A limit of time ends well before the deadline by itself.
            Some(left) if limit.longest().is_none() => limit.within(left),
            _ => limit,
        }
    }
}

fn suggest(question: &Question, report: &Report) {
    let Some(line) = report.lines.first() else {
        return;
    };
    let Some(mv) = line.moves.first() else { return };
    question.suggest(Answer {
        score: Some(men(line.score)),
        depth: u32::try_from(report.depth.0).ok(),
        nodes: Some(report.nodes),
        ..Answer::from(mv.clone())
    });
}

/// The moves of a line, as far as anybody wants to read it.
fn line_text(position: &Position, line: &[Move]) -> Box<str> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for mv in line.iter().take(MOST_EXPECTED) {
        words.push(position.move_text(mv));
        match position.play(mv) {
            Ok(next) => position = next,
            Err(_) => break,
        }
    }
    words.join(" ").into_boxed_str()
}

/// A score in men; a proven end is beyond ±100.
pub(crate) fn men(score: Score) -> f32 {
    match score.plies_to_end() {
        Some(plies) => (200 - plies.abs().min(99)) as f32 * plies.signum() as f32,
        None => score.value() as f32 / 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Equipment, PlayerSpec};

    fn check_error(player: &str, variant: &str, message: &str) {
        let spec: PlayerSpec = player.parse().unwrap();
        let opened = spec.open(&Variant::named(variant).unwrap(), 0);
        assert_eq!(
            opened.err().map(|error| error.to_string()).unwrap(),
            message
        );
    }

    #[test]
    fn tables_can_be_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let equipment = Equipment {
            tables: Some(Arc::new(TableShelf::new(folder.path().to_owned()))),
            ..Equipment::default()
        };
        let variant = Variant::named("english").unwrap();
        let fen = "W:WK14,K15:BK28";
        let position = kingme_rules::Position::from_fen(&variant, fen).unwrap();
        let game = Game::from_position(position);
        let knows = |player: &str| {
            let spec: PlayerSpec = player.parse().unwrap();
            let mut player = spec.open_with(&variant, 0, &equipment).unwrap();
            player.new_game(&game, Side::White).unwrap();
            let question = Question::new(Limit::depth(1), kingme_play::Stop::new());
            player.choose(&game, &question).unwrap().score.unwrap() >= 100.0
        };
        assert!(knows("engine"));
        assert!(!knows("engine:tables=off"));
    }

    #[test]
    fn weights_that_are_missing_broken_or_for_another_game_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.bin");
        let player = format!("engine:weights={}", path.display());
        let begin = format!("`{player}` can't be started: {}: ", path.display());
        check_error(
            &player,
            "english",
            &format!("{begin}No such file or directory (os error 2)"),
        );
        std::fs::write(&path, "rubbish").unwrap();
        check_error(
            &player,
            "english",
            &format!("{begin}it does not begin with `kingme weights 1`"),
        );
        std::fs::write(&path, kingme_engine::shipped("english").unwrap()).unwrap();
        check_error(
            &player,
            "russian",
            &format!("{begin}it is for `english`, not for `russian`"),
        );
        let spec: PlayerSpec = player.parse().unwrap();
        assert!(spec.open(&Variant::named("english").unwrap(), 0).is_ok());
    }
}
