//! `kingme train`: learn an evaluation by self-play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use kingme_engine::tables::Tables;
use kingme_engine::train::{Elsewhere, Progress, Training};
use kingme_engine::{Form, Weights};

use kingme_rules::Variant;
use kingme_work::TrainedGame;

use super::sharing::Sharing;
use super::tables::DataArgs;
use super::{Answer, Result};
use crate::variant::VariantArgs;

/// Arguments of `kingme train`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// How long the games of all steps take together, such as 2m
    #[arg(long, value_name = "T", default_value = "30m", value_parser = super::analyse::span)]
    time: Duration,
    /// The weight file to write [default: VARIANT.bin]; a folder beside it keeps what is needed to go on after a stop
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on from these weights, in place of plain material; `shipped` are those that come with kingme
    #[arg(long, value_name = "FILE", conflicts_with = "squares")]
    from: Option<PathBuf>,
    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Stop at square tables, which take a minute
    #[arg(long)]
    squares: bool,
    /// Learn no network: windows alone take a quarter of the time to fit
    #[arg(long)]
    without_net: bool,
    /// Play no more games than this in a step, and in a match, however long they take
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    #[command(flatten)]
    sharing: Sharing,
    #[command(flatten)]
    data: DataArgs,
    /// Threads that play games and fit networks [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Args {
    fn forms(&self) -> Vec<Form> {
        let mut forms = vec![Form::Squares];
        if !self.squares {
            forms.push(Form::Windows);
            if !self.without_net {
                forms.push(Form::Net);
            }
        }
        forms
    }
}

/// Time between two lines about games.
const SELDOM: Duration = Duration::from_secs(10);

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let variant = args.variant.load()?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| format!("{}.bin", variant.name()).into());
    check_folder(&out)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let folder = out.with_extension("train");
    let training = Training {
        time: args.time,
        from: from(args, &variant)?,
        seed: args.seed,
        date: today(),
        forms: args.forms(),
        threads: args.threads.unwrap_or(cores),
        // Some games' rules stand against tables; they are trained without.
        tables: Tables::ready(&variant, &args.data.folder()?)
            .ok()
            .map(Arc::new),
        games: args.games,
        elsewhere: elsewhere(args, &folder)?,
        folder,
        variant,
    };
    let began = Instant::now();
    let mut told = Instant::now();
    let mut screen = std::io::stdout();
    let best = training.run(&mut |progress| {
        let often = matches!(progress, Progress::Games { .. });
        if !often || told.elapsed() >= SELDOM {
            told = Instant::now();
            // The weights matter more than who reads about them.
            let _ = writeln!(screen, "{:>6} s  {progress}", began.elapsed().as_secs());
        }
    })?;
    let Some(weights) = best else {
        writeln!(screen, "nothing was better than plain material")?;
        return Ok(Answer::No);
    };
    std::fs::write(&out, weights.write()).map_err(|error| format!("{}: {error}", out.display()))?;
    writeln!(
        screen,
        "{}: {} positions, {}",
        out.display(),
        weights.positions,
        weights.result
    )?;
    Ok(Answer::Yes)
}

/// The machines that play, too, if there are any.
fn elsewhere(
    args: &Args,
    folder: &Path,
) -> std::result::Result<Option<Box<dyn Elsewhere>>, Box<dyn std::error::Error>> {
    let game = TrainedGame {
        text: args.variant.text()?,
        size: args.variant.size,
    };
    let shared = args.sharing.training(folder, game)?;
    Ok(shared.map(|shared| -> Box<dyn Elsewhere> { Box::new(shared) }))
}

/// Whether there is a folder for the weights, which is better said before an hour of games.
fn check_folder(out: &Path) -> std::result::Result<(), String> {
    let folder = out.parent().filter(|folder| *folder != Path::new(""));
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(format!("there is no folder `{}`", folder.display()))
        }
        _ => Ok(()),
    }
}

/// The weights to go on from.
fn from(args: &Args, variant: &Variant) -> std::result::Result<Option<Weights>, String> {
    let Some(path) = &args.from else {
        return Ok(None);
    };
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = if path.as_os_str() == "shipped" {
        let shipped = kingme_engine::shipped(variant.name()).map(<[u8]>::to_vec);
        shipped.ok_or_else(|| format!("no weights come with kingme for {}", variant.name()))?
    } else {
        std::fs::read(path).map_err(|error| at(&error))?
    };
    let weights = Weights::read(&file, variant).map_err(|error| at(&error))?;
    Ok(Some(weights))
}

/// The day by the calendar, in UTC.
fn today() -> String {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let (year, month, day) = date((since.as_secs() / 86_400) as i64);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970, by the Gregorian calendar.
fn date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March have their leap day at the end; eras of 400 years are all alike.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_772), (2026, 11, 15));
    }
}
