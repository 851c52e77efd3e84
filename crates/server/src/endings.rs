//! Endgame tables for the pages and the computer: opened when they are first asked for, and made on
//! the spot where that takes about a second.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kingme_engine::tables::{Tables, Verdict};
use kingme_rules::{Position, Side, Variant};
use serde::Serialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::wire::SideJson;

/// After so long the folder is looked at again: tables may have been built meanwhile.
const FRESH: Duration = Duration::from_mins(1);
/// Tables of so many games are kept open.
const KEPT: usize = 32;

/// What the endgame tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VerdictJson {
    /// Who wins with best play; nobody in a draw.
    pub winner: Option<SideJson>,
    /// Plies to the next capture or promotion, or to the end.
    pub distance: Option<u8>,
    /// Every move with what it leads to, best first.
    pub moves: Vec<MoveVerdictJson>,
}

/// What the endgame tables say of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveVerdictJson {
    /// The move.
    pub text: String,
    /// Who wins after it.
    pub winner: Option<SideJson>,
    /// Plies to the next capture or promotion, this move included.
    pub distance: Option<u8>,
}

/// The tables of all games.
#[derive(Debug)]
pub struct Endings {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<String, (Instant, Option<Shared>)>>,
    /// Who opens or makes tables. Whoever comes meanwhile waits, and then finds them.
    making: Mutex<()>,
    /// One question at a time: the first of a game may have to make its tables.
    asking: Semaphore,
}

#[derive(Clone)]
struct Shared(Arc<Tables>);

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables up to {} pieces", self.0.pieces())
    }
}

impl Endings {
    /// The tables in a folder of data; without one there are none.
    pub fn new(folder: Option<PathBuf>) -> Endings {
        Endings {
            folder,
            open: Mutex::default(),
            making: Mutex::default(),
            asking: Semaphore::new(1),
        }
    }

    /// What the tables say of a position; `None` if they don't have it.
    pub async fn verdict(self: &Arc<Self>, position: Position) -> Option<VerdictJson> {
        let _permit = self.asking.acquire().await.ok()?;
        let endings = self.clone();
        let verdict = tokio::task::spawn_blocking(move || {
            let pieces = position.pieces().len();
            let tables = endings.tables(position.variant(), pieces)?;
            verdict(&tables, &position)
        });
        verdict.await.ok().flatten()
    }

    /// The tables of a game that have positions of so many pieces. May take a second.
    pub fn tables(&self, variant: &Variant, pieces: usize) -> Option<Arc<Tables>> {
        let enough = |tables: &Arc<Tables>| tables.pieces() >= pieces;
        let folder = self.folder.as_ref()?;
        if let Some(tables) = self.known(variant) {
            return tables.filter(enough);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = self.known(variant) {
            return tables.filter(enough);
        }
        let mut tables = Tables::open(variant, folder).ok();
        // Only the games of the program are made here: anybody may bring a game of their own.
        let ready = Tables::ready_pieces(variant).unwrap_or(0);
        let missing = tables
            .as_ref()
            .is_some_and(|tables| tables.pieces() < ready);
        if missing && pieces <= ready && is_shipped(variant) {
            tables = Tables::ready(variant, folder).ok();
        } else if missing && is_shipped(variant) {
            // Not remembered as missing: the next ending with few pieces makes them.
            return None;
        }
        let tables = tables.map(Arc::new);
        self.remember(variant, tables.clone());
        tables.filter(enough)
    }

    /// What was found of late: the outer `None` is a game that nobody has asked for.
    fn known(&self, variant: &Variant) -> Option<Option<Arc<Tables>>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, tables) = open.get(&key(variant))?;
        let fresh = since.elapsed() < FRESH;
        fresh.then(|| tables.as_ref().map(|shared| shared.0.clone()))
    }

    fn remember(&self, variant: &Variant, tables: Option<Arc<Tables>>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= KEPT {
            open.clear();
        }
        open.insert(key(variant), (Instant::now(), tables.map(Shared)));
    }
}

/// Two games with the same rules have the same tables, whatever they are called.
fn key(variant: &Variant) -> String {
    format!("{:?}", variant.definition())
}

fn is_shipped(variant: &Variant) -> bool {
    Variant::named(variant.name()).is_ok_and(|known| known.definition() == variant.definition())
}

fn verdict(tables: &Tables, position: &Position) -> Option<VerdictJson> {
    let probe = tables.probe_position(position)?;
    let mut moves: Vec<MoveVerdictJson> = position
        .legal_moves()
        .iter()
        .filter_map(|mv| {
            let next = position.play_unchecked(mv);
            let probe = tables.probe_position(&next)?;
            let settled = mv.takes_off() || mv.is_promotion();
            Some(MoveVerdictJson {
                text: position.move_text(mv),
                winner: winner(probe.verdict, next.turn()),
                distance: match probe.verdict {
                    Verdict::Draw => None,
                    _ if settled => Some(1),
                    _ => probe.distance.map(|distance| distance.saturating_add(1)),
                },
            })
        })
        .collect();
    let turn = SideJson::from(position.turn());
    moves.sort_by_key(|mv| worth(mv, turn));
    Some(VerdictJson {
        winner: winner(probe.verdict, position.turn()),
        distance: probe.distance,
        moves,
    })
}

fn winner(verdict: Verdict, turn: Side) -> Option<SideJson> {
    match verdict {
        Verdict::Win => Some(turn.into()),
        Verdict::Loss => Some((!turn).into()),
        Verdict::Draw => None,
    }
}

/// The quickest win first, then draws, then the slowest loss.
fn worth(mv: &MoveVerdictJson, turn: SideJson) -> (u8, i16) {
    let distance = i16::from(mv.distance.unwrap_or(u8::MAX));
    match mv.winner {
        Some(side) if side == turn => (0, distance),
        None => (1, 0),
        Some(_) => (2, -distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(fen: &str) -> Option<VerdictJson> {
        let folder = tempfile::tempdir().unwrap();
        let endings = Endings::new(Some(folder.path().to_owned()));
        let english = Variant::named("english").unwrap();
        let position = Position::from_fen(&english, fen).unwrap();
        let pieces = position.pieces().len();
        let tables = endings.tables(&english, pieces)?;
        verdict(&tables, &position)
    }

    #[test]
    fn the_first_question_makes_small_tables() {
        let verdict = ask("W:WK18,K19:BK4").expect("three pieces take no second");
        assert_eq!(verdict.winner, Some(SideJson::White));
        assert!(verdict.distance.is_some());
        let best = &verdict.moves[0];
        assert_eq!(best.winner, Some(SideJson::White));
        assert_eq!(best.distance, verdict.distance);
    }

    #[test]
    fn the_first_question_may_be_of_a_table_inside_the_program() {
        let verdict = ask("W:WK18,K19,K23:BK4,K8").expect("the program has all of five pieces");
        assert_eq!(verdict.winner, Some(SideJson::White));
        assert_eq!(verdict.distance, None, "it comes without distances");
    }

    #[test]
    fn several_first_questions_at_once_all_get_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let endings = Endings::new(Some(folder.path().to_owned()));
        let english = Variant::named("english").unwrap();
        std::thread::scope(|scope| {
            let ask = || endings.tables(&english, 3).map(|tables| tables.pieces());
            let asked = [(); 4].map(|()| scope.spawn(ask));
            for asked in asked {
                assert!(asked.join().unwrap().is_some_and(|pieces| pieces >= 3));
            }
        });
    }

    #[test]
    fn a_full_board_has_no_verdict() {
        assert_eq!(ask("W:W21,22,23,24,25:B1,2,3,4,5"), None);
    }
}
