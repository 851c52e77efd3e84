//! Learning an evaluation: games against itself, a fit, a match, and again.
//!
//! The order matters: windows learned straight from games of plain material lose to it. So square
//! tables come first, twice; then windows and a network learn from the same games, and a match
//! decides between them. Whatever is new must beat what is best so far to replace it. All that is
//! made is kept in a folder, so that a killed training goes on where it stopped.

mod assignment;
mod elsewhere;
mod fit;
mod folder;
mod games;
mod gate;
mod ladder;
mod net_fit;
mod numbers;
mod progress;
mod ranges;
mod sample;

use std::io;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kingme_rules::Variant;

pub use assignment::{Assignment, Contest, Runner};
pub use elsewhere::{Batch, Elsewhere};
pub use gate::Tally;
pub use progress::Progress;

use crate::eval::{Form, Weights};
use crate::limit::Limit;
use crate::tables::Tables;
use fit::Fit;
use folder::Folder;
use gate::Match;
use ladder::{HIGHER, LADDER, Step};
use net_fit::NetFit;
use numbers::{Numbers, Then};
use sample::{Loss, Samples};

/// What to train and how long.
pub struct Training {
    /// The game.
    pub variant: Variant,
    /// Time for all of it.
    pub time: Duration,
    /// Where games and weights are kept on the way.
    pub folder: PathBuf,
    /// Weights to go on from in place of plain material.
    pub from: Option<Weights>,
    /// Seed of the games.
    pub seed: u64,
    /// The day, for the header of the file.
    pub date: String,
    /// The forms to try.
    pub forms: Vec<Form>,
    /// Threads that play games and fit networks.
    pub threads: usize,
    /// Endgame tables: where they know the result of a game, it has that result. Matches are played
    /// with them, as people's games are.
    pub tables: Option<Arc<Tables>>,
    /// No step has more games of self-play than this, and no match has, if it is given.
    pub games: Option<u64>,
    /// Other machines that play, too.
    pub elsewhere: Option<Box<dyn Elsewhere>>,
}

/// Learns weights of one form from samples.
trait Learner {
    /// How often it wants to see all samples.
    fn epochs(&self) -> u64;
    /// Goes once over all samples, in an order that the seed decides.
    fn epoch(&mut self, seed: u64) -> Loss;
    /// The weights as a file has them.
    fn weights(&self, variant: &Variant, date: &str) -> Weights;
}

/// Nodes a move in matches between weights of one form.
const GATE_NODES: u64 = 1_500;
/// Time a move in matches between forms, which differ in speed. With less, windows look better than
/// they are.
const GATE_TIME: Duration = Duration::from_millis(1);
/// Most pairs of games in such a match.
const GATE_PAIRS: u64 = 150;
/// Games that are played and kept together, and that go to one machine.
const BATCH: u64 = 8;

