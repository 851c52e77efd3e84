//! One thread of a search: what it has to hand at every node.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use kingme_rules::{BitMove, BitPosition, Bits, Ruleset};

use super::facts::{Facts, Past};
use super::order::{History, Picker};
use crate::eval::{Evaluator, Lanes};
use crate::limit::{Handle, Limit, Timer};
use crate::score::{Depth, Score};
use crate::tables::{Tables, Verdict};
use crate::transposition::Transpositions;

/// The longest line that a search follows.
pub(super) const MAX_PLY: usize = 240;
/// Nodes between two looks at the clock.
const NODES_BETWEEN_LOOKS: u64 = 256;

/// What all threads of a search share.
pub(crate) struct Shared<'a, B> {
    pub facts: &'a Facts<B>,
    pub evaluator: &'a Evaluator,
    pub table: &'a Transpositions,
    pub handle: &'a Handle,
    /// Nodes of all threads, as far as they have told.
    pub nodes: AtomicU64,
    /// Set when the thread that minds the limit is done.
    pub finished: AtomicBool,
    pub pruning: bool,
    /// Endgame tables, if there are any for this game.
    pub tables: Option<&'a Tables>,
}

/// What a worker knows about one ply of the line that it follows.
#[derive(Clone)]
pub(super) struct Frame<B> {
    pub past: Past,
    pub lanes: Lanes,
    /// The move that led here.
    pub last: Option<BitMove<B>>,
    pub killers: [u16; 2],
    /// The best line from here, as far as it is known.
    pub line: Vec<BitMove<B>>,
}

/// One thread of a search.
pub(crate) struct Worker<'a, R: Ruleset> {
    pub rules: R,
    pub shared: &'a Shared<'a, R::Bits>,
    pub(super) frames: Vec<Frame<R::Bits>>,
    pub(super) history: History,
    pub(super) pickers: Vec<Picker<R::Bits>>,
    /// Hashes of the positions since the start of the game.
    hashes: Vec<u64>,
    /// Where the root is in `hashes`.
    root: usize,
    /// Up to how many pieces the endgame tables are asked.
    table_pieces: u32,
    pub nodes: u64,
    told: u64,
    next_look: u64,
    node_limit: Option<u64>,
    timer: Option<Timer>,
    pondered: bool,
    pub stopped: bool,
    /// Whether a shallow search is under way that decides about a deep one.
    pub probing: bool,
}

