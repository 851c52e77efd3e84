//! `kingme play` through the real binary: pipes, a killed process, a pseudo-terminal.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{Eof, Expect};
use support::{Run, command, refused};

/// A command whose saved games are in a folder of their own.
fn kingme(data: &Path, arguments: &[&str]) -> Command {
    let mut command = command(arguments);
    command.env("XDG_DATA_HOME", data);
    command
}

/// What is printed when this is typed, and the exit status.
fn played(arguments: &[&str], typed: &str) -> (String, String, Option<i32>) {
    let data = tempfile::tempdir().unwrap();
    played_in(data.path(), arguments, typed)
}

fn played_in(data: &Path, arguments: &[&str], typed: &str) -> (String, String, Option<i32>) {
    let mut command = assert_cmd::Command::from_std(kingme(data, arguments));
    let run: Run = command
        .write_stdin(typed.to_owned())
        .output()
        .unwrap()
        .into();
    (run.out, run.err, Some(run.status))
}

#[test]
fn the_worksheets_games_to_their_end() {
    let (printed, _, status) = played(
        &["play", "stupid-checkers", "--setup", "W:WG1:BF6"],
        "G1\nF6\n",
    );
    assert!(printed.ends_with("\nr wins!!\nGAME OVER\n"), "{printed}");
    assert_eq!(status, Some(0));
    let (printed, _, status) = played(
        &["play", "pown-chess", "--setup", "B:WA6:BF2", "--score"],
        "F2\n",
    );
    assert!(printed.starts_with("           w: 1  b: 1\n"), "{printed}");
    assert!(
        printed.ends_with("\nIt's a tie!!\nGAME OVER\n"),
        "{printed}"
    );
    assert_eq!(status, Some(0));
}

#[test]
fn the_end_of_input_is_no_error() {
    let (printed, complaint, status) = played(&["play", "stupid-checkers", "--counter"], "");
    assert!(
        printed.starts_with("         Move #0 -- r: 12  b:12\n"),
        "{printed}"
    );
    assert!(printed.ends_with("\nr move from: \n"), "{printed}");
    assert_eq!((complaint.as_str(), status), ("", Some(0)));
}

#[test]
fn a_small_board_is_set_up_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.txt");
    std::fs::write(&file, "r..\n...\n..b\n").unwrap();
    let arguments = [
        "play",
        "stupid-checkers",
        "--nice",
        "--setup",
        file.to_str().unwrap(),
    ];
    let (printed, _, _) = played(&arguments, "d4\na1\n a1\nc3\n");
    assert!(
        printed.starts_with("     A   B   C  \n   +---+---+---+\n1  | r |   |   |\n"),
        "{printed}"
    );
    assert!(printed.ends_with("r wins!!\nGAME OVER\n"), "{printed}");
}

#[test]
fn the_league_on_any_size() {
    let (printed, _, status) = played(
        &["play", "league", "--size", "6", "--white", "human:Ada"],
        "1,0;2,1\n",
    );
    assert!(
        printed.starts_with("Ada turn (white):\n    0  1  2  3  4  5 \n"),
        "{printed}"
    );
    assert!(
        printed.contains("\nYour move: human turn (black):\n"),
        "{printed}"
    );
    assert_eq!(status, Some(0));
}

#[test]
fn two_programs_play_the_same_game_again_with_the_same_seed() {
    let arguments = [
        "play", "english", "--white", "random", "--black", "random", "--seed", "5",
    ];
    let (printed, _, status) = played(&arguments, "");
    assert!(printed.contains("Black plays "), "{printed}");
    assert_eq!(status, Some(0));
    assert_eq!(played(&arguments, "").0, printed);
}

#[test]
fn wrong_use_is_one_line() {
    refused(
        &["play", "frisan"],
        "there is no game `frisan`; did you mean `frisian`?",
    );
    refused(
        &["play", "english", "--setup", "B:W99:B1"],
        "FEN: `99` is not a square of this board",
    );
    refused(
        &["play", "pown-chess", "--size", "8"],
        "`pown-chess` has one size, 6x6; it can't be played on 8x8",
    );
    let (_, complaint, status) = played(&["play", "english", "--white", "enigne"], "");
    assert!(complaint.contains("did you mean `engine`?"), "{complaint}");
    assert_eq!((complaint.lines().count(), status), (1, Some(2)));
}

