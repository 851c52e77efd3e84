//! Games of trainings, as a worker plays them.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kingme_arena::sha256;
use kingme_engine::tables::Tables;
use kingme_engine::train::{Assignment, Contest, Runner};

use super::{Pile, Worker};
use crate::{OfficeError, Outcome, Stretch, Work};

/// A training whose game and weights are here.
pub(super) struct Training {
    assignment: Assignment,
    tables: Option<Arc<Tables>>,
}

impl From<String> for OfficeError {
    fn from(why: String) -> OfficeError {
        OfficeError::Unreachable(why)
    }
}

/// A training that is ready to be played, with all that it is played with.
pub(super) fn prepare(worker: &Worker, stretch: &Stretch) -> Result<Training, OfficeError> {
    let have = |hash: &str| {
        let file = worker.patiently(|| worker.office.bundle(hash))?;
        if sha256(&file) == hash {
            return Ok(file);
        }
        Err(OfficeError::from(
            "what came is not the file that was asked for".to_owned(),
        ))
    };
    let assignment = stretch.assignment::<OfficeError>(&have)?;
    let tables = tables(worker, &assignment);
    assignment.check_tables(tables.as_deref())?;
    Ok(Training { assignment, tables })
}

/// The endgame tables of a training, as far as they are here.
fn tables(worker: &Worker, assignment: &Assignment) -> Option<Arc<Tables>> {
    let wanted = assignment.tables?;
    let shelf = worker.options.tables.as_ref()?;
    // Where there are none, that is said when they are compared.
    shelf.up_to(&assignment.variant, wanted.pieces).ok()
}

/// Plays games of one training as long as there are any.
pub(super) fn stay(
    worker: &Worker,
    training: &Training,
    work: &Work,
    pile: &mut Pile,
) -> Result<(), OfficeError> {
    let mut runner = Runner::new(&training.assignment, training.tables.clone());
    let in_words = |work: &Work| in_words(&training.assignment, work);
    worker.stay(work, pile, &in_words, &mut |work| {
        let Work::Stretch(stretch) = work else {
            return None;
        };
        let numbers = stretch.numbers.clone();
        let games = numbers.map(|number| {
            let goes_on = !worker.enough.is_requested();
            goes_on.then(|| BASE64.encode(runner.play(number)))
        });
        games.collect::<Option<Vec<String>>>().map(Outcome::Kept)
    })
}

fn in_words(assignment: &Assignment, work: &Work) -> String {
    let name = assignment.variant.name();
    let what = match assignment.contest {
        Contest::SelfPlay(_) => "training",
        Contest::Gate(_) => "match of a training",
    };
    match work {
        Work::Stretch(stretch) => format!("{what}, {name}, from {}", stretch.numbers.start),
        Work::Games(_) => name.to_owned(),
    }
}