impl<'a, R: Ruleset> Worker<'a, R> {
    pub fn new(rules: R, shared: &'a Shared<'a, R::Bits>) -> Worker<'a, R> {
        let frame = Frame {
            past: Past::default(),
            lanes: Lanes::default(),
            last: None,
            killers: [0; 2],
            line: Vec::new(),
        };
        let squares = rules
            .layout()
            .playable()
            .members()
            .last()
            .map_or(0, |last| last + 1);
        Worker {
            rules,
            shared,
            frames: vec![frame; MAX_PLY + 2],
            history: History::new(squares),
            pickers: Vec::new(),
            hashes: Vec::new(),
            root: 0,
            table_pieces: 0,
            nodes: 0,
            told: 0,
            next_look: 0,
            node_limit: None,
            timer: None,
            pondered: false,
            stopped: false,
            probing: false,
        }
    }

    /// Begins a search from the last of the game's positions. Only a worker with a timer minds
    /// the limit; the others stop when it does.
    pub fn begin(&mut self, past: Past, hashes: &[u64], position: &BitPosition<R::Bits>) {
        self.hashes.clear();
        self.hashes.extend_from_slice(hashes);
        self.root = hashes.len() - 1;
        self.hashes.resize(hashes.len() + MAX_PLY + 2, 0);
        self.frames[0].past = past;
        self.frames[0].lanes = self.shared.evaluator.lanes::<R>(position);
        self.frames[0].last = None;
        for frame in &mut self.frames {
            frame.killers = [0; 2];
        }
        self.history.clear();
        self.table_pieces = self.asked_about(position);
        (self.nodes, self.told, self.next_look) = (0, 0, 0);
        self.stopped = false;
    }

    /// Up to how many pieces the tables are asked in a search from here. Where they know the root
    /// already, all that is left to find is the way to fewer pieces.
    fn asked_about(&self, root: &BitPosition<R::Bits>) -> u32 {
        let Some(tables) = self.shared.tables else {
            return 0;
        };
        match tables.probe_bits(self.rules, root) {
            Some(_) => root.occupied().count() - 1,
            None => tables.pieces() as u32,
        }
    }

    /// Makes this worker the one that minds the limit, from now on.
    pub fn mind(&mut self, limit: &Limit) {
        self.mind_since(limit, Instant::now());
    }

    /// Makes this worker the one that minds the limit of a search that was asked for earlier.
    pub fn mind_since(&mut self, limit: &Limit, began: Instant) {
        self.node_limit = limit.nodes;
        self.pondered = self.shared.handle.is_pondering();
        self.timer = Some(Timer::start(limit, began));
    }

    /// The timer, for the worker that minds the limit.
    pub fn timer(&self) -> Option<&Timer> {
        self.timer.as_ref()
    }

    /// Whether the limit does not count yet.
    pub fn ponders(&self) -> bool {
        self.pondered
    }

    /// Counts a node; now and then looks whether to stop.
    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
    }

    #[inline(never)]
    fn look(&mut self) {
        self.next_look = self.nodes + NODES_BETWEEN_LOOKS;
        let new = self.nodes - self.told;
        let total = self.shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        self.told = self.nodes;
        let handle = self.shared.handle;
        let mut stop = handle.is_stopped() || self.shared.finished.load(Ordering::Relaxed);
        if self.pondered && !handle.is_pondering() {
            self.pondered = false;
            if let Some(timer) = &mut self.timer {
                timer.restart();
            }
        }
        if !self.pondered {
            stop |= self.timer.as_ref().is_some_and(Timer::is_up);
            if let Some(limit) = self.node_limit {
                stop |= total >= limit;
                self.next_look = self.next_look.min(self.nodes + limit.saturating_sub(total));
            }
        }
        self.stopped |= stop;
    }

    /// The position after a move, with `depth` plies left before it; the frame of the next ply is
    /// made ready, and the table's entry if it will be asked.
    #[inline(always)]
    pub(super) fn descend(
        &mut self,
        position: &BitPosition<R::Bits>,
        mv: &BitMove<R::Bits>,
        ply: usize,
        depth: Depth,
    ) -> BitPosition<R::Bits> {
        let next = position.play(self.rules, mv);
        if depth > Depth(1) {
            self.shared.table.prefetch(next.hash());
        }
        let (before, after) = self.frames.split_at_mut(ply + 1);
        let (before, after) = (&before[ply], &mut after[0]);
        self.shared
            .evaluator
            .update(self.rules, position, mv, &before.lanes, &mut after.lanes);
        after.past = self
            .shared
            .facts
            .after(self.rules, &before.past, [position, &next], mv);
        after.last = Some(*mv);
        self.hashes[self.root + ply + 1] = next.hash();
        next
    }

    /// The result for the side to move if the game is over here by a draw rule. A position that
    /// comes again within a search counts as drawn at once.
    #[inline(always)]
    pub(super) fn ruled(&self, position: &BitPosition<R::Bits>, ply: usize) -> Option<Score> {
        let past = &self.frames[ply].past;
        if past.reversible >= 4 && self.is_repeated(past.reversible.into(), ply) {
            return Some(Score::DRAW);
        }
        self.shared
            .facts
            .counted_out(self.rules, past, position, ply)
    }

    /// The result for the side to move if the endgame tables have the position.
    #[inline(always)]
    pub(super) fn tabled(&self, position: &BitPosition<R::Bits>, ply: usize) -> Option<Score> {
        let tables = self.shared.tables?;
        if position.occupied().count() > self.table_pieces {
            return None;
        }
        let verdict = tables.probe_bits(self.rules, position)?;
        Some(match verdict {
            Verdict::Win => Score::known_win_in(ply),
            Verdict::Draw => Score::DRAW,
            Verdict::Loss => -Score::known_win_in(ply),
        })
    }

    fn is_repeated(&self, reversible: usize, ply: usize) -> bool {
        let now = self.root + ply;
        let hash = self.hashes[now];
        (4..=reversible.min(now))
            .step_by(2)
            .any(|back| self.hashes[now - back] == hash)
    }

    /// How good the position looks for the side to move. One copy for each game: where mobility
    /// counts it is large, and inlined everywhere it was half of the program.
    #[inline(never)]
    pub(super) fn evaluate(&self, position: &BitPosition<R::Bits>, ply: usize) -> Score {
        let lanes = &self.frames[ply].lanes;
        self.shared.evaluator.evaluate(self.rules, position, lanes)
    }

    /// A picker with room for moves; give it back with [`Worker::put_picker`].
    #[inline(always)]
    pub(super) fn take_picker(&mut self) -> Picker<R::Bits> {
        self.pickers.pop().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn put_picker(&mut self, picker: Picker<R::Bits>) {
        self.pickers.push(picker);
    }
}
