//! Where the tests keep logs: in files, or with `STORE=postgres` in a data base of a private cluster.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use kingme_arena::league::{LogPlace, SharedLogs};
use kingme_cluster::Cluster;
use kingme_data::{Connection, Place};
use tempfile::TempDir;

/// What tells a process that a test starts where the data base is.
pub const URL: &str = "KINGME_TEST_URL";

/// The log of a test.
pub fn log_in(folder: &TempDir) -> LogPlace {
    log_at(folder.path())
}

/// The log of a test, whose folder is known.
pub fn log_at(folder: &Path) -> LogPlace {
    match std::env::var("STORE").as_deref() {
        Ok("postgres") => shared_log(&url(), folder),
        _ => folder.join("league.db").into(),
    }
}

/// The log of a test that is about files.
pub fn path_in(folder: &TempDir) -> PathBuf {
    folder.path().join("league.db")
}

/// The data base of all tests of this process, or of the one that started it.
pub fn url() -> String {
    static MADE: OnceLock<String> = OnceLock::new();
    let made = || std::env::var(URL).unwrap_or_else(|_| Cluster::shared().database());
    MADE.get_or_init(made).clone()
}

/// A log in a data base that is called like its folder.
pub fn shared_log(url: &str, folder: &Path) -> LogPlace {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let name = name.trim_start_matches('.');
    LogPlace::shared(&url.parse().unwrap(), name, Some(folder)).unwrap()
}

/// A connection to the tables of a log.
pub fn tables(log: &LogPlace) -> Connection {
    let place = match log {
        LogPlace::File(path) => Place::Path(path.clone()),
        LogPlace::Shared(shared) => shared.data_base().clone(),
    };
    let mut data = Connection::open(&place, Duration::ZERO).unwrap();
    if data.is_postgres() {
        let names = SharedLogs::connect(&place).unwrap().names().unwrap();
        assert!(names.iter().any(|name| Some(&**name) == log.name()));
        let sql = "SELECT number FROM leagues WHERE name = ?1";
        let name = kingme_data::values![log.name()];
        let number: i64 = data.query_one(sql, name).unwrap().unwrap().get(0).unwrap();
        let path = format!("SET search_path = league_{number}");
        data.batch(&path).unwrap();
    }
    data
}

/// What a question to the tables of a log counts.
pub fn count(log: impl Into<LogPlace>, sql: &str) -> i64 {
    let row = tables(&log.into()).query_one(sql, &[]).unwrap();
    row.unwrap().get(0).unwrap()
}
