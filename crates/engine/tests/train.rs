//! A training from end to end.

use std::time::Duration;

use engine::Form;
use engine::train::{Progress, Training};
use rules::Variant;

#[test]
fn a_training_is_kept_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let training = Training {
        variant: Variant::named("english").unwrap().sized(6).unwrap(),
        time: Duration::from_secs(2),
        folder: folder.path().to_owned(),
        from: None,
        seed: 1,
        date: "2026-01-01".to_owned(),
        forms: vec![Form::Squares, Form::Net],
        threads: 1,
        tables: None,
    };
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
