//! Fewer cores for a program than its game has.

use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::Pid;

/// The calling thread, for the system.
const THIS: Pid = Pid::from_raw(0);

/// Keeps the calling thread on a few of its cores until it is dropped: what it starts meanwhile
/// stays there.
pub(super) struct FewCores(Option<CpuSet>);

impl FewCores {
    /// Takes so many cores, beginning with the one where this thread is.
    pub fn take(count: usize) -> FewCores {
        let Ok(all) = sched_getaffinity(THIS) else {
            return FewCores(None);
        };
        let has = |core: &usize| all.is_set(*core).unwrap_or(false);
        let mut cores: Vec<usize> = (0..CpuSet::count()).filter(has).collect();
        let now = sched_getcpu().ok();
        let first = cores.iter().position(|&core| Some(core) == now);
        cores.rotate_left(first.unwrap_or(0));
        let mut few = CpuSet::new();
        for &core in cores.iter().take(count) {
            // It is a core of the set that the system has given us.
            let _ = few.set(core);
        }
        // A system that does not allow it gives all that the game has.
        FewCores(sched_setaffinity(THIS, &few).is_ok().then_some(all))
    }
}

impl Drop for FewCores {
    fn drop(&mut self) {
        if let Some(all) = &self.0 {
            // It had them before.
            let _ = sched_setaffinity(THIS, all);
        }
    }
}
