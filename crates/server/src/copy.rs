//! Everything of one data base copied into another, of whatever kinds they are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kingme_arena::league::SharedLogs;
use kingme_arena::league::copies::{self, LeaguesIn};
use kingme_data::copy::{Side, Table, copy_table};
use kingme_data::{Connection, Place, Result};

use crate::database::Database;
use crate::folder::{self, Folder, StoreError};
use crate::schema;

const fn table(name: &'static str, columns: &'static [&'static str], keys: usize) -> Table {
    Table {
        name,
        columns,
        keys,
    }
}

/// All that is kept, those first that others refer to. Who has which game at the moment is not
/// among it.
const ALL: [Table; 9] = [
    table("players", &["id", "name", "password"], 1),
    table("sessions", &["hash", "player", "used"], 1),
    table("tokens", &["id", "hash", "player", "label"], 1),
    table(
        "games",
        &["id", "settings", "public", "white", "black", "touched"],
        1,
    ),
    table("events", &["game", "seq", "at", "event"], 2),
    table(
        "ratings",
        &[
            "player",
            "variant",
            "rating",
            "deviation",
            "volatility",
            "games",
        ],
        2,
    ),
    table(
        "rated",
        &[
            "game",
            "white_before",
            "white_after",
            "black_before",
            "black_after",
        ],
        1,
    ),
    table("seats", &["league", "name", "code", "player"], 2),
    table(
        "works",
        &["id", "player", "kind", "title", "body", "touched"],
        1,
    ),
];

/// How many there were of what people know.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Players, guests among them.
    pub players: u64,
    /// Games.
    pub games: u64,
    /// Events of those games.
    pub events: u64,
    /// Leagues.
    pub leagues: u64,
}

