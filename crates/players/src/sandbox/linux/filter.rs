//! The system calls that a bot can't make, by seccomp.
//!
//! Programs in many languages need many calls, so that this is a list of what is refused: whatever
//! makes namespaces, reaches other processes and machines, takes memory that nobody counts, or
//! changes where and when something runs.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Refused whatever their arguments are.
const REFUSED: &[libc::c_long] = &[
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Calls that no filter sees.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Sockets of every kind; pairs are ruled on below.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Memory that belongs to no process.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // Where it runs.
    libc::SYS_sched_setaffinity,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Keys, and what watches or changes the system.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
];

/// The same for calls that are this machine's own.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_inotify_init,
    libc::SYS_kexec_file_load,
    libc::SYS_modify_ldt,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Changes of modes, owners, times and attributes, which Landlock knows nothing of. They are refused
/// where a bot can reach files that are not its own.
const CHANGES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];
#[cfg(target_arch = "x86_64")]
const CHANGES_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const CHANGES_HERE: &[libc::c_long] = &[];

/// Since Linux 6.6; every machine has the same number.
const SYS_FCHMODAT2: libc::c_long = 452;

/// Every flag of `clone` that makes a namespace.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Requests that put words into a terminal's or a console's input.
const TYPING: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];

/// On x86-64 calls have a second set of numbers, with this bit.
const X32: libc::c_long = 0x4000_0000;

/// The filters of a bot, in the order in which they are put in force.
#[derive(Debug)]
pub(super) struct Filters([BpfProgram; 2]);

impl Filters {
    /// Made before the fork. `own_files`: whether all files that the bot can change are its own.
    pub fn new(own_files: bool) -> io::Result<Filters> {
        let made = || -> Result<Filters, seccompiler::BackendError> {
            let refused = program(rules(own_files)?, libc::EPERM)?;
            // Its flags are in memory, where no filter can look; programs use `clone` instead.
            let missing = program(always(&[libc::SYS_clone3]), libc::ENOSYS)?;
            Ok(Filters([refused, missing]))
        };
        made().map_err(io::Error::other)
    }

    /// Puts them in force for this process and all it starts. Makes system calls only.
    pub fn apply(&self) -> io::Result<()> {
        for filter in &self.0 {
            seccompiler::apply_filter(filter)
                .map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        }
        Ok(())
    }

    /// Each in the system's own form, for a program that puts them in force itself.
    pub fn bytes(&self) -> [Vec<u8>; 2] {
        self.0.each_ref().map(|filter| {
            let instructions = filter.iter();
            instructions
                .flat_map(|instruction| {
                    let [low, high] = instruction.code.to_ne_bytes();
                    let [a, b, c, d] = instruction.k.to_ne_bytes();
                    [low, high, instruction.jt, instruction.jf, a, b, c, d]
                })
                .collect()
        })
    }
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn program(rules: Rules, errno: i32) -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(errno as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()
}

fn rules(own_files: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules = always(REFUSED);
    rules.append(&mut always(REFUSED_HERE));
    if !own_files {
        rules.append(&mut always(CHANGES));
        rules.append(&mut always(CHANGES_HERE));
    }
    let namespace = |flag: libc::c_int| rule(0, SeccompCmpOp::MaskedEq(flag as u64), flag as u64);
    refuse(&mut rules, libc::SYS_clone, NAMESPACES.map(namespace))?;
    // Two connected ends can't be connected with anybody else; where each message has an address,
    // they can.
    let kind = |kind: u64| rule(1, SeccompCmpOp::MaskedEq(0xf), kind);
    let others = (0..16).filter(|&kind| kind != libc::SOCK_STREAM as u64);
    refuse(&mut rules, libc::SYS_socketpair, others.map(kind))?;
    let typing = TYPING.map(|request| rule(1, SeccompCmpOp::Eq, request));
    refuse(&mut rules, libc::SYS_ioctl, typing)?;
    Ok(rules)
}

/// The numbers of a call: on x86-64 there are two.
fn numbers(call: libc::c_long) -> impl Iterator<Item = i64> {
    let second = cfg!(target_arch = "x86_64").then_some(call | X32);
    [call].into_iter().chain(second)
}

/// Calls that are refused whatever their arguments are.
fn always(calls: &[libc::c_long]) -> Rules {
    let numbers = calls.iter().flat_map(|&call| numbers(call));
    numbers.map(|number| (number, Vec::new())).collect()
}

/// One argument of a call, compared in its lower half: no call here looks at the other.
fn rule(
    argument: u8,
    comparison: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    let length = SeccompCmpArgLen::Dword;
    SeccompRule::new(vec![SeccompCondition::new(
        argument, length, comparison, value,
    )?])
}

fn refuse(
    rules: &mut Rules,
    call: libc::c_long,
    when: impl IntoIterator<Item = Result<SeccompRule, seccompiler::BackendError>>,
) -> Result<(), seccompiler::BackendError> {
    let when: Vec<SeccompRule> = when.into_iter().collect::<Result<_, _>>()?;
    rules.extend(numbers(call).map(|number| (number, when.clone())));
    Ok(())
}
