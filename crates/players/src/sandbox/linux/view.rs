//! What a bot sees of the file system: the programs and libraries of the system, its interpreter
//! and its own folder.
//!
//! Everything here follows from the command that somebody has typed and from where its programs
//! are found, so that there is nothing to set up. A bot itself has no say in it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// Programs and libraries of the system, and the little of its settings that they read.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
];

/// Folders that hold other things besides a bot, such as the user's own: they are never shown
/// whole, and neither is a folder that one of them is in.
const COMMON: &[&str] = &[
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/srv",
    "/sys",
    "/tmp",
    "/usr",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/tmp",
];
const COMMON_AT_HOME: &[&str] = &[
    "",
    ".cache",
    ".config",
    ".gnupg",
    ".local/bin",
    ".local/share",
    ".ssh",
];

/// What says that a folder above programs is an installation, and not just a place for programs.
const INSTALLATION: &[&str] = &[
    "lib",
    "lib64",
    "libexec",
    "pyvenv.cfg",
    "versions",
    "installs",
];

/// Where shims look for the version that is wanted here.
const WANTED_VERSION: &[&str] = &[
    ".python-version",
    ".node-version",
    ".java-version",
    ".tool-versions",
];

/// Lists of folders with libraries, which interpreters read from the environment.
pub(super) const LIBRARIES: &[&str] = &[
    "CLASSPATH",
    "JAVA_HOME",
    "LD_LIBRARY_PATH",
    "NODE_PATH",
    "PYENV_ROOT",
    "PYTHONHOME",
    "PYTHONPATH",
];

/// Links lead to links; so many are enough for everybody.
const MOST_LINKS: usize = 40;
/// A script has an interpreter, which may be a script.
const MOST_SCRIPTS: usize = 4;

/// What a bot sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    /// Folders with all that is in them, and files: real paths, none inside another.
    pub visible: BTreeSet<PathBuf>,
    /// Symbolic links on the way there, and where they lead.
    pub links: BTreeMap<PathBuf, PathBuf>,
    /// Where it starts.
    pub folder: PathBuf,
}

