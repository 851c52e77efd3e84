//! A match as a league of two: what its log knows it by, and where that log is.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;

use kingme_arena::league::{League, MatchLog};
use kingme_arena::{MatchConfig, sha256};
use kingme_play::{Measure, TimeControl};
use serde_json::json;

use super::matches::Args;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What one of the players may use: a time, `nodes=5000` or `depth=4`.
pub fn own_time(text: &str) -> std::result::Result<TimeControl, String> {
    let number = |number: &str| {
        let number = number.parse().ok().filter(|&number: &u64| number > 0);
        number.ok_or_else(|| format!("`{text}` should be a whole number, as in `nodes=5000`"))
    };
    match text.split_once('=') {
        Some(("nodes", nodes)) => number(nodes).map(TimeControl::Nodes),
        Some(("depth", plies)) => {
            let plies = u32::try_from(number(plies)?);
            plies
                .map(TimeControl::Depth)
                .map_err(|_| format!("`{text}` is deeper than any game"))
        }
        _ => text
            .parse()
            .map_err(|error| format!("{error}, nodes=5000 or depth=4")),
    }
}

impl Args {
    /// The log that is to be kept, if any.
    pub(super) fn open_log(&self) -> Result<Option<MatchLog>> {
        if self.log.is_none() && !self.watch {
            return Ok(None);
        }
        let text = self.league_text();
        let here = std::env::current_dir()?;
        Ok(Some(MatchLog::open(&self.log_path(&text)?, &text, &here)?))
    }

    /// The match as a league whose games others play, too. It always keeps a log.
    pub(super) fn open_shared(&self, config: &MatchConfig) -> Result<League> {
        let text = self.league_text();
        let here = std::env::current_dir()?;
        let log = self.log_path(&text)?;
        let mut league = League::of_match(&text, &here, &log, self.data.shelf())?;
        league.file.concurrency = config.concurrency;
        league.file.cores = config.cores;
        if let Some(elsewhere) = self.sharing.elsewhere(league.number())? {
            league.share(elsewhere);
        }
        Ok(league)
    }

    fn log_path(&self, text: &str) -> Result<PathBuf> {
        let path = self.log.clone();
        path.map_or_else(|| self.watched_log(text), Ok)
    }

    /// Where a server looks for it, under a name that the same match always has.
    fn watched_log(&self, text: &str) -> Result<PathBuf> {
        let folder = self.data.leagues()?;
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let [a, b] = [&self.a, &self.b].map(|spec| {
            let name = spec.to_string();
            name.chars().take(20).map(plain).collect::<String>()
        });
        let sum = sha256(text.as_bytes());
        Ok(folder.join(format!("match-{a}-{b}-{}.db", &sum[..8])))
    }

    /// The match as the file of a league. How many games are played at a time is left out: it
    /// makes no difference to them.
    fn league_text(&self) -> String {
        let names = self.names();
        let mut file = Lines::default();
        file.text("name", Some(names.join(" against ")));
        file.text("variant", Some(&self.variant));
        file.plain("size", self.size);
        file.time(self.time_control());
        file.text("format", Some("round-robin"));
        file.plain("games", Some(self.games));
        self.write_openings(&mut file);
        self.write_test(&mut file);
        self.write_policy(&mut file);
        file.plain("seed", Some(self.seed));
        let own = [self.time_a, self.time_b];
        let specs = [&self.a, &self.b];
        for ((name, spec), own) in names.iter().zip(specs).zip(own) {
            file.0 += "\n[[player]]\n";
            file.text("name", Some(name));
            file.text("plays", Some(spec));
            if let Some(own) = own {
                file.time(own);
            }
        }
        file.0
    }

    fn write_openings(&self, file: &mut Lines) {
        file.text("openings", self.openings.as_ref());
        file.text("openings_order", self.openings_order);
        file.plain("openings_from", self.openings_from);
        file.plain("openings_cut", self.openings_cut);
        file.plain("random_plies", self.random_plies);
    }

    fn write_test(&self, file: &mut Lines) {
        let bounds = |sprt: kingme_arena::stats::Sprt| format!("{},{}", sprt.elo0, sprt.elo1);
        let number = |share: f64| format!("{share:?}");
        file.text("sprt", self.sprt.map(bounds));
        file.plain("sprt_alpha", self.sprt_alpha.map(number));
        file.plain("sprt_beta", self.sprt_beta.map(number));
        file.text("sprt_model", self.sprt_model);
    }

