//! The power is cut at any moment: what is left of the disk opens, is whole, and has every event
//! that was promised to be there.

mod disk;

use std::path::Path;
use std::sync::Arc;

use kingme_engine::Random;
use kingme_play::{Answer, Command, Moment, Reply};

use crate::computer::Computer;
use crate::database::Database;
use crate::endings::Endings;
use crate::hall::Hall;
use crate::live::Live;
use crate::settings::Settings;
use crate::store::Store;
use crate::wall::Wall;

/// Moves that are made.
const MOVES: usize = 60;
/// Moves after which the disk is waited for, as the server does once a second.
const PACE: usize = 9;
/// Cuts that are tried.
const CUTS: usize = 300;

/// After so much had happened on the disk, so many events were promised.
type Promises = Vec<(usize, u64)>;

#[tokio::test]
async fn a_power_cut_loses_nothing_that_was_promised() {
    for sync in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        disk::watch(folder.path());
        let promises = play(folder.path(), sync).await;
        let mut random = Random::new(7);
        let whole = disk::now();
        let mut cut_off = 0;
        for cut in 0..CUTS {
            // The first cuts are right after each promise, when least time has passed.
            let any = promises[0].0 + random.below(whole - promises[0].0 + 1);
            let at = promises.get(cut).map_or(any, |(at, _)| *at);
            let files = disk::after_cut(at, |count| random.below(count));
            let before = promises.iter().rev().find(|(deeds, _)| *deeds <= at);
            let least = before.map_or(0, |(_, events)| *events);
            let found = open(files);
            assert!(found >= least, "{found} of {least} events after {at} deeds");
            cut_off += usize::from(found < MOVES as u64);
        }
        // Otherwise nothing was cut off.
        assert!(cut_off > CUTS / 2, "{cut_off}");
    }
}

/// Plays a game whose events are waited for one by one, or once in a while.
async fn play(folder: &Path, sync: bool) -> Promises {
    let store = Store::open(&folder.join("kingme.db")).unwrap();
    if sync {
        store.with(Database::wait_for_disk).await.unwrap();
    }
    let computer = Computer::new(Endings::new(None), 1);
    let hall = Arc::new(Hall::new(store, computer, Wall::system()));
    let settings = Settings::for_player_1("international");
    let session = settings.session().unwrap();
    let live = Live::new("game".to_owned(), settings, session, Moment::ZERO);
    let live = hall.begin(live).await.unwrap();
    hall.store.make_safe().unwrap();
    let mut promises = vec![(disk::now(), 0)];
    let mut random = Random::new(1);
    for number in 1..=MOVES {
        let moves = live.session().game().position().legal_moves();
        let mv = moves[random.below(moves.len())].clone();
        let command = Command::Answer(Answer::new(Reply::Move(mv)));
        hall.act(&live, 1, command).await.unwrap();
        let waited_for = number % PACE == 0;
        if waited_for {
            hall.store.make_safe().unwrap();
        }
        if sync || waited_for {
            promises.push((disk::now(), live.session().seq()));
        }
    }
    promises
}

/// How many events of the game are there after a cut.
fn open(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let store = Store::open(&folder.path().join("kingme.db")).expect("a whole data base");
    let read = store.with_blocking(|data| crate::commit::read(data, "game", Moment::ZERO));
    let (_, session, _) = read.expect("a game that fits its rules");
    session.seq()
}
