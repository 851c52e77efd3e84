//! Systems where nothing confines a bot: it is a plain program, which is ended after its games. What
//! it has started itself goes on.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Isolation, Sandbox, Started};
use crate::PlayerFault;

/// How long a bot that has closed its output has to end, and how often that is looked at.
const LAST_WORDS: Duration = Duration::from_millis(100);
const PERIOD: Duration = Duration::from_millis(5);

impl Isolation {
    /// How memory and processes are counted, to be told to the user.
    pub(super) fn counting() -> &'static str {
        "memory and processes without limits"
    }

    /// Whether this level works here.
    pub fn works(self) -> bool {
        self == Isolation::Nothing
    }
}

impl Sandbox {
    /// Starts a program at a level: there is one only.
    pub(super) fn spawn_at(&self, isolation: Isolation, command: &[String]) -> io::Result<Started> {
        if !isolation.works() {
            let words = format!("this system has no `{isolation}`");
            return Err(io::Error::new(io::ErrorKind::Unsupported, words));
        }
        let mut process = Command::new(command.first().map_or("", String::as_str));
        process.args(command.iter().skip(1));
        process.envs(self.env.iter().cloned());
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        process
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = process.spawn()?;
        let pipes = "the pipes were asked for";
        let stdin = child.stdin.take().expect(pipes);
        let stdout = child.stdout.take().expect(pipes);
        let stderr = child.stderr.take().expect(pipes);
        Ok((Confined { child, end: None }, stdin, stdout, stderr))
    }
}

/// A started bot; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Confined {
    child: Child,
    end: Option<ExitStatus>,
}

#[allow(clippy::unused_self)] // as it is on Linux
impl Confined {
    pub(crate) fn isolation(&self) -> Isolation {
        Isolation::Nothing
    }

    /// Ends it.
    pub(crate) fn kill(&mut self) {
        if self.end.is_none() {
            // It may have ended by itself meanwhile.
            let _ = self.child.kill();
            self.end = self.child.wait().ok();
        }
    }

    /// It may compute from now on, as it may anyway.
    pub(crate) fn start_turn(&self) {}

    /// It has nothing to do any more, and nobody to see to that.
    pub(crate) fn end_turn(&self) {}

    /// What all its processes have computed: not known here.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        None
    }

    /// It has closed its output: how it ended. If it has not, it is ended.
    pub(crate) fn end_reason(&mut self) -> PlayerFault {
        let until = Instant::now() + LAST_WORDS;
        while self.end.is_none() && Instant::now() < until {
            self.end = self.child.try_wait().ok().flatten();
            std::thread::sleep(PERIOD);
        }
        match self.end {
            None => {
                self.kill();
                PlayerFault::Protocol("it has closed its output".to_owned())
            }
            Some(end) if end.success() => PlayerFault::Crashed("it ended by itself".to_owned()),
            Some(end) => PlayerFault::Crashed(format!("it ended with {end}")),
        }
    }
}

impl Drop for Confined {
    fn drop(&mut self) {
        self.kill();
    }
}