    fn write_policy(&self, file: &mut Lines) {
        let yes = |is_so: bool| is_so.then_some(true);
        file.plain("forfeit", yes(self.forfeit));
        file.text("on_late", self.on_late);
        file.text("on_illegal", self.on_illegal);
        file.text("grace", self.grace.map(TimeControl::Move));
        file.text(
            "clock",
            Some(self.clock).filter(|clock| *clock != Measure::Wall),
        );
        file.plain("allow_failing", yes(self.allow_failing));
        let mut limit = |key, limit: Option<_>| file.text(key, limit.map(TimeControl::Move));
        limit("start_limit", self.start_limit);
        limit("new_game_limit", self.new_game_limit);
        limit("stop_limit", self.stop_limit);
        file.plain("ponder", yes(self.ponder));
        file.text("adjudicate_win", self.adjudicate_win);
        file.text("adjudicate_draw", self.adjudicate_draw);
        file.plain("adjudicate_tables", yes(self.adjudicate_tables));
        file.plain("max_plies", self.max_plies);
    }
}

/// The lines of a league's file.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// A number, or yes.
    fn plain(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            writeln!(self.0, "{key} = {value}").expect("a string takes it");
        }
    }

    /// A text; TOML quotes it as JSON does.
    fn text(&mut self, key: &str, value: Option<impl Display>) {
        self.plain(key, value.map(|value| json!(value.to_string())));
    }

    fn time(&mut self, time: TimeControl) {
        match time {
            TimeControl::Nodes(nodes) => self.plain("nodes", Some(nodes)),
            TimeControl::Depth(depth) => self.plain("depth", Some(depth)),
            time => self.text("time", Some(time)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use std::time::Duration;

    use clap::Parser;
    use kingme_arena::league::LeagueFile;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    /// Whatever a match is begun with, its log can be read as a league's.
    #[test]
    fn a_match_is_the_file_of_a_league() {
        let check = |words: &str| {
            let args = format!("match {words} --variant league --size 6");
            let args = Command::parse_from(args.split(' ')).args;
            let text = args.league_text();
            let file = LeagueFile::read(&text, Path::new(".")).map_err(|error| error.to_string());
            (file.unwrap_or_else(|error| panic!("{error}\n{text}")), text)
        };
        let (file, _) = check("random minimax --games 7 --time-b nodes=50 --seed 3");
        assert_eq!((file.games, file.seed), (7, 3));
        let times: Vec<String> = file
            .players
            .iter()
            .map(|player| file.time_of(player).to_string())
            .collect();
        assert_eq!(times, ["1s", "50 nodes"]);
        let (file, _) = check("random random --depth 2 --random-plies 4 --forfeit --ponder");
        assert_eq!(file.players[0].name, "random (A)");
        let (file, text) = check(
            "random minimax --nodes 9 --sprt -5,5.5 --sprt-alpha 0.01 --sprt-model logistic \
             --on-late lose --on-illegal ask-again:3 --adjudicate-win 5,8 --grace 75ms --clock cpu \
             --start-limit 30s \
             --adjudicate-draw 0.5,9,from=60,pieces=12",
        );
        let sprt = file.sprt.unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha), (-5.0, 5.5, 0.01));
        assert!(text.contains("on_illegal = \"ask-again:3\""), "{text}");
        let draw = file.policy.adjudication.draw.unwrap();
        assert_eq!((draw.plies, draw.from, draw.pieces), (9, 60, Some(12)));
        assert_eq!(file.policy.grace, Duration::from_millis(75));
        assert_eq!(file.policy.measure, Measure::Cpu);
        let patience = file.players[1].own.patience;
        assert_eq!(patience.start, Duration::from_secs(30));
    }

    #[test]
    fn what_one_player_may_use_is_a_time_nodes_or_a_depth() {
        assert_eq!(own_time("nodes=50"), Ok(TimeControl::Nodes(50)));
        assert_eq!(own_time("depth=3"), Ok(TimeControl::Depth(3)));
        assert_eq!(own_time("1s"), Ok("1s".parse().unwrap()));
        for wrong in [
            "nodes=0",
            "nodes=many",
            "depth=99999999999",
            "soon",
            "plies=3",
        ] {
            let error = own_time(wrong).unwrap_err();
            assert!(error.starts_with(&format!("`{wrong}` ")), "{error}");
        }
    }
}
