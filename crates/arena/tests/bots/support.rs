//! What the tests of bots share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use kingme_play::{ChosenBy, End, Ply, Policy, Seat, Session, Stakes, Stop, Terms, TimeControl};
use kingme_players::hub::HubPlayer;
use kingme_players::{Player, PlayerSpec, RandomPlayer, Sandbox};
use kingme_rules::{Game, Variant};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A file of `examples/bots`.
pub fn example(name: &str) -> String {
    root()
        .join("examples/bots")
        .join(name)
        .to_str()
        .unwrap()
        .to_owned()
}

pub fn variant(name: &str) -> Variant {
    Variant::named(name).unwrap()
}

/// A bot for a command line.
pub fn hub(command: &[&str]) -> HubPlayer {
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    HubPlayer::new(command, Sandbox::default())
}

/// A class in a Python file.
pub fn python(file: &str, class: &str, variant: &Variant) -> Box<dyn Player> {
    let spec: PlayerSpec = format!("python:{file}:{class}").parse().unwrap();
    spec.open(variant, 1).unwrap()
}

/// Time enough for a machine with much to do.
pub const AMPLE: TimeControl = TimeControl::Move(Duration::from_secs(20));

/// A game that has ended.
pub struct Record {
    pub plies: Vec<Ply>,
    pub end: End,
}

/// A game of a player, with White, against chance.
pub fn play(player: &mut dyn Player, variant: &Variant, time: TimeControl, plies: u32) -> Record {
    let terms = Terms {
        time: [time; 2],
        policy: Policy {
            ply_limit: Some(plies),
            ..Policy::lenient()
        },
        stakes: Stakes::League,
    };
    let session = Session::new(
        Game::new(variant),
        [(); 2].map(|()| Seat::Program {
            name: String::new(),
        }),
        terms,
    );
    let mut chance = RandomPlayer::new(4);
    let players: [&mut dyn Player; 2] = [player, &mut chance];
    let session = kingme_arena::play(session, players, 3, &Stop::new(), &mut |_| Ok(()));
    let session = session.unwrap();
    Record {
        plies: session.plies().map(|(_, ply)| ply.clone()).collect(),
        end: session.end().unwrap().clone(),
    }
}

/// Every move of the game was the player's own.
pub fn check_own_moves(record: &Record) {
    assert!(!record.plies.is_empty());
    for (number, ply) in record.plies.iter().enumerate() {
        assert_eq!(ply.by, ChosenBy::Player, "ply {number}: {:?}", ply.incident);
    }
}
