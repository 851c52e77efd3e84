//! Leagues in a `PostgreSQL`: what can go wrong there and not in a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kingme_arena::league::{
    Entry, Finished, LeagueError, LeagueEvent, LeagueFile, Log, LogPlace, Nobody, Reader,
    SharedLogs, Summary, run,
};
use kingme_cluster::Cluster;
use kingme_play::{End, EndReason, Stop};

use crate::league::{GAMES, LEAGUE, file, first_job, play, rows};
use crate::store::{count, path_in, shared_log, tables, url};

/// Plays, with something done after each game, by how many have ended.
fn play_while(
    file: &LeagueFile,
    log: &LogPlace,
    stop: &Stop,
    mut after: impl FnMut(usize),
) -> Result<Summary, LeagueError> {
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let log = Log::open(log, &mut file.clone())?;
    run(file, log, &seats, &Nobody, stop, &mut |event| {
        if let LeagueEvent::Game { results, .. } = event {
            after(results.len());
        }
    })
}

/// The same league in a file, where nothing goes wrong.
fn in_peace(file: &LeagueFile) -> BTreeMap<u64, Finished> {
    let folder = tempfile::tempdir().unwrap();
    play(file, path_in(&folder))
}

fn results(log: &LogPlace) -> BTreeMap<u64, Finished> {
    Reader::open(log).unwrap().results().unwrap()
}

/// Ends all connections to the data base of a log but this one.
fn cut(log: &LogPlace) {
    let cut = "SELECT pg_terminate_backend(pid)::INT FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    tables(log).query(cut, &[]).unwrap();
}

#[test]
fn lost_connections_lose_no_game_and_nothing_is_there_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    // A data base of its own: all who use it are cut off.
    let log = shared_log(&Cluster::shared().database(), folder.path());
    let summary = play_while(&file, &log, &Stop::new(), |_| cut(&log)).unwrap();
    assert_eq!(summary.results, in_peace(&file));
    assert_eq!(results(&log), summary.results);
    assert_eq!(rows(&log), GAMES as i64);
    let twice = "SELECT COUNT(*) FROM event a JOIN event b
                 ON a.kind = b.kind AND a.text = b.text AND a.id < b.id";
    assert_eq!(count(&log, twice), 0);
    assert_eq!(
        count(&log, "SELECT COUNT(*) FROM event WHERE kind = 'joined'"),
        3
    );
}

#[test]
fn a_data_base_that_is_away_for_a_while_stops_nothing() {
    let cluster = Cluster::start("fsync = off\n");
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let log = shared_log(&cluster.database(), folder.path());
    let summary = play_while(&file, &log, &Stop::new(), |ended| match ended {
        2 => cluster.pause(),
        12 => cluster.resume(),
        _ => {}
    });
    let played = summary.unwrap().results;
    assert_eq!(played, in_peace(&file));
    assert_eq!((results(&log), rows(&log)), (played, GAMES as i64));
}

#[test]
fn what_a_data_base_can_not_take_waits_for_the_next_run() {
    let cluster = Cluster::start("fsync = off\n");
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let log = shared_log(&cluster.database(), folder.path());
    let error = play_while(&file, &log, &Stop::new(), |ended| {
        if ended == 2 {
            cluster.pause();
        }
    });
    let error = error.unwrap_err().to_string();
    let sentence = format!("the log `{log}`: can't reach the data base at ");
    assert!(error.starts_with(&sentence), "{error}");
    assert!(
        error.contains(" games wait in `") && error.ends_with("and the next run brings them in"),
        "{error}"
    );
    let away = Log::open(&log, &mut file.clone()).unwrap_err().to_string();
    assert!(away.starts_with("can't reach the data base at "), "{away}");
    cluster.resume();
    assert!(rows(&log) < GAMES as i64);
    let again = Log::open(&log, &mut file.clone()).unwrap();
    assert_eq!(again.finished().unwrap(), in_peace(&file));
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(LEAGUE);
    let log = shared_log(&url(), folder.path());
    drop(Log::open(&log, &mut file.clone()).unwrap());
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100';
                END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON game
                    FOR EACH STATEMENT EXECUTE FUNCTION full_disk();";
    tables(&log).batch(full).unwrap();
    let error = play_while(&file, &log, &Stop::new(), |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the log `{log}`: the disk of the data base is full: No space left on device")
    );
    assert_eq!(rows(&log), 0);
    tables(&log)
        .batch("DROP TRIGGER full_disk ON game")
        .unwrap();
    assert_eq!(play(&file, &log), in_peace(&file));
}

#[test]
fn another_machine_goes_on_and_the_first_result_counts() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let file = file(LEAGUE);
    let at = url().parse().unwrap();
    let name = folders[0].path().file_name().unwrap().to_str().unwrap();
    let name = name.trim_start_matches('.');
    let [here, there] = folders
        .each_ref()
        .map(|folder| LogPlace::shared(&at, name, Some(folder.path())).unwrap());
    let stop = Stop::new();
    let first = play_while(&file, &here, &stop, |ended| {
        if ended == 5 {
            // It is being played here, and only here.
            let error = Log::open(&there, &mut file.clone()).unwrap_err();
            let sentence = format!("`{there}` is in use by another run of this league");
            assert_eq!(error.to_string(), sentence);
            assert!(Reader::open(&there).unwrap().is_running());
            stop.request();
        }
    });
    assert!(!first.unwrap().complete);
    assert!(!Reader::open(&there).unwrap().is_running());
    assert_eq!(play(&file, &there), in_peace(&file));
    // Nothing is left to do for the first machine.
    assert_eq!(play(&file, &here), in_peace(&file));
    assert_eq!(rows(&here), GAMES as i64);
}