#[test]
fn without_a_name_there_is_a_menu() {
    let (printed, _, status) = played(&["play"], "frisan\npown-chess\nB1\n");
    assert!(printed.contains("Which game? there is no game `frisan`; did you mean `frisian`?\n"));
    assert!(printed.contains("w moves from B1 to B2!\n"), "{printed}");
    assert_eq!(status, Some(0));
}

#[test]
fn a_killed_game_is_resumed() {
    let data = tempfile::tempdir().unwrap();
    let mut game = kingme(data.path(), &["play", "english"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typing = game.stdin.take().unwrap();
    let mut screen = BufReader::new(game.stdout.take().unwrap());
    typing.write_all(b"11-15\n22-18\nfen\n").unwrap();
    // The answer to `fen` comes after the second move was saved.
    let mut line = String::new();
    while !line.contains("B:W") {
        line.clear();
        assert_ne!(
            screen.read_line(&mut line).unwrap(),
            0,
            "the game ended by itself"
        );
    }
    game.kill().unwrap();
    game.wait().unwrap();
    let (printed, _, status) = played_in(data.path(), &["play", "--resume"], "fen\n15x22\n");
    let fen = line.trim().rsplit(' ').next().unwrap();
    assert!(printed.contains(fen), "{printed}");
    assert_eq!(status, Some(0));
    // What was played after resuming is saved as well.
    let (printed, _, _) = played_in(data.path(), &["play", "--resume"], "undo\nfen\n");
    assert!(printed.contains(fen), "{printed}");
}

#[test]
fn nothing_to_resume_is_said() {
    let data = tempfile::tempdir().unwrap();
    let (_, complaint, status) = played_in(data.path(), &["play", "--resume"], "");
    assert!(
        complaint.starts_with("kingme: there is no unfinished game in "),
        "{complaint}"
    );
    assert_eq!(status, Some(2));
}

/// A game on a pseudo-terminal of 80 by 24.
fn on_terminal(data: &Path, arguments: &[&str]) -> OsSession {
    let mut command = kingme(data, arguments);
    command.env("TERM", "xterm-256color");
    let mut session = OsSession::spawn(command).unwrap();
    session.get_process_mut().set_window_size(80, 24).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    session
}

/// The rest of what is printed, once the program has ended well.
fn rest(mut session: OsSession) -> String {
    let found = session.expect(Eof).unwrap();
    let mut text = String::from_utf8_lossy(found.as_bytes()).into_owned();
    let _ = session.read_to_string(&mut text);
    let status = session.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    text
}

const LEAVE_SCREEN: &str = "\x1b[?1049l";
const SHOW_CURSOR: &str = "\x1b[?25h";
const FORGET_MOUSE: &str = "\x1b[?1000l";

/// What a terminal with these variables shows of a game that is left at once.
fn shown(variables: &[(&str, &str)]) -> String {
    let data = tempfile::tempdir().unwrap();
    let mut command = kingme(data.path(), &["play", "english"]);
    command
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8");
    command
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied());
    let mut session = OsSession::spawn(command).unwrap();
    session.get_process_mut().set_window_size(80, 24).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    let found = session.expect("quit").unwrap();
    let text = String::from_utf8_lossy(found.as_bytes()).into_owned();
    session.send("q").unwrap();
    text + &rest(session)
}

#[test]
fn pieces_are_letters_where_colours_or_unicode_are_missing() {
    assert!(shown(&[]).contains('▗'));
    let missing = [
        ("NO_COLOR", "1"),
        ("TERM", "vt100"),
        ("TERM", "linux"),
        ("LC_ALL", "C"),
    ];
    for variable in missing {
        let text = shown(&[variable]);
        assert!(text.is_ascii(), "{variable:?}: {text:?}");
        assert!(text.contains("bb") && text.contains("ww"), "{text:?}");
    }
    assert!(!shown(&[("TERM", "vt100")]).contains("[48;5;"));
}

#[test]
fn a_dumb_terminal_is_played_on_line_by_line() {
    let data = tempfile::tempdir().unwrap();
    let mut command = kingme(data.path(), &["play", "english"]);
    command.env("TERM", "dumb");
    let mut session = OsSession::spawn(command).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    session.expect("Black to move: ").unwrap();
    session.send_line("quit").unwrap();
    assert!(!rest(session).contains('\x1b'));
}

#[test]
fn control_z_gives_the_terminal_to_the_shell_and_fg_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let script =
        "set -m; stty cols 80 rows 24; \"$0\" play english; echo \"STOPPED $?\"; stty -a; fg";
    let mut command = Command::new("bash");
    command
        .args(["-c", script, support::KINGME])
        .env("TERM", "xterm-256color")
        .env("XDG_DATA_HOME", data.path());
    let mut session = OsSession::spawn(command).unwrap();
    session.set_expect_timeout(Some(Duration::from_mins(1)));
    session.expect("quit").unwrap();
    session.send("\x1a").unwrap();
    // The shell says so when the game has stopped: 128 and SIGTSTP.
    let before = session.expect("STOPPED 148").unwrap();
    let before = String::from_utf8_lossy(before.as_bytes()).into_owned();
    assert!(before.contains(LEAVE_SCREEN), "{before:?}");
    assert!(before.contains(SHOW_CURSOR), "{before:?}");
    assert!(before.contains(FORGET_MOUSE), "{before:?}");
    session.expect(" icanon").unwrap();
    // Everything is drawn again, and keys work.
    session.expect("quit").unwrap();
    session.send("q").unwrap();
    assert!(rest(session).contains(LEAVE_SCREEN));
}

