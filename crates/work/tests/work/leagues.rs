//! Leagues that workers play, at a desk in a file and in a `PostgreSQL`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kingme_arena::league::{League, LeagueEvent, Nobody, Reader};
use kingme_cluster::Cluster;
use kingme_data::Place;
use kingme_play::Stop;
use kingme_work::worker::{self, News};
use kingme_work::{Desk, Hello, Office, Outcome, Report, Shared, program};
use tempfile::TempDir;

use crate::support::{Between, Dies, hello, options};

/// A folder with a league whose games are the same wherever they are played.
fn league(folder: &Path) -> PathBuf {
    let path = folder.join("class.toml");
    let text = "name = \"Class\"\nvariant = \"english\"\nnodes = 300\nformat = \"round-robin\"\n\
                games = 4\nrounds = 3\nrandom_plies = 4\nseed = 7\nmax_plies = 60\nconcurrency = 1\n\
                [[player]]\nname = \"one\"\nplays = \"engine\"\n\
                [[player]]\nname = \"two\"\nplays = \"engine:level=5\"\n\
                [[player]]\nname = \"three\"\nplays = \"random\"\n";
    fs::write(&path, text).unwrap();
    path
}

/// Data bases for a desk, in a file and in a cluster, each with a league of its own.
fn places(folder: &Path) -> [(Place, PathBuf); 2] {
    let places = [
        Place::Path(folder.join("work.db")),
        Cluster::shared().database().parse().unwrap(),
    ];
    let mut number = 0;
    places.map(|place| {
        number += 1;
        let home = folder.join(number.to_string());
        fs::create_dir_all(&home).unwrap();
        (place, league(&home))
    })
}

/// All games of a league: numbers, moves, results.
fn games(league: &Path) -> Vec<String> {
    let reader = Reader::open(League::log_path(league)).unwrap();
    let mut games = Vec::new();
    reader
        .games(&mut |game| {
            let moves = game.session.game().move_texts().join(" ");
            let (number, score) = (game.finished.game, game.finished.white_score);
            games.push(format!("{number}: {moves} {score}"));
        })
        .unwrap();
    games
}

/// The same league, played here alone.
fn alone() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let league = League::open(&path, League::log_path(&path), None).unwrap();
    let played = league.play(&Nobody, &Stop::new(), &mut |_| ());
    assert!(played.unwrap().1.complete);
    games(&path)
}

/// Plays a league whose games are handed out, until so many have ended; whether it is complete.
fn share(path: &Path, desk: Desk, only: bool, until: usize) -> bool {
    let mut league = League::open(path, League::log_path(path), None).unwrap();
    let shared = Shared::new(desk, league.number(), only, Box::new(|_| ()));
    league.share(Box::new(shared));
    let stop = Stop::new();
    let ended = AtomicUsize::new(0);
    let played = league.play(&Nobody, &stop, &mut |event| {
        if let LeagueEvent::Game { .. } = event
            && ended.fetch_add(1, Ordering::Relaxed) + 1 == until
        {
            stop.request();
        }
    });
    played.unwrap().1.complete
}

#[test]
fn workers_play_the_same_league_as_one_machine() {
    let expected = alone();
    assert_eq!(expected.len(), 36);
    let folder = tempfile::tempdir().unwrap();
    for (place, path) in places(folder.path()) {
        let home = path.parent().unwrap();
        let stop = Stop::new();
        let counts = thread::scope(|scope| {
            let workers = ["ada", "bob"].map(|name| {
                let (place, stop) = (&place, &stop);
                scope.spawn(move || {
                    let desk = Desk::open(place).unwrap();
                    worker::work(&desk, &options(home, name), stop, &|_| ()).unwrap()
                })
            });
            assert!(share(&path, Desk::open(&place).unwrap(), true, usize::MAX));
            stop.request();
            workers.map(|worker| worker.join().unwrap())
        });
        assert_eq!(games(&path), expected, "{place}");
        // Nobody has played a game that another one had played.
        assert_eq!(counts.iter().sum::<u64>(), 36, "{place}");
    }
}

#[test]
fn a_league_goes_on_where_it_was_stopped_and_its_own_machine_may_play_too() {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    for (place, path) in places(folder.path()) {
        let home = path.parent().unwrap();
        let stop = Stop::new();
        thread::scope(|scope| {
            scope.spawn(|| {
                let desk = Desk::open(&place).unwrap();
                worker::work(&desk, &options(home, "ada"), &stop, &|_| ()).unwrap()
            });
            let desk = || Desk::open(&place).unwrap();
            assert!(!share(&path, desk(), false, 5));
            assert!(!share(&path, desk(), true, 9));
            assert!(share(&path, desk(), false, usize::MAX));
            stop.request();
        });
        assert_eq!(games(&path), expected, "{place}");
    }
}

