//! The state of the screen, and how keys, clicks and time change it. Nothing here draws.

use std::path::Path;
use std::time::Instant;

use kingme_play::{Answer, Chance};
use kingme_players::{PlayerFault, plainly};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::layout::Layout;
use super::look::Look;
use super::menu::Menu;
use super::sitting::Sitting;
use crate::saved::{self, Journal};
use crate::{LocalGame, Options};

/// What lies over the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys.
    Help,
    /// The menu of games.
    Menu(Menu),
    /// The name of a file to write.
    Save(String),
    /// The name of a file to read.
    Open(String),
    /// A move that is typed.
    Move(String),
    /// Whether to give up.
    Resign,
}

/// The whole screen.
#[derive(Clone, Debug)]
pub struct App {
    /// The game.
    pub sitting: Sitting,
    /// What lies over it.
    pub overlay: Option<Overlay>,
    /// Characters and colours.
    pub look: Look,
    /// Show how programs see their chances.
    pub score: bool,
    /// Whether a hint is wanted.
    pub wants_hint: bool,
    /// Whether it is time to leave.
    pub quit: bool,
    /// Whether the shell is wanted for a while.
    pub suspend: bool,
    /// Counts the games: new ones need new programs.
    pub games: u64,
    area: Rect,
    options: Options,
    chance: Chance,
}

impl App {
    /// The screen of a game; without one, the menu is open.
    pub fn new(options: &Options, menu: bool, area: Rect, now: Instant) -> App {
        let variant = options.game.game().variant();
        App {
            sitting: Sitting::new(options, now),
            overlay: menu.then(|| Overlay::Menu(Menu::at(variant.name()))),
            look: Look {
                ascii: options.ascii,
            },
            score: options.score,
            wants_hint: false,
            quit: false,
            suspend: false,
            games: 0,
            area,
            options: options.clone(),
            chance: Chance::new(options.seed),
        }
    }

    /// What the game is played with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where everything is.
    pub fn layout(&self, area: Rect) -> Layout {
        let board = self.sitting.game.game().variant().board();
        Layout::new(area, board, self.sitting.cursor)
    }

