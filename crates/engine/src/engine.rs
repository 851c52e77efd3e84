//! The engine: options, memory, and a search when it is asked.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use kingme_rules::{Game, Variant};

use crate::eval::{self, Evaluator, Weights, WeightsError};
use crate::level::Style;
use crate::limit::{Handle, Limit};
use crate::report::{Choice, Report};
use crate::search::{self, Task};
use crate::tables::Tables;
use crate::transposition::Transpositions;

/// How an engine plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the table of positions in megabytes.
    pub hash: usize,
    /// Threads. With one, the same search gives the same nodes and the same move.
    pub threads: usize,
    /// How many moves get a score and a line in a report.
    pub lines: usize,
    /// From 1, which loses to a child, to 10, full strength.
    pub level: u8,
    /// Seed of every random choice.
    pub seed: u64,
    /// Whether to vary the first moves among those that are nearly equal.
    pub variety: bool,
    /// Whether the only legal move is searched like any other: for its score, where somebody
    /// studies a game. A player saves the time.
    pub search_forced: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            lines: 1,
            level: 10,
            seed: 0,
            variety: false,
            search_forced: false,
        }
    }
}

/// Chooses moves in any game.
///
/// ```
/// use std::ops::ControlFlow;
/// use kingme_engine::{Engine, Limit, Options};
/// use kingme_rules::{Game, Variant};
///
/// let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
/// let game = Game::new(&Variant::named("english")?);
/// let choice = engine.search(&game, &Limit::depth(5), &mut |_| ControlFlow::Continue(()));
/// assert!(game.legal_moves().contains(&choice.unwrap().mv));
/// # Ok::<_, kingme_rules::UnknownVariant>(())
/// ```
pub struct Engine {
    pub(crate) options: Options,
    table: Transpositions,
    handle: Handle,
    /// The evaluation of the game that was searched last.
    evaluator: Option<(Variant, Arc<Evaluator>)>,
    /// Weights that are used in place of the shipped ones.
    weights: Option<Weights>,
    tables: Option<(Variant, Arc<Tables>)>,
    pub(crate) pruning: bool,
}

impl Engine {
    /// An engine with these options.
    pub fn new(options: Options) -> Engine {
        Engine {
            table: Transpositions::new(options.hash),
            options,
            handle: Handle::new(),
            evaluator: None,
            weights: None,
            tables: None,
            pruning: true,
        }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; the table is emptied if its size changes.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash {
            self.table = Transpositions::new(options.hash);
        }
        self.options = options;
    }

    /// Searches from now on can be stopped with this handle; a new one for each search, or one
    /// for all. See [`Handle`].
    pub fn set_handle(&mut self, handle: Handle) {
        self.handle = handle;
    }

    /// Evaluates with these weights in place of the shipped ones.
    ///
    /// # Errors
    ///
    /// What is wrong with the file; the engine plays as before.
    pub fn use_weights(&mut self, file: &[u8], variant: &Variant) -> Result<(), WeightsError> {
        self.set_weights(Weights::read(file, variant)?);
        Ok(())
    }

    /// Searches without a table of positions from now on.
    #[cfg(test)]
    pub(crate) fn forget_everything(&mut self) {
        self.table = Transpositions::off();
    }

    /// Plays with these weights.
    pub fn set_weights(&mut self, weights: Weights) {
        self.weights = Some(weights);
        self.evaluator = None;
        self.table.clear();
    }

    /// Asks endgame tables when it plays this game.
    pub fn use_tables(&mut self, variant: &Variant, tables: Arc<Tables>) {
        self.tables = Some((variant.clone(), tables));
    }

    /// Asks no endgame tables any more.
    pub fn forget_tables(&mut self) {
        self.tables = None;
    }

    /// Makes the evaluation of a game ready. The first search of a game does so by itself, but then
    /// it takes some of that search's time.
    pub fn prepare(&mut self, variant: &Variant) {
        self.evaluator(variant);
    }

    /// Forgets earlier games.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The weights an engine uses for a game, and what is wrong with the file if there is one that
    /// can't be used.
    pub fn weights_of(variant: &Variant) -> (Weights, Option<WeightsError>) {
        let read = eval::shipped(variant.name()).map(|file| Weights::read(file, variant));
        match read {
            Some(Ok(weights)) => (weights, None),
            Some(Err(error)) => (Weights::material(variant), Some(error)),
            None => (Weights::material(variant), None),
        }
    }

    /// The evaluation of a game, unless its board is too large for bits.
    fn evaluator(&mut self, variant: &Variant) -> Option<Arc<Evaluator>> {
        match &self.evaluator {
            Some((known, evaluator)) if known == variant => Some(Arc::clone(evaluator)),
            _ if !variant.has_bits() => None,
            _ => {
                let own = self
                    .weights
                    .as_ref()
                    .filter(|own| own.variant == variant.name());
                let weights = own
                    .cloned()
                    .unwrap_or_else(|| Engine::weights_of(variant).0);
                let evaluator = Arc::new(Evaluator::new(variant, &weights));
                self.evaluator = Some((variant.clone(), Arc::clone(&evaluator)));
                self.table.clear();
                Some(evaluator)
            }
        }
    }

    /// Chooses a move at the engine's level. `on_report` hears of every iteration and may end the
    /// search. Returns nothing if the game is over.
    pub fn search(
        &mut self,
        game: &Game,
        limit: &Limit,
        on_report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Option<Choice> {
        let report = match Style::of(&self.options, game) {
            Some(style) => self.think_with(&style, game, limit, on_report)?,
            None => self.think(game, limit, self.options.lines, on_report)?,
        };
        let line = report.lines.into_iter().next()?;
        let mut moves = line.moves.into_iter();
        Some(Choice {
            mv: moves.next()?,
            score: line.score,
            ponder: moves.next(),
        })
    }

    /// Searches with the weaknesses of a style; the first line of the report has its choice.
    fn think_with(
        &mut self,
        style: &Style,
        game: &Game,
        limit: &Limit,
        on_report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Option<Report> {
        let shown = self.options.lines.max(1);
        let limit = style.limit(limit);
        let mut report = self.think(game, &limit, style.lines, &mut |report| {
            let mut report = report.clone();
            report.lines.truncate(shown);
            on_report(&report)
        })?;
        style.choose(game, &mut report.lines, self.options.seed);
        Some(report)
    }

    /// Searches at full strength and returns the last report.
    pub(crate) fn think(
        &mut self,
        game: &Game,
        limit: &Limit,
        lines: usize,
        on_report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Option<Report> {
        let began = Instant::now();
        let evaluator = self.evaluator(game.variant());
        self.table.grow_older();
        let tables = self
            .tables
            .as_ref()
            .filter(|(known, _)| known == game.variant());
        let task = Task {
            game,
            limit,
            began,
            evaluator: evaluator.as_deref(),
            table: &self.table,
            handle: &self.handle,
            threads: self.options.threads.max(1),
            lines: lines.max(1),
            search_forced: self.options.search_forced,
            pruning: self.pruning,
            tables: tables.map(|(_, tables)| &**tables),
        };
        search::run(&task, on_report)
    }
}
