//! A `PostgreSQL` of one's own for tests: in a temporary folder, reached by a socket in it, and gone
//! with the process that started it, however that ends. Never the system's.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use postgres::{Client, Config, NoTls};
use tempfile::TempDir;

/// A private cluster.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    /// Ends the cluster and clears the folder when its input is closed.
    keeper: Child,
    made: AtomicUsize,
}

/// Starts the cluster, then waits until nobody holds its input any more, ends it and clears up.
/// What ends us, be it for our whole group, does not end it.
const KEEPER: &str = r#"
trap '' INT TERM HUP
"$1/pg_ctl" start -w -t 60 -s -D "$2/data" -l "$2/log" && echo ready || echo failed
exec >&-
cat >/dev/null
"$1/pg_ctl" stop -m immediate -s -D "$2/data" 2>/dev/null
rm -rf "$2"
"#;

/// How tests of what is stored, not of how safely, have it.
const QUICK: &str = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n";

impl Cluster {
    /// The cluster that all tests of a process share, started by the first that asks.
    ///
    /// # Panics
    ///
    /// If there is no `PostgreSQL` to start.
    pub fn shared() -> &'static Cluster {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Cluster::start(QUICK))
    }

    /// A new cluster with these lines in its settings.
    ///
    /// # Panics
    ///
    /// If there is no `PostgreSQL` to start.
    pub fn start(settings: &str) -> Cluster {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("kingme-pg-").tempdir();
        let folder = folder.expect("a temporary folder");
        let path = folder.path();
        give_away(path);
        let data = path.join("data");
        let made = as_somebody(&programs.join("initdb"))
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=kingme",
                "--encoding=UTF8",
            ])
            .args(["--no-locale", "-D"])
            .arg(&data)
            .output()
            .expect("initdb");
        assert!(made.status.success(), "{made:?}");
        let own = format!(
            "listen_addresses = ''\nunix_socket_directories = '{}'\nmax_connections = 300\n\
             shared_buffers = 32MB\n{settings}",
            path.display()
        );
        append(&data.join("postgresql.conf"), &own);
        // Who is called `shy` has to know a password; the first line that fits counts.
        let rules = "local all shy scram-sha-256\nlocal all all trust\n";
        fs::write(data.join("pg_hba.conf"), rules).expect("the rules of who comes in");
        let keeper = keep(&programs, path);
        Cluster {
            programs,
            folder,
            keeper,
            made: AtomicUsize::new(0),
        }
    }

    /// A new, empty data base: its URL.
    ///
    /// # Panics
    ///
    /// If it can't be made.
    pub fn database(&self) -> String {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("test{number}");
        self.execute("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    /// Has a data base do something that no program of ours asks for. The client waits by itself, so
    /// it has a thread: whoever asks may be a task.
    ///
    /// # Panics
    ///
    /// If it does not do so.
    pub fn execute(&self, name: &str, sql: &str) {
        let done = std::thread::scope(|scope| {
            let client = || self.client(name).batch_execute(sql);
            scope.spawn(client).join()
        });
        done.expect("a client").expect("a data base that does it");
    }

    /// The URL of a data base.
    pub fn url(&self, name: &str) -> String {
        let host = self.folder.path().display();
        format!("postgres:///{name}?host={host}&user=kingme")
    }

    /// A client that asks for things no program of ours does.
    ///
    /// # Panics
    ///
    /// If the cluster does not let it in.
    pub fn client(&self, name: &str) -> Client {
        let config: Config = self.url(name).parse().expect("our own URL");
        config.connect(NoTls).expect("a client")
    }

    /// Somebody who looks into a data base while others use it; not for tasks, which may not wait.
    ///
    /// # Panics
    ///
    /// Never: the URL is ours.
    pub fn watch(&self, name: &str) -> Watch {
        Watch(self.url(name).parse().expect("our own URL"))
    }

    /// The number of its first process, whose children do the work.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn process(&self) -> u32 {
        let file = self.folder.path().join("data/postmaster.pid");
        let text = fs::read_to_string(file).expect("a running cluster");
        let first = text.lines().next().and_then(|line| line.parse().ok());
        first.expect("a number")
    }

    /// Stops it, as for a new version of it, and starts it again.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn restart(&self) {
        self.control(&["restart", "-m", "fast", "-w", "-t", "60"]);
    }

    /// Stops it for a while.
    ///
    /// # Panics
    ///
    /// If it does not stop.
    pub fn pause(&self) {
        self.control(&["stop", "-m", "immediate", "-w"]);
    }

    /// Starts it after a pause.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn resume(&self) {
        self.control(&["start", "-w", "-t", "60"]);
    }

    fn control(&self, arguments: &[&str]) {
        let path = self.folder.path();
        let done = as_somebody(&self.programs.join("pg_ctl"))
            .args(arguments)
            .args(["-s", "-D"])
            .arg(path.join("data"))
            .arg("-l")
            .arg(path.join("log"))
            .stdout(Stdio::null())
            .status()
            .expect("pg_ctl");
        assert!(done.success(), "{arguments:?}: {done}");
    }
}

