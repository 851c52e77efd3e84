//! An analysis that goes on while somebody reads it, in turn with whoever else asks the engine.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use kingme_engine::{Handle, Limit};
use tokio::sync::watch;

use crate::computer::{AdviceJson, Search};
use crate::fair::{Turn, Workroom};
use crate::shares::Place;
use crate::wire::json;

/// So long one may think before those who wait get their turn.
const SLICE: Duration = Duration::from_secs(1);
/// So long all of an analysis takes at most, the waiting apart: a page that was forgotten does not
/// think for ever.
const LONGEST: Duration = Duration::from_mins(5);
/// An empty line so often shows both ends that the other is there.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

/// What an analysis finds, for whoever reads it; once they have gone it ends at once.
#[derive(Debug)]
pub struct Analysis {
    found: watch::Receiver<Option<AdviceJson>>,
}

impl Analysis {
    /// Begins to search in a workroom.
    pub fn begin(room: Workroom, from: IpAddr, place: Place, search: Search) -> Analysis {
        let (tell, found) = watch::channel(None);
        let thinker = Thinker {
            room,
            from,
            tell,
            left: LONGEST,
            _place: place,
        };
        tokio::spawn(thinker.think(search));
        Analysis { found }
    }

    /// The next line of the answer: the latest that was found, or an empty one if that takes long.
    pub async fn next_line(&mut self) -> Option<Bytes> {
        tokio::select! {
            news = self.found.changed() => news.ok()?,
            () = tokio::time::sleep(KEEP_ALIVE) => return Some(Bytes::from_static(b"\n")),
        }
        let advice = self.found.borrow_and_update().clone()?;
        Some(format!("{}\n", json(&advice)).into())
    }
}

/// Who thinks, slice by slice.
struct Thinker {
    room: Workroom,
    from: IpAddr,
    tell: watch::Sender<Option<AdviceJson>>,
    left: Duration,
    _place: Place,
}

/// Ends a search when it is dropped, however that comes about.
struct StopsAtLast(Handle);

impl Drop for StopsAtLast {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Whether a report is news: a search that goes on begins with what it knows already.
fn is_deeper(known: Option<&AdviceJson>, found: &AdviceJson) -> bool {
    known.is_none_or(|known| found.depth > known.depth)
}

impl Thinker {
    async fn think(mut self, mut search: Search) {
        while !self.left.is_zero() {
            let turn = tokio::select! {
                turn = self.room.turn(self.from) => turn,
                () = self.tell.closed() => return,
            };
            let Ok(turn) = turn else { return };
            match self.slice(search, turn).await {
                Some(unfinished) => search = unfinished,
                None => return,
            }
        }
    }

    /// Searches until somebody else wants the place or nobody reads any more; what there is to go
    /// on with, if there is.
    async fn slice(&mut self, mut search: Search, turn: Turn) -> Option<Search> {
        let began = Instant::now();
        let handle = Handle::new();
        let stop = StopsAtLast(handle.clone());
        let (limit, tell) = (Limit::move_time(self.left), self.tell.clone());
        let mut work = tokio::task::spawn_blocking(move || {
            search.run(&limit, handle, &mut |advice| {
                tell.send_if_modified(|known| {
                    let deeper = is_deeper(known.as_ref(), &advice);
                    if deeper {
                        *known = Some(advice);
                    }
                    deeper
                });
            });
            drop(turn);
            search
        });
        let finished = tokio::select! {
            done = &mut work => Err(done),
            () = self.make_room() => Ok(()),
        };
        drop(stop);
        self.left = self.left.saturating_sub(began.elapsed());
        match finished {
            // It has come to its end by itself.
            Err(done) => {
                done.inspect_err(|error| tracing::error!("an analysis: {error}"))
                    .ok();
                None
            }
            Ok(()) => work.await.ok().filter(|_| !self.tell.is_closed()),
        }
    }

    /// Waits until this search has to end.
    async fn make_room(&self) {
        let wanted = async {
            tokio::time::sleep(SLICE).await;
            self.room.wanted().await;
        };
        tokio::select! {
            () = wanted => (),
            () = self.tell.closed() => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use kingme_rules::{Game, Position, Variant};

    use super::*;
    use crate::computer::Computer;
    use crate::endings::Endings;
    use crate::error::ApiError;

    const ANN: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    const BOB: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3));

    fn game() -> Game {
        Game::new(&Variant::named("international").unwrap())
    }

    /// The depth of a line of the answer; none if it is an empty one.
    fn depth(line: &Bytes) -> Option<u64> {
        let json: serde_json::Value = serde_json::from_slice(line).ok()?;
        json["depth"].as_u64()
    }

    async fn until_depth(analysis: &mut Analysis, wanted: u64) {
        while let Some(line) = analysis.next_line().await {
            if depth(&line) >= Some(wanted) {
                return;
            }
        }
        panic!("the analysis ended before depth {wanted}");
    }

    #[tokio::test]
    async fn it_deepens_while_it_is_read_and_ends_when_nobody_does() {
        let computer = Computer::new(Endings::new(None), 1);
        let mut analysis = computer.analyse(ANN, game(), 3).unwrap();
        until_depth(&mut analysis, 4).await;
        until_depth(&mut analysis, 6).await;
        drop(analysis);
        // The search lets its place go, and the analysis its own.
        while computer.analysing() > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn whoever_waits_gets_a_turn_and_the_analysis_goes_on_afterwards() {
        let room = Workroom::new(1, 10);
        let endings = std::sync::Arc::new(Endings::new(None));
        let place = crate::shares::Shares::new(8).take(ANN).unwrap();
        // Few pieces, so that the next iteration is never far.
        let variant = Variant::named("english").unwrap();
        let few = Position::from_fen(&variant, "W:WK32,K31:BK1,K2").unwrap();
        let search = Search::new(Game::from_position(few), 1, &endings);
        let mut analysis = Analysis::begin(room.clone(), ANN, place, search);
        until_depth(&mut analysis, 3).await;
        let turn = room.turn(BOB).await.expect("a turn, though nothing ends");
        // Whoever has the only place is the only one who thinks.
        let found = analysis.found.borrow_and_update().clone();
        let last = u64::from(found.expect("something was found").depth);
        drop(turn);
        until_depth(&mut analysis, last + 1).await;
    }

    #[tokio::test]
    async fn one_address_gets_its_share() {
        let computer = Computer::new(Endings::new(None), 1);
        let mut all = Vec::new();
        let refused = loop {
            match computer.analyse(ANN, game(), 1) {
                Ok(analysis) => all.push(analysis),
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, ApiError::TooMany { .. }));
        assert!(all.len() < 8, "{}", all.len());
        assert!(computer.analyse(BOB, game(), 1).is_ok());
    }

    #[tokio::test]
    async fn a_game_that_is_over_ends_it() {
        let variant = Variant::named("english").unwrap();
        let position = Position::from_fen(&variant, "W:W:B1").unwrap();
        let computer = Computer::new(Endings::new(None), 1);
        let over = Game::from_position(position);
        let mut analysis = computer.analyse(ANN, over, 1).unwrap();
        assert!(analysis.next_line().await.is_none());
    }
}
