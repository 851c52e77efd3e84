//! A build that is killed in the middle goes on where it was.

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use kingme_engine::tables::{BuildConfig, build};
use tempfile::TempDir;

use super::{build_in, named};
use crate::files;

const DIRECTORY: &str = "KINGME_TEST_TABLES";

/// Not a test by itself: what the killed process does.
#[test]
fn killed_process() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let config = BuildConfig {
        pieces: 4,
        ..BuildConfig::default()
    };
    let mut slices = 0;
    let result = build(
        &named("english"),
        Path::new(&directory),
        &config,
        &mut |progress| {
            slices += usize::from(progress.pieces == 4);
            println!("slice {slices}");
            // Whoever reads this kills us; until then nothing more is done.
            if slices == 6 {
                loop {
                    std::thread::park();
                }
            }
            ControlFlow::Continue(())
        },
    );
    panic!("it was not killed: {result:?}");
}

#[test]
fn a_killed_build_goes_on() {
    let (killed, whole) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tables::resume::killed_process", "--nocapture"])
        .env(DIRECTORY, killed.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let reached = lines
        .map_while(Result::ok)
        .any(|line| line.contains("slice 6"));
    assert!(reached);
    child.kill().unwrap();
    child.wait().unwrap();
    let left = files(killed.path());
    assert_eq!(
        left.keys().filter(|name| name.contains('m')).count(),
        2 + 5,
        "{left:?}"
    );
    assert!(!left.contains_key("pieces-4.kmt"));
    let mut solved_again = 0;
    let config = BuildConfig {
        pieces: 4,
        ..BuildConfig::default()
    };
    let counts = build(&named("english"), killed.path(), &config, &mut |_| {
        solved_again += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(
        counts.unwrap(),
        build_in(whole.path(), &named("english"), 4)
    );
    assert!(solved_again > 0);
    assert_eq!(files(killed.path()), files(whole.path()));
}

#[test]
fn an_unfinished_part_is_made_anew() {
    let (broken, whole) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let variant = named("english");
    let config = BuildConfig {
        pieces: 3,
        ..BuildConfig::default()
    };
    let stopped = build(&variant, broken.path(), &config, &mut |progress| {
        if progress.pieces == 3 && progress.done > 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(stopped.unwrap_err().to_string(), "stopped");
    let game = std::fs::read_dir(broken.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let parts = game.join("pieces-3.parts");
    for part in std::fs::read_dir(parts).unwrap() {
        let path = part.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    }
    build_in(broken.path(), &variant, 3);
    build_in(whole.path(), &variant, 3);
    assert_eq!(files(broken.path()), files(whole.path()));
}
