//! Playing the games of a file by the rules.

use super::moves::{Line, play_line};
use super::variants::{Assumption, candidates, is_guessed};
use super::word::is_lettered;
use super::{MoveNode, PdnGame, Place};
use crate::variant::SquareNames;
use crate::{
    FenError, Game, Move, MoveError, Piece, Position, Setup, SetupError, Side, Square, Variant,
};

/// A game of a file, played by the rules.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The game as far as the rules let it go. Where a position is set up among the moves, the
    /// game starts from there.
    pub game: Game,
    /// All moves that were legal where they stand. They may go on after a draw by the rules, which
    /// people have to claim.
    pub moves: Vec<Move>,
    /// Where the last of them led.
    pub position: Position,
    /// The first node of the main line that is a move of this game: others set up its start.
    pub first: usize,
    /// Where the file's main line starts; a position set up among the moves comes later.
    pub start: Position,
    /// How many nodes of the main line are no moves, but put men on other squares before it.
    pub displaced: usize,
    /// How many moves the file has.
    pub told: usize,
    /// What had to be assumed; empty if the file says all.
    pub assumed: Vec<Assumption>,
    /// What is wrong; empty if every move is legal.
    pub errors: Vec<ReplayError>,
}

/// Why a game could not be played on, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {fault}")]
pub struct ReplayError {
    /// Where in the file.
    pub at: Place,
    /// Why.
    pub fault: ReplayFault,
}

/// Why a game could not be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFault {
    /// The position to start from.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move.
    #[error("move {number} of {side}: {error}")]
    Move {
        /// The number of the move, as one counts.
        number: usize,
        /// Whose move it is.
        side: String,
        /// What is wrong with it.
        error: MoveError,
    },
    /// Too many ways to read the captures before a move.
    #[error("{0}: the captures before it can be read in too many ways")]
    Unclear(String),
}

/// Plays the main line of a game. Its rules are those of `variant`, or else those that its tags
/// name, or else the first that all its moves obey.
///
/// A capture that can be read in several ways is read so that the rest of the game is legal.
///
/// ```
/// let text = "[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 3. 34-20 *";
/// let game = kingme_rules::pdn::Reader::new(text.as_bytes()).next().unwrap()?;
/// let replay = kingme_rules::pdn::replay(&game, None);
/// assert_eq!(replay.game.variant().name(), "international");
/// assert_eq!(
///     replay.errors[0].to_string(),
///     "line 1, column 50: move 3 of White: 34-20 is not possible: \
///      the man on 34 can't go there; it can go to 29 or 30"
/// );
/// # Ok::<_, kingme_rules::pdn::PdnError>(())
/// ```
pub fn replay(game: &PdnGame, variant: Option<&Variant>) -> Replay {
    let mut replay = replay_best(game, &candidates(game, variant));
    let played = replay.game.variant();
    if variant.is_none() && is_guessed(game) {
        replay.assumed.push(Assumption::Variant {
            tag: game.tag("Variant").map(str::to_owned),
            assumed: played.name().to_owned(),
        });
    }
    let numbered = replay.game.variant().definition().notation.squares == SquareNames::Numbers;
    if numbered && game.moves.iter().any(|node| is_lettered(&node.text)) {
        replay.assumed.push(Assumption::Letters);
    }
    replay
}

/// By the first rules that all moves obey, or else by those that they obey longest.
fn replay_best(game: &PdnGame, candidates: &[Variant]) -> Replay {
    let mut best: Option<Replay> = None;
    for variant in candidates {
        let replay = replay_as(game, variant);
        if replay.errors.is_empty() {
            return replay;
        }
        if best
            .as_ref()
            .is_none_or(|best| replay.moves.len() > best.moves.len())
        {
            best = Some(replay);
        }
    }
    best.expect("there is always a variant to try")
}

/// Plays a line from a position, such as a variation, as far as it is legal; with the error that
/// stopped it.
///
/// A capture that can be read in several ways is read so that the rest of the line is legal.
pub fn replay_line(start: &Position, nodes: &[MoveNode]) -> (Vec<Move>, Option<ReplayError>) {
    let (line, error) = play_line(start, nodes);
    (line.moves, error)
}

fn replay_as(game: &PdnGame, variant: &Variant) -> Replay {
    let start = match game.tag("FEN").filter(|fen| !fen.trim().is_empty()) {
        None => variant.start(),
        Some(fen) => match position(variant, fen) {
            Ok(position) => position,
            Err(error) => {
                let at = Place {
                    line: game.line,
                    column: 1,
                };
                return refused(
                    game,
                    variant.start(),
                    ReplayError {
                        at,
                        fault: error.into(),
                    },
                );
            }
        },
    };
    let replay = replay_rest(game, &start, 0);
    if replay.errors.is_empty() || replay.moves.len() > 1 {
        return replay;
    }
    displaced(game, variant)
        .map(|(start, men)| Replay {
            displaced: men,
            ..replay_rest(game, &start, men)
        })
        .filter(|other| other.errors.is_empty())
        .unwrap_or(replay)
}

