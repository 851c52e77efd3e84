//! Time belongs to whom it is given, and answers to who was asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_play::Stop;
use kingme_players::hub::{HubPlayer, Patience};
use kingme_players::{Player, PlayerFault, Question, Sandbox};
use kingme_rules::{Game, Side, Variant};

use super::confinement::sandboxes;
use super::{LONG, SHORT, new_token, polite, processes_with};

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
        let position = self.game.position();
        let found = answer.reply.find(position);
        found.map_or_else(|refused| refused.to_string(), |mv| position.move_text(&mv))
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

/// Computes for a while when it is asked, and answers.
const BUSY: &str = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo 'done move=32-28'";

/// Waits for a while, computing nothing, and answers.
const IDLE: &str = "sleep 0.3; echo 'done move=32-28'";

/// Whether the answer is there by what the bot may compute, and what it has computed.
fn by_cpu(act: &str, cpu: Duration, wall: Duration) -> Result<Duration, PlayerFault> {
    let mut bot = Asked::new(act, &Sandbox::default(), false);
    let question = Question::new(Limit::INFINITE, Stop::new());
    let mut question = question.until(Some(Instant::now() + wall));
    question.cpu = Some(cpu);
    let answer = bot.player.choose(&bot.game, &question)?;
    Ok(answer.time.unwrap())
}

#[test]
fn by_the_cpu_clock_waiting_costs_nothing() {
    let used = by_cpu(IDLE, Duration::from_millis(250), LONG).unwrap();
    assert!(used < Duration::from_millis(250), "{used:?}");
}

#[test]
fn by_the_cpu_clock_computing_costs_what_was_computed() {
    let used = by_cpu(BUSY, LONG, LONG).unwrap();
    assert!(used > Duration::from_millis(5), "{used:?}");
    // The same work in a process of its own, which has ended by the time of the answer.
    let below = format!("sh -c '{BUSY}' | cat");
    let used = by_cpu(&below, LONG, LONG).unwrap();
    assert!(used > Duration::from_millis(5), "{used:?}");
}

#[test]
fn by_the_cpu_clock_who_computes_on_is_late_long_before_the_wall_says_so() {
    let endless = "while :; do :; done";
    let late = by_cpu(endless, Duration::from_millis(50), LONG * 100);
    assert_eq!(late, Err(PlayerFault::Stalled));
}

#[test]
fn by_the_cpu_clock_who_computes_nothing_is_late_by_the_wall() {
    let late = by_cpu("read -r never", LONG, SHORT);
    assert_eq!(late, Err(PlayerFault::Stalled));
}