#[test]
fn a_short_game_on_a_real_terminal() {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["play", "pown-chess", "--ascii", "--setup", "W:WA5,C6:BB1"];
    let mut session = on_terminal(data.path(), &arguments);
    session.expect("w to move").unwrap();
    // The only piece that can move is selected, with the cursor on it.
    session.send("j").unwrap();
    session.send("\r").unwrap();
    session.expect("can't move").unwrap();
    session.send("q").unwrap();
    let text = rest(session);
    assert!(text.contains(LEAVE_SCREEN), "{text:?}");
    let (_, after) = text.rsplit_once(LEAVE_SCREEN).unwrap();
    assert!(after.contains("w wins: b can't move."), "{text:?}");
}

#[test]
fn control_c_gives_the_terminal_back() {
    let data = tempfile::tempdir().unwrap();
    let mut session = on_terminal(data.path(), &["play", "--ascii"]);
    // Blanks that are blank already are not printed: one word is what can be waited for.
    session.expect("frisian").unwrap();
    session.send("\x03").unwrap();
    assert!(rest(session).contains(LEAVE_SCREEN));
}

#[test]
fn plain_plays_line_by_line_on_a_terminal_too() {
    let data = tempfile::tempdir().unwrap();
    let mut session = on_terminal(data.path(), &["play", "english", "--plain"]);
    session.expect("Black to move: ").unwrap();
    session.send_line("quit").unwrap();
    assert!(!rest(session).contains(LEAVE_SCREEN));
}

