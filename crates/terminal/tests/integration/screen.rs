//! The full screen: keys and clicks in, pictures out.

use std::time::{Duration, Instant};

use kingme_terminal::saved::{Journal, latest};
use kingme_terminal::screen::{App, Overlay, draw};
use kingme_terminal::{LocalGame, Options};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::play::{options, set_up};

/// A screen without a terminal.
struct Screen {
    app: App,
    size: (u16, u16),
    now: Instant,
}

impl Screen {
    fn new(options: &Options) -> Screen {
        Screen::sized(options, 80, 24)
    }

    fn sized(options: &Options, width: u16, height: u16) -> Screen {
        let now = Instant::now();
        let app = App::new(options, false, Rect::new(0, 0, width, height), now);
        Screen {
            app,
            size: (width, height),
            now,
        }
    }

    fn key(&mut self, key: KeyCode) -> &mut Screen {
        let event = Event::Key(KeyEvent::new(key, KeyModifiers::NONE));
        self.app.update(&event, self.now);
        self
    }

    fn keys(&mut self, keys: &str) -> &mut Screen {
        for key in keys.chars() {
            self.key(match key {
                '\n' => KeyCode::Enter,
                '\x1b' => KeyCode::Esc,
                letter => KeyCode::Char(letter),
            });
        }
        self
    }

    fn click(&mut self, column: u16, row: u16) -> &mut Screen {
        let event = Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        });
        self.app.update(&event, self.now);
        self
    }

    /// Clicks on a square by its name.
    fn choose(&mut self, name: &str) -> &mut Screen {
        let square = self
            .app
            .sitting
            .game
            .game()
            .variant()
            .board()
            .parse(name)
            .unwrap();
        self.app.sitting.cursor_to(square);
        self.key(KeyCode::Enter)
    }

    fn picture(&self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal
            .draw(|frame| draw(frame, &self.app, self.now))
            .unwrap();
        let buffer = terminal.backend().buffer();
        let line = |row: u16| -> String {
            (0..self.size.0)
                .map(|column| buffer[(column, row)].symbol())
                .collect()
        };
        (0..self.size.1)
            .map(|row| line(row).trim_end().to_owned() + "\n")
            .collect()
    }

    fn moves(&self) -> Vec<String> {
        self.app.sitting.game.game().move_texts()
    }

    fn message(&self) -> &str {
        &self.app.sitting.message
    }
}

fn ascii(variant: &str) -> Options {
    let mut options = options(variant);
    options.ascii = true;
    options
}

#[test]
fn the_whole_screen_in_ascii() {
    let picture = Screen::new(&ascii("pown-chess")).picture();
    assert_eq!(picture, include_str!("pown-chess-screen.txt"));
    assert!(picture.is_ascii());
}

#[test]
fn international_draughts_is_whole_on_80_by_24() {
    let picture = Screen::new(&options("international")).picture();
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(lines[0], " International draughts: White to move");
    assert!(lines[1].contains("▗██▖    ▗██▖"), "{picture}");
    assert!(lines[20].starts_with(" 46 "), "{picture}");
    assert!(picture.contains("> White 20  human"), "{picture}");
    assert!(lines[23].contains("? help"), "{picture}");
}

#[test]
fn a_game_by_the_keyboard() {
    let mut screen = Screen::new(&set_up("pown-chess", "W:WA5,B1:BB6"));
    screen.choose("A5").choose("A6");
    assert_eq!(screen.moves(), ["A5-A6"]);
    assert!(screen.picture().starts_with(" Pown Chess: b to move"));
}

#[test]
fn the_cursor_follows_keys_and_stops_at_the_edges() {
    let mut screen = Screen::new(&options("english"));
    screen.app.sitting.cursor = (0, 0);
    screen.keys("hk");
    assert_eq!(screen.app.sitting.cursor, (0, 0));
    screen.keys("ljj").key(KeyCode::Right).key(KeyCode::Up);
    assert_eq!(screen.app.sitting.cursor, (1, 2));
    screen.key(KeyCode::End).key(KeyCode::PageDown).keys("lj");
    assert_eq!(screen.app.sitting.cursor, (7, 7));
}

