//! The processes that a process has started, as the system lists them.

use std::fs;
use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::{Pid, Uid};

/// All processes that descend from one.
pub(super) fn below(pid: Pid) -> Vec<Pid> {
    let mut found = children(pid);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

/// Who has ended has no children any more: they are somebody else's.
fn children(pid: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let pids = lists.flat_map(|list| {
        let pids = list.split_whitespace().filter_map(|pid| pid.parse().ok());
        pids.map(Pid::from_raw).collect::<Vec<_>>()
    });
    pids.collect()
}

/// What a process and all below it have computed, with those of them that have ended.
pub(super) fn cpu_time(pid: Pid) -> Duration {
    let all = std::iter::once(pid).chain(below(pid));
    all.map(|pid| own_cpu_time(pid) + of_the_ended(pid)).sum()
}

/// Who has ended in the meantime is counted by its parent.
fn own_cpu_time(pid: Pid) -> Duration {
    let clock = clock_getcpuclockid(pid).and_then(ClockId::now);
    clock.map(Duration::from).unwrap_or_default()
}

/// The children that a process has waited for. The system counts them in hundredths of a second.
fn of_the_ended(pid: Pid) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program, in brackets, may have blanks.
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let times = fields.split(' ').skip(13).take(2);
    let hundredths: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    Duration::from_millis(10).saturating_mul(u32::try_from(hundredths).unwrap_or(u32::MAX))
}

/// How many processes and threads a user has.
pub(super) fn count_of(user: Uid) -> u64 {
    let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = folders.filter_map(|folder| {
        let status = fs::read_to_string(folder.path().join("status")).ok()?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let is_theirs = number("Uid:")? == u64::from(user.as_raw());
        is_theirs.then(|| number("Threads:"))?
    });
    threads.sum()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn threads_are_counted_too() {
        let processes = fs::read_dir("/proc").unwrap().count();
        let barrier = std::sync::Barrier::new(processes + 1);
        std::thread::scope(|scope| {
            for _ in 0..processes {
                scope.spawn(|| barrier.wait());
            }
            // More than there can be without them.
            assert!(count_of(nix::unistd::getuid()) > processes as u64);
            barrier.wait();
        });
    }

    #[test]
    fn who_has_ended_has_computed_too() {
        // A child that computes and ends, below a shell that waits for it and then sleeps.
        let mut shell = Command::new("sh")
            .args([
                "-c",
                "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo; cat",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = Pid::from_raw(shell.id() as i32);
        let mut output = BufReader::new(shell.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        let [own, all] = [own_cpu_time(pid), cpu_time(pid)];
        assert!(all >= own + Duration::from_millis(10), "{own:?} of {all:?}");
        drop(shell.stdin.take());
        shell.wait().unwrap();
    }

    #[test]
    fn children_of_children_are_found() {
        let mut shell = Command::new("sh")
            .args(["-c", "sh -c 'cat; :' & echo $!; cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(shell.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let inner = Pid::from_raw(line.trim().parse().unwrap());
        assert!(below(Pid::from_raw(shell.id() as i32)).contains(&inner));
        assert!(!below(inner).contains(&inner));
        drop(shell.stdin.take());
        shell.wait().unwrap();
    }
}
