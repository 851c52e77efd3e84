//! What Linux confines a bot by.
//!
//! Every bot runs with limits on memory, files and processes, with an almost empty environment,
//! without a way to gain privileges and without the system calls that `filter.rs` refuses; a
//! process beside it (`keeper.rs`) ends all it has started. Of the file system it sees what
//! `view.rs` finds for it: with namespaces nothing else is there (`root.rs`), with Landlock
//! nothing else can be opened. Bubblewrap makes namespaces where the system allows it to and not
//! us.

mod budget;
mod child;
mod confined;
mod environment;
mod few_cores;
mod filter;
mod group;
mod keeper;
mod leash;
mod processes;
mod root;
mod scratch;
mod usher;
mod view;

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};

use super::{Isolation, Sandbox, Started};
pub(crate) use confined::Confined;
use few_cores::FewCores;
use filter::Filters;
use group::Group;
use keeper::Realm;
use root::NewRoot;
use scratch::Scratch;
use view::View;

impl Isolation {
    /// How memory and processes are counted, to be told to the user.
    pub(super) fn counting() -> &'static str {
        if Group::works() {
            "memory and processes limited by a cgroup"
        } else {
            "memory and processes watched, for want of a cgroup that we may write"
        }
    }

    /// Which processes a bot's keeper has.
    fn realm(self) -> Realm {
        match self {
            Isolation::Namespaces => Realm::Namespace,
            _ => Realm::Children,
        }
    }

    /// Whether this level works here. It is tried once, with a program that does nothing: a system
    /// may have what it takes and not allow it, in a container for example.
    pub fn works(self) -> bool {
        static TRIED: [OnceLock<bool>; Isolation::ALL.len()] =
            [const { OnceLock::new() }; Isolation::ALL.len()];
        *TRIED[self as usize].get_or_init(|| Sandbox::default().try_level(self))
    }
}

impl Sandbox {
    /// Starts a program at a level; without any it has the limits nevertheless.
    pub(super) fn spawn_at(&self, isolation: Isolation, command: &[String]) -> io::Result<Started> {
        let scratch = Scratch::new()?;
        let view = View::of(command, &self.start_folder()?);
        let filters = Filters::new(isolation >= Isolation::Bubblewrap)?;
        let (orders, hears) = keeper::orders()?;
        let group = Group::new(self)?;
        let mut plan = child::Plan::new(self, isolation, hears);
        plan.group = group.as_ref().map(Group::door).transpose()?;
        let mut process = match isolation {
            Isolation::Bubblewrap => {
                for filter in filters.bytes() {
                    plan.inherited.push(child::file_with(&filter)?);
                }
                bubblewrap(&view, scratch.path(), self, &plan.inherited, command)
            }
            _ => plain(command),
        };
        match isolation {
            Isolation::Nothing | Isolation::Limits | Isolation::Bubblewrap => {}
            Isolation::Landlock => plan.landlock = Some(ruleset(&view, scratch.path())?),
            Isolation::Namespaces => {
                let root = NewRoot::new(&view, scratch.path(), self)?;
                plan.namespaces = Some(child::Namespaces::new(root, self));
            }
        }
        // Bubblewrap needs what they refuse, and puts them in force itself.
        plan.filters = (isolation != Isolation::Bubblewrap).then_some(filters);
        process.current_dir(&view.folder);
        environment::clear(&mut process, scratch.path());
        process.envs(self.env.iter().cloned());
        confine(&mut process, plan);
        self.start(process, isolation, orders, scratch, group)
    }

    fn start(
        &self,
        mut process: Command,
        isolation: Isolation,
        orders: OwnedFd,
        scratch: Scratch,
        group: Option<Group>,
    ) -> io::Result<Started> {
        process
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let few = self.cores.map(FewCores::take);
        let mut running = process.spawn()?;
        drop(few);
        // The command has the other end of the pipe for orders.
        drop(process);
        let pipes = "the pipes were asked for";
        let stdin = running.stdin.take().expect(pipes);
        let stdout = running.stdout.take().expect(pipes);
        let stderr = running.stderr.take().expect(pipes);
        for file in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            child::never_block(file)?;
        }
        let confined = Confined::new(&running, self, isolation, orders, scratch, group);
        Ok((confined, stdin, stdout, stderr))
    }

    fn start_folder(&self) -> io::Result<PathBuf> {
        let here = std::env::current_dir()?;
        Ok(self
            .folder
            .as_ref()
            .map_or(here.clone(), |folder| here.join(folder)))
    }

    /// Whether a level works here: a program that does nothing is started in it.
    fn try_level(&self, isolation: Isolation) -> bool {
        let nothing = ["true".to_owned()];
        self.spawn_at(isolation, &nothing)
            .is_ok_and(|(mut confined, ..)| confined.ended_well())
    }
}

/// Has the plan carried out between fork and exec.
#[allow(unsafe_code)]
fn confine(process: &mut Command, mut plan: child::Plan) {
    // SAFETY: between fork and exec the plan makes system calls only; all it needs in memory was
    // made before the fork.
    unsafe {
        process.pre_exec(move || plan.carry_out());
    }
}

fn plain(command: &[String]) -> Command {
    let mut process = Command::new(command.first().map_or("", String::as_str));
    process.args(command.iter().skip(1));
    process
}

fn bubblewrap(
    view: &View,
    scratch: &Path,
    sandbox: &Sandbox,
    filters: &[OwnedFd],
    command: &[String],
) -> Command {
    let mut process = Command::new("bwrap");
    process.args([
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
    ]);
    process.args([
        "--unshare-uts",
        "--cap-drop",
        "ALL",
        "--die-with-parent",
        "--new-session",
    ]);
    for path in &view.visible {
        process.arg("--ro-bind").arg(path).arg(path);
    }
    for (link, target) in &view.links {
        process.arg("--symlink").arg(target).arg(link);
    }
    process.args(["--dev", "/dev", "--proc", "/proc"]);
    process.args(["--size", &sandbox.scratch.to_string()]);
    process.arg("--tmpfs").arg(scratch);
    process
        .arg("--dir")
        .arg(&view.folder)
        .arg("--chdir")
        .arg(&view.folder);
    process.args(["--remount-ro", "/", "--remount-ro", "/dev"]);
    for filter in filters {
        process.args(["--add-seccomp-fd", &filter.as_raw_fd().to_string()]);
    }
    process.arg("--").args(command);
    process
}

/// Reading what the bot sees, writing in the scratch folder, no TCP, no signals to others.
fn ruleset(view: &View, scratch: &Path) -> io::Result<RulesetCreated> {
    let make = || {
        let abi = ABI::V6;
        let mut created = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?
            .create()?
            .add_rule(PathBeneath::new(
                PathFd::new(scratch)?,
                AccessFs::from_all(abi),
            ))?;
        let reading = AccessFs::from_read(abi);
        let device = AccessFs::from_file(abi) & !AccessFs::Execute;
        let visible = view.visible.iter().map(|path| (path.as_path(), reading));
        let devices = root::DEVICES.iter().map(|path| (Path::new(path), device));
        for (path, access) in visible.chain(devices) {
            // What is not there can't be opened anyway.
            let Ok(file) = PathFd::new(path) else {
                continue;
            };
            let access = if path.is_dir() {
                access
            } else {
                access & AccessFs::from_file(abi)
            };
            created = created.add_rule(PathBeneath::new(file, access))?;
        }
        Ok(created)
    };
    make().map_err(|error: Box<dyn std::error::Error + Send + Sync>| io::Error::other(error))
}