/// What `a_panic_gives_the_terminal_back` runs on a terminal of its own.
#[test]
#[ignore = "a child process of another test"]
fn a_screen_that_panics() {
    let game = kingme_rules::Game::new(&kingme_rules::Variant::named("english").unwrap());
    let options = kingme_terminal::Options::new(kingme_terminal::LocalGame::new(game));
    let _ = kingme_terminal::screen::run_watched(&options, false, |_| panic!("on purpose"));
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let program = std::env::current_exe().unwrap();
    let script = "stty cols 80 rows 24; \
        \"$0\" --ignored --exact a_screen_that_panics --nocapture; stty -a; tty -s";
    let mut command = Command::new("sh");
    command
        .args(["-c", script, program.to_str().unwrap()])
        .env("TERM", "xterm-256color");
    let text = rest(OsSession::spawn(command).unwrap());
    let (screen, after) = text.split_once(LEAVE_SCREEN).expect("it leaves the screen");
    assert!(screen.contains("Black to move"), "{text:?}");
    assert!(screen.contains(FORGET_MOUSE), "{text:?}");
    assert!(after.contains(SHOW_CURSOR), "{text:?}");
    // The message is printed where it can be read, and lines are edited by the terminal again
    // (whether it echoes them is up to this test, which has switched it off).
    assert!(after.contains("on purpose"), "{text:?}");
    let settings: Vec<&str> = after.split_whitespace().collect();
    for setting in ["icanon", "isig", "icrnl", "opost"] {
        assert!(settings.contains(&setting), "{setting}: {text:?}");
    }
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let data = tempfile::tempdir().unwrap();
    let mut session = on_terminal(data.path(), &["play", "international", "--ascii"]);
    session.expect("quit").unwrap();
    // The last line of the screen has the keys; it moves with the size.
    for (columns, rows) in [(60, 20), (100, 30), (20, 5), (80, 24)] {
        session
            .get_process_mut()
            .set_window_size(columns, rows)
            .unwrap();
        session.expect(format!("\x1b[{rows};")).unwrap();
    }
    session.send("q").unwrap();
    assert!(rest(session).contains(LEAVE_SCREEN));
}

#[test]
fn the_engines_view_is_shown_when_asked() {
    let data = tempfile::tempdir().unwrap();
    let arguments = [
        "play",
        "english",
        "--ascii",
        "--score",
        "--black",
        "engine:level=1",
    ];
    let mut session = on_terminal(data.path(), &arguments);
    // Blanks that are blank already are not printed.
    session.expect("view:").unwrap();
    let score = expectrl::Regex("[+-][0-9]+[.][0-9][0-9]");
    session.expect(score).unwrap();
    session.send("q").unwrap();
    assert!(rest(session).contains(LEAVE_SCREEN));
}

/// What a game prints while nothing is typed, until it ends by itself or says this.
fn waited_for(arguments: &[&str], last: &str) -> String {
    let data = tempfile::tempdir().unwrap();
    let mut game = kingme(data.path(), arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut screen = BufReader::new(game.stdout.take().unwrap());
    let mut printed = String::new();
    while !printed.contains(last) && screen.read_line(&mut printed).unwrap() > 0 {}
    game.kill().unwrap();
    game.wait().unwrap();
    printed
}

#[test]
fn who_types_nothing_is_late_all_the_same() {
    let printed = waited_for(&["play", "english", "--time", "50ms"], "Too late: ");
    assert!(printed.contains("Black to move: \nToo late: "), "{printed}");
    let last = "White wins: Black has run out of time.\n";
    let printed = waited_for(&["play", "english", "--time", "50ms+0s"], last);
    assert!(printed.ends_with(last), "{printed}");
}

#[test]
fn a_game_that_cant_be_saved_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    for (game, typed) in [("english", "11-15\n22-18\n"), ("pown-chess", "B1\nB6\n")] {
        let (printed, complaint, status) = played_in(&file, &["play", game], typed);
        assert!(
            complaint.starts_with("kingme: the game can't be saved: "),
            "{complaint}"
        );
        assert_eq!((complaint.lines().count(), status), (1, Some(0)));
        assert!(!printed.contains("saved"), "{printed}");
        assert!(!complaint.contains("os error"), "{complaint}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let data = tempfile::tempdir().unwrap();
    for game in ["english", "stupid-checkers", "league"] {
        let arguments = [
            "play", game, "--white", "random", "--black", "random", "--delay", "20ms",
        ];
        let mut game = kingme(data.path(), &arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut screen = BufReader::new(game.stdout.take().unwrap());
        screen.read_line(&mut line).unwrap();
        drop(screen);
        let output = game.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_file_that_cant_be_written_is_said_without_a_number() {
    let typed = "pdn /no/such/folder/game.pdn\nquit\n";
    let (printed, _, status) = played(&["play", "english"], typed);
    let words = "/no/such/folder/game.pdn: No such file or directory\n";
    assert!(printed.contains(words), "{printed}");
    assert_eq!(status, Some(0));
}
