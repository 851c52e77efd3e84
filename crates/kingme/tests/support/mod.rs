//! What the tests of the command share: running it, and reading what it says.

// Each test program uses a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program.
pub const KINGME: &str = env!("CARGO_BIN_EXE_kingme");

/// What a run came to.
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run {
            status: output.status.code().expect("a status"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("a folder")
}

/// The command, ready to run in the folder of the repository.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(KINGME);
    command.args(arguments).current_dir(root());
    command
}

/// Runs the command to its end.
pub fn kingme(arguments: &[&str]) -> Run {
    command(arguments).output().expect("it runs").into()
}

/// Runs the command with a data folder of its own.
pub fn kingme_with(data: &Path, arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    command.arg("--data").arg(data);
    command.output().expect("it runs").into()
}

/// The command refuses: one line on standard error, status 2, nothing on standard output.
#[track_caller]
pub fn refused(arguments: &[&str], expected: &str) {
    let run = kingme(arguments);
    assert_eq!(
        (run.status, run.err.as_str()),
        (2, format!("kingme: {expected}\n").as_str()),
        "{arguments:?}"
    );
    assert_eq!(run.out, "");
}

/// The blocks of a guide in a language.
pub fn blocks<'a>(guide: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let texts = guide.split(fence.as_str()).skip(1);
    texts
        .map(|block| block.split("```").next().unwrap_or_default())
        .collect()
}

/// Runs all commands of a guide, as a reader would; returns how many blocks there are.
pub fn run_guide(file: &str) -> usize {
    let guide = std::fs::read_to_string(root().join(file)).expect(file);
    let folder = tempfile::tempdir().expect("a folder");
    let program = Path::new(KINGME).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let blocks = blocks(&guide, "sh");
    for block in &blocks {
        let run: Run = Command::new("sh")
            .args(["-e", "-c", block])
            .current_dir(root())
            .env("PATH", format!("{}:{path}", program.display()))
            .env("TMPDIR", folder.path())
            .output()
            .expect("a shell")
            .into();
        assert_eq!(run.status, 0, "{block}\n{}\n{}", run.out, run.err);
    }
    blocks.len()
}
