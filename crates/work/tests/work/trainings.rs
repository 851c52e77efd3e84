//! Trainings that workers play, at a desk in a file and in a `PostgreSQL`.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use kingme_cluster::Cluster;
use kingme_data::Place;
use kingme_engine::Form;
use kingme_engine::tables::Tables;
use kingme_engine::train::{Progress, Training};
use kingme_play::Stop;
use kingme_players::TableShelf;
use kingme_rules::Variant;
use kingme_work::{Desk, Office, Outcome, Report, SharedTraining, TrainedGame, program, worker};

use crate::support::{Between, Dies, hello, options};

/// A game that is quickly over.
fn game() -> (Variant, TrainedGame) {
    let mut shipped = kingme_rules::variant::shipped();
    let (_, text) = shipped.find(|(name, _)| *name == "breakthrough").unwrap();
    let game = TrainedGame {
        text: text.to_owned(),
        size: Some(6),
    };
    (
        Variant::named("breakthrough").unwrap().sized(6).unwrap(),
        game,
    )
}

/// A training that is the same whoever plays it: so many games, and matches of as many.
fn training(folder: &Path, tables: Option<Tables>) -> Training {
    Training {
        variant: game().0,
        time: Duration::from_hours(1),
        folder: folder.to_owned(),
        from: None,
        seed: 1,
        date: "2026-01-01".to_owned(),
        forms: vec![Form::Squares],
        threads: 1,
        tables: tables.map(Arc::new),
        games: Some(32),
        elsewhere: None,
    }
}

/// Samples and weights of a training.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let made = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let named = made.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read(file.path()).unwrap())
    });
    // How long it took, and what it is called at its desk.
    let is_own = |name: &str| name.contains(".spent") || name == "desk";
    named.filter(|(name, _)| !is_own(name)).collect()
}

/// The same training on one machine, without workers.
fn alone() -> &'static Files {
    static ALONE: OnceLock<Files> = OnceLock::new();
    ALONE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        training(folder.path(), None).run(&mut |_| ()).unwrap();
        let files = files(folder.path());
        assert!(files["0.games"].len() > 1000 && files.contains_key("1.weights"));
        files
    })
}

/// Data bases for a desk, in a file and in a cluster.
fn places(folder: &Path) -> [Place; 2] {
    [file(folder), Cluster::shared().database().parse().unwrap()]
}

fn file(folder: &Path) -> Place {
    Place::Path(folder.join("work.db"))
}

/// Trains with workers at a desk; what was said of them.
fn share(training: Training, desk: Desk, only: bool) -> Vec<String> {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&said);
    let say = Box::new(move |words: &str| heard.lock().unwrap().push(words.to_owned()));
    let shared = SharedTraining::new(desk, training.folder.clone(), game().1, only, say);
    let training = Training {
        elsewhere: Some(Box::new(shared)),
        ..training
    };
    training.run(&mut |_| ()).unwrap();
    let said = said.lock().unwrap();
    said.clone()
}

#[test]
fn workers_play_the_same_training_as_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    for (number, place) in (0..).zip(places(folder.path())) {
        let home = folder.path().join(format!("{number}.train"));
        let stop = Stop::new();
        let games = thread::scope(|scope| {
            let workers = ["ada", "bob"].map(|name| {
                let (place, stop, options) = (&place, &stop, options(folder.path(), name));
                scope.spawn(move || {
                    let desk = Desk::open(place).unwrap();
                    worker::work(&desk, &options, stop, &|_| ()).unwrap()
                })
            });
            let said = share(training(&home, None), Desk::open(&place).unwrap(), true);
            assert_eq!(said, [""; 0]);
            stop.request();
            workers
                .map(|worker| worker.join().unwrap())
                .iter()
                .sum::<u64>()
        });
        assert!(files(&home) == *alone(), "{place}");
        // All of self-play and of both matches, but for pairs that did not matter any more.
        assert!(games >= 2 * 32, "{games}");
    }
}

/// Trains until so many games are kept, and then breaks off as if it were killed.
fn killed(training: Training, desk: Desk, only: bool, games: u64) {
    let shared = SharedTraining::new(
        desk,
        training.folder.clone(),
        game().1,
        only,
        Box::new(|_| ()),
    );
    let training = Training {
        elsewhere: Some(Box::new(shared)),
        ..training
    };
    let mut kept = 0;
    let run = AssertUnwindSafe(|| {
        training.run(&mut |progress| {
            if let Progress::Games { .. } = progress {
                kept += 8;
            }
            if kept >= games {
                resume_unwind(Box::new("killed"));
            }
        })
    });
    assert!(catch_unwind(run).is_err());
}