#[test]
fn without_workers_a_league_plays_itself() {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let place = Place::Path(folder.path().join("work.db"));
    let desk = Desk::open(&place).unwrap();
    // Somebody who was here, took nothing and is gone.
    hello(&desk, program());
    assert!(share(&path, desk, false, usize::MAX));
    assert_eq!(games(&path), expected);
}

/// Stops a worker at the end of a test, however it ends.
struct Until<'a>(&'a Stop);

impl Drop for Until<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Connections are cut again and again, whatever they are used for at that moment.
#[test]
fn a_league_and_its_worker_outlive_their_connections() {
    let expected = alone();
    let cluster = Cluster::shared();
    let url = cluster.database();
    let name = url.split(['/', '?']).nth(3).unwrap();
    let place: Place = url.parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let stop = Stop::new();
    thread::scope(|scope| {
        let desk = || Desk::open(&place).unwrap();
        let (mine, worker) = (desk(), desk());
        let options = options(folder.path(), "ada");
        let stop = &stop;
        let _until = Until(stop);
        scope.spawn(move || worker::work(&worker, &options, stop, &|_| ()).unwrap());
        scope.spawn(move || {
            for _ in 0..60 {
                cluster.execute(name, cut);
                stop.wait_until(Some(Instant::now() + Duration::from_millis(15)));
            }
        });
        assert!(share(&path, mine, true, usize::MAX));
    });
    assert_eq!(games(&path), expected);
}

#[test]
fn what_a_lost_worker_had_is_played_by_another() {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    for (place, path) in places(folder.path()) {
        let home = path.parent().unwrap();
        let stop = Stop::new();
        let soon = Duration::from_millis(300);
        let desk = || Desk::open(&place).unwrap().with_lease(soon);
        thread::scope(|scope| {
            scope.spawn(|| assert!(!Dies(&desk()).take().is_empty()));
            scope.spawn(|| worker::work(&desk(), &options(home, "bob"), &stop, &|_| ()).unwrap());
            assert!(share(&path, desk(), true, usize::MAX));
            stop.request();
        });
        assert_eq!(games(&path), expected, "{place}");
    }
}

#[test]
fn a_report_that_comes_late_and_twice_counts_once() {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let place = Place::Path(folder.path().join("work.db"));
    let desk = || Desk::open(&place).unwrap();
    let stop = Stop::new();
    let news = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let office = Between {
                desk: &desk(),
                change: &|_| (),
                times: 2,
                silent: AtomicUsize::new(3),
            };
            let say = |said: &News| news.lock().unwrap().push(said.clone());
            worker::work(&office, &options(folder.path(), "ada"), &stop, &say).unwrap()
        });
        assert!(share(&path, desk(), true, usize::MAX));
        stop.request();
        assert_eq!(worker.join().unwrap(), 36);
    });
    assert_eq!(games(&path), expected);
    let news = news.lock().unwrap();
    let lost = News::Lost("the cable is out".to_owned());
    assert!(
        news.contains(&lost) && news.contains(&News::Back),
        "{news:?}"
    );
}

/// Plays a league with a worker that lies in its reports, until it is refused; then with an honest
/// one. Why the first was refused.
fn refused(change: &(dyn Fn(&mut Report) + Sync)) -> String {
    let expected = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let place = Place::Path(folder.path().join("work.db"));
    let desk = || Desk::open(&place).unwrap();
    let stop = Stop::new();
    let why = thread::scope(|scope| {
        let liar = scope.spawn(|| {
            let office = Between {
                desk: &desk(),
                change,
                times: 1,
                silent: AtomicUsize::new(0),
            };
            let options = options(folder.path(), "liar");
            let worked = worker::work(&office, &options, &stop, &|_| ());
            let why = worked.unwrap_err().to_string();
            worker::work(&desk(), &options, &stop, &|_| ()).unwrap();
            why
        });
        assert!(share(&path, desk(), true, usize::MAX));
        stop.request();
        liar.join().unwrap()
    });
    assert_eq!(games(&path), expected);
    why
}

fn each_game(report: &mut Report, change: impl Fn(&mut kingme_work::GameReport)) {
    if let Outcome::Played(games) = &mut report.outcome {
        games.iter_mut().for_each(change);
    }
}

#[test]
fn who_brings_illegal_moves_is_refused_and_they_are_played_again() {
    let why = refused(&|report| {
        each_game(report, |game| {
            let mut lines: Vec<&str> = game.plies.lines().collect();
            lines.swap(0, 1);
            game.plies = lines.join("\n") + "\n";
        });
    });
    assert!(
        why.starts_with("game ") && why.contains("can't be right: turn "),
        "{why}"
    );
}

#[test]
fn who_says_that_another_has_won_is_refused() {
    let why = refused(&|report| {
        each_game(report, |game| {
            game.end.winner = match game.end.winner {
                None => Some(kingme_rules::Side::White),
                Some(_) => None,
            };
            game.end.reason = kingme_play::EndReason::Rules;
        });
    });
    assert!(why.contains("can't be right: it says"), "{why}");
}