/// Copies everything from one place to another, which has to be empty: all of it or nothing.
///
/// # Errors
///
/// If a server uses one of them, a league is being played, the second has anything in it, or either
/// can't be used.
pub fn copy(from: &Place, to: &Place) -> std::result::Result<Copied, StoreError> {
    let mut from = End::open(from, true)?;
    let mut to = End::open(to, false)?;
    to.check_empty()?;
    let (from_leagues, to_leagues) = (from.leagues.clone(), to.leagues.clone());
    let (from, to) = (&mut from.data, &mut to.data);
    from.atomically(|from| {
        if from.is_postgres() {
            from.batch("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
        }
        to.atomically(|to| {
            let mut copied = copy_all(from, to)?;
            let from = LeaguesIn::new(from, from_leagues.as_deref());
            let to = LeaguesIn::new(to, to_leagues.as_deref());
            copied.leagues = copies::copy(from, to)?;
            Ok(copied)
        })
    })
}

/// One end of a copy, for as long as nobody else has it.
struct End {
    data: Connection,
    place: String,
    /// Where the logs of its leagues are, if it is a folder.
    leagues: Option<PathBuf>,
    _folder: Option<Folder>,
}

impl End {
    fn open(place: &Place, is_there: bool) -> std::result::Result<End, StoreError> {
        let (data, folder) = match place {
            Place::Postgres(config) => (shared(config)?, None),
            Place::Path(path) => file(path, is_there)?,
        };
        Ok(End {
            data,
            place: place.to_string(),
            leagues: match place {
                Place::Path(path) if folder.is_some() => Some(path.join("leagues")),
                _ => None,
            },
            _folder: folder,
        })
    }

    /// Whether there is nothing in it that a copy could spoil.
    fn check_empty(&mut self) -> std::result::Result<(), StoreError> {
        for table in &ALL {
            let sql = format!("SELECT count(*) FROM {}", table.name);
            if count(&mut self.data, &sql)? > 0 {
                return Err(StoreError::NotEmpty(self.place.clone()));
            }
        }
        let mut leagues = LeaguesIn::new(&mut self.data, self.leagues.as_deref());
        if leagues.names()?.is_empty() {
            return Ok(());
        }
        Err(StoreError::NotEmpty(self.place.clone()))
    }
}

fn shared(config: &postgres::Config) -> std::result::Result<Connection, StoreError> {
    let mut data = Connection::postgres(config, Duration::ZERO)?;
    data.migrate(&schema::TABLES)?;
    SharedLogs::prepare(&mut data)?;
    let alive = "SELECT count(*) FROM servers WHERE until >= kingme_now()";
    if count(&mut data, alive)? > 0 {
        let place = Place::Postgres(Box::new(config.clone()));
        return Err(StoreError::Served(place.to_string()));
    }
    Ok(data)
}

/// A file by itself, or that of a folder.
fn file(
    path: &Path,
    is_there: bool,
) -> std::result::Result<(Connection, Option<Folder>), StoreError> {
    let folder = if path.is_file() {
        None
    } else {
        if is_there {
            folder::look_for(path)?;
        }
        Some(Folder::take(path)?)
    };
    let file = folder.as_ref().map_or(path.to_owned(), Folder::database);
    let database = Database::in_file(folder::open(&file)?)?;
    Ok((database.into_connection(), folder))
}

fn count(data: &mut Connection, sql: &str) -> Result<u64> {
    let row = data.query_one(sql, &[])?;
    let count: i64 = row.map_or(Ok(0), |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

fn copy_all(from: &mut Connection, to: &mut Connection) -> Result<Copied> {
    let mut copied = Copied {
        players: 0,
        games: 0,
        events: 0,
        leagues: 0,
    };
    for table in &ALL {
        let schema = "";
        let [mut from, mut to] = [&mut *from, &mut *to].map(|data| Side { data, schema });
        let rows = copy_table(&mut from, &mut to, table)?;
        match table.name {
            "players" => copied.players = rows,
            "games" => copied.games = rows,
            "events" => copied.events = rows,
            _ => {}
        }
    }
    if to.is_postgres() {
        // New numbers begin after those that came along.
        for table in ["players", "tokens"] {
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}
                 HAVING max(id) IS NOT NULL"
            );
            to.change_returning(&sql, &[])?;
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kingme_arena::league::{
        Entry, ExportFormat, LeagueFile, Log, LogPlace, Nobody, Reader, export, run,
    };
    use kingme_cluster::Cluster;
    use kingme_data::Row;
    use kingme_data::copy::ROWS;
    use kingme_play::Stop;

    use super::*;

    /// Written by the version of November 2026: some games of Ada and Bob.
    const GAMES: &str = include_str!("../tests/fixtures/games-1.sql");

    /// Everything that a data base has.
    fn rows(place: &Place) -> Vec<(&'static str, Vec<Row>)> {
        let mut end = End::open(place, true).unwrap();
        let all = ALL.iter().map(|table| {
            let (columns, keys) = (table.columns.join(", "), &table.columns[..table.keys]);
            // In the order of bytes, whatever the data base's own is.
            let sql = format!("SELECT {columns} FROM {}", table.name);
            let mut rows = end.data.query(&sql, &[]).unwrap();
            rows.sort_by_key(|row| format!("{:?}", &row.cells()[..keys.len()]));
            (table.name, rows)
        });
        all.collect()
    }

    /// A folder with something in every table, in one of them more than is copied at a time.
    fn full(folder: &Path) -> Place {
        let file = folder.join("kingme.db");
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = OFF;")
            .unwrap();
        connection.execute_batch(GAMES).unwrap();
        let mut data = Database::in_file(connection).unwrap();
        data.free_seat("club", "Ada").unwrap();
        let work = crate::works::Work {
            kind: crate::works::Kind::Study,
            title: "Häßlich ☕".to_owned(),
            body: "{\"a\": \"\u{1F600}\"}".to_owned(),
        };
        data.add_work("work1", 1, &work, Duration::from_secs(5))
            .unwrap();
        data.add_token("hash1", 1, "a bot").unwrap();
        for _ in 0..2 * ROWS + 3 {
            data.add_guest().unwrap();
        }
        Place::Path(folder.to_owned())
    }

    #[test]
    fn everything_comes_back_from_a_postgres_as_it_went() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let from = full(folders[0].path());
        let shared: Place = Cluster::shared().database().parse().unwrap();
        let back = Place::Path(folders[1].path().join("new"));
        let copied = copy(&from, &shared).unwrap();
        assert_eq!(copied.games, 7);
        assert!(copied.players > 2 * ROWS as u64 && copied.events > 20);
        copy(&shared, &back).unwrap();
        let (before, between, after) = (rows(&from), rows(&shared), rows(&back));
        for (((name, before), (_, between)), (_, after)) in before.iter().zip(&between).zip(&after)
        {
            assert!(!before.is_empty(), "{name} has something to lose");
            assert_eq!(before, between, "{name}");
            assert_eq!(before, after, "{name}");
        }
        // Numbers go on where they were.
        let Place::Postgres(config) = &shared else {
            panic!("{shared}")
        };
        let data = Connection::postgres(config, Duration::ZERO).unwrap();
        let guest = Database::shared(data, 1).add_guest().unwrap();
        assert_eq!(guest as u64, copied.players + 1);
    }

    const LEAGUE: &str = "name = \"Club\"\nvariant = \"english\"\nsize = 6\ndepth = 1\n\
        format = \"round-robin\"\nrounds = 4\nrandom_plies = 2\nseed = 1\nmax_plies = 40\n\
        [[player]]\nname = \"one\"\nplays = \"random\"\n\
        [[player]]\nname = \"two\"\nplays = \"random\"\n";

    /// Plays a league, and changes it in the middle.
    fn play_league(leagues: &Path, name: &str) {
        fs::create_dir_all(leagues).unwrap();
        let log = leagues.join(name);
        for text in [&LEAGUE.replace("rounds = 4", "rounds = 2"), LEAGUE] {
            let later = text.replace("depth = 1", "nodes = 9");
            let text = if text == LEAGUE { &later } else { text };
            let file = LeagueFile::read(text, leagues).unwrap();
            let log = Log::open(&log, &mut file.clone()).unwrap();
            let seats = |entry: &Entry, seed: u64| entry.plays.open(&file.variant, seed);
            run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ()).unwrap();
        }
    }

    /// All exports of a league.
    fn exports(mut reader: Reader) -> Vec<String> {
        use ExportFormat::{Csv, Html, Json, Pdn};
        let formats = [Pdn, Csv, Json, Html].map(|format| {
            let mut out = Vec::new();
            export(&mut reader, format, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        });
        formats.into()
    }

    #[test]
    fn leagues_come_along_both_ways() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let from = full(folders[0].path());
        let leagues = folders[0].path().join("leagues");
        for name in ["club.db", "cup.db"] {
            play_league(&leagues, name);
        }
        let [club, cup] = ["club.db", "cup.db"].map(|name| leagues.join(name));
        let before = [&club, &cup].map(|path| exports(Reader::open(path).unwrap()));
        let shared: Place = Cluster::shared().database().parse().unwrap();
        // Nobody may play meanwhile.
        let file = LeagueFile::read(&LEAGUE.replace("depth = 1", "nodes = 9"), &leagues).unwrap();
        let playing = Log::open(&cup, &mut file.clone()).unwrap();
        let refused = copy(&from, &shared).unwrap_err().to_string();
        let sentence = format!(
            "`{}` is in use by another run of this league",
            cup.display()
        );
        assert_eq!(refused, sentence);
        drop(playing);
        assert_eq!(copy(&from, &shared).unwrap().leagues, 2);
        let logs = SharedLogs::connect(&shared).unwrap();
        let between = ["club", "cup"].map(|name| exports(logs.reader(name).unwrap()));
        assert_eq!(between, before);
        let back = folders[1].path().join("new");
        copy(&shared, &Place::Path(back.clone())).unwrap();
        let after = ["club.db", "cup.db"].map(|name| back.join("leagues").join(name));
        assert_eq!(
            after
                .each_ref()
                .map(|path| exports(Reader::open(path).unwrap())),
            before
        );
        // They go on where they are: numbers of rows follow those that came along.
        let longer = LEAGUE
            .replace("depth = 1", "nodes = 9")
            .replace("rounds = 4", "rounds = 5");
        let places = [
            LogPlace::shared(&shared, "cup", Some(&back)).unwrap(),
            after[1].clone().into(),
        ];
        let played = places.map(|place| {
            let file = LeagueFile::read(&longer, &leagues).unwrap();
            let log = Log::open(&place, &mut file.clone()).unwrap();
            let seats = |entry: &Entry, seed: u64| entry.plays.open(&file.variant, seed);
            run(&file, log, &seats, &Nobody, &Stop::new(), &mut |_| ())
                .unwrap()
                .results
        });
        assert_eq!((played[0].len(), &played[0]), (10, &played[1]));
        // Leagues alone make a place one that is not empty.
        let only = tempfile::tempdir().unwrap();
        play_league(&only.path().join("leagues"), "club.db");
        let only = Place::Path(only.path().to_owned());
        assert_eq!(
            copy(&from, &only).unwrap_err().to_string(),
            format!("{only} is not empty; nothing was changed")
        );
    }

    #[test]
    fn what_is_in_use_or_not_empty_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let from = full(folder.path());
        let shared: Place = Cluster::shared().database().parse().unwrap();
        copy(&from, &shared).unwrap();
        let refused = |from: &Place, to: &Place| copy(from, to).unwrap_err().to_string();
        assert_eq!(
            refused(&from, &shared),
            format!("{shared} is not empty; nothing was changed")
        );
        let nowhere = Place::Path(folder.path().join("nowhere"));
        let missing = refused(&nowhere, &shared);
        assert!(missing.starts_with("can't use `"), "{missing}");
        let Place::Postgres(config) = &shared else {
            panic!("{shared}")
        };
        let data = Connection::postgres(config, Duration::ZERO).unwrap();
        let arrived = Database::shared(data, 1).arrive(Duration::from_mins(1));
        arrived.unwrap();
        assert_eq!(
            refused(&shared, &nowhere),
            format!("a server uses the data base at {shared}; stop it first")
        );
        let _owner = Folder::take(folder.path()).unwrap();
        let in_use = refused(&from, &nowhere);
        assert!(
            in_use.starts_with("another kingme uses the folder"),
            "{in_use}"
        );
    }

    #[test]
    fn a_copy_is_whole_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let from = full(folder.path());
        let cluster = Cluster::shared();
        let url = cluster.database();
        let shared: Place = url.parse().unwrap();
        drop(End::open(&shared, true).unwrap());
        let name = url.split(['/', '?']).nth(3).unwrap();
        cluster.execute(
            name,
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100';
             END $$;
             CREATE TRIGGER full_disk BEFORE INSERT ON works EXECUTE FUNCTION full_disk();",
        );
        let full = copy(&from, &shared).unwrap_err().to_string();
        assert_eq!(
            full,
            "the disk of the data base is full: No space left on device"
        );
        cluster.execute(name, "DROP TRIGGER full_disk ON works");
        copy(&from, &shared).unwrap();
    }
}
