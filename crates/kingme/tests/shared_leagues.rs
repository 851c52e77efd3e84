//! Leagues that are kept in a `PostgreSQL`, by the command: played here, killed, played on there, and
//! shown anywhere.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use kingme_arena::league::{LogPlace, Reader};
use kingme_cluster::Cluster;
use kingme_data::Place;
use support::{Run, command, kingme, refused};

/// A league whose games are the same whenever they are played.
const LEAGUE: &str = "name = \"Club evening\"\nvariant = \"english\"\nsize = 6\nnodes = 300\n\
    format = \"round-robin\"\nrounds = 6\nrandom_plies = 2\nseed = 5\nmax_plies = 60\n\
    [[player]]\nname = \"one\"\nplays = \"engine\"\n[[player]]\nname = \"two\"\nplays = \"random\"\n\
    [[player]]\nname = \"three\"\nplays = \"minimax:depth=2\"\n";
const GAMES: usize = 36;

fn league(folder: &Path) -> PathBuf {
    let path = folder.join("club.toml");
    fs::write(&path, LEAGUE).unwrap();
    path
}

/// `kingme league …` with a data base.
fn league_command(action: &str, file: &Path, url: &str, more: &[&str]) -> Run {
    let file = file.to_str().unwrap();
    let arguments = ["league", action, file, "--store", url];
    kingme(&[&arguments[..], more].concat())
}

fn finished(url: &str) -> usize {
    let log = LogPlace::shared(&url.parse().unwrap(), "club", None).unwrap();
    let results = Reader::open(&log).and_then(|mut reader| reader.results());
    results.map_or(0, |results| results.len())
}

#[test]
fn a_killed_league_goes_on_on_another_machine_and_is_shown_on_any() {
    let url = Cluster::shared().database();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [here, there] = folders.each_ref().map(|folder| league(folder.path()));
    let mut run = command(&["league", "run", here.to_str().unwrap(), "--store", &url])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while finished(&url) < 3 {
        assert_eq!(run.try_wait().unwrap(), None, "it has ended by itself");
        // It is a log of another process: it can only be looked at.
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let on = league_command("run", &there, &url, &[]);
    assert_eq!(on.status, 0, "{}", on.err);
    assert!(!here.with_extension("db").exists() && !there.with_extension("db").exists());
    // As if one machine had played it into a file.
    let alone = tempfile::tempdir().unwrap();
    let alone = league(alone.path());
    let file = kingme(&["league", "run", alone.to_str().unwrap()]);
    let table = |run: &Run| run.out.clone();
    assert_eq!((on.status, table(&on)), (file.status, table(&file)));
    let shown = league_command("show", &here, &url, &[]).out;
    assert!(shown.ends_with("36 of 36 games are finished\n"), "{shown}");
    for name in ["club", "club.toml"] {
        assert_eq!(
            league_command("show", Path::new(name), &url, &[]).out,
            shown
        );
    }
    let listed = kingme(&["league", "show", "--store", &url]);
    assert_eq!(listed.out, "club  Club evening: 36 of 36 games\n");
    let incidents = league_command("show", &here, &url, &["--incidents"]);
    assert_eq!(incidents.out, "nothing went wrong\n");
    let csv = league_command("export", Path::new("club"), &url, &["--format", "csv"]);
    assert_eq!(csv.out.lines().count(), GAMES + 1, "{}", csv.out);
}

#[test]
fn who_can_not_use_the_data_base_hears_why() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let at: Place = url.parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let file = path.to_str().unwrap();
    let none = kingme(&["league", "show", "--store", &url]);
    assert_eq!((none.status, none.out.as_str()), (0, "no leagues\n"));
    let missing =
        format!("the log `club at {at}`: there is none yet; `kingme league run` makes it");
    for name in [file, "club"] {
        refused(&["league", "show", name, "--store", &url], &missing);
    }
    refused(
        &["league", "export", "--store", &url, "--format", "csv"],
        "name a league; `kingme league show` with the same --store lists those that are there",
    );
    cluster.execute("postgres", "CREATE ROLE shy LOGIN PASSWORD 'open sesame'");
    let shy = url.replace("user=kingme", "user=shy");
    refused(
        &[
            "league",
            "run",
            file,
            "--store",
            &format!("{shy}&password=guess"),
        ],
        &format!(
            "the data base at {at} does not let us in: \
             password authentication failed for user \"shy\""
        ),
    );
    let nowhere = folder.path().display();
    refused(
        &[
            "league",
            "run",
            file,
            "--store",
            &format!("postgres:///x?host={nowhere}&user=ada"),
        ],
        &format!("can't reach the data base at {nowhere}:5432/x: No such file or directory"),
    );
    // Another league of the same name needs another name for its log.
    assert_eq!(league_command("run", &path, &url, &[]).status, 0);
    fs::write(&path, LEAGUE.replace("seed = 5", "seed = 6")).unwrap();
    refused(
        &["league", "run", file, "--store", &url],
        &format!(
            "`club at {at}` is the log of another league, `Club evening`; give this one a log of its own"
        ),
    );
    let other = league_command("run", &path, &url, &["--log", "other club"]);
    assert_eq!(other.status, 0, "{}", other.err);
    let listed = kingme(&["league", "show", "--store", &url]).out;
    let lines =
        ["club", "other club"].map(|name| format!("{name}  Club evening: 36 of 36 games\n"));
    assert_eq!(listed, lines.concat());
}
