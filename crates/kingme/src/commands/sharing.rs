//! Arguments of commands whose games other machines play, too.

use std::path::Path;
use std::time::Duration;

use kingme_server::Place;
use kingme_work::{Desk, Shared, SharedTraining, TrainedGame};

/// What a command of games can go wrong with before the first of them.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Other machines that play, too.
#[derive(clap::Args)]
pub struct Sharing {
    /// Hand games out to workers in this data base, and keep a league's log there:
    /// `postgres://user@host/name`, with the password from `PGPASSWORD`
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Leave all games between programs to them: hand out and collect only
    #[arg(long, requires = "store")]
    workers_only: bool,
    /// A worker that is not heard of for so long loses its games to others
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = super::limit)]
    lease: Duration,
}

impl Sharing {
    /// Whether other machines are to play, too.
    pub fn is_wanted(&self) -> bool {
        self.store.is_some()
    }

    /// The data base that was named, if one was.
    ///
    /// # Errors
    ///
    /// If it is none that other machines can reach.
    pub fn place(&self) -> Result<Option<Place>> {
        self.store.as_deref().map(data_base).transpose()
    }

    /// Hands out the games of what has this number, and says so; nothing if no data base was named.
    ///
    /// # Errors
    ///
    /// If the data base can't be used.
    pub fn elsewhere(&self, number: u64) -> Result<Option<Box<Shared>>> {
        let Some(desk) = self.desk()? else {
            return Ok(None);
        };
        let shared = Shared::new(desk, number, self.workers_only, Box::new(say));
        Ok(Some(Box::new(shared)))
    }

    /// Hands out the games of a training that is kept in a folder, and says so; nothing if no data
    /// base was named.
    ///
    /// # Errors
    ///
    /// If the data base can't be used.
    pub fn training(&self, folder: &Path, game: TrainedGame) -> Result<Option<SharedTraining>> {
        let Some(desk) = self.desk()? else {
            return Ok(None);
        };
        let (folder, only) = (folder.to_owned(), self.workers_only);
        let shared = SharedTraining::new(desk, folder, game, only, Box::new(say));
        Ok(Some(shared))
    }

    fn desk(&self) -> Result<Option<Desk>> {
        let Some(place) = self.place()? else {
            return Ok(None);
        };
        let desk = Desk::open(&place)?.with_lease(self.lease);
        eprintln!("games are handed out; `kingme worker` with the same URL plays them elsewhere");
        Ok(Some(desk))
    }
}

fn say(words: &str) {
    eprintln!("\n{words}");
}

/// A data base that several machines can reach.
pub fn data_base(url: &str) -> Result<Place> {
    match super::serve::place(url)? {
        place @ Place::Postgres(_) => Ok(place),
        Place::Path(_) => {
            let words = "is no data base like postgres://user@host/name; without one, \
                         `kingme serve --league FILE --workers` shares a league";
            Err(format!("`{url}` {words}").into())
        }
    }
}