    /// Something has happened at the terminal.
    pub fn update(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse, now),
            Event::Resize(width, height) => self.area = Rect::new(0, 0, *width, *height),
            _ => {}
        }
    }

    /// The terminal has this size now.
    pub fn resize(&mut self, area: Rect) {
        self.area = area;
    }

    /// A program has answered.
    pub fn answered(
        &mut self,
        answer: &Result<Answer, PlayerFault>,
        suggestion: Option<&Answer>,
        now: Instant,
    ) {
        self.sitting
            .answered(answer, suggestion, &mut self.chance, now);
    }

    /// Time passes.
    pub fn tick(&mut self, now: Instant) {
        self.sitting.tick(now, &mut self.chance);
    }

    fn key(&mut self, key: KeyEvent, now: Instant) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'q')) {
            self.quit = true;
        } else if control && key.code == KeyCode::Char('z') {
            self.suspend = true;
        } else if let Some(overlay) = self.overlay.take() {
            self.overlay = self.overlay_key(overlay, key.code, now);
        } else {
            self.board_key(key.code, now);
        }
    }

    fn board_key(&mut self, key: KeyCode, now: Instant) {
        let sitting = &mut self.sitting;
        match key {
            KeyCode::Left | KeyCode::Char('h') => sitting.move_cursor(0, -1),
            KeyCode::Right | KeyCode::Char('l') => sitting.move_cursor(0, 1),
            KeyCode::Up | KeyCode::Char('k') => sitting.move_cursor(-1, 0),
            KeyCode::Down | KeyCode::Char('j') => sitting.move_cursor(1, 0),
            KeyCode::Home => sitting.move_cursor(0, -1000),
            KeyCode::End => sitting.move_cursor(0, 1000),
            KeyCode::PageUp => sitting.move_cursor(-1000, 0),
            KeyCode::PageDown => sitting.move_cursor(1000, 0),
            KeyCode::Enter | KeyCode::Char(' ') => sitting.press(now),
            KeyCode::Esc | KeyCode::Backspace => sitting.cancel(),
            KeyCode::Char('u') => sitting.undo(now),
            KeyCode::Char('r') => sitting.redo(now),
            KeyCode::Char('f') => sitting.flip(),
            KeyCode::Char(letter) => self.command_key(letter),
            _ => {}
        }
    }

    fn command_key(&mut self, letter: char) {
        match letter {
            't' => self.wants_hint = self.sitting.is_persons_turn(),
            'e' => self.score = !self.score,
            'm' => self.overlay = Some(Overlay::Move(String::new())),
            '0'..='9' => self.overlay = Some(Overlay::Move(letter.to_string())),
            's' => self.overlay = Some(Overlay::Save(self.file_name())),
            'o' => self.overlay = Some(Overlay::Open(String::new())),
            'n' => {
                let name = self.sitting.game.game().variant().name();
                self.overlay = Some(Overlay::Menu(Menu::at(name)));
            }
            'R' if self.sitting.who_resigns().is_some() => self.overlay = Some(Overlay::Resign),
            '?' => self.overlay = Some(Overlay::Help),
            'q' => self.quit = true,
            _ => {}
        }
    }

    fn file_name(&self) -> String {
        format!("{}.pdn", self.sitting.game.game().variant().name())
    }

    /// A key for what lies over the board; what lies there afterwards.
    fn overlay_key(&mut self, overlay: Overlay, key: KeyCode, now: Instant) -> Option<Overlay> {
        match overlay {
            Overlay::Help => None,
            Overlay::Menu(menu) => self.menu_key(menu, key, now),
            Overlay::Save(text) => match typed(text, key) {
                Typed::More(text) => Some(Overlay::Save(text)),
                Typed::Done(text) => self.save(&text),
                Typed::Cancelled => None,
            },
            Overlay::Open(text) => match typed(text, key) {
                Typed::More(text) => Some(Overlay::Open(text)),
                Typed::Done(text) => self.open(&text, now),
                Typed::Cancelled => None,
            },
            Overlay::Move(text) => match typed(text, key) {
                Typed::More(text) => Some(Overlay::Move(text)),
                Typed::Done(text) => {
                    self.sitting.play_text(&text, now);
                    None
                }
                Typed::Cancelled => None,
            },
            Overlay::Resign => self.resign_key(key, now),
        }
    }

    fn menu_key(&mut self, mut menu: Menu, key: KeyCode, now: Instant) -> Option<Overlay> {
        match key {
            KeyCode::Esc => return None,
            KeyCode::Enter if menu.chosen().is_some() => {
                self.start(&menu, now);
                return None;
            }
            KeyCode::Up => menu.step(-1),
            KeyCode::Down => menu.step(1),
            KeyCode::PageUp => menu.step(-10),
            KeyCode::PageDown => menu.step(10),
            KeyCode::Tab => menu.next_field(1),
            KeyCode::BackTab => menu.next_field(-1),
            KeyCode::Left => menu.change(-1),
            KeyCode::Right => menu.change(1),
            KeyCode::Backspace => menu.backspace(),
            KeyCode::Char(letter) => menu.type_letter(letter),
            _ => {}
        }
        Some(Overlay::Menu(menu))
    }

    fn resign_key(&mut self, key: KeyCode, now: Instant) -> Option<Overlay> {
        if let (KeyCode::Char('y' | 'Y') | KeyCode::Enter, Some(side)) =
            (key, self.sitting.who_resigns())
        {
            self.sitting.resign(side, now);
        }
        None
    }

    fn start(&mut self, menu: &Menu, now: Instant) {
        let Some(new) = menu.chosen() else { return };
        let time = self.options.game.time();
        let game = LocalGame::new(new.game()).with_time(time);
        let (name, size) = (new.variant.name().to_owned(), new.size);
        self.options.players = new.players;
        self.begin(game, &name, size, now);
    }

    /// Puts another game on the screen, saved in a file of its own.
    fn begin(&mut self, game: LocalGame, name: &str, size: Option<u32>, now: Instant) {
        self.options.game = game;
        if let Some(journal) = &mut self.options.journal {
            let folder = journal.path.parent().unwrap_or(Path::new("")).to_owned();
            *journal = Journal::in_folder(&folder, name, size);
        }
        self.sitting = Sitting::new(&self.options, now);
        self.games += 1;
    }

    fn save(&mut self, file: &str) -> Option<Overlay> {
        let sitting = &mut self.sitting;
        sitting.message = match saved::export(file.as_ref(), &sitting.game, &sitting.players) {
            Ok(()) => format!("Written to {file}."),
            Err(error) => format!("{file}: {}", plainly(&error)),
        };
        None
    }

    fn open(&mut self, file: &str, now: Instant) -> Option<Overlay> {
        match saved::import(file.as_ref(), None) {
            Err(error) => self.sitting.message = plainly(&error),
            Ok(game) => {
                let board = game.variant().board();
                let usual = kingme_rules::Variant::named(game.variant().name());
                let size = u32::from(board.columns());
                let other = usual.is_ok_and(|usual| usual.board() != board);
                let name = game.variant().name().to_owned();
                self.begin(LocalGame::new(game), &name, other.then_some(size), now);
                self.sitting.message = format!("Read from {file}.");
            }
        }
        None
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Instant) {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        if self.overlay.is_some() {
            if self.overlay == Some(Overlay::Help) {
                self.overlay = None;
            }
            return;
        }
        if let Some(place) = self.layout(self.area).at(mouse.column, mouse.row) {
            self.sitting.cursor = place;
            self.sitting.press(now);
        }
    }
}

/// What came of a key in a line of text.
enum Typed {
    More(String),
    Done(String),
    Cancelled,
}

fn typed(mut text: String, key: KeyCode) -> Typed {
    match key {
        KeyCode::Esc => return Typed::Cancelled,
        KeyCode::Enter if text.is_empty() => return Typed::Cancelled,
        KeyCode::Enter => return Typed::Done(text),
        KeyCode::Char(letter) => text.push(letter),
        KeyCode::Backspace => {
            text.pop();
        }
        _ => {}
    }
    Typed::More(text)
}
