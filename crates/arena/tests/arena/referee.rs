//! The referee's policies, one test each.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use kingme_arena::{Decide, Host, play};
use kingme_play::{
    Adjudication, Answer, By, ChosenBy, Command, End, EndReason, Heading, Moment, OnIllegal, Ply,
    Policy, Reply, Seat, Session, Stakes, Stop, Terms, TimeControl, Verdicts, to_pdn,
};
use kingme_players::{Player, PlayerFault, Question, RandomPlayer, TableShelf, TableVerdicts};
use kingme_rules::{Game, Side, Variant, pdn};

use crate::scripted::{Act, Scripted};

/// What a game is played under.
#[derive(Clone)]
struct Conditions {
    time: [TimeControl; 2],
    policy: Policy,
    seed: u64,
}

/// A game that has ended.
struct Record {
    session: Session,
    end: End,
    plies: Vec<Turn>,
}

/// A turn and whose it was.
struct Turn {
    side: Side,
    ply: Ply,
}

impl std::ops::Deref for Turn {
    type Target = Ply;

    fn deref(&self) -> &Ply {
        &self.ply
    }
}

fn record(session: Session) -> Record {
    let turn = |(side, ply): (Side, &Ply)| Turn {
        side,
        ply: ply.clone(),
    };
    Record {
        end: session.end().unwrap().clone(),
        plies: session.plies().map(turn).collect(),
        session,
    }
}

fn session(game: Game, conditions: &Conditions) -> Session {
    let terms = Terms {
        time: conditions.time,
        policy: conditions.policy.clone(),
        stakes: Stakes::League,
    };
    Session::new(
        game,
        [(); 2].map(|()| Seat::Program {
            name: String::new(),
        }),
        terms,
    )
}

fn conditions(policy: Policy) -> Conditions {
    Conditions {
        time: [TimeControl::Move(Duration::from_mins(1)); 2],
        policy,
        seed: 5,
    }
}

/// Plays international draughts between a script for White and any legal moves.
fn referee(acts: impl IntoIterator<Item = Act>, conditions: &Conditions) -> Record {
    meet(
        [Scripted::new(acts), Scripted::new([])].each_mut(),
        conditions,
    )
}

/// Plays international draughts between two scripts.
fn meet(scripts: [&mut Scripted; 2], conditions: &Conditions) -> Record {
    let game = Game::new(&Variant::named("international").unwrap());
    let played = play(
        session(game, conditions),
        scripts.map(|script| script as &mut dyn Player),
        conditions.seed,
        &Stop::new(),
        &mut |_| Ok(()),
    );
    record(played.unwrap())
}

fn check_loss(act: Act, reason: EndReason, words: &str) {
    let record = referee([act], &conditions(Policy::strict()));
    assert_eq!(record.end.winner, Some(Side::Black));
    assert_eq!(record.end.reason, reason);
    assert_eq!(record.end.words, words);
    assert!(record.plies.is_empty());
}

#[test]
fn strictly_every_fault_loses_with_its_reason() {
    let said = || "why".to_owned();
    check_loss(
        Act::Fail(PlayerFault::Late),
        EndReason::Time,
        "White loses: no answer in time.",
    );
    check_loss(
        Act::Fail(PlayerFault::Stalled),
        EndReason::Stall,
        "White loses: no reaction.",
    );
    check_loss(
        Act::Fail(PlayerFault::Crashed(said())),
        EndReason::Crash,
        "White loses: crashed: why.",
    );
    check_loss(
        Act::Fail(PlayerFault::Protocol(said())),
        EndReason::Protocol,
        "White loses: broke the protocol: why.",
    );
    check_loss(
        Act::Fail(PlayerFault::Resources(said())),
        EndReason::Resources,
        "White loses: used too much: why.",
    );
    check_loss(
        Act::Say("35-25"),
        EndReason::Illegal,
        "White loses: 35-25 is not possible: the man on 35 can't go there; it can go to 30.",
    );
}

#[test]
fn resigning_is_no_incident() {
    check_loss(
        Act::Resign,
        EndReason::Resigned,
        "Black wins: White resigns.",
    );
}

#[test]
fn leniently_the_last_suggestion_is_played() {
    let act = Act::SuggestAndFail("32-28", PlayerFault::Late);
    let record = referee([act], &conditions(Policy::lenient()));
    let ply = &record.plies[0];
    assert_eq!(ply.text.as_deref(), Some("32-28"));
    assert_eq!(ply.by, ChosenBy::Suggestion);
    assert_eq!(ply.incident.as_ref().unwrap().reason, EndReason::Time);
    assert_eq!(record.end.reason, EndReason::Rules);
}