/// Somebody who looks into a data base.
#[derive(Clone, Debug)]
pub struct Watch(Config);

impl Watch {
    /// Waits until a count is what it has to become; `false` if it does not.
    ///
    /// # Panics
    ///
    /// If the data base does not answer, or not with a count.
    pub fn until(&self, count: &str, wanted: i64) -> bool {
        let mut client = self.0.connect(NoTls).expect("a client");
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let row = client.query_one(count, &[]).expect("a count");
            if row.get::<_, i64>(0) == wanted {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().map(drop).unwrap_or_default();
    }
}

/// Starts the process that outlives us by as much as it takes to clear up.
fn keep(programs: &Path, folder: &Path) -> Child {
    use std::io::{BufRead, BufReader};
    let mut command = as_somebody(Path::new("sh"));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut keeper = command
        .args(["-c", KEEPER, "keeper"])
        .arg(programs)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut line = String::new();
    let out = keeper.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    assert_eq!(line.trim(), "ready", "the cluster does not start: {log}");
    keeper
}

fn append(file: &Path, text: &str) {
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(file)
        .expect("a file");
    file.write_all(text.as_bytes()).expect("a file to write to");
}

/// The newest version that is installed.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            Some((number, entry.path().join("bin")))
        })
        .filter(|(_, programs)| programs.join("initdb").exists())
        .collect();
    versions.sort();
    let newest = versions.pop().map(|(_, programs)| programs);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut elsewhere = std::env::split_paths(&path).filter(|path| path.join("initdb").exists());
    newest
        .or_else(|| elsewhere.next())
        .expect("these tests need PostgreSQL: ./test installs it")
}

/// A cluster does not run as root: then it is somebody else's.
#[cfg(unix)]
fn somebody() -> Option<nix::unistd::User> {
    use nix::unistd::{User, geteuid};
    if !geteuid().is_root() {
        return None;
    }
    let user = |name| User::from_name(name).ok().flatten();
    user("postgres").or_else(|| user("nobody"))
}

/// A program that runs as somebody who may have a cluster.
#[cfg(unix)]
fn as_somebody(program: &Path) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    if let Some(user) = somebody() {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    // Where nobody may look is no place to be.
    command
        .current_dir("/")
        .env("LC_ALL", "C")
        .stderr(Stdio::null());
    command
}

#[cfg(not(unix))]
fn as_somebody(program: &Path) -> Command {
    Command::new(program)
}

#[cfg(unix)]
fn give_away(folder: &Path) {
    if let Some(user) = somebody() {
        let done =
            std::os::unix::fs::chown(folder, Some(user.uid.as_raw()), Some(user.gid.as_raw()));
        done.expect("a folder to give away");
    }
}

#[cfg(not(unix))]
fn give_away(_: &Path) {}

/// How long tests wait for what has to happen, at the most.
pub const PATIENCE: Duration = Duration::from_mins(1);

#[cfg(all(test, unix))]
mod tests {
    use nix::unistd::{Pid, getpgid};

    use super::*;

    /// Whoever interrupts tests ends their whole group.
    #[test]
    fn the_keeper_outlives_the_group_of_the_tests_and_clears_up() {
        let cluster = Cluster::start(QUICK);
        let keeper = Pid::from_raw(cluster.keeper.id().cast_signed());
        assert_ne!(getpgid(Some(keeper)).unwrap(), getpgid(None).unwrap());
        let folder = cluster.folder.path().to_owned();
        assert!(
            cluster
                .watch("postgres")
                .until("SELECT count(*) FROM pg_roles WHERE rolname = 'kingme'", 1)
        );
        drop(cluster);
        assert!(!folder.exists());
    }
}
