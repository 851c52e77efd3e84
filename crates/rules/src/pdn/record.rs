//! Recording games as PDN.

use super::variants::{of_type, variant_tag};
use super::{GameType, MoveNode, MoveNumber, Naming, PdnGame, ResultToken, Score, Tag};
use crate::variant::{Corner, Results, SquareNames};
use crate::{Game, Move, Outcome, Position, Side, Turn, Variant};

/// A game as PDN. The tags are those given and, where they are missing, the result, the game type
/// or the variant, and the position it started from.
///
/// ```
/// use kingme_rules::pdn::{Tag, from_game, to_text};
/// use kingme_rules::{Game, Variant};
///
/// let mut game = Game::new(&Variant::named("english")?);
/// game.play_text("11-15")?;
/// game.play_text("22-18")?;
/// assert_eq!(
///     to_text(&from_game(&game, vec![Tag::new("Event", "A walk")])),
///     "[Event \"A walk\"]\n[Result \"*\"]\n[GameType \"21,B,8,8,N1,0\"]\n\n1. 11-15 22-18 *\n\n"
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn from_game(game: &Game, tags: Vec<Tag>) -> PdnGame {
    let variant = game.variant();
    let mut pdn = PdnGame {
        tags,
        line: 1,
        ..PdnGame::default()
    };
    let told = pdn.tag("Result").and_then(ResultToken::parse);
    let result = told.unwrap_or_else(|| ResultToken::of(variant, game.outcome()));
    add_tag(&mut pdn, "Result", || result.to_string());
    add_game(&mut pdn, variant);
    add_start(&mut pdn, game.start());
    pdn.moves = nodes_after(game, 0);
    pdn.result = Some(result);
    pdn
}

/// Says which game it is.
pub(super) fn add_game(pdn: &mut PdnGame, variant: &Variant) {
    let game_type = GameType::of(variant).map(|game_type| game_type.to_string());
    let told = game_type.as_deref().and_then(of_type);
    if told.is_none_or(|told| told.name() != variant.name()) {
        add_tag(pdn, "Variant", || variant_tag(variant));
    }
    if let Some(game_type) = game_type {
        add_tag(pdn, "GameType", || game_type);
    }
}

/// Says where it starts, if not as usual.
pub(super) fn add_start(pdn: &mut PdnGame, start: &Position) {
    if *start != start.variant().start() {
        add_tag(pdn, "SetUp", || "1".to_string());
        add_tag(pdn, "FEN", || start.fen());
    }
}

pub(super) fn add_tag(pdn: &mut PdnGame, name: &str, value: impl FnOnce() -> String) {
    if pdn.tag(name).is_none() {
        pdn.tags.push(Tag::new(name, value()));
    }
}

/// The moves of a game after so many plies as a line: all of it, or a variation.
pub fn nodes_after(game: &Game, plies: usize) -> Vec<MoveNode> {
    let first = game.variant().definition().sides.first;
    let skipped = usize::from(game.start().turn() != first);
    // At the beginning, and after a turn that was passed, the number tells whose move it is.
    let mut untold = true;
    let node = |(ply, (position, turn)): (usize, (&Position, &Turn))| {
        let count = ply + skipped;
        let number = MoveNumber {
            number: (count / 2 + 1) as u32,
            second: count % 2 == 1,
        };
        let Some(mv) = turn.as_move() else {
            untold = true;
            return game.position_after(ply + 1).map(set_up);
        };
        let is_told = std::mem::take(&mut untold) || !number.second;
        Some(MoveNode {
            text: text(position, mv),
            number: is_told.then_some(number),
            ..MoveNode::default()
        })
    };
    let turns = game.history().enumerate().skip(plies);
    turns.filter_map(node).collect()
}

/// A position in place of a move: PDN can tell a passed turn by what follows it only.
fn set_up(position: &Position) -> MoveNode {
    MoveNode {
        text: format!("/{}/", position.fen()),
        ..MoveNode::default()
    }
}

/// The move as PDN can read it: a semicolon would start a comment.
pub(super) fn text(position: &Position, mv: &Move) -> String {
    let separator = if mv.is_capture() { "x" } else { "-" };
    position.move_text(mv).replace(';', separator)
}

impl ResultToken {
    /// How a variant writes an outcome; `*` while there is none.
    pub fn of(variant: &Variant, outcome: Option<&Outcome>) -> ResultToken {
        outcome.map_or_else(ResultToken::unfinished, |outcome| {
            ResultToken::won_by(variant, outcome.winner)
        })
    }

    /// How a variant writes that a side has won, or nobody. The first figure is that of the side
    /// that moves first, whatever its colour.
    pub fn won_by(variant: &Variant, winner: Option<Side>) -> ResultToken {
        let definition = variant.definition();
        let [win, draw, loss] = match definition.notation.results {
            Results::TwoNil => ["2-0", "1-1", "0-2"],
            Results::OneNil => ["1-0", "1/2-1/2", "0-1"],
        };
        ResultToken::new(match winner {
            None => draw,
            Some(side) if side == definition.sides.first => win,
            Some(_) => loss,
        })
    }

    /// Who has won in a variant; `None` for draws and unfinished games.
    pub fn winner(&self, variant: &Variant) -> Option<Side> {
        let first = variant.definition().sides.first;
        match self.score() {
            Score::First => Some(first),
            Score::Second => Some(!first),
            Score::Draw | Score::Nobody | Score::Unknown => None,
        }
    }
}

impl GameType {
    /// The game type of a variant; `None` if PDN has no number for it.
    pub fn of(variant: &Variant) -> Option<GameType> {
        let definition = variant.definition();
        let first_on_top = definition.sides.first == definition.sides.top;
        let board = variant.board();
        let (rows, columns) = (usize::from(board.rows()), usize::from(board.columns()));
        let bottom_left = if first_on_top {
            board.at(0, columns - 1)
        } else {
            board.at(rows - 1, 0)
        };
        let corner = definition.notation.corner;
        Some(GameType {
            number: definition.notation.game_type?,
            first: definition.sides.first,
            columns: board.columns(),
            rows: board.rows(),
            naming: match definition.notation.squares {
                SquareNames::Numbers => Naming::Numeric,
                _ => Naming::Algebraic,
            },
            corner: if first_on_top {
                opposite(corner)
            } else {
                corner
            },
            inverted: bottom_left.is_none(),
        })
    }
}

fn opposite(corner: Corner) -> Corner {
    match corner {
        Corner::BottomLeft => Corner::TopRight,
        Corner::BottomRight => Corner::TopLeft,
        Corner::TopLeft => Corner::BottomRight,
        Corner::TopRight => Corner::BottomLeft,
    }
}
