//! What people may do in a session, one fact a test.

use std::time::Duration;

use kingme_play::{
    Answer, By, Command, Event, Moment, Offer, PlayerId, Refusal, Reply, Seat, Session, Stakes,
    Terms,
};
use kingme_rules::{Game, Side, Variant};

fn person(player: PlayerId) -> Seat {
    Seat::Person {
        player,
        name: String::new(),
    }
}

fn session_for(stakes: Stakes, seats: [Seat; 2]) -> Session {
    let game = Game::new(&Variant::named("english").unwrap());
    let terms = Terms {
        stakes,
        ..Terms::default()
    };
    Session::new(game, seats, terms)
}

fn session(white: Seat, black: Seat) -> Session {
    session_for(Stakes::Casual, [white, black])
}

fn act(session: &mut Session, player: PlayerId, command: Command) -> Result<(), String> {
    let decided = session.decide(By::Player(player), command, Moment::ZERO);
    let event = decided.map_err(|refusal| refusal.to_string())?;
    session.apply(&event, Moment::ZERO).unwrap();
    Ok(())
}

fn mv(text: &str) -> Command {
    Command::Answer(Answer::new(Reply::Text(text.to_owned())))
}

fn resign() -> Command {
    Command::Answer(Answer::new(Reply::Resign))
}

fn accept() -> Command {
    Command::Accept {
        next: "next".to_owned(),
    }
}

fn rematch() -> Command {
    Command::Rematch {
        next: "next".to_owned(),
    }
}

fn refused(outcome: Result<(), String>) -> String {
    outcome.expect_err("it is refused")
}

#[test]
fn nobody_moves_for_another() {
    let mut session = session(person(1), person(2));
    let early = act(&mut session, 1, mv("11-15"));
    assert_eq!(refused(early), "it is Black's turn");
    let stranger = act(&mut session, 3, mv("11-15"));
    assert_eq!(refused(stranger), "only the players can do that");
    act(&mut session, 2, mv("11-15")).unwrap();
}

#[test]
fn a_refusal_says_why() {
    let mut session = session(person(1), person(1));
    for (text, why) in [
        ("15-15", "15-15 is not possible: there is no piece on 15"),
        (
            "22-18",
            "22-18 is not possible: the piece on 22 is White's, and it is Black's turn",
        ),
        ("1-1", "1-1 is not possible: the man on 1 can't move"),
    ] {
        assert_eq!(refused(act(&mut session, 1, mv(text))), why);
    }
}

#[test]
fn nobody_moves_before_the_other_is_here() {
    let mut session = session(Seat::Open, person(2));
    let alone = act(&mut session, 2, mv("11-15"));
    assert_eq!(refused(alone), "the other player is not here yet");
    let join = |player| Command::Join {
        player,
        name: "Ada".to_owned(),
    };
    let own = act(&mut session, 2, join(2));
    assert_eq!(refused(own), "you play this game already");
    act(&mut session, 1, join(1)).unwrap();
    let full = act(&mut session, 3, join(3));
    assert_eq!(refused(full), "the seat is taken");
    act(&mut session, 2, mv("11-15")).unwrap();
}

#[test]
fn an_offer_needs_the_other_side() {
    let mut session = session(person(1), person(2));
    act(&mut session, 1, Command::Draw).unwrap();
    let own = act(&mut session, 1, accept());
    assert_eq!(refused(own), "the other side has to accept it");
    act(&mut session, 2, accept()).unwrap();
    assert_eq!(session.end().unwrap().words, "Draw: both sides agreed.");
}

#[test]
fn moving_on_declines_an_offer() {
    let mut session = session(person(1), person(2));
    act(&mut session, 1, Command::Draw).unwrap();
    act(&mut session, 2, mv("11-15")).unwrap();
    assert_eq!(session.offer(), None);
}

/// A draw that the computer thinks about while its opponent resigns: the first end stays.
#[test]
fn what_was_offered_before_the_end_is_gone_with_it() {
    let mut session = session(Seat::Computer { level: 5 }, person(2));
    act(&mut session, 2, Command::Draw).unwrap();
    assert_eq!(session.offer(), Some((Side::Black, Offer::Draw)));
    act(&mut session, 2, resign()).unwrap();
    let late = session.decide(By::Side(Side::White), accept(), Moment::ZERO);
    assert_eq!(late, Err(Refusal::NothingOffered));
    assert_eq!(session.end().unwrap().winner, Some(Side::White));
}

#[test]
fn against_the_computer_a_take_back_goes_to_ones_own_last_move() {
    let mut session = session(Seat::Computer { level: 1 }, person(2));
    act(&mut session, 2, mv("11-15")).unwrap();
    let answer = session.decide(By::Side(Side::White), mv("22-18"), Moment::ZERO);
    session.apply(&answer.unwrap(), Moment::ZERO).unwrap();
    act(&mut session, 2, Command::TakeBack).unwrap();
    assert_eq!(session.game().plies(), 0);
    let again = act(&mut session, 2, Command::TakeBack);
    assert_eq!(refused(again), "there is nothing to take back");
}

