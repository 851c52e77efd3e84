//! Whatever is asked of a session, in any order: some things always hold.

use kingme_play::{
    Answer, By, Chance, Command, Event, Moment, Policy, Reply, Seat, Session, Stakes, Terms,
    TimeControl,
};
use kingme_rules::{Game, Side, Variant};
use proptest::prelude::*;

fn person(player: i64) -> Seat {
    Seat::Person {
        player,
        name: format!("p{player}"),
    }
}

fn new_session(variant: &str, stakes: Stakes, time: TimeControl) -> Session {
    let game = Game::new(&Variant::named(variant).unwrap());
    let terms = Terms {
        time: [time; 2],
        policy: Policy {
            grace: Moment::ZERO,
            ..Policy::strict()
        },
        stakes,
    };
    Session::new(game, [person(1), person(2)], terms)
}

/// Something that somebody may ask for.
fn command(session: &Session, chance: &mut Chance) -> Command {
    let next = "next".to_owned();
    match chance.below(12) {
        0 => Command::TakeBack,
        1 => Command::Draw,
        2 => Command::Accept { next },
        3 => Command::Decline,
        4 => Command::Rematch { next },
        5 if chance.below(20) == 0 => Command::Answer(Answer::new(Reply::Resign)),
        6 => Command::Answer(Answer::new(Reply::Text("1-1".to_owned()))),
        _ => match chance.pick(&session.game().legal_moves()) {
            Some(mv) => Command::Answer(mv.clone().into()),
            None => Command::Decline,
        },
    }
}

/// All that anybody can see of a session.
fn state(session: &Session, now: Moment) -> String {
    let left = Side::BOTH.map(|side| session.clock().left(side, now));
    format!(
        "{} {:?} {:?} {:?} {:?} {left:?} {:?} {}",
        session.position().fen(),
        session.game().move_texts(),
        session.offer(),
        session.end(),
        session.rematch(),
        session.clock().running(),
        session.seq(),
    )
}

fn run(seed: u64, stakes: Stakes) {
    let mut chance = Chance::new(seed);
    let time: TimeControl = "20s+1s".parse().unwrap();
    let mut session = new_session("russian", stakes, time);
    let mut again = session.clone();
    let mut now = Moment::ZERO;
    for _ in 0..200 {
        now += Moment::from_millis(chance.below(900) as u64);
        let by = By::Player(1 + chance.below(3) as i64);
        let before = state(&session, now);
        let event = if session.end().is_none() && session.is_late(now) {
            Ok(session.out_of_time(&mut chance, now))
        } else {
            session.decide(by, command(&session, &mut chance), now)
        };
        let Ok(event) = event else {
            assert_eq!(state(&session, now), before, "a refusal changes nothing");
            continue;
        };
        let waits = session.clock().running().map(|side| !side);
        let left = waits.map(|side| session.clock().left(side, now));
        let end = session.end().cloned();
        session.apply(&event, now).unwrap();
        if let (Some(side), Event::Turn(_)) = (waits, &event) {
            let after = session.clock().left(side, now);
            assert_eq!(Some(after), left, "only the side to move is charged");
        }
        if end.is_some() && !matches!(event, Event::TakenBack { .. }) {
            assert_eq!(session.end().cloned(), end, "there is one end");
        }
        // From what is stored comes the same session, step by step.
        let json = serde_json::to_string(&event).unwrap();
        let stored: Event = serde_json::from_str(&json).unwrap();
        again.apply(&stored, now).unwrap();
        assert_eq!(state(&again, now), state(&session, now));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_session_is_what_its_events_make_it(seed: u64) {
        run(seed, Stakes::Casual);
        run(seed, Stakes::Rated);
    }
}