#[test]
fn clicks_select_and_move() {
    let mut screen = Screen::new(&options("english"));
    // Square 9 is in row 2, column 1; 13 in row 3, column 0; squares are 4 by 2.
    screen.click(4 + 5, 1 + 5);
    assert!(screen.app.sitting.choice.last().is_some());
    screen.click(4 + 1, 1 + 6);
    assert_eq!(screen.moves(), ["9-13"]);
    screen.click(79, 23);
    assert_eq!(screen.moves(), ["9-13"]);
}

#[test]
fn targets_and_obligations_are_marked() {
    let mut screen = Screen::new(&options("english"));
    screen.choose("11");
    assert!(screen.picture().contains('•'));
    let mut options = set_up("english", "B:W18,30:B15,14,1");
    options.ascii = true;
    let screen = Screen::new(&options);
    assert_eq!(
        screen.picture().matches("!bb!").count() + screen.picture().matches("! ").count() / 2,
        2,
        "{}",
        screen.picture()
    );
}

#[test]
fn a_forced_piece_is_selected_and_the_chain_is_gone_step_by_step() {
    let mut screen = Screen::new(&set_up("english", "B:W6,14,32:B1"));
    assert!(screen.app.sitting.choice.last().is_some());
    screen.choose("10");
    assert_eq!(screen.moves(), Vec::<String>::new());
    let board = screen.app.sitting.game.game().variant().board().clone();
    assert!(
        screen
            .app
            .sitting
            .piece(board.parse("10").unwrap())
            .is_some()
    );
    assert!(
        screen
            .app
            .sitting
            .piece(board.parse("1").unwrap())
            .is_none()
    );
    screen.choose("17");
    assert_eq!(screen.moves(), ["1x17"]);
}

#[test]
fn refusals_are_told() {
    let mut screen = Screen::new(&options("english"));
    screen
        .choose("11")
        .choose("15")
        .choose("22")
        .choose("18")
        .choose("8");
    assert_eq!(screen.message(), "There is a capture with 15.");
    assert!(screen.picture().contains("There is a capture with 15."));
    screen.app.sitting.cursor = (0, 0);
    screen.keys(" ");
    assert_eq!(screen.message(), "Nobody plays on this square.");
}

#[test]
fn undo_and_redo() {
    let mut screen = Screen::new(&options("english"));
    screen.choose("11").choose("15").keys("u");
    assert!(screen.moves().is_empty());
    screen.keys("r");
    assert_eq!(screen.moves(), ["11-15"]);
    screen.keys("r");
    assert_eq!(screen.message(), "There is nothing to play again.");
}

#[test]
fn the_move_list_marks_the_last_move() {
    let mut screen = Screen::new(&options("english"));
    screen.choose("11").choose("15").choose("23").choose("19");
    let picture = screen.picture();
    assert!(picture.contains("  1. 11-15"), "{picture}");
    assert!(picture.contains("23-19"), "{picture}");
}

#[test]
fn flip_turns_the_board_and_keeps_the_cursors_square() {
    let mut screen = Screen::new(&options("english"));
    let square = screen.app.sitting.square_at((2, 1));
    screen.app.sitting.cursor = (2, 1);
    screen.keys("f");
    assert_eq!(screen.app.sitting.cursor, (5, 6));
    assert_eq!(screen.app.sitting.square_at((5, 6)), square);
    assert!(screen.picture().lines().nth(2).unwrap().starts_with(" 32"));
}

#[test]
fn the_end_is_told_and_nothing_can_be_moved() {
    let mut screen = Screen::new(&set_up("english", "B:W6:B1"));
    screen.choose("10");
    assert!(
        screen
            .picture()
            .starts_with(" English draughts: Black wins: White has no pieces left.")
    );
    screen.choose("10").choose("14");
    assert_eq!(screen.moves(), ["1x10"]);
}

#[test]
fn help_opens_and_closes() {
    let mut screen = Screen::new(&ascii("english"));
    screen.keys("?");
    assert!(screen.picture().contains("take back / play again"));
    assert!(screen.picture().is_ascii());
    screen.keys("x");
    assert_eq!(screen.app.overlay, None);
}