/// Whoever was cut off finds another in its place, and writes nothing until that is gone.
#[test]
fn who_has_lost_the_league_to_another_writes_nothing() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let at = Cluster::shared().database().parse().unwrap();
    let file = file(LEAGUE);
    let [here, there] = folders
        .each_ref()
        .map(|folder| LogPlace::shared(&at, "club", Some(folder.path())).unwrap());
    let first = Arc::new(Log::open(&here, &mut file.clone()).unwrap());
    let game = file.openings.of_pair(&file.variant, 0, file.seed);
    let mut in_log = first.start(&first_job(&file), &game).unwrap();
    cut(&here);
    let second = Log::open(&there, &mut file.clone()).unwrap();
    let end = End {
        winner: None,
        reason: EndReason::Adjudicated,
        words: "Enough.".to_owned(),
    };
    in_log.end(&end).unwrap();
    drop((in_log, first));
    assert_eq!(rows(&there), 0);
    drop(second);
    let first = Log::open(&here, &mut file.clone()).unwrap();
    assert_eq!(first.finished().unwrap().len(), 1);
}

#[test]
fn leagues_of_a_data_base_are_listed_and_do_not_know_each_other() {
    let data_base = Cluster::shared().database();
    let at = data_base.parse().unwrap();
    let logs = SharedLogs::connect(&at).unwrap();
    assert!(logs.names().unwrap().is_empty());
    let missing = logs.reader("club").unwrap_err().to_string();
    assert_eq!(
        missing,
        format!("the log `club at {at}`: there is none yet; `kingme league run` makes it")
    );
    let folder = tempfile::tempdir().unwrap();
    let texts = [LEAGUE.to_owned(), LEAGUE.replace("seed = 9", "seed = 8")];
    let names = ["club", "Häßlich ☕ 'x'; --"];
    for (name, text) in names.iter().zip(&texts) {
        let log = LogPlace::shared(&at, name, Some(folder.path())).unwrap();
        play(&file(text), &log);
    }
    assert_eq!(logs.names().unwrap(), names);
    for (name, text) in names.iter().zip(&texts) {
        let mut reader = logs.reader(name).unwrap();
        assert_eq!(reader.league().text, *text);
        assert_eq!(reader.results().unwrap(), in_peace(&file(text)));
    }
    for name in ["", ".hidden", "a/b", "a\nb", &"x".repeat(101)] {
        let refused = LogPlace::shared(&at, name, None).unwrap_err().to_string();
        let sentence = format!("`{name}` can't be the name of a log: ");
        assert!(refused.starts_with(&sentence), "{refused}");
    }
}

#[test]
fn a_log_of_a_later_version_is_left_alone() {
    let data_base = Cluster::shared().database();
    let folder = tempfile::tempdir().unwrap();
    let log = shared_log(&data_base, folder.path());
    drop(Log::open(&log, &mut file(LEAGUE)).unwrap());
    let later = "UPDATE public.leagues SET version = 99";
    tables(&log).batch(later).unwrap();
    let sentence = format!("the log `{log}`: it is no log of this version of kingme");
    let refused = Log::open(&log, &mut file(LEAGUE)).unwrap_err();
    assert_eq!(refused.to_string(), sentence);
    assert_eq!(Reader::open(&log).unwrap_err().to_string(), sentence);
    let later = "UPDATE public.kingme_versions SET version = 99 WHERE part = 'leagues'";
    tables(&log).batch(later).unwrap();
    let refused = Log::open(&log, &mut file(LEAGUE)).unwrap_err().to_string();
    assert!(refused.contains("use a newer kingme"), "{refused}");
}

#[test]
fn rows_in_a_data_base_are_never_changed() {
    let folder = tempfile::tempdir().unwrap();
    let log = shared_log(&url(), folder.path());
    play(&file(LEAGUE), &log);
    for change in [
        "UPDATE game SET number = 1",
        "DELETE FROM game",
        "TRUNCATE event",
        "DELETE FROM event",
    ] {
        let error = tables(&log).batch(change).unwrap_err().to_string();
        assert_eq!(error, "the data base: the log is never changed");
    }
}

/// A log elsewhere has its games in progress beside the league's file.
#[test]
fn games_in_progress_are_seen_on_the_machine_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let log = shared_log(&url(), folder.path());
    let file = LeagueFile::read(LEAGUE, folder.path()).unwrap();
    let playing = Arc::new(Log::open(&log, &mut file.clone()).unwrap());
    let game = file.openings.of_pair(&file.variant, 0, file.seed);
    let in_log = playing.start(&first_job(&file), &game).unwrap();
    // Whoever only knows the name of the log finds the folder in it.
    let LogPlace::Shared(shared) = &log else {
        panic!("it is in a data base")
    };
    let logs = SharedLogs::connect(shared.data_base()).unwrap();
    let mut reader = logs.reader(log.name().unwrap()).unwrap();
    let before = reader.stamp().unwrap();
    assert_eq!(reader.live().unwrap().len(), 1);
    assert!(reader.is_running());
    // What a run that died has left is not in progress.
    drop((in_log, playing));
    assert!(!reader.is_running());
    assert_eq!(reader.live().unwrap().len(), 0);
    assert_ne!(reader.stamp().unwrap(), before);
    let left = Path::new(folder.path()).read_dir().unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let [live] = &left[..] else {
        panic!("{left:?}")
    };
    assert!(live.to_str().unwrap().ends_with(".db-live"), "{live:?}");
}
