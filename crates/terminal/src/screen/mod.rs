//! The full screen: a board with a cursor, the mouse, clocks, a menu.
//!
//! [`App`] is the state, [`App::update`] changes it, [`draw`] shows it; each can be tested without
//! a terminal. [`run`] connects them with one.

mod app;
mod choice;
mod draw;
mod layout;
mod look;
mod menu;
mod overlay;
mod panel;
mod programs;
mod sitting;
#[cfg(unix)]
mod suspend;

use std::io::{self, stdout};
use std::time::{Duration, Instant};

use kingme_players::OpenError;
use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
use ratatui::layout::Rect;

pub use app::{App, Overlay};
pub use draw::draw;
use programs::Programs;
#[cfg(unix)]
use suspend::suspend;

use crate::{LocalGame, Options};

/// How long to wait for keys before looking at the clocks and the programs again.
const PAUSE: Duration = Duration::from_millis(100);
/// The same while somebody thinks.
const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// Why a screen could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// The terminal failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A player can't be had.
    #[error(transparent)]
    Player(#[from] OpenError),
}

/// Plays on this terminal until somebody leaves; with `menu` the menu of games is open at first.
/// However it ends, the terminal is as it was before. Returns the game as it was left.
///
/// # Errors
///
/// If the terminal fails, or a player can't be started.
pub fn run(options: &Options, menu: bool) -> Result<LocalGame, ScreenError> {
    run_watched(options, menu, |_| {})
}

/// As [`run`], showing somebody the state behind every picture.
///
/// # Errors
///
/// If the terminal fails, or a player can't be started.
pub fn run_watched(
    options: &Options,
    menu: bool,
    watch: impl FnMut(&App),
) -> Result<LocalGame, ScreenError> {
    let mut app = App::new(options, menu, Rect::default(), Instant::now());
    let mut programs = Programs::open(&app)?;
    if !options.colour {
        force_color_output(false);
    }
    let mut terminal = Screen::open()?;
    let played = play(&mut terminal.terminal, &mut app, &mut programs, watch);
    programs.stop();
    drop(terminal);
    played?;
    Ok(app.sitting.game)
}

fn play(
    terminal: &mut DefaultTerminal,
    app: &mut App,
    programs: &mut Programs,
    mut watch: impl FnMut(&App),
) -> io::Result<()> {
    while !app.quit {
        let now = Instant::now();
        app.tick(now);
        programs.follow(app, now);
        terminal.draw(|frame| {
            app.resize(frame.area());
            draw(frame, app, now);
        })?;
        watch(app);
        let pause = if programs.are_busy() {
            SHORT_PAUSE
        } else {
            PAUSE
        };
        if event::poll(pause)? {
            app.update(&event::read()?, Instant::now());
        }
        if std::mem::take(&mut app.suspend) {
            suspend()?;
            // A new one knows nothing of what was drawn before, and draws it all.
            *terminal = DefaultTerminal::new(CrosstermBackend::new(stdout()))?;
        }
    }
    Ok(())
}

/// Nothing stops a program here.
#[allow(clippy::unnecessary_wraps)] // as where something does
#[cfg(not(unix))]
fn suspend() -> io::Result<()> {
    Ok(())
}

/// The terminal while we have it; dropping it gives it back.
struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    fn open() -> io::Result<Screen> {
        let terminal = ratatui::try_init()?;
        // The hook that ratatui has set gives the terminal back; the mouse is ours to give back.
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let _ = execute!(stdout(), DisableMouseCapture);
            before(panic);
        }));
        execute!(stdout(), EnableMouseCapture)?;
        Ok(Screen { terminal })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), DisableMouseCapture);
        ratatui::restore();
    }
}