#[test]
fn resigning_is_asked_for() {
    let mut screen = Screen::new(&options("english"));
    screen.keys("Rn");
    assert_eq!(screen.app.sitting.game.end(), None);
    screen.keys("Ry");
    assert!(
        screen
            .picture()
            .starts_with(" English draughts: White wins: Black resigns.")
    );
}

#[test]
fn the_menu_starts_another_game() {
    let mut screen = Screen::new(&options("english"));
    screen.keys("n");
    assert!(matches!(screen.app.overlay, Some(Overlay::Menu(_))));
    assert!(screen.picture().contains("> english"));
    screen.keys("frisian\n");
    assert_eq!(screen.app.sitting.game.game().variant().name(), "frisian");
    screen.keys("nzzzz\n");
    assert!(screen.picture().contains("No game is called so."));
    screen.keys("\x1bq");
    assert!(screen.app.quit);
}

#[test]
fn the_menu_has_players_and_sizes() {
    let mut screen = Screen::new(&options("english"));
    screen
        .keys("nleague")
        .key(KeyCode::Tab)
        .key(KeyCode::Left)
        .key(KeyCode::Tab)
        .key(KeyCode::Tab);
    screen.key(KeyCode::Left);
    let picture = screen.picture();
    assert!(
        picture.contains("Size:   6 x 6") && picture.contains("Black:  any move by chance"),
        "{picture}"
    );
    screen.keys("\n");
    assert_eq!(
        screen.app.sitting.game.game().variant().board().columns(),
        6
    );
    assert!(!screen.app.sitting.is_person(kingme_rules::Side::Black));
}

#[test]
fn games_are_saved_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.pdn").display().to_string();
    let mut screen = Screen::new(&options("english"));
    screen.choose("11").choose("15").keys("s");
    for _ in 0..20 {
        screen.key(KeyCode::Backspace);
    }
    screen.keys(&file).keys("\n");
    assert_eq!(screen.message(), format!("Written to {file}."));
    let mut other = Screen::new(&options("international"));
    other.keys("o").keys(&file).keys("\n");
    assert_eq!(other.message(), format!("Read from {file}."));
    assert_eq!(other.moves(), ["11-15"]);
    other.keys("o/no/such/file\n");
    assert!(
        other.message().starts_with("/no/such/file: No such file"),
        "{}",
        other.message()
    );
}

#[test]
fn every_move_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options("english");
    options.journal = Some(Journal::in_folder(folder.path(), "english", None));
    let mut screen = Screen::new(&options);
    screen.choose("11").choose("15");
    let saved = latest(folder.path()).unwrap();
    let table = saved.game(options.game.game().variant()).unwrap();
    assert_eq!(table.game().move_texts(), ["11-15"]);
}

fn timed(time: &str) -> Screen {
    let mut options = options("english");
    options.game = options.game.with_time(time.parse().unwrap());
    Screen::new(&options)
}

#[test]
fn a_clock_that_runs_out_loses() {
    let mut screen = timed("1m+0s");
    assert!(screen.picture().contains(" 1:00"), "{}", screen.picture());
    screen.now += Duration::from_secs(51);
    screen.app.tick(screen.now);
    assert!(screen.picture().contains(" 0:09.0"));
    screen.now += Duration::from_secs(10);
    screen.app.tick(screen.now);
    let title = " English draughts: White wins: Black has run out of time.";
    assert!(screen.picture().starts_with(title));
}

#[test]
fn a_move_that_takes_too_long_is_played_by_chance() {
    let mut screen = timed("5s");
    screen.now += Duration::from_secs(5);
    screen.app.tick(screen.now);
    assert_eq!(screen.moves().len(), 1);
    assert!(screen.message().starts_with("Too late: "));
}

#[test]
fn every_game_is_drawn_on_every_terminal() {
    for name in kingme_rules::Variant::names() {
        for (width, height) in [(80, 24), (200, 60), (40, 12), (20, 5), (1, 1)] {
            let screen = Screen::sized(&options(name), width, height);
            assert_eq!(
                screen.picture().lines().count(),
                usize::from(height),
                "{name}"
            );
        }
    }
}