#[test]
fn who_looks_at_more_positions_than_it_can_is_refused() {
    let why = refused(&|report| {
        each_game(report, |game| {
            let line = game.plies.lines().next().unwrap_or_default();
            let mut fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            fields.resize(7, String::new());
            "1".clone_into(&mut fields[2]);
            "99999999999".clone_into(&mut fields[6]);
            let rest = game.plies.split_once('\n').map_or("", |(_, rest)| rest);
            game.plies = fields.join("\t") + "\n" + rest;
        });
    });
    assert!(why.contains("more than that machine can look at"), "{why}");
}

#[test]
fn a_test_that_is_decided_stops_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.toml");
    let text = "name = \"Test\"\nvariant = \"english\"\nnodes = 300\nformat = \"gauntlet\"\n\
                rounds = 5000\nrandom_plies = 4\nseed = 7\nmax_plies = 60\nsprt = \"0,400\"\n\
                sprt_alpha = 0.1\nsprt_model = \"logistic\"\n\
                [[player]]\nname = \"one\"\nplays = \"engine\"\n\
                [[player]]\nname = \"two\"\nplays = \"random\"\n";
    fs::write(&path, text).unwrap();
    let place = Place::Path(folder.path().join("work.db"));
    let desk = Desk::open(&place).unwrap();
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| worker::work(&desk, &options(folder.path(), "ada"), &stop, &|_| ()));
        let shared = Desk::open(&place).unwrap();
        assert!(share(&path, shared, true, usize::MAX));
        let count = games(&path).len();
        assert!(count < 1000, "{count} games");
        // There is nothing left for anybody.
        let worker = hello(&desk, program());
        assert_eq!(desk.take(&worker, 1).unwrap(), []);
        stop.request();
    });
}

#[test]
fn who_says_too_much_of_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&Place::Path(folder.path().join("work.db"))).unwrap();
    let hello = Hello {
        name: "x".repeat(2001),
        program: program(),
        speed: 1e6,
        concurrency: 1,
    };
    let why = desk.hello(&hello).unwrap_err().to_string();
    assert_eq!(
        why,
        "a worker says at most 2000 bytes about itself at a time"
    );
    assert_eq!(desk.workers().unwrap(), []);
}

#[test]
fn another_kingme_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = league(folder.path());
    let place = Place::Path(folder.path().join("work.db"));
    let stop = Stop::new();
    let desk = Desk::open(&place).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| worker::work(&desk, &options(folder.path(), "ada"), &stop, &|_| ()));
        let other = Desk::open(&place).unwrap();
        let older = hello(&other, "kingme 0.0.1 abc".to_owned());
        let refused = scope.spawn(move || {
            loop {
                match other.take(&older, 1) {
                    Ok(tasks) => assert!(tasks.is_empty()),
                    Err(error) => return error.to_string(),
                }
                thread::sleep(Duration::from_millis(1));
            }
        });
        assert!(share(&path, Desk::open(&place).unwrap(), true, usize::MAX));
        let why = refused.join().unwrap();
        let expected = format!(
            "the games here are for {}, and this is kingme 0.0.1 abc",
            program()
        );
        assert_eq!(why, expected);
        stop.request();
    });
}

#[test]
fn a_player_that_a_worker_does_not_have_stops_the_league_with_its_sentence() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let path = folder.path().join("class.toml");
    let bot = folder.path().join("bot.sh");
    fs::write(&bot, "exit 3\n").unwrap();
    fs::write(
        &path,
        "name = \"Class\"\nvariant = \"english\"\ntime = \"1s\"\nformat = \"round-robin\"\n\
         allow_failing = true\nadjudicate_tables = true\n\
         [[player]]\nname = \"a\"\nplays = \"random\"\n[[player]]\nname = \"b\"\nplays = \"minimax\"\n",
    )
    .unwrap();
    let place = Place::Path(folder.path().join("work.db"));
    let stop = Stop::new();
    let desk = Desk::open(&place).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| worker::work(&desk, &options(folder.path(), "ada"), &stop, &|_| ()));
        // Here there are tables, at the worker there are none.
        let tables = std::sync::Arc::new(kingme_players::TableShelf::new(folder.path().to_owned()));
        let mut league = League::open(&path, League::log_path(&path), Some(tables)).unwrap();
        let desk = Desk::open(&place).unwrap();
        let shared = Shared::new(desk, league.number(), true, Box::new(|_| ()));
        league.share(Box::new(shared));
        let failed = league.play(&Nobody, &Stop::new(), &mut |_| ()).unwrap_err();
        let expected = "the workers: ada: `adjudicate_tables`: there is no folder for tables";
        assert_eq!(failed.to_string(), expected);
        stop.request();
    });
}
