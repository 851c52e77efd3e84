//! What is to be played in a training, number by number, and whoever plays it.

use std::sync::Arc;

use kingme_rules::Variant;

use super::games::SelfPlay;
use super::gate::Match;
use super::sample::Samples;
use crate::engine::Engine;
use crate::eval::{Evaluator, Weights};
use crate::limit::Limit;
use crate::tables::{TableSum, Tables};
use crate::transposition::Transpositions;

/// Games of a training: the same number gives the same bytes on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The game.
    pub variant: Variant,
    /// Who plays whom.
    pub contest: Contest,
    /// Positions searched for each move.
    pub nodes: u64,
    /// What all chance comes from, together with the number.
    pub seed: u64,
    /// The endgame tables that they are played with, if any.
    pub tables: Option<TableSum>,
}

/// Who plays whom in a training.
#[derive(Clone, Debug, PartialEq)]
pub enum Contest {
    /// An evaluation plays itself. A number stands for a game, and its samples are kept.
    SelfPlay(Weights),
    /// New weights play the best ones so far. A number stands for the two games of an opening, and
    /// their moves are kept.
    Gate([Weights; 2]),
}

impl Assignment {
    /// Whether games with these tables are the same as where the assignment comes from. Labels come
    /// from verdicts, which are the same in all tables of so many pieces; in matches the way to a
    /// win counts, too.
    ///
    /// # Errors
    ///
    /// What is to be done about it.
    pub fn check_tables(&self, tables: Option<&Tables>) -> Result<(), String> {
        let here = tables.and_then(Tables::sum);
        let pieces = |sum: Option<TableSum>| sum.map_or(0, |sum| sum.pieces);
        let (name, wanted) = (self.variant.name(), pieces(self.tables));
        if pieces(here) != wanted {
            let (here, size) = (pieces(here), self.size());
            return Err(format!(
                "the training of `{name}` has endgame tables of {wanted} pieces, and here they have \
                 {here}; `kingme tables build {name}{size} --pieces {wanted}` makes them"
            ));
        }
        match &self.contest {
            Contest::Gate(_) if here != self.tables => Err(format!(
                "the endgame tables of `{name}` here have other distances than those of the training"
            )),
            _ => Ok(()),
        }
    }

    /// The argument that names the board, where it is not the usual one.
    fn size(&self) -> String {
        let columns = self.variant.board().columns();
        let usual = Variant::named(self.variant.name());
        match usual {
            Ok(usual) if usual.board().columns() != columns => format!(" --size {columns}"),
            _ => String::new(),
        }
    }

    /// Whether these bytes can be what is kept of a number.
    pub(super) fn check(&self, number: u64, game: &[u8]) -> Result<(), String> {
        match &self.contest {
            Contest::SelfPlay(_) => Samples::check(&self.variant, game),
            Contest::Gate(players) => self.gate(players, None).read(number, game).map(drop),
        }
    }

    fn self_play<'a>(
        &'a self,
        evaluator: &'a Evaluator,
        tables: Option<&'a Tables>,
    ) -> SelfPlay<'a> {
        SelfPlay {
            variant: &self.variant,
            evaluator,
            nodes: self.nodes,
            seed: self.seed,
            tables,
        }
    }

    pub(super) fn gate<'a>(
        &'a self,
        players: &'a [Weights; 2],
        tables: Option<&'a Arc<Tables>>,
    ) -> Match<'a> {
        Match {
            variant: &self.variant,
            players: players.each_ref(),
            limit: Limit::nodes(self.nodes),
            seed: self.seed,
            pairs: u64::MAX,
            tables,
        }
    }
}

/// Plays an assignment, on one thread.
pub struct Runner<'a> {
    assignment: &'a Assignment,
    tables: Option<Arc<Tables>>,
    means: Means<'a>,
}

/// What is used again for the next number.
enum Means<'a> {
    SelfPlay(Arc<Evaluator>, Transpositions),
    Gate(&'a [Weights; 2], Box<[Engine; 2]>),
}

impl<'a> Runner<'a> {
    /// Plays with these tables, which are those of the assignment.
    pub fn new(assignment: &'a Assignment, tables: Option<Arc<Tables>>) -> Runner<'a> {
        let means = match &assignment.contest {
            Contest::SelfPlay(weights) => {
                let evaluator = Evaluator::new(&assignment.variant, weights);
                Means::SelfPlay(Arc::new(evaluator), SelfPlay::memory())
            }
            Contest::Gate(players) => {
                let engines = assignment.gate(players, tables.as_ref()).engines();
                Means::Gate(players, Box::new(engines))
            }
        };
        Runner {
            assignment,
            tables,
            means,
        }
    }

    /// Another one for another thread.
    pub(super) fn another(&self) -> Runner<'a> {
        let tables = self.tables.clone();
        match &self.means {
            Means::SelfPlay(evaluator, _) => Runner {
                assignment: self.assignment,
                tables,
                means: Means::SelfPlay(Arc::clone(evaluator), SelfPlay::memory()),
            },
            Means::Gate(..) => Runner::new(self.assignment, tables),
        }
    }