impl View {
    /// What the bot of a command sees that is started in a folder.
    pub fn of(command: &[String], folder: &Path) -> View {
        let mut view = View {
            folder: fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()),
            ..View::default()
        };
        view.show_system();
        view.show_libraries();
        let own = view.show_command(command);
        // An interpreter that is told a module's name looks for it where it starts.
        if !own && command.len() > 1 {
            view.show_own(&view.folder.clone());
        }
        view.tidy();
        view
    }

    fn show_system(&mut self) {
        for path in SYSTEM {
            self.show(Path::new(path));
        }
        // Java's settings are a folder here for each version.
        for entry in fs::read_dir("/etc").into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(b"java-") {
                self.show(&entry.path());
            }
        }
        for folder in loader_folders() {
            self.show_folder(&folder);
        }
    }

    fn show_libraries(&mut self) {
        for name in LIBRARIES {
            let folders = std::env::var_os(name).unwrap_or_default();
            for folder in std::env::split_paths(&folders).filter(|folder| folder.is_absolute()) {
                self.show_own(&folder);
            }
        }
        for folder in self.folder.clone().ancestors() {
            for name in WANTED_VERSION {
                self.show(&folder.join(name));
            }
        }
    }

    /// The programs and files that a command names; whether there are any outside the system.
    fn show_command(&mut self, command: &[String]) -> bool {
        let before = self.visible.len();
        for (place, word) in command.iter().enumerate() {
            if let Some(program) = self.find_program(word) {
                self.show_program(&program, MOST_SCRIPTS);
            } else if place > 0 {
                self.show_words(word);
            }
        }
        self.visible.len() > before
    }

    /// An argument may be a path, have one in it, or be a script of several words.
    fn show_words(&mut self, argument: &str) {
        let here = self.folder.clone();
        self.show_own(&here.join(argument));
        let between = |letter: char| letter.is_whitespace() || "=:;,|&()'\"".contains(letter);
        for word in argument.split(between).filter(|word| *word != argument) {
            if word.contains(['/', '.']) {
                self.show_own(&here.join(word));
            } else if let Some(program) = self.find_program(word) {
                self.show_program(&program, MOST_SCRIPTS);
            }
        }
    }

    /// The file that the system would run.
    fn find_program(&self, word: &str) -> Option<PathBuf> {
        if word.is_empty() {
            return None;
        }
        if word.contains('/') {
            return Some(self.folder.join(word)).filter(|path| is_program(path));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).map(|folder| self.folder.join(folder));
        let mut files = folders.map(|folder| folder.join(word));
        files.find(|path| is_program(path))
    }

    /// A program with all that is installed with it, and its interpreter if it is a script.
    fn show_program(&mut self, program: &Path, scripts: usize) {
        let mut hop = program.to_owned();
        for _ in 0..MOST_LINKS {
            self.show_installation(&hop);
            let Ok(target) = fs::read_link(&hop) else {
                break;
            };
            hop = hop.parent().unwrap_or(&hop).join(target);
        }
        let interpreter = script_of(&hop).into_iter();
        for word in interpreter.filter(|_| scripts > 0) {
            if let Some(program) = self.find_program(&word) {
                self.show_program(&program, scripts - 1);
            }
        }
    }

    fn show_installation(&mut self, program: &Path) {
        let Some(folder) = program.parent().and_then(|folder| self.follow(folder)) else {
            return;
        };
        let is_place_of_programs = ["bin", "sbin", "shims", "libexec"]
            .iter()
            .any(|name| folder.file_name() == Some(OsStr::new(name)));
        let above = folder.parent().unwrap_or(&folder);
        let is_installed = is_place_of_programs
            && !is_common(above)
            && INSTALLATION.iter().any(|name| above.join(name).exists());
        if is_installed {
            self.show(above);
            self.show_base_of(above);
        } else {
            self.show_own(program);
        }
        // The way that was typed has to lead there as well.
        self.follow(program);
    }

    /// The Python that a virtual environment was made from.
    fn show_base_of(&mut self, environment: &Path) {
        let text = fs::read_to_string(environment.join("pyvenv.cfg")).unwrap_or_default();
        let home = text.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == "home").then(|| value.trim().to_owned())
        });
        if let Some(home) = home.filter(|home| !Path::new(home).starts_with(environment)) {
            self.show_installation(&Path::new(&home).join("python3"));
        }
    }

    /// A file with its folder, or a folder; only the file where its folder has other things in it.
    fn show_own(&mut self, path: &Path) {
        let Some(real) = self.follow(path) else {
            return;
        };
        if real.is_dir() {
            self.show_folder(&real);
            return;
        }
        match real.parent() {
            Some(folder) if !is_common(folder) => self.show_folder(package_root(folder)),
            _ => self.show(&real),
        }
    }

    fn show_folder(&mut self, folder: &Path) {
        if folder.is_dir() && self.follow(folder).is_some_and(|real| !is_common(&real)) {
            self.show(folder);
        }
    }

    fn show(&mut self, path: &Path) {
        if let Some(real) = self.follow(path)
            && !self.visible.iter().any(|other| real.starts_with(other))
        {
            self.visible.insert(real);
        }
    }

    /// Where a path really leads; the links on the way are noted. `None` if there is nothing.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let mut real = PathBuf::from("/");
        let mut ahead: Vec<_> = names(path);
        let mut links = Vec::new();
        while let Some(name) = ahead.pop() {
            if name == ".." {
                real.pop();
                continue;
            }
            real.push(name);
            if !fs::symlink_metadata(&real).ok()?.is_symlink() {
                continue;
            }
            let target = fs::read_link(&real).ok()?;
            links.push((real.clone(), target.clone()));
            if links.len() > MOST_LINKS {
                return None;
            }
            real.pop();
            if target.is_absolute() {
                real = PathBuf::from("/");
            }
            ahead.append(&mut names(&target));
        }
        self.links.extend(links);
        Some(real)
    }

    /// Leaves out what is inside another folder that is shown.
    fn tidy(&mut self) {
        let all = self.visible.clone();
        let is_inside = |path: &Path| path.ancestors().skip(1).any(|above| all.contains(above));
        self.visible.retain(|path| !is_inside(path));
        self.links.retain(|link, _| !is_inside(link));
    }
}

/// The names on a path, the first one last.
fn names(path: &Path) -> Vec<std::ffi::OsString> {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    });
    names.collect()
}

/// Whether a folder has other things than a bot's in it.
fn is_common(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let home = home.filter(|home| home.is_absolute());
    let at_home = home
        .iter()
        .flat_map(|home| COMMON_AT_HOME.iter().map(|name| home.join(name)));
    let mut common = COMMON.iter().map(PathBuf::from).chain(at_home);
    let temporary = std::env::temp_dir();
    temporary.starts_with(folder) || common.any(|common| common.starts_with(folder))
}

/// The folder above the Python packages that a folder is one of, or itself.
fn package_root(folder: &Path) -> &Path {
    let above = folder
        .ancestors()
        .find(|folder| !folder.join("__init__.py").exists());
    above.filter(|above| !is_common(above)).unwrap_or(folder)
}

fn is_program(path: &Path) -> bool {
    let may_run = |data: fs::Metadata| data.is_file() && data.permissions().mode() & 0o111 != 0;
    fs::metadata(path).is_ok_and(may_run)
}

/// The words of the first line of a script that say who reads it.
fn script_of(path: &Path) -> Vec<String> {
    let first_line = || {
        let mut reader = BufReader::new(fs::File::open(path).ok()?.take(256));
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).ok()?;
        let line = String::from_utf8(line).ok()?;
        let words = line.strip_prefix("#!")?.split_whitespace();
        Some(words.map(str::to_owned).collect())
    };
    first_line().unwrap_or_default()
}

/// Where the loader of programs looks for libraries, besides the usual folders.
fn loader_folders() -> Vec<PathBuf> {
    let files = fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten();
    let texts = files
        .flatten()
        .filter_map(|file| fs::read_to_string(file.path()).ok());
    let lines = texts.flat_map(|text| text.lines().map(PathBuf::from).collect::<Vec<_>>());
    lines.filter(|path| path.is_absolute()).collect()
}