#[test]
fn leniently_an_illegal_suggestion_is_worth_nothing() {
    let act = Act::SuggestAndFail("32-1", PlayerFault::Late);
    let record = referee([act], &conditions(Policy::lenient()));
    assert_eq!(record.plies[0].by, ChosenBy::Referee);
    assert!(record.plies[0].text.is_some());
}

#[test]
fn leniently_an_illegal_answer_is_replaced_by_chance_and_noted() {
    let moves = |seed| {
        let conditions = Conditions {
            seed,
            ..conditions(Policy::lenient())
        };
        let record = referee(vec![Act::Say("1-1"); 3], &conditions);
        let incidents: Vec<_> = record
            .session
            .incidents()
            .map(|(side, incident)| (side, incident.reason))
            .collect();
        assert_eq!(incidents, [(Side::White, EndReason::Illegal); 3]);
        record.session.game().move_texts()
    };
    assert_eq!(moves(1), moves(1), "the seed decides");
    assert_ne!(moves(1), moves(2));
}

#[test]
fn an_answer_is_late_by_the_clock_whatever_it_says() {
    let late = Act::After(Duration::from_secs(61));
    let record = referee([late], &conditions(Policy::strict()));
    assert_eq!(record.end.reason, EndReason::Time);
}

#[test]
fn grace_forgives_a_little() {
    let mut policy = Policy::strict();
    policy.grace = Duration::from_secs(2);
    let late = Act::After(Duration::from_secs(61));
    let record = referee([late, Act::Resign], &conditions(policy));
    assert_eq!(record.end.reason, EndReason::Resigned);
}

#[test]
fn a_player_can_be_asked_again() {
    let policy = Policy {
        illegal: OnIllegal::AskAgain(2),
        ..Policy::lenient()
    };
    let acts = [
        Act::Say("1-1"),
        Act::Say("x"),
        Act::Say("32-28"),
        Act::Resign,
    ];
    let record = referee(acts, &conditions(policy));
    assert_eq!(record.plies[0].text.as_deref(), Some("32-28"));
    assert_eq!(record.plies[0].by, ChosenBy::Player);
}

#[test]
fn a_turn_can_be_passed() {
    let policy = Policy {
        illegal: OnIllegal::Skip,
        ..Policy::lenient()
    };
    let record = referee([Act::Say("1-1"), Act::Resign], &conditions(policy));
    let turns: Vec<_> = record
        .plies
        .iter()
        .map(|ply| (ply.side, ply.text.is_some()))
        .collect();
    assert_eq!(turns, [(Side::White, false), (Side::Black, true)]);
}

