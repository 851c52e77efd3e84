//! `kingme completions` and `kingme man`: the help in the forms that shells and `man` read.

use std::io::Write;
use std::path::PathBuf;

use clap_complete::Shell;

use super::{Answer, Result};

/// Arguments of `kingme completions`.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

/// Arguments of `kingme man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Where to write the pages; the folder is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints a script for a shell.
pub fn completions(args: &CompletionsArgs) -> Result {
    // In one piece, so that a reader who has seen enough is not an error.
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut crate::args::command(),
        "kingme",
        &mut script,
    );
    std::io::stdout().lock().write_all(&script)?;
    Ok(Answer::Yes)
}

/// Writes the pages.
pub fn man(args: &ManArgs) -> Result {
    let folder = args.folder.as_path();
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(crate::args::command(), folder))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    println!(
        "`man {}` shows the first page",
        folder.join("kingme.1").display()
    );
    Ok(Answer::Yes)
}
