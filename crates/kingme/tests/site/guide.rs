//! What docs/DEPLOY.md has for a site: its nginx and its units, as they stand there but for ports,
//! files and the program.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, net};

use crate::support::blocks;

const GUIDE: &str = include_str!("../../../../docs/DEPLOY.md");

/// A port that was free a moment ago.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[track_caller]
fn run(program: &str, arguments: &[&str]) -> Output {
    let done = Command::new(program).args(arguments).output();
    done.unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// nginx in front of two servers.
pub struct Nginx {
    child: Child,
    address: String,
    tls: u16,
}

impl Nginx {
    pub fn start(folder: &Path, servers: &[String; 2]) -> Nginx {
        let [plain, tls] = [port(), port()];
        let [key, certificate] = ["key.pem", "cert.pem"].map(|name| folder.join(name));
        let made = run(
            "openssl",
            &[
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-keyout",
                key.to_str().unwrap(),
                "-out",
                certificate.to_str().unwrap(),
            ],
        );
        assert!(made.status.success(), "{made:?}");
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration(folder, servers, [plain, tls])).unwrap();
        let mut command = Command::new("nginx");
        command.arg("-p").arg(folder).arg("-c").arg(&file);
        command.args(["-g", "daemon off;"]).stderr(Stdio::inherit());
        let nginx = Nginx {
            child: command.spawn().expect("nginx is installed"),
            address: format!("127.0.0.1:{plain}"),
            tls,
        };
        let until = Instant::now() + Duration::from_mins(1);
        while net::TcpStream::connect(&nginx.address).is_err() {
            assert!(Instant::now() < until, "nginx does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        nginx
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// The status of a page that is asked for by TLS.
    pub fn status_by_tls(&self, path: &str) -> String {
        let url = format!("https://localhost:{}{path}", self.tls);
        let asked = run(
            "curl",
            &["-sk", "-o", "/dev/null", "-w", "%{http_code}", &url],
        );
        String::from_utf8(asked.stdout).unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its workers end with it only if it is asked to end.
        run("kill", &[&self.child.id().to_string()]);
        self.child.wait().map(drop).unwrap_or_default();
    }
}

fn configuration(folder: &Path, servers: &[String; 2], [plain, tls]: [u16; 2]) -> String {
    let site = blocks(GUIDE, "nginx")[0];
    let here = |name: &str| folder.join(name).display().to_string();
    let mut text = site.to_owned();
    for (there, here) in [
        ("127.0.0.1:8081", servers[0].clone()),
        ("127.0.0.1:8082", servers[1].clone()),
        (
            "listen 443 ssl;",
            format!("listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl;"),
        ),
        // All people here come from one address, and say that they have others.
        (
            "$proxy_add_x_forwarded_for",
            "$http_x_forwarded_for".to_owned(),
        ),
        (
            "server_name draughts.example;",
            "server_name localhost;".to_owned(),
        ),
        (
            "/etc/letsencrypt/live/draughts.example/fullchain.pem",
            here("cert.pem"),
        ),
        (
            "/etc/letsencrypt/live/draughts.example/privkey.pem",
            here("key.pem"),
        ),
    ] {
        assert!(text.contains(there), "{there}");
        text = text.replace(there, &here);
    }
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let paths = kinds.map(|what| format!("{what}_temp_path {};\n", here(what)));
    let paths = paths.concat();
    format!(
        "pid {}; error_log stderr crit;\nevents {{}}\nhttp {{ access_log off;\n{paths}{text}}}\n",
        here("nginx.pid")
    )
}

/// The units of the guide are such as systemd takes.
pub fn check_units() {
    let folder = tempfile::tempdir().unwrap();
    let kingme = env!("CARGO_BIN_EXE_kingme");
    let names = ["kingme.service", "kingme@8081.service"];
    let units = blocks(GUIDE, "ini");
    assert_eq!(units.len(), names.len());
    let files = names.iter().zip(units).map(|(name, unit)| {
        let unit = unit.replace("/usr/local/bin/kingme", kingme);
        let file: PathBuf = folder.path().join(name);
        fs::write(&file, unit).unwrap();
        file.display().to_string()
    });
    let files: Vec<String> = files.collect();
    let arguments = ["verify", "--man=no"].into_iter();
    let arguments: Vec<&str> = arguments.chain(files.iter().map(String::as_str)).collect();
    let checked = run("systemd-analyze", &arguments);
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    let about_ours: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("kingme"))
        .collect();
    assert!(checked.status.success() && about_ours.is_empty(), "{said}");
}
