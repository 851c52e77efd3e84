//! Ctrl-Z: the shell has its terminal back for a while.

use std::io::{self, stdout};

use nix::sys::signal::{Signal, raise};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, enable_raw_mode};

/// Gives the terminal back and stops, until the shell has us go on.
pub fn suspend() -> io::Result<()> {
    execute!(stdout(), DisableMouseCapture)?;
    ratatui::try_restore()?;
    execute!(stdout(), Show)?;
    raise(Signal::SIGTSTP)?;
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}