#[test]
fn overlays_are_drawn_on_every_terminal() {
    for keys in ["?", "n", "s", "R"] {
        for (width, height) in [(80, 24), (40, 12), (10, 4), (2, 2), (1, 1)] {
            let mut screen = Screen::sized(&options("english"), width, height);
            screen.keys(keys);
            assert_eq!(screen.picture().lines().count(), usize::from(height));
        }
    }
}

#[test]
fn large_boards_scroll_with_the_cursor() {
    let league = kingme_rules::Variant::named("league").unwrap();
    for (size, last) in [(26, " 25 "), (40, " 39 "), (100, " 99 ")] {
        let league = league.sized(size).unwrap();
        let mut options = Options::new(LocalGame::new(kingme_rules::Game::new(&league)));
        options.ascii = true;
        let mut screen = Screen::new(&options);
        screen.key(KeyCode::PageUp);
        assert!(screen.picture().lines().nth(1).unwrap().starts_with("  0 "));
        screen.key(KeyCode::PageDown);
        let picture = screen.picture();
        assert!(
            picture.lines().nth(20).unwrap().starts_with(last),
            "{picture}"
        );
    }
}

#[test]
fn programs_are_not_moved_by_people() {
    let mut options = options("english");
    options.players[kingme_rules::Side::Black] = "random".parse().unwrap();
    let mut screen = Screen::new(&options);
    screen.choose("11");
    assert_eq!(screen.message(), "It is not your turn.");
}

#[test]
fn control_c_leaves() {
    let mut screen = Screen::new(&options("english"));
    let event = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    screen.app.update(&event, screen.now);
    assert!(screen.app.quit);
}

#[test]
fn the_programs_view_is_shown_when_asked() {
    let mut screen = Screen::new(&options("english"));
    screen.app.sitting.score = Some((kingme_rules::Side::White, 0.351));
    assert!(!screen.picture().contains("view"));
    let shown = screen.keys("e").picture();
    assert!(shown.contains("White's view: +0.35 men"), "{shown}");
    assert!(!screen.keys("e").picture().contains("view"));
    let mut asked = options("english");
    asked.score = true;
    let mut screen = Screen::new(&asked);
    assert!(!screen.picture().contains("view"), "nobody has one yet");
    screen.app.sitting.score = Some((kingme_rules::Side::Black, -198.0));
    assert!(screen.picture().contains("Black sees a loss"));
}

#[test]
fn a_move_can_be_typed() {
    let mut screen = Screen::new(&options("english"));
    let asked = screen.keys("1").picture();
    assert!(asked.contains("Your move, such as 9-14"), "{asked}");
    screen.keys("1-15\n");
    assert_eq!(screen.moves(), ["11-15"]);
    screen.keys("m23-2\n");
    assert_eq!(screen.moves(), ["11-15"]);
    assert!(screen.message().contains("23-2"), "{}", screen.message());
    screen.keys("m23-1\x1b");
    assert_eq!(screen.moves(), ["11-15"]);
    let mut screen = Screen::new(&options("russian"));
    screen.keys("ma3-b4\n");
    assert_eq!(screen.moves(), ["a3-b4"]);
}

#[test]
fn the_way_to_the_keys_is_shown_on_every_width() {
    for (width, height) in [(40, 12), (60, 20), (80, 24), (120, 40)] {
        let picture = Screen::sized(&options("english"), width, height).picture();
        let last = picture.lines().last().unwrap();
        assert!(last.contains("? help  q quit"), "{width}: {last}");
    }
    let wide = Screen::sized(&options("english"), 120, 40).picture();
    assert!(wide.contains("m type a move"), "{wide}");
}

#[test]
fn control_z_is_for_the_shell() {
    let mut screen = Screen::new(&options("english"));
    let event = Event::Key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL));
    screen.app.update(&event, screen.now);
    assert!(screen.app.suspend && !screen.app.quit);
}