#[test]
fn a_record_with_passed_turns_can_be_replayed_whole() {
    let policy = Policy {
        illegal: OnIllegal::Skip,
        ..Policy::lenient()
    };
    let any = || Act::After(Duration::ZERO);
    let acts = [any(), Act::Say("1-1"), any(), Act::Say("1-1"), Act::Resign];
    let record = referee(acts, &conditions(policy));
    assert_eq!(record.plies.len(), 8);
    assert_eq!(
        record.session.game().start(),
        &record.session.game().variant().start()
    );
    let is_pass = |ply: &usize| record.session.game().turns()[*ply] == kingme_rules::Turn::Pass;
    let passes: Vec<usize> = (0..record.session.game().plies()).filter(is_pass).collect();
    assert_eq!(passes, [2, 6]);
    let pdn = to_pdn(&record.session, &Heading::default());
    let text = pdn::to_text(&pdn);
    let read = pdn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let replay = pdn::replay(&read, Some(record.session.game().variant()));
    assert_eq!(replay.errors, [], "{text}");
    assert_eq!(
        (replay.told, &replay.position),
        (6, record.session.game().position())
    );
    for words in ["\n1. ", " 2... ", " 3. ", " 4... ", ", turn passed}"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn who_fails_too_often_is_not_asked_any_more() {
    let crash = Act::Fail(PlayerFault::Crashed("again".to_owned()));
    let (mut white, mut black) = (Scripted::new(vec![crash; 100]), Scripted::new([]));
    let record = meet([&mut white, &mut black], &conditions(Policy::lenient()));
    assert_eq!(white.asked, 4);
    assert!(record.plies.len() > 8);
    assert_eq!(record.end.reason, EndReason::Rules);
}

#[test]
fn clocks_run_down_and_gain_their_increment() {
    let conditions = Conditions {
        time: ["10s+1s".parse().unwrap(); 2],
        ..conditions(Policy::strict())
    };
    let acts = [4, 4, 4].map(|seconds| Act::After(Duration::from_secs(seconds)));
    let record = referee(acts.into_iter().chain([Act::Resign]), &conditions);
    let clocks: Vec<u64> = record
        .plies
        .iter()
        .filter(|ply| ply.side == Side::White)
        .map(|ply| ply.clock.unwrap().as_secs())
        .collect();
    assert_eq!(clocks, [7, 4, 1]);
}

#[test]
fn time_is_added_after_so_many_moves() {
    let conditions = Conditions {
        time: ["2/10s".parse().unwrap(); 2],
        ..conditions(Policy::strict())
    };
    let acts = vec![Act::After(Duration::from_secs(4)); 3];
    let record = referee(acts.into_iter().chain([Act::Resign]), &conditions);
    let last = record
        .plies
        .iter()
        .rfind(|ply| ply.side == Side::White)
        .unwrap();
    // 10 − 4 − 4 + 10 − 4
    assert_eq!(last.clock, Some(Duration::from_secs(8)));
}

#[test]
fn a_clock_that_runs_out_loses() {
    let conditions = Conditions {
        time: ["5s+0s".parse().unwrap(); 2],
        ..conditions(Policy::strict())
    };
    let acts = vec![Act::After(Duration::from_secs(3)); 2];
    let record = referee(acts, &conditions);
    assert_eq!(record.end.reason, EndReason::Time);
    assert_eq!(record.plies.len(), 2);
}

#[test]
fn games_without_draw_rules_end_at_the_ply_limit() {
    let policy = Policy {
        ply_limit: Some(10),
        ..Policy::lenient()
    };
    let record = referee([], &conditions(policy));
    assert_eq!(record.plies.len(), 10);
    assert_eq!(record.end.reason, EndReason::Adjudicated);
    assert_eq!(record.end.words, "Draw: 10 plies were played.");
}

#[test]
fn agreed_scores_end_a_game() {
    let policy = Policy {
        adjudication: Adjudication {
            win: Some("5,4".parse().unwrap()),
            ..Adjudication::default()
        },
        ..Policy::strict()
    };
    let mut white = Scripted::new(vec![Act::Score(6.0); 10]);
    let mut black = Scripted::new(
        [Act::Score(0.0)]
            .into_iter()
            .chain(vec![Act::Score(-7.0); 10]),
    );
    let record = meet([&mut white, &mut black], &conditions(policy));
    assert_eq!(record.end.winner, Some(Side::White));
    assert_eq!(record.end.reason, EndReason::Adjudicated);
    assert_eq!(record.plies.len(), 6, "ply 2 did not agree");
}

#[test]
fn agreed_scores_may_have_to_wait() {
    let plies = |rule: &str| {
        let policy = Policy {
            adjudication: Adjudication {
                draw: Some(rule.parse().unwrap()),
                ..Adjudication::default()
            },
            ..Policy::strict()
        };
        let even = || Scripted::new(vec![Act::Score(0.0); 200]);
        meet([&mut even(), &mut even()], &conditions(policy))
    };
    assert_eq!(plies("0.1,4").plies.len(), 4);
    assert_eq!(plies("0.1,4,from=9").plies.len(), 9);
    let record = plies("0.1,4,pieces=30");
    assert_eq!(record.end.reason, EndReason::Adjudicated);
    let game = record.session.game();
    let pieces = |plies| game.position_after(plies).unwrap().pieces().len();
    assert!(pieces(game.plies()) <= 30 && pieces(game.plies() - 1) > 30);
}

#[test]
fn endgame_tables_end_a_game_when_they_are_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::named("english").unwrap().sized(6).unwrap();
    let tables = TableShelf::new(folder.path().to_owned())
        .ready(&variant)
        .unwrap();
    let pieces = tables.pieces();
    assert!(pieces >= 3, "{pieces}");
    let tables: Option<Arc<dyn Verdicts>> = Some(Arc::new(TableVerdicts(tables)));
    let count = |game: &Game| {
        Side::BOTH
            .map(|side| game.position().count(side))
            .iter()
            .sum::<u32>()
    };
    let mut decided = 0;
    for seed in 0..20 {
        let policy = |tables: Option<Arc<dyn Verdicts>>| Policy {
            adjudication: Adjudication {
                tables,
                ..Adjudication::default()
            },
            ..Policy::strict()
        };
        let decide = |policy| {
            let (mut white, mut black) = (RandomPlayer::new(seed), RandomPlayer::new(seed + 100));
            let game = Game::new(&variant);
            let players: [&mut dyn Player; 2] = [&mut white, &mut black];
            let session = session(game, &conditions(policy));
            let played = play(session, players, 5, &Stop::new(), &mut |_| Ok(()));
            record(played.unwrap())
        };
        let (by_rules, by_tables) = (decide(policy(None)), decide(policy(tables.clone())));
        assert_eq!(by_rules.end.reason, EndReason::Rules);
        if by_tables.end.reason == EndReason::Adjudicated {
            decided += 1;
            assert!(count(by_tables.session.game()) as usize <= pieces);
            let known = tables
                .as_ref()
                .unwrap()
                .winner(by_tables.session.position());
            assert_eq!(known, Some(by_tables.end.winner));
            let words = &by_tables.end.words;
            assert!(words.ends_with("the endgame tables know it."), "{words}");
        }
    }
    assert!(decided > 10, "{decided}");
}

#[test]
fn each_side_has_its_own_time() {
    let conditions = Conditions {
        time: [TimeControl::Free, "2s+0s".parse().unwrap()],
        ..conditions(Policy::strict())
    };
    // White may take an hour, Black has two seconds.
    let hour = vec![Act::After(Duration::from_hours(1)); 5];
    let mut white = Scripted::new(hour);
    let mut black = Scripted::new(vec![Act::After(Duration::from_secs(1)); 3]);
    let record = meet([&mut white, &mut black], &conditions);
    assert_eq!(record.end.winner, Some(Side::White));
    assert_eq!(record.end.reason, EndReason::Time);
    assert_eq!(record.plies[0].clock, None);
    assert_eq!(record.plies[1].clock, Some(Duration::from_secs(1)));
}

#[test]
fn a_requested_stop_aborts_and_does_not_count() {
    let stop = Stop::new();
    let game = Game::new(&Variant::named("international").unwrap());
    let (mut white, mut black) = (Scripted::new([]), Scripted::new([]));
    let mut plies = 0;
    let played = play(
        session(game, &conditions(Policy::strict())),
        [&mut white, &mut black],
        5,
        &stop,
        &mut |_| {
            plies += 1;
            if plies == 3 {
                stop.request();
            }
            Ok(())
        },
    );
    let record = record(played.unwrap());
    assert_eq!(record.end.reason, EndReason::Aborted);
    assert_eq!(record.plies.len(), 3);
}

#[test]
fn a_log_that_cannot_be_written_stops_the_game() {
    let game = Game::new(&Variant::named("international").unwrap());
    let (mut white, mut black) = (Scripted::new([]), Scripted::new([]));
    let played = play(
        session(game, &conditions(Policy::strict())),
        [&mut white, &mut black],
        5,
        &Stop::new(),
        &mut |_| Err("the disk is full".to_owned()),
    );
    assert_eq!(played.err().as_deref(), Some("the disk is full"));
}

/// A session that somebody else ends while a program thinks.
struct Shared {
    session: Mutex<Session>,
    over: Stop,
}

impl Shared {
    fn resign(&self, side: Side) {
        let mut session = self.session.lock().unwrap();
        let resigned = Command::Answer(Answer::new(Reply::Resign));
        let event = session.decide(By::Side(side), resigned, Moment::ZERO);
        session.apply(&event.unwrap(), Moment::ZERO).unwrap();
        self.over.request();
    }
}

impl Host for &Shared {
    fn commit(&mut self, decide: &mut Decide) -> Result<(), String> {
        let mut session = self.session.lock().unwrap();
        if let Some(event) = decide(&session, Moment::ZERO) {
            session.apply(&event, Moment::ZERO).unwrap();
        }
        Ok(())
    }

    fn look(&self, look: &mut dyn FnMut(&Session)) {
        look(&self.session.lock().unwrap());
    }

    fn now(&self) -> Moment {
        Moment::ZERO
    }

    fn game(&self) -> Cow<'_, Game> {
        Cow::Owned(self.session.lock().unwrap().game().clone())
    }

    fn wait(&self, _seq: u64, _stop: &Stop) {
        unreachable!("the program is to move");
    }

    fn over(&self) -> Option<Stop> {
        Some(self.over.clone())
    }
}

/// Thinks until it is interrupted; says so when it begins.
struct Thinker(mpsc::Sender<()>);

impl Player for Thinker {
    fn name(&self) -> String {
        "thinker".to_owned()
    }

    fn choose(&mut self, _game: &Game, question: &Question) -> Result<Answer, PlayerFault> {
        self.0.send(()).unwrap();
        let interrupted = question.stop.wait_until(question.deadline);
        assert!(interrupted, "nobody wants this answer any more");
        Err(PlayerFault::Interrupted)
    }
}

#[test]
fn nobody_thinks_on_when_the_other_has_resigned() {
    let game = Game::new(&Variant::named("english").unwrap());
    let shared = Shared {
        session: Mutex::new(session(game, &conditions(Policy::strict()))),
        over: Stop::new(),
    };
    let (thinks, thinking) = mpsc::channel();
    let resigning = &shared;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            thinking.recv().unwrap();
            resigning.resign(Side::White);
        });
        let players: [Option<&mut dyn Player>; 2] = [None, Some(&mut Thinker(thinks))];
        kingme_arena::referee(&mut &shared, players, 5, &Stop::new()).unwrap();
    });
    let session = shared.session.lock().unwrap();
    assert_eq!(session.end().unwrap().winner, Some(Side::Black));
}
