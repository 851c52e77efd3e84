//! `kingme backup` and `kingme restore`: a server's games and accounts in one file.

use std::path::PathBuf;

use super::serve::data_folder;
use super::{Answer, Result};

/// Arguments of `kingme backup`.
#[derive(Clone, Debug, clap::Args)]
pub struct BackupArgs {
    /// The server's folder, as `kingme serve --data` has it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The file to write; it must not be there yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Arguments of `kingme restore`.
#[derive(Clone, Debug, clap::Args)]
pub struct RestoreArgs {
    /// A file that `kingme backup` has written
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder to put it into, which must have no games yet [default: kingme's folder in your
    /// data directory]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Copies games and accounts out of a folder, while a server may be using it.
pub fn backup(args: &BackupArgs) -> Result {
    kingme_server::backup(&args.folder, &args.file)?;
    println!("{} has all games and accounts", args.file.display());
    Ok(Answer::Yes)
}

/// Puts them into another one.
pub fn restore(args: RestoreArgs) -> Result {
    let folder = args.folder.map_or_else(data_folder, Ok)?;
    kingme_server::restore(&args.file, &folder)?;
    println!("{} has the games and accounts again", folder.display());
    Ok(Answer::Yes)
}
