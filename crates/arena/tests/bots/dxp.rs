//! `DamExchange` over loopback: our caller against our listener, and a caller that misbehaves.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use kingme_play::{EndReason, Stop};
use kingme_players::dxp::{DxpError, DxpPlayer, Hosted, serve};
use kingme_players::{Minimax, Player};
use kingme_rules::{Game, Side};

use super::support::{AMPLE, check_own_moves, play, variant};

/// A listener for one caller, with what it sees.
struct Listener {
    port: u16,
    events: Receiver<Hosted>,
    thread: JoinHandle<Result<(), DxpError>>,
}

fn listener() -> Listener {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let (sender, events) = channel();
    let thread = std::thread::spawn(move || {
        let (stream, _) = socket.accept().unwrap();
        let mut player = Minimax::new(1);
        let mut note = |event: &Hosted| sender.send(event.clone()).unwrap_or_default();
        serve(
            stream,
            &variant("international"),
            &mut player,
            &Stop::new(),
            &mut note,
        )
    });
    Listener {
        port,
        events,
        thread,
    }
}

#[test]
fn two_games_over_loopback() {
    let listener = listener();
    let mut player = DxpPlayer::new("127.0.0.1", listener.port);
    let mut results = Vec::new();
    for _ in 0..2 {
        let record = play(&mut player, &variant("international"), AMPLE, 400);
        check_own_moves(&record);
        assert_eq!(record.end.reason, EndReason::Rules);
        results.push(record.end.winner);
    }
    assert_eq!(player.name(), "minimax");
    drop(player);
    listener.thread.join().unwrap().unwrap();
    let events: Vec<Hosted> = listener.events.iter().collect();
    let began = Hosted::Began {
        opponent: "kingme".to_owned(),
        side: Side::White,
    };
    assert_eq!(events.iter().filter(|&event| *event == began).count(), 2);
    let ended: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Hosted::Ended { winner } => Some(*winner),
            _ => None,
        })
        .collect();
    assert_eq!(ended, results);
}

/// A caller that says what it likes.
struct Caller(TcpStream);

impl Caller {
    fn new(port: u16) -> Caller {
        Caller(TcpStream::connect(("127.0.0.1", port)).unwrap())
    }

    fn say(&mut self, message: &str) {
        self.0.write_all(message.as_bytes()).unwrap();
        self.0.write_all(&[0]).unwrap();
    }

    fn hear(&mut self) -> String {
        let mut message = Vec::new();
        let mut byte = [0];
        while self.0.read(&mut byte).unwrap() == 1 && byte[0] != 0 {
            message.push(byte[0]);
        }
        String::from_utf8(message).unwrap()
    }
}

const REQUEST: &str = "R01Caller                          Z001000A";

#[test]
fn a_game_by_hand_with_a_step_back() {
    let listener = listener();
    let mut caller = Caller::new(listener.port);
    caller.say(REQUEST);
    assert_eq!(caller.hear(), format!("A{:32}0", "minimax"));
    caller.say("CHello");
    caller.say("M0001322800");
    let first = caller.hear();
    assert!(first.starts_with('M'), "{first}");
    caller.say("B001W");
    assert_eq!(caller.hear(), "K0");
    caller.say("M0001332800");
    assert!(caller.hear().starts_with('M'));
    caller.say("B009W");
    assert_eq!(caller.hear(), "K2");
    caller.say("E11");
    assert_eq!(caller.hear(), "E01");
    listener.thread.join().unwrap().unwrap();
    let events: Vec<Hosted> = listener.events.iter().collect();
    assert!(events.contains(&Hosted::Said("Hello".to_owned())));
    let winner = Some(Side::Black);
    assert_eq!(events.last(), Some(&Hosted::Ended { winner }));
}

#[test]
fn a_position_of_the_callers_choice() {
    let listener = listener();
    let mut caller = Caller::new(listener.port);
    // The listener has White, and its only move is to take 22.
    let squares = format!("{}z{}w{}", "e".repeat(21), "e".repeat(5), "e".repeat(22));
    caller.say(&format!(
        "R01Caller                          W001000BW{squares}"
    ));
    assert!(caller.hear().ends_with('0'));
    assert_eq!(caller.hear(), "M000028170122");
}

#[test]
fn other_versions_and_impossible_positions_are_declined() {
    let listener = listener();
    let mut caller = Caller::new(listener.port);
    caller.say("R02Caller                          Z001000A");
    assert!(caller.hear().ends_with('1'));
    caller.say(&format!(
        "R01Caller                          Z001000BW{}",
        "q".repeat(50)
    ));
    assert!(caller.hear().starts_with('C'));
    assert!(caller.hear().ends_with('2'));
    drop(caller);
    listener.thread.join().unwrap().unwrap();
}

#[test]
fn an_illegal_move_ends_the_connection_with_a_word() {
    let listener = listener();
    let mut caller = Caller::new(listener.port);
    caller.say(REQUEST);
    caller.hear();
    caller.say("M0001012800");
    assert!(caller.hear().starts_with("C`1-28` is not possible here"));
    let error = listener.thread.join().unwrap().unwrap_err().to_string();
    assert!(error.starts_with("an illegal move: `1-28`"), "{error}");
}

#[test]
fn a_flood_is_cut_off() {
    let listener = listener();
    let mut caller = Caller::new(listener.port);
    caller.say(&"x".repeat(1000));
    let error = listener.thread.join().unwrap().unwrap_err().to_string();
    assert!(error.contains("is not a DamExchange message"), "{error}");
}

#[test]
fn nobody_there_is_a_crash_and_small_boards_are_refused() {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    drop(socket);
    let mut player = DxpPlayer::new("127.0.0.1", port);
    let game = Game::new(&variant("international"));
    let fault = player.new_game(&game, Side::White).unwrap_err().to_string();
    assert!(
        fault.starts_with(&format!("crashed: 127.0.0.1:{port}: ")),
        "{fault}"
    );
    let game = Game::new(&variant("english"));
    let fault = player.new_game(&game, Side::White).unwrap_err().to_string();
    let words = "broke the protocol: DamExchange has boards of 50 squares; `english` has 32";
    assert_eq!(fault, words);
}