    /// Plays what a number stands for, and returns what is kept of it.
    pub fn play(&mut self, number: u64) -> Vec<u8> {
        let Runner {
            assignment,
            tables,
            means,
        } = self;
        match means {
            Means::SelfPlay(evaluator, memory) => {
                let play = assignment.self_play(evaluator, tables.as_deref());
                play.game(number, memory)
            }
            Means::Gate(players, engines) => {
                let gate = assignment.gate(players, tables.as_ref());
                gate.write(number, engines)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assignment(contest: Contest) -> Assignment {
        let variant = Variant::named("english").unwrap().sized(6).unwrap();
        Assignment {
            variant,
            contest,
            nodes: 60,
            seed: 3,
            tables: None,
        }
    }

    fn both() -> [Assignment; 2] {
        let variant = Variant::named("english").unwrap().sized(6).unwrap();
        let material = Weights::material(&variant);
        let other = Weights {
            mobility: 0,
            ..material.clone()
        };
        [
            Contest::SelfPlay(material.clone()),
            Contest::Gate([other, material]),
        ]
        .map(assignment)
    }

    #[test]
    fn a_number_is_the_same_whoever_plays_it_after_whatever() {
        for assignment in both() {
            let mut one = Runner::new(&assignment, None);
            let mut other = one.another();
            let forward: Vec<_> = (0..6).map(|number| one.play(number)).collect();
            let backward: Vec<_> = (0..6).rev().map(|number| other.play(number)).collect();
            assert!(forward.iter().eq(backward.iter().rev()));
            for (number, game) in (0..).zip(&forward) {
                assert_eq!(assignment.check(number, game), Ok(()));
            }
        }
    }

    #[test]
    fn what_can_not_be_a_game_is_told_from_one() {
        let [self_play, gate] = both();
        let check = |assignment: &Assignment, change: fn(&mut Vec<u8>)| {
            let mut bytes = Runner::new(assignment, None).play(0);
            change(&mut bytes);
            assignment.check(0, &bytes).unwrap_err()
        };
        let is = |why: String, expected: &str| assert!(why.contains(expected), "{why}");
        is(
            check(&self_play, |game| game.truncate(5)),
            "5 bytes are no positions of a game",
        );
        is(
            check(&self_play, |game| game[0] = 2),
            "position 1 has no sound label",
        );
        is(
            check(&self_play, |game| game[4] = 7),
            "position 1 has a piece that is none",
        );
        is(
            check(&self_play, |game| game[4..13].fill(0x11)),
            "position 1 has 18 pieces",
        );
        is(check(&gate, |game| game[2] = 200), "move 1 is not legal");
        is(check(&gate, |game| game[0] -= 1), "a game is not over");
        is(check(&gate, |game| game.truncate(2)), "moves are missing");
        is(
            check(&gate, |game| game.push(0)),
            "there are more than two games",
        );
    }

    #[test]
    fn tables_have_to_be_those_of_the_training() {
        let [self_play, gate] = both();
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::ready(&self_play.variant, folder.path()).unwrap();
        let pieces = tables.pieces();
        let fewer = Tables::open(&self_play.variant, folder.path())
            .unwrap()
            .up_to(pieces - 1);
        let with = |assignment: &Assignment, tables: &Tables| Assignment {
            tables: tables.sum(),
            ..assignment.clone()
        };
        for assignment in [&self_play, &gate] {
            assert_eq!(assignment.check_tables(None), Ok(()));
            assert_eq!(
                with(assignment, &tables).check_tables(Some(&tables)),
                Ok(())
            );
            assert_eq!(with(assignment, &fewer).check_tables(Some(&fewer)), Ok(()));
        }
        let expected = format!(
            "the training of `english` has endgame tables of {pieces} pieces, and here they have {}; \
             `kingme tables build english --size 6 --pieces {pieces}` makes them",
            pieces - 1
        );
        assert_eq!(
            with(&self_play, &tables).check_tables(Some(&fewer)),
            Err(expected)
        );
        let mut changed = with(&gate, &tables);
        changed.tables.as_mut().unwrap().sum += 1;
        let why = changed.check_tables(Some(&tables)).unwrap_err();
        assert!(why.contains("have other distances"), "{why}");
        changed.contest = self_play.contest;
        assert_eq!(changed.check_tables(Some(&tables)), Ok(()));
    }
}
