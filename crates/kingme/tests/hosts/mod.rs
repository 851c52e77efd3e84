//! Machines of our own on one machine: network namespaces on a bridge, for tests of what crosses a
//! network. They need root, `ip` and, for a wrong clock, libfaketime.

use std::path::{Path, PathBuf};
use std::process::{Command, id};

/// A network with this machine in it.
pub struct Network {
    bridge: String,
}

/// A machine in a network. It can be reached by others until its cable is pulled.
pub struct Host {
    name: String,
    cable: String,
}

#[track_caller]
fn ip(words: &str) {
    let done = Command::new("ip").args(words.split(' ')).output();
    let done = done.expect("`ip` is there: install iproute2");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "ip {words}: {said}");
}

impl Network {
    /// This machine's address in it.
    pub const ADDRESS: &'static str = "10.77.0.254";

    pub fn new() -> Network {
        let bridge = format!("kmbr{}", id());
        ip(&format!("link add {bridge} type bridge"));
        let network = Network { bridge };
        ip(&format!(
            "addr add {}/24 dev {}",
            Network::ADDRESS,
            network.bridge
        ));
        ip(&format!("link set {} up", network.bridge));
        network
    }

    /// Adds a machine with a number of its own.
    pub fn host(&self, number: u8) -> Host {
        let [name, cable] = ["km", "kmv"].map(|word| format!("{word}{}x{number}", id()));
        ip(&format!("netns add {name}"));
        let host = Host { name, cable };
        let Host { name, cable } = &host;
        ip(&format!(
            "link add {cable} type veth peer name eth0 netns {name}"
        ));
        ip(&format!("link set {cable} master {} up", self.bridge));
        for step in [
            format!("addr add 10.77.0.{number}/24 dev eth0"),
            "link set eth0 up".to_owned(),
            "link set lo up".to_owned(),
        ] {
            ip(&format!("-n {name} {step}"));
        }
        host
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        ip(&format!("link del {}", self.bridge));
    }
}

impl Host {
    /// A program that runs there.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(program);
        command
    }

    pub fn pull_the_cable(&self) {
        ip(&format!("link set {} down", self.cable));
    }

    pub fn put_it_back(&self) {
        ip(&format!("link set {} up", self.cable));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        ip(&format!("netns del {}", self.name));
    }
}

/// Has a program believe that it is more than a year later.
pub fn with_wrong_clock(command: &mut Command) {
    let folders = std::fs::read_dir("/usr/lib").expect("a folder").flatten();
    let library = |folder: PathBuf| folder.join("faketime/libfaketime.so.1");
    let library = folders
        .map(|folder| library(folder.path()))
        .find(|path| path.exists());
    let library = library.expect("libfaketime is installed");
    command.env("LD_PRELOAD", library);
    command.envs([("FAKETIME", "+400d"), ("DONT_FAKE_MONOTONIC", "1")]);
}
