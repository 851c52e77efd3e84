//! A session of the system of our own: where the processor is shared out by sessions, programs of
//! the same terminal would make moves late for no fault of the players.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode};

use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{Signal, kill, raise};
use nix::unistd::{Pid, getpid, getppid, getsid, setsid};
use tokio::signal::{
    self,
    unix::{SignalKind, signal},
};

/// The number of the process that stays at the terminal, for the one that plays.
const MARK: &str = "KINGME_OWN_SESSION";

/// Whether the system shares the processor out by sessions.
const BY_SESSIONS: &str = "/proc/sys/kernel/sched_autogroup_enabled";

/// Goes on in a session of its own. In the process that stays at the terminal it returns how the
/// other one has ended; without a gain there is no other one.
///
/// # Errors
///
/// If the other process can't be started or waited for.
pub fn enter() -> std::io::Result<Option<ExitCode>> {
    if std::env::var(MARK).is_ok_and(|mark| mark == getppid().to_string()) {
        // It ends with whoever stays at the terminal, even if that one is killed.
        set_pdeathsig(Signal::SIGKILL)?;
        setsid()?;
        return Ok(None);
    }
    let by_sessions = std::fs::read_to_string(BY_SESSIONS).is_ok_and(|text| text.trim() == "1");
    let has_its_own = getsid(None) == Ok(getpid());
    if !by_sessions || has_its_own {
        return Ok(None);
    }
    stay().map(Some)
}

/// Starts the process that plays, hands signals on to it, and ends as it does.
fn stay() -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let status = runtime.block_on(async {
        let mut signals = Signals::new()?;
        let mut player = Command::new(std::env::current_exe()?)
            .args(std::env::args_os().skip(1))
            .env(MARK, getpid().to_string())
            .spawn()?;
        let pid = Pid::from_raw(player.id().cast_signed());
        let mut end = tokio::task::spawn_blocking(move || player.wait());
        loop {
            tokio::select! {
                status = &mut end => return status.map_err(std::io::Error::other)?,
                handed_on = signals.hand_on(pid) => handed_on?,
            }
        }
    })?;
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    Ok(ExitCode::from(code.unwrap_or(1) as u8))
}

/// What the terminal or somebody else says to us, which is meant for the one that plays.
struct Signals {
    interrupt: signal::unix::Signal,
    terminate: signal::unix::Signal,
    hang_up: signal::unix::Signal,
    suspend: signal::unix::Signal,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        let suspend = SignalKind::from_raw(Signal::SIGTSTP as i32);
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            suspend: signal(suspend)?,
        })
    }

    async fn hand_on(&mut self, player: Pid) -> nix::Result<()> {
        let signal = tokio::select! {
            _ = self.interrupt.recv() => Signal::SIGINT,
            _ = self.terminate.recv() => Signal::SIGTERM,
            _ = self.hang_up.recv() => Signal::SIGHUP,
            _ = self.suspend.recv() => {
                kill(player, Signal::SIGSTOP)?;
                // This returns when the shell has us go on.
                raise(Signal::SIGSTOP)?;
                Signal::SIGCONT
            }
        };
        kill(player, signal)
    }
}
