//! A training from end to end.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use kingme_engine::train::{Progress, Training};
use kingme_engine::{Form, Weights};
use kingme_rules::Variant;

fn training(folder: &Path) -> Training {
    Training {
        variant: Variant::named("english").unwrap().sized(6).unwrap(),
        time: Duration::from_secs(2),
        folder: folder.to_owned(),
        from: None,
        seed: 1,
        date: "2026-01-01".to_owned(),
        forms: vec![Form::Squares, Form::Net],
        threads: 1,
        tables: None,
        games: None,
        elsewhere: None,
    }
}

#[test]
fn a_training_is_kept_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let training = training(folder.path());
    let mut told = Vec::new();
    let first = training.run(&mut |progress| told.push(progress.clone()));
    let first = first.unwrap();
    let matches = told
        .iter()
        .filter(|told| matches!(told, Progress::Match { .. }));
    assert_eq!(matches.count(), 5, "a match for each step");
    // Everything is in the folder: nothing is played or fitted again.
    let again = training.run(&mut |progress| panic!("{progress}")).unwrap();
    assert_eq!(again, first);
}

#[test]
fn a_training_goes_on_from_weights() {
    let folder = tempfile::tempdir().unwrap();
    // Its games are short.
    let variant = Variant::named("breakthrough").unwrap();
    let file = kingme_engine::shipped(variant.name()).unwrap();
    let shipped = Weights::read(file, &variant).unwrap();
    let high = Training {
        from: Some(shipped.clone()),
        variant,
        ..training(folder.path())
    };
    let mut steps = Vec::new();
    let better = high.run(&mut |progress| {
        if let Progress::Match { step, .. } = progress {
            steps.push(*step);
        }
    });
    assert_eq!(steps, [5, 6], "steps of its own");
    // Where nothing better is found, there is what it began with.
    let better = better.unwrap().expect("never less than before");
    assert!(better == shipped || better.form == Form::Net);
}

/// All files of a folder but those that say how long something took.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let lasting = paths.filter(|path| path.extension() != Some("spent".as_ref()));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    lasting
        .map(|path| (name(&path), std::fs::read(&path).unwrap()))
        .collect()
}

#[test]
fn so_many_games_are_the_same_on_any_number_of_threads() {
    let [one, three] = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        // Its games are short.
        let variant = Variant::named("breakthrough").unwrap().sized(6).unwrap();
        let training = Training {
            variant,
            games: Some(32),
            time: Duration::from_hours(1),
            forms: vec![Form::Squares],
            threads,
            ..training(folder.path())
        };
        training.run(&mut |_| ()).unwrap();
        files(folder.path())
    });
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    assert!(
        names.starts_with(&["0.games"]) && names.contains(&"1.weights"),
        "{names:?}"
    );
    assert!(one == three);
}