#[test]
fn two_people_agree_on_a_take_back() {
    let mut session = session(person(1), person(2));
    act(&mut session, 2, mv("11-15")).unwrap();
    act(&mut session, 2, Command::TakeBack).unwrap();
    assert_eq!(session.game().plies(), 1);
    act(&mut session, 1, accept()).unwrap();
    assert_eq!(session.game().plies(), 0);
}

#[test]
fn a_finished_game_takes_no_moves() {
    let mut session = session(person(1), person(2));
    act(&mut session, 2, resign()).unwrap();
    assert_eq!(
        refused(act(&mut session, 2, mv("11-15"))),
        "the game is over"
    );
    assert_eq!(refused(act(&mut session, 1, resign())), "the game is over");
    let words = &session.end().unwrap().words;
    assert_eq!(words, "White wins: Black resigns.");
}

#[test]
fn in_a_rated_game_nothing_is_taken_back() {
    let mut session = session_for(Stakes::Rated, [person(1), person(2)]);
    act(&mut session, 2, mv("11-15")).unwrap();
    let back = act(&mut session, 2, Command::TakeBack);
    assert_eq!(refused(back), "in a rated game nothing is taken back");
}

#[test]
fn a_league_decides_on_all_but_moves_and_giving_up() {
    let mut session = session_for(Stakes::League, [person(1), person(2)]);
    act(&mut session, 2, mv("11-15")).unwrap();
    for command in [Command::TakeBack, Command::Draw, rematch()] {
        let why = refused(act(&mut session, 2, command));
        assert_eq!(why, "that is not possible in a league's game");
    }
    act(&mut session, 2, resign()).unwrap();
}

#[test]
fn a_rematch_comes_once_and_after_the_end() {
    let mut session = session(Seat::Computer { level: 3 }, person(2));
    assert_eq!(
        refused(act(&mut session, 2, rematch())),
        "the game is not over"
    );
    act(&mut session, 2, resign()).unwrap();
    act(&mut session, 2, rematch()).unwrap();
    assert_eq!(session.rematch(), Some("next"));
    assert_eq!(
        refused(act(&mut session, 2, rematch())),
        "the next game has begun"
    );
}

#[test]
fn a_move_that_comes_too_late_is_none() {
    let game = Game::new(&Variant::named("english").unwrap());
    let terms = Terms {
        time: ["5s+0s".parse().unwrap(); 2],
        policy: kingme_play::Policy {
            grace: Moment::ZERO,
            ..kingme_play::Policy::strict()
        },
        stakes: Stakes::Casual,
    };
    let mut session = Session::new(game, [person(1), person(2)], terms);
    session.start_clock(Moment::ZERO);
    let at = |seconds| Moment::from_secs(seconds);
    let late = session.decide(By::Player(2), mv("11-15"), at(6));
    assert_eq!(late, Err(Refusal::Late));
    assert!(session.is_late(at(6)) && !session.is_late(at(5)));
    let event = session.out_of_time(&mut kingme_play::Chance::new(1), at(6));
    session.apply(&event, at(6)).unwrap();
    let end = session.end().unwrap();
    assert_eq!(end.words, "White wins: Black has run out of time.");
}

#[test]
fn a_turn_that_a_referee_takes_away_is_an_event_like_any_other() {
    let mut session = session(person(1), person(2));
    let event = session.pass(Moment::ZERO).unwrap();
    let json = serde_json::to_string(&event).unwrap();
    assert_eq!(json, r#"{"type":"moved","text":"-","time":0}"#);
    let read: Event = serde_json::from_str(&json).unwrap();
    session.apply(&read, Moment::ZERO).unwrap();
    assert_eq!((session.turn(), session.game().plies()), (Side::White, 1));
}

#[test]
fn the_win_is_claimed_of_whoever_left_a_game_with_a_clock() {
    let claim = |seconds: Option<u64>| Command::Claim {
        away: [None, seconds.map(Duration::from_secs)],
    };
    let mut slow = session(person(1), person(2));
    assert_eq!(
        refused(act(&mut slow, 1, claim(Some(600)))),
        "in a game without a clock everybody may come back later"
    );
    let terms = Terms {
        time: ["5m+0s".parse().unwrap(); 2],
        ..Terms::default()
    };
    let game = Game::new(&Variant::named("english").unwrap());
    let mut session = Session::new(game, [person(1), person(2)], terms);
    session.start_clock(Moment::ZERO);
    for away in [None, Some(59)] {
        assert_eq!(
            refused(act(&mut session, 1, claim(away))),
            "the other player has not been away for a minute"
        );
    }
    // Whoever is away claims nothing.
    assert!(act(&mut session, 2, claim(Some(60))).is_err());
    act(&mut session, 1, claim(Some(60))).unwrap();
    let end = session.end().unwrap();
    assert_eq!(end.words, "White wins: Black has left the game.");
    assert_eq!(end.reason.to_string(), "left");
}
