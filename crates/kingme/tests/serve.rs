//! `kingme serve` through the real program: what it logs, and who else may use its folder.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::command;

/// A server on any port, ended when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        let folder = data.display().to_string();
        let arguments = ["serve", "--no-open", "--listen", "127.0.0.1:0", "--data"];
        let mut child = command(&arguments)
            .arg(folder)
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).expect(&line);
        let address = address.split('/').next().unwrap().to_owned();
        Server { child, address }
    }

    /// Ends it; what it has logged.
    fn stop(mut self) -> String {
        self.child.kill().unwrap();
        let mut log = String::new();
        let mut errors = self.child.stderr.take().unwrap();
        errors.read_to_string(&mut log).unwrap();
        log
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// Begins a game while a foreign process has the data base locked, and again afterwards.
const LOCKED: &str = r#"
import http.client, json, sqlite3, sys
address, path = sys.argv[1:]
def begin():
    server = http.client.HTTPConnection(address)
    body = json.dumps({"variant": "english", "white": {"type": "me"}, "black": {"type": "me"}})
    headers = {"Origin": "http://" + address, "Content-Type": "application/json"}
    server.request("POST", "/api/games", body, headers)
    answer = server.getresponse()
    print(answer.status, answer.read().decode())
foreign = sqlite3.connect(path, isolation_level=None)
foreign.execute("BEGIN IMMEDIATE")
begin()
foreign.execute("ROLLBACK")
begin()
"#;

#[test]
fn a_locked_data_base_is_said_and_logged_and_passes() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let python = Command::new("python3")
        .args(["-c", LOCKED, &server.address])
        .arg(data.path().join("kingme.db"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&python.stdout).into_owned();
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told.len(), 2, "{python:?}");
    assert!(told[0].starts_with("503 {\"code\":\"busy\""), "{}", told[0]);
    assert!(told[1].starts_with("201 "), "{}", told[1]);
    let log = server.stop();
    let errors: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .filter(|line: &serde_json::Value| line["level"] == "ERROR")
        .collect();
    assert_eq!(errors.len(), 1, "{log}");
    let message = errors[0]["fields"]["message"].as_str().unwrap();
    assert!(message.contains("database is locked"), "{message}");
    assert!(!log.contains("kingme="), "no secrets in {log}");
}

#[test]
fn a_second_server_does_not_get_the_folder() {
    let data = tempfile::tempdir().unwrap();
    let _server = Server::start(data.path());
    let folder = data.path().display().to_string();
    let arguments = ["serve", "--no-open", "--listen", "127.0.0.1:0", "--data"];
    let second = command(&arguments).arg(&folder).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    let expected = format!("kingme: another kingme uses the folder `{folder}`\n");
    assert_eq!(String::from_utf8_lossy(&second.stderr), expected);
}

#[test]
fn a_level_that_is_none_is_refused() {
    let sentence = "`loud=very` should be a level: error, warn, info, debug or trace";
    support::refused(&["serve", "--no-open", "--log", "loud=very"], sentence);
}

/// The first line that a server prints at this address; it is ended then.
fn first_line(listen: &str) -> String {
    let data = tempfile::tempdir().unwrap();
    let mut child = command(&["serve", "--no-open", "--listen", listen, "--data"])
        .arg(data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    line
}

#[test]
fn an_address_may_be_short() {
    for listen in ["0", ":0", "localhost:0", "127.0.0.1:0"] {
        let line = first_line(listen);
        let start = "kingme is at http://127.0.0.1:";
        assert!(line.starts_with(start), "{listen}: {line}");
    }
    support::refused(
        &["serve", "--no-open", "--listen", "localhost"],
        "invalid value 'localhost' for '--listen <ADDRESS>': write 127.0.0.1:8080, \
         localhost:8080 or 8080 (see `kingme serve --help`)",
    );
}

#[test]
fn a_taken_port_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let line = first_line(&port.to_string());
    let start = format!("port {port} is taken: kingme is at http://127.0.0.1:");
    assert!(line.starts_with(&start), "{line}");
    assert!(!line.starts_with(&format!("{start}{port}/")), "{line}");
}

#[test]
fn a_league_that_is_not_there_is_said_before_an_address() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let serve = ["serve", "--no-open", "--listen", "0", "--data", folder];
    let run = support::kingme(&[&serve[..], &["--league", "nosuch.toml", "--log", "off"]].concat());
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert_eq!(run.err, "kingme: nosuch.toml: No such file or directory\n");
}

/// Whoever comes to a league that is played has a seat at once, also while it waits for others.
#[test]
fn a_person_who_joins_a_running_league_gets_a_link() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("club.toml");
    let person = |name: &str| format!("[[player]]\nname = \"{name}\"\nplays = \"human:{name}\"\n");
    let club = "name = \"Club\"\nvariant = \"english\"\ntime = \"1s\"\nformat = \"round-robin\"\n";
    let club = club.to_owned() + &person("Ada") + "[[player]]\nplays = \"random\"\n";
    std::fs::write(&file, &club).unwrap();
    let arguments = ["serve", "--no-open", "--listen", "127.0.0.1:0", "--data"];
    let mut child = command(&arguments)
        .arg(data.path())
        .arg("--league")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let server = Server {
        child,
        address: String::new(),
    };
    let mut lines = out.lines().map(Result::unwrap);
    let mut link = |name: &str| lines.find(|line| line.starts_with(&format!("{name}'s seat: ")));
    let first = link("Ada").unwrap();
    std::fs::write(&file, club + &person("Bob")).unwrap();
    let second = link("Bob").expect("a line before the output ends");
    assert!(second.contains("/watch?league=club&seat="), "{second}");
    assert_ne!(first.rsplit('=').next(), second.rsplit('=').next());
    drop(server);
}