impl Training {
    /// Climbs the ladder and returns the best weights; `None` if nothing beat plain material.
    ///
    /// # Errors
    ///
    /// If the folder can't be read or written, or the board is too large.
    pub fn run(
        &self,
        on_progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> io::Result<Option<Weights>> {
        if !self.variant.has_bits() {
            let (name, board) = (self.variant.name(), self.variant.board());
            let (columns, rows) = (board.columns(), board.rows());
            return Err(io::Error::other(format!(
                "`{name}` can't be trained on a board of {columns}×{rows}: it is too large"
            )));
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let threads = threads.build().map_err(io::Error::other)?;
        threads.install(|| self.climb(on_progress))
    }

    fn climb(
        &self,
        on_progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> io::Result<Option<Weights>> {
        let folder = Folder::open(&self.folder)?;
        let mut best = self.from.clone();
        let (mut net, linear) = match self.from.clone() {
            Some(weights) if weights.form == Form::Net => (Some(weights), None),
            other => (None, other),
        };
        let mut base = linear.unwrap_or_else(|| Weights::material(&self.variant));
        let mut earlier = Samples::new(&self.variant);
        for (step, plan) in self.steps() {
            let forms = plan.forms.iter().copied();
            let forms: Vec<Form> = forms.filter(|&form| self.tries(form)).collect();
            if forms.is_empty() {
                continue;
            }
            let mut samples = std::mem::replace(&mut earlier, Samples::new(&self.variant));
            let current = best.clone().unwrap_or_else(|| base.clone());
            if let Some(verdict) = folder.weights(step, &self.variant)? {
                samples.extend(&folder.games(step)?);
                net = folder.net(step, &self.variant)?.or(net);
                best = verdict.or(best);
            } else {
                self.play(step, plan, &current, &folder, &mut samples, on_progress)?;
                let mut champion = None;
                for form in forms {
                    let rival = champion.as_ref().unwrap_or(&current);
                    // A net needs many looks at its positions: it goes on where the last one
                    // ended, even if that one lost its match.
                    let from = match form {
                        Form::Net => net.as_ref().unwrap_or(rival),
                        Form::Squares | Form::Windows => &base,
                    };
                    let new = self.fit(step, form, from, &samples, on_progress);
                    let (new, accepted) = self.decide(step, new, rival, on_progress)?;
                    if form == Form::Net {
                        net = Some(new.clone());
                    }
                    if accepted {
                        champion = Some(new);
                    } else {
                        folder.write_refused(step, &new)?;
                    }
                }
                folder.write_weights(step, champion.as_ref())?;
                best = champion.or(best);
            }
            if plan.accumulates() {
                earlier = samples;
            } else if let Some(best) = &best {
                base = best.clone();
            }
        }
        Ok(best)
    }

    /// The steps that are to be taken. Numbers are never used twice, so that one folder can have
    /// both kinds.
    fn steps(&self) -> impl Iterator<Item = (usize, &'static Step)> {
        let (first, count) = match self.from {
            None => (0, LADDER.len()),
            Some(_) => (LADDER.len(), HIGHER.len()),
        };
        let all = LADDER.iter().chain(&HIGHER).enumerate();
        all.skip(first).take(count)
    }

    /// Whether a form is fitted. Where a net goes on, only nets are: windows from nothing would
    /// need many more games to come near it.
    fn tries(&self, form: Form) -> bool {
        let from_net = |from: &Weights| from.form == Form::Net && self.forms.contains(&Form::Net);
        let only_nets = self.from.as_ref().is_some_and(from_net);
        self.forms.contains(&form) && (form == Form::Net || !only_nets)
    }

    /// Plays the games of a step, going on where an earlier run stopped.
    fn play(
        &self,
        step: usize,
        plan: &Step,
        weights: &Weights,
        folder: &Folder,
        samples: &mut Samples,
        on_progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> io::Result<()> {
        let assignment = Assignment {
            variant: self.variant.clone(),
            contest: Contest::SelfPlay(weights.clone()),
            nodes: plan.nodes,
            seed: self.seed.wrapping_mul(31).wrapping_add(step as u64),
            tables: self.tables.as_ref().and_then(|tables| tables.sum()),
        };
        let time = self.time * plan.percent / 100;
        let most = plan.games.min(self.games.unwrap_or(u64::MAX));
        let spent = folder.spent(step)?;
        let before = samples.len();
        samples.extend(&folder.games(step)?);
        if spent.games >= most || spent.time >= time {
            return Ok(());
        }
        let mut began = self.begins();
        self.numbers(&assignment, spent.games..most, BATCH)
            .play(&mut |numbers, games| {
                let mut now = spent;
                now.games = numbers.end;
                now.time += began.get_or_insert_with(Instant::now).elapsed();
                let bytes = games.concat();
                samples.extend(&bytes);
                folder.add_games(step, &bytes, &now)?;
                on_progress(&Progress::Games {
                    step,
                    games: now.games,
                    positions: (samples.len() - before) as u64,
                });
                Ok(if now.time < time {
                    Then::GoOn
                } else {
                    Then::Finish
                })
            })
    }

    /// When the time of a step begins: where all is played elsewhere, with the first games that
    /// come, since nobody may be there yet.
    fn begins(&self) -> Option<Instant> {
        let elsewhere = self.elsewhere.as_ref();
        let plays_here = !elsewhere.is_some_and(|elsewhere| elsewhere.plays_all());
        plays_here.then(Instant::now)
    }

    fn numbers<'a>(
        &'a self,
        assignment: &'a Assignment,
        range: Range<u64>,
        at_a_time: u64,
    ) -> Numbers<'a> {
        Numbers {
            assignment,
            tables: self.tables.as_ref(),
            elsewhere: self.elsewhere.as_deref(),
            threads: self.threads,
            range,
            at_a_time,
        }
    }

    fn fit(
        &self,
        step: usize,
        form: Form,
        from: &Weights,
        samples: &Samples,
        on_progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Weights {
        let mut learner: Box<dyn Learner> = match form {
            Form::Net => Box::new(NetFit::new(&self.variant, from, samples, self.seed)),
            Form::Squares | Form::Windows => Box::new(Fit::new(&self.variant, form, from, samples)),
        };
        let epochs = if samples.len() > 0 {
            learner.epochs()
        } else {
            0
        };
        for epoch in 0..epochs {
            let loss = learner.epoch(self.seed.wrapping_add(epoch));
            on_progress(&Progress::Fit {
                step,
                form,
                epoch,
                training: loss.training,
                validation: loss.validation,
            });
        }
        learner.weights(&self.variant, &self.date)
    }

    /// The new weights with their result, and whether they win.
    fn decide(
        &self,
        step: usize,
        mut new: Weights,
        rival: &Weights,
        on_progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> io::Result<(Weights, bool)> {
        let tally = if new.form == rival.form {
            self.gate(&[new.clone(), rival.clone()])?
        } else {
            self.timed_gate([&new, rival])
        };
        let accepted = tally.share() > 0.5;
        on_progress(&Progress::Match {
            step,
            form: new.form,
            tally,
            accepted,
        });
        new.result = format!("{tally} against the {} before it", rival.form);
        Ok((new, accepted))
    }

    /// Most pairs of games in a match.
    fn pairs(&self) -> u64 {
        let games = self.games.unwrap_or(u64::MAX);
        GATE_PAIRS.min(games.div_ceil(2))
    }

    /// A match by nodes, which is the same wherever its games are played.
    fn gate(&self, players: &[Weights; 2]) -> io::Result<Tally> {
        let assignment = Assignment {
            variant: self.variant.clone(),
            contest: Contest::Gate(players.clone()),
            nodes: GATE_NODES,
            seed: self.seed,
            tables: self.tables.as_ref().and_then(|tables| tables.sum()),
        };
        let gate = assignment.gate(players, None);
        let mut tally = Tally::default();
        let pairs = self.numbers(&assignment, 0..self.pairs(), 1);
        pairs.play(&mut |numbers, pairs| {
            for (number, pair) in numbers.clone().zip(pairs) {
                tally.add(&gate.read(number, pair).map_err(io::Error::other)?);
            }
            Ok(if tally.is_clear() {
                Then::Stop
            } else {
                Then::GoOn
            })
        })?;
        Ok(tally)
    }

    /// A match by time, which only means something on one machine.
    fn timed_gate(&self, players: [&Weights; 2]) -> Tally {
        let gate = Match {
            variant: &self.variant,
            players,
            limit: Limit::move_time(GATE_TIME),
            seed: self.seed,
            pairs: self.pairs(),
            tables: self.tables.as_ref(),
        };
        gate.play(&mut |_| ControlFlow::Continue(()))
    }
}

/// A match between two weight files at equal limits, to see what a training has gained.
pub fn compare(
    variant: &Variant,
    players: [&Weights; 2],
    limit: &Limit,
    pairs: u64,
    seed: u64,
    on_pair: &mut dyn FnMut(&Tally) -> ControlFlow<()>,
) -> Tally {
    Match {
        variant,
        players,
        limit: *limit,
        seed,
        pairs,
        tables: None,
    }
    .play(on_pair)
}

#[cfg(test)]
mod tests {
    use super::ladder::LARGE;
    use super::*;

    #[test]
    fn a_net_goes_on_as_a_net() {
        let variant = Variant::named("english").unwrap();
        let with = |form, forms: &[Form]| Training {
            from: Some(Weights {
                form,
                ..Weights::material(&variant)
            }),
            variant: variant.clone(),
            time: Duration::ZERO,
            folder: PathBuf::new(),
            seed: 1,
            date: String::new(),
            forms: forms.to_vec(),
            threads: 1,
            tables: None,
            games: None,
            elsewhere: None,
        };
        assert!(!with(Form::Net, LARGE).tries(Form::Windows));
        assert!(with(Form::Net, LARGE).tries(Form::Net));
        assert!(with(Form::Windows, LARGE).tries(Form::Windows));
        let without_net = with(Form::Net, &[Form::Windows]);
        assert!(without_net.tries(Form::Windows) && !without_net.tries(Form::Net));
    }
}
