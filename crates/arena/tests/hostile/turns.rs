//! Time belongs to whom it is given, and answers to who was asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kingme_engine::Limit;
use kingme_play::{Reply, Stop};
use kingme_players::hub::{HubPlayer, Patience};
use kingme_players::{Player, Question, Sandbox};
use kingme_rules::{Game, Side, Variant};

use super::confinement::sandboxes;
use super::{LONG, new_token, polite, processes_with};

/// A bot in a game, which is asked by the test.
struct Asked {
    player: HubPlayer,
    game: Game,
    token: String,
}

impl Asked {
    fn new(act: &str, sandbox: &Sandbox, ponders: bool) -> Asked {
        let token = new_token();
        let script = polite(act);
        let command = ["env", &token, "sh", "-c", &script].map(str::to_owned);
        let patience = Patience {
            start: LONG,
            ..Patience::default()
        };
        let player = HubPlayer::new(command.to_vec(), sandbox.clone());
        let mut asked = Asked {
            player: player.with_patience(patience).pondering(ponders),
            game: Game::new(&Variant::named("international").unwrap()),
            token,
        };
        asked.player.new_game(&asked.game, Side::White).unwrap();
        asked
    }

    /// Asks for a first move.
    fn ask(&mut self) -> String {
        let question = Question::new(Limit::INFINITE, Stop::new());
        let question = question.until(Some(Instant::now() + LONG));
        let answer = self.player.choose(&self.game, &question).unwrap();
        match answer.reply {
            Reply::Move(mv) => self.game.position().move_text(&mv),
            other => format!("{other:?}"),
        }
    }

    /// Waits until something is true of all processes of the bot.
    fn wait_until(&self, is_true: impl Fn(&[PathBuf]) -> bool) {
        let until = Instant::now() + LONG;
        while !is_true(&processes_with(&self.token)) {
            assert!(Instant::now() < until, "it never came true");
            std::thread::yield_now();
        }
    }
}

/// The part of a process's line in `/proc` behind its name, from its state on.
fn status(process: &Path) -> Vec<String> {
    let line = fs::read_to_string(process.join("stat")).unwrap_or_default();
    let behind = line.rsplit(')').next().unwrap_or_default();
    behind.split_whitespace().map(str::to_owned).collect()
}

fn is_stopped(process: &Path) -> bool {
    status(process).first().is_some_and(|state| state == "T")
}

/// What processes have used, in hundredths of a second.
fn used(processes: &[PathBuf]) -> u64 {
    let of = |process: &PathBuf| {
        let status = status(process);
        let number = |place: usize| status.get(place).and_then(|text| text.parse::<u64>().ok());
        number(11).unwrap_or(0) + number(12).unwrap_or(0)
    };
    processes.iter().map(of).sum()
}

/// Answers, and goes on computing in another process, in a session of its own.
const COMPUTES: &str = "test -n \"$on\" || setsid sh -c 'while :; do :; done' < /dev/null > /dev/null 2>&1 &\n\
                        on=yes; echo 'done move=32-28'";

#[test]
fn off_turn_a_bot_is_stopped_with_all_it_has_started() {
    for sandbox in sandboxes(kingme_players::Isolation::Limits) {
        let mut bot = Asked::new(COMPUTES, &sandbox, false);
        for _ in 0..3 {
            assert_eq!(bot.ask(), "32-28");
            bot.wait_until(|processes| {
                processes.len() > 1 && processes.iter().all(|process| is_stopped(process))
            });
        }
    }
}

#[test]
fn who_was_told_to_ponder_thinks_on() {
    let mut bot = Asked::new(COMPUTES, &Sandbox::default(), true);
    assert_eq!(bot.ask(), "32-28");
    bot.wait_until(|processes| used(processes) >= 20);
}

#[test]
fn a_line_that_nobody_has_asked_for_is_no_answer() {
    let act = "printf 'done move=%s\\ndone move=1-50\\n' 32-28";
    let mut bot = Asked::new(act, &Sandbox::default(), false);
    for _ in 0..3 {
        assert_eq!(bot.ask(), "32-28");
    }
}

#[test]
fn a_line_that_was_begun_before_it_was_asked_for_is_no_answer() {
    // What is left of the line when it is asked for looks like an answer.
    let act = "test -n \"$half\" && echo 'done move=1-50'; half=yes\n\
               printf 'done move=32-28\\nand then '";
    let mut bot = Asked::new(act, &Sandbox::default(), false);
    for _ in 0..3 {
        assert_eq!(bot.ask(), "32-28");
    }
}