#[test]
fn a_killed_training_goes_on_and_its_own_machine_may_play_too() {
    let folder = tempfile::tempdir().unwrap();
    let (place, home) = (file(folder.path()), folder.path().join("x.train"));
    let desk = || Desk::open(&place).unwrap();
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| worker::work(&desk(), &options(folder.path(), "ada"), &stop, &|_| ()));
        killed(training(&home, None), desk(), true, 8);
        killed(training(&home, None), desk(), false, 16);
        share(training(&home, None), desk(), true);
        stop.request();
    });
    assert!(files(&home) == *alone());
    // Nothing is left at the desk.
    let worker = hello(&desk(), program());
    assert_eq!(desk().take(&worker, 1).unwrap(), []);
}

#[test]
fn without_workers_a_training_plays_itself() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("x.train");
    let desk = Desk::open(&file(folder.path())).unwrap();
    // Somebody who was here, took nothing and is gone.
    hello(&desk, program());
    share(training(&home, None), desk, false);
    assert!(files(&home) == *alone());
}

#[test]
fn what_a_lost_worker_had_is_played_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let (place, home) = (file(folder.path()), folder.path().join("x.train"));
    let soon = Duration::from_millis(300);
    let desk = || Desk::open(&place).unwrap().with_lease(soon);
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(!Dies(&desk()).take().is_empty());
            worker::work(&desk(), &options(folder.path(), "bob"), &stop, &|_| ()).unwrap()
        });
        share(training(&home, None), desk(), true);
        stop.request();
    });
    assert!(files(&home) == *alone());
}

/// Trains with a worker that lies in its reports, until it is refused; then with an honest one. Why
/// the first was refused.
fn refused(change: &(dyn Fn(&mut Vec<String>) + Sync)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (place, home) = (file(folder.path()), folder.path().join("x.train"));
    let desk = || Desk::open(&place).unwrap();
    let stop = Stop::new();
    let why = thread::scope(|scope| {
        let liar = scope.spawn(|| {
            let office = Between {
                desk: &desk(),
                change: &|report: &mut Report| {
                    if let Outcome::Kept(games) = &mut report.outcome {
                        change(games);
                    }
                },
                times: 1,
                silent: AtomicUsize::new(0),
            };
            let options = options(folder.path(), "liar");
            let worked = worker::work(&office, &options, &stop, &|_| ());
            worker::work(&desk(), &options, &stop, &|_| ()).unwrap();
            worked.unwrap_err().to_string()
        });
        share(training(&home, None), desk(), true);
        stop.request();
        liar.join().unwrap()
    });
    assert!(files(&home) == *alone());
    why
}

#[test]
fn who_brings_other_games_is_refused_and_they_are_played_again() {
    let why = refused(&|games| games.rotate_left(1));
    assert!(
        why.ends_with(" was played again here, and is another"),
        "{why}"
    );
}

#[test]
fn who_brings_what_is_no_game_is_refused() {
    let why = refused(&|games| "AAEC".clone_into(&mut games[3]));
    assert!(
        why.ends_with(": 3 bytes are no positions of a game"),
        "{why}"
    );
    let why = refused(&|games| games.truncate(5));
    assert!(why.ends_with(": there are 5 of them"), "{why}");
    let why = refused(&|games| "?".clone_into(&mut games[0]));
    assert!(why.contains("its games can't be read: "), "{why}");
}

#[test]
fn who_has_no_such_tables_takes_no_part_and_who_has_more_labels_with_as_many() {
    let folder = tempfile::tempdir().unwrap();
    let tables = || Tables::ready(&game().0, folder.path()).unwrap();
    let pieces = tables().pieces() - 1;
    let fewer = || Some(tables().up_to(pieces));
    let expected = folder.path().join("alone.train");
    training(&expected, fewer()).run(&mut |_| ()).unwrap();
    let (place, home) = (file(folder.path()), folder.path().join("x.train"));
    let desk = || Desk::open(&place).unwrap();
    let stop = Stop::new();
    let said = thread::scope(|scope| {
        scope.spawn(|| {
            let mut options = options(folder.path(), "ada");
            let without = worker::work(&desk(), &options, &stop, &|_| ());
            let expected = format!(
                "ada: the training of `breakthrough` has endgame tables of {pieces} pieces, and here they \
                 have 0; `kingme tables build breakthrough --size 6 --pieces {pieces}` makes them"
            );
            assert_eq!(without.unwrap_err().to_string(), expected);
            options.tables = Some(Arc::new(TableShelf::new(folder.path().to_owned())));
            worker::work(&desk(), &options, &stop, &|_| ()).unwrap();
        });
        let said = share(training(&home, fewer()), desk(), true);
        stop.request();
        said
    });
    assert!(files(&home) == files(&expected));
    assert_ne!(files(&home)["0.games"], alone()["0.games"]);
    assert_eq!(said.len(), 1, "{said:?}");
}