/// The position of a FEN. Collections of problems now and then forget the K of a king: what stands
/// on its promotion square can't be a man.
pub(super) fn position(variant: &Variant, fen: &str) -> Result<Position, FenError> {
    let mut fen = fen.to_string();
    loop {
        match Position::from_fen(variant, &fen) {
            Err(FenError::Setup(SetupError::Promoted { square, side })) => {
                fen = crowned(variant, &fen, &square)
                    .ok_or(FenError::Setup(SetupError::Promoted { square, side }))?;
            }
            result => return result,
        }
    }
}

/// The FEN with a king in place of the man on a square.
fn crowned(variant: &Variant, fen: &str, square: &str) -> Option<String> {
    let king = &variant.definition().kinds.get(Piece::KING)?.fen;
    let found = fen.match_indices(square).map(|(at, _)| at).find(|&at| {
        let before = fen[..at].chars().next_back();
        let after = fen[at + square.len()..].chars().next();
        matches!(before, Some('W' | 'B' | ','))
            && after.is_none_or(|c| matches!(c, ',' | ':' | '.'))
    })?;
    Some(format!("{}{king}{}", &fen[..found], &fen[found..]))
}

/// A game that can't even start.
fn refused(game: &PdnGame, position: Position, error: ReplayError) -> Replay {
    Replay {
        game: Game::from_position(position.clone()),
        moves: Vec::new(),
        start: position.clone(),
        position,
        first: 0,
        displaced: 0,
        told: told(game),
        assumed: Vec::new(),
        errors: vec![error],
    }
}

fn told(game: &PdnGame) -> usize {
    game.moves
        .iter()
        .filter(|node| node.setup().is_none())
        .count()
}

/// Plays a game from its node number `first` on.
fn replay_rest(game: &PdnGame, begin: &Position, first: usize) -> Replay {
    let told = told(game);
    let (mut start, mut first) = (begin.clone(), first);
    let finish = |first, start: &Position, line, error: Option<ReplayError>| {
        let replay = finished(first, start, line, error);
        Replay {
            start: begin.clone(),
            told,
            ..replay
        }
    };
    let setup_after = |first: usize| {
        let mut rest = game.moves[first..].iter();
        rest.position(|node| node.setup().is_some())
            .map(|ahead| first + ahead)
    };
    while let Some(setup) = setup_after(first) {
        // What was played before a position is set up has to be legal as well.
        let (line, error) = play_line(&start, &game.moves[first..setup]);
        if let Some(error) = error {
            return finish(first, &start, line, Some(error));
        }
        let node = &game.moves[setup];
        match position(start.variant(), node.setup().unwrap_or_default()) {
            Ok(position) => start = position,
            Err(error) => {
                let error = ReplayError {
                    at: node.at,
                    fault: error.into(),
                };
                return finish(first, &start, line, Some(error));
            }
        }
        first = setup + 1;
    }
    let (line, error) = play_line(&start, &game.moves[first..]);
    finish(first, &start, line, error)
}

fn finished(first: usize, start: &Position, line: Line, error: Option<ReplayError>) -> Replay {
    let mut game = Game::from_position(start.clone());
    for mv in &line.moves {
        if game.play(mv).is_err() {
            break; // The rules have ended the game, the players have not.
        }
    }
    Replay {
        game,
        moves: line.moves,
        position: line.position,
        first,
        start: start.clone(),
        displaced: 0,
        told: 0,
        assumed: Vec::new(),
        errors: error.into_iter().collect(),
    }
}

/// The start of a game whose opening was drawn by lot, as it is done on 64 squares: the first
/// "moves" put one man of each side on another square. With it the number of such moves.
///
/// Only where nothing else follows, or a good deal, lest a slip be taken for it.
fn displaced(game: &PdnGame, variant: &Variant) -> Option<(Position, usize)> {
    const ENOUGH: usize = 6;
    let lettered = variant.definition().notation.squares == SquareNames::Letters;
    let count = game.moves.len();
    if !lettered || game.tag("FEN").is_some() || (3..ENOUGH).contains(&count) {
        return None;
    }
    let men = count.min(2);
    let setup = displace(variant, &game.moves[..men])?;
    let position = Position::new(variant, &setup).ok()?;
    Some((position, men))
}

/// The starting set-up with a man of each side elsewhere.
fn displace(variant: &Variant, nodes: &[MoveNode]) -> Option<Setup> {
    let mut setup = variant.start().setup();
    let mut moved: Vec<(Square, Piece)> = Vec::new();
    for node in nodes {
        let (from, to) = node.text.split_once('-')?;
        let (from, to) = (variant.board().parse(from)?, variant.board().parse(to)?);
        let index = setup
            .pieces
            .iter()
            .position(|(square, _)| *square == from)?;
        let (_, piece) = setup.pieces.swap_remove(index);
        moved.push((to, piece));
    }
    let sides: Vec<Side> = moved.iter().map(|(_, piece)| piece.side).collect();
    if sides == [Side::White, Side::White] || sides == [Side::Black, Side::Black] {
        return None;
    }
    setup.pieces.extend(moved);
    Some(setup)
}
