//! A game explained in plain English, from its keys alone.

mod draws;
mod grammar;

use self::draws::draws;
use self::grammar::{capitalised, counted, directions, listed, number, plural};
use super::definition::{
    BoardDefinition, CaptureBy, Corner, Criterion, Definition, InCapture, Kind, Landing,
    PromotionSquares, Range, Reach, Results, SquareNames, Squares, Start, Stuck,
};
use crate::{Board, Side};

impl Definition {
    /// The rules as short titled paragraphs, one a line, with an empty line between them.
    pub fn in_words(&self) -> String {
        let mut paragraphs = vec![
            ("Board".to_owned(), board(self)),
            ("Start".to_owned(), start(self)),
        ];
        for &kind in &in_play(self) {
            paragraphs.push((
                capitalised(&plural(&self.kinds[kind].name)),
                piece(self, kind),
            ));
        }
        paragraphs.push(("Captures".to_owned(), captures(self)));
        paragraphs.push(("Promotion".to_owned(), promotion(self)));
        paragraphs.push(("How it ends".to_owned(), end(self)));
        paragraphs.push(("Draws".to_owned(), draws(self)));
        paragraphs.push(("Notation".to_owned(), notation(self)));
        let lines = paragraphs
            .into_iter()
            .map(|(title, sentences)| format!("{title}: {}", sentences.join(" ")));
        lines.collect::<Vec<_>>().join("\n\n")
    }
}

type Sentences = Vec<String>;

/// Indices of the kinds that can ever be on the board: those of the start and what they become.
fn in_play(definition: &Definition) -> Vec<usize> {
    let mut seen: Vec<bool> = (0..definition.kinds.len())
        .map(|kind| {
            starting(definition, Side::White, kind) + starting(definition, Side::Black, kind) > 0
        })
        .collect();
    // A promotion may lead to another one: repeat once per kind.
    for _ in 0..seen.len() {
        for (index, kind) in definition.kinds.iter().enumerate() {
            if let (true, Some(next)) = (seen[index], kind.becomes) {
                seen[next] = true;
            }
        }
    }
    (0..seen.len()).filter(|&kind| seen[kind]).collect()
}

/// How many pieces of a kind a side starts with.
fn starting(definition: &Definition, side: Side, kind: usize) -> usize {
    match &definition.start {
        Start::Drawn(rows) => {
            let letter = definition.kinds[kind].letters[side];
            rows.iter()
                .flat_map(|row| row.chars())
                .filter(|&l| l == letter)
                .count()
        }
        Start::Rows { .. } if kind == 0 => men_in_rows(definition, side),
        Start::Rows { .. } => 0,
    }
}

fn men_in_rows(definition: &Definition, side: Side) -> usize {
    let Start::Rows { offset, .. } = definition.start else {
        return 0;
    };
    let (rows, offset) = (usize::from(definition.board.rows), usize::from(offset));
    let filled = filled_rows(definition);
    let first = if side == definition.sides.top {
        offset
    } else {
        rows - offset - filled
    };
    let board = Board::new(&definition.board, definition.notation);
    let men = board.squares().filter(|&square| {
        let (row, _) = board.row_column(square);
        (first..first + filled).contains(&row)
    });
    men.count()
}

/// Rows of men on each side.
fn filled_rows(definition: &Definition) -> usize {
    match definition.start {
        Start::Rows { gap, offset } => {
            usize::from(definition.board.rows - gap) / 2 - usize::from(offset)
        }
        Start::Drawn(_) => 0,
    }
}

fn board(definition: &Definition) -> Sentences {
    let keys = &definition.board;
    let whole = Board::new(
        &BoardDefinition {
            holes: Vec::new(),
            ..keys.clone()
        },
        definition.notation,
    );
    let corner = match whole.at(usize::from(keys.rows) - 1, 0) {
        Some(_) => "a square of the game",
        None => "not used",
    };
    let mut said = vec![format!(
        "The board has {} columns and {} rows.",
        keys.columns, keys.rows
    )];
    said.push(match keys.squares {
        Squares::All if !keys.holes.is_empty() => {
            "Squares of both colours are played on.".to_owned()
        }
        Squares::All => format!("All its {} squares are played on.", whole.len()),
        Squares::Even | Squares::Odd => format!(
            "Only every other square is played on, {} in all; the bottom left corner is {corner}.",
            whole.len()
        ),
    });
    match keys.holes.len() {
        0 => (),
        1 => said.push("One square is missing; nothing can stand on it or cross it.".to_owned()),
        n => said.push(format!(
            "{} squares are missing; nothing can stand on them or cross them.",
            capitalised(&number(n))
        )),
    }
    if let Some((from, to)) = keys.sizes {
        said.push(format!(
            "Other even sizes work too, from {from}×{from} to {to}×{to}."
        ));
    }
    said
}

fn start(definition: &Definition) -> Sentences {
    let sides = &definition.sides;
    let [top, bottom] = [sides.top, !sides.top];
    let mut said = vec![format!(
        "{} sits at the top and moves down, {} sits at the bottom and moves up.",
        sides.names[top], sides.names[bottom]
    )];
    let forces = Side::BOTH.map(|side| force(definition, side));
    if forces[0] == forces[1] {
        said.push(format!(
            "Each side has {}{}.",
            forces[0],
            placed(definition)
        ));
    } else {
        said.push(format!("{} has {}.", sides.names[0], forces[0]));
        said.push(format!("{} has {}.", sides.names[1], forces[1]));
    }
    if let Start::Drawn(rows) = &definition.start {
        said.push(format!(
            "From top to bottom the rows are {}.",
            rows.join(" ")
        ));
    }
    said.push(format!(
        "{} moves first, then the sides take turns.",
        sides.names[sides.first]
    ));
    said
}

/// Such as `10 men and two frogs`.
fn force(definition: &Definition, side: Side) -> String {
    let counts = definition
        .kinds
        .iter()
        .enumerate()
        .filter_map(|(index, kind)| {
            let count = starting(definition, side, index);
            (count > 0).then(|| counted(count, &kind.name))
        });
    listed(&counts.collect::<Vec<_>>(), "and")
}

fn placed(definition: &Definition) -> String {
    let Start::Rows { gap, offset } = definition.start else {
        return String::new();
    };
    let rows = match (filled_rows(definition), offset) {
        (1, 0) => "on the row nearest to it".to_owned(),
        (n, 0) => format!("on the {} rows nearest to it", number(n)),
        (n, back) => format!(
            "on {} in front of {}",
            counted(n, "row"),
            counted(usize::from(back), "empty row")
        ),
    };
    format!(", {rows}; {} between", lie(usize::from(gap)))
}

fn lie(rows: usize) -> String {
    match rows {
        0 => "no row lies".to_owned(),
        1 => "one empty row lies".to_owned(),
        n => format!("{} empty rows lie", number(n)),
    }
}

/// What one kind of piece may do.
fn piece(definition: &Definition, index: usize) -> Sentences {
    let kind = &definition.kinds[index];
    let mut said = vec![quiet(kind)];
    said.push(capture_move(kind));
    let straight = kind.captures.names().any(|name| !name.contains('-'));
    if straight && definition.board.squares != Squares::All && kind.capture_by == CaptureBy::Jump {
        said.push(
            "A straight jump skips the squares that are not played on: the next square in a row or \
             column is two steps away."
                .to_owned(),
        );
    }
    said.extend(not_taken(definition, kind));
    if let Some(limit) = kind.quiet_limit {
        said.push(format!(
            "A {} may make at most {} quiet {} in a row while its side still has men.",
            kind.name,
            number(limit.into()),
            if limit == 1 { "move" } else { "moves" },
        ));
    }
    said
}

fn quiet(kind: &Kind) -> String {
    let (who, ways) = (capitalised(&plural(&kind.name)), directions(kind.moves));
    match kind.range {
        Range::Anywhere => format!("{who} move to any empty square of the board."),
        _ if kind.moves.is_empty() => format!("{who} never move except to capture."),
        Range::Step => format!("{who} move one square {ways}."),
        Range::Slide => format!("{who} move any number of empty squares {ways}."),
        Range::Leap => format!(
            "{who} move only by leaping {ways} over one neighbour of their own side, to the empty \
             square behind it."
        ),
    }
}

fn capture_move(kind: &Kind) -> String {
    let ways = directions(kind.captures);
    match (kind.capture_by, kind.reach) {
        _ if !can_capture(kind) => "They never capture.".to_owned(),
        (_, Reach::Anywhere) => {
            "They capture by moving onto an enemy piece anywhere on the board.".to_owned()
        }
        (CaptureBy::Replacement, Reach::Short) => {
            format!("They capture by moving one square {ways} onto an enemy piece.")
        }
        (CaptureBy::Replacement, Reach::Long) => {
            format!("They capture by moving any distance {ways} onto an enemy piece.")
        }
        (CaptureBy::Jump, Reach::Short) => format!(
            "They capture by jumping {ways} over a neighbouring enemy piece, to the empty square \
             right behind it."
        ),
        (CaptureBy::Jump, Reach::Long) => format!(
            "They capture by jumping {ways} over an enemy piece at any distance, with only empty \
             squares before it, and land {}.",
            landing(kind.landing)
        ),
    }
}

fn can_capture(kind: &Kind) -> bool {
    !kind.takes.is_empty() && (kind.reach == Reach::Anywhere || !kind.captures.is_empty())
}

fn landing(landing: Landing) -> &'static str {
    match landing {
        Landing::Any => "on any of the empty squares behind it",
        Landing::Next => "on the empty square right behind it",
        Landing::NextAfterKing => {
            "on any of the empty squares behind it, but right behind it if it is a king and the \
             last piece taken"
        }
    }
}

fn not_taken(definition: &Definition, kind: &Kind) -> Option<String> {
    let spared: Vec<String> = in_play(definition)
        .into_iter()
        .filter(|index| !kind.takes.contains(index))
        .map(|index| plural(&definition.kinds[index].name))
        .collect();
    let who = capitalised(&plural(&kind.name));
    (can_capture(kind) && !spared.is_empty())
        .then(|| format!("{who} can't take {}.", listed(&spared, "or")))
}

fn captures(definition: &Definition) -> Sentences {
    let keys = &definition.capture;
    let kinds: Vec<&Kind> = in_play(definition)
        .iter()
        .map(|&kind| &definition.kinds[kind])
        .collect();
    if !kinds.iter().any(|kind| can_capture(kind)) {
        return vec!["Nothing is ever captured.".to_owned()];
    }
    let mut said = Vec::new();
    if keys.obligatory {
        said.push("If you can capture, you must.".to_owned());
    } else {
        said.push("You may capture when you can, but you need not.".to_owned());
    }
    if keys.obligatory && keys.priority.is_empty() {
        said.push("If there are several captures, choose the one you like.".to_owned());
    }
    said.extend(
        keys.priority
            .iter()
            .enumerate()
            .map(|(place, &first)| criterion(place, first)),
    );
    if kinds
        .iter()
        .any(|kind| kind.capture_by == CaptureBy::Jump && can_capture(kind))
    {
        said.extend(chains(definition));
    }
    said
}

fn criterion(place: usize, criterion: Criterion) -> String {
    let who = if place == 0 {
        "You must"
    } else {
        "If there is still a choice, you must"
    };
    let what = match criterion {
        Criterion::MostPieces => "take the line that captures the most pieces",
        Criterion::ByKing => "capture with a king if a king can do it",
        Criterion::MostKings => "take the line that captures the most kings",
        Criterion::KingsFirst => "take the line that meets a king soonest",
        Criterion::MostValue => {
            "take the line with the highest value, where a king is worth a little less than two men"
        }
    };
    format!("{who} {what}.")
}

/// What happens between the jumps of one capture.
fn chains(definition: &Definition) -> Sentences {
    let keys = &definition.capture;
    let chain = if keys.chain_must_go_on {
        "A piece that has captured must go on capturing in the same move while it can."
    } else {
        "A piece that has captured may go on capturing in the same move, or stop."
    };
    let removal = if keys.remove_at_once {
        "Each captured piece leaves the board as soon as it is jumped."
    } else {
        "Captured pieces leave the board when the move is over; none may be jumped twice."
    };
    let mut said = vec![chain.to_owned(), removal.to_owned()];
    if !keys.turn_back {
        said.push("Between two jumps a piece may not turn straight back.".to_owned());
    }
    said
}

fn promotion(definition: &Definition) -> Sentences {
    let place = match definition.promotion.squares {
        PromotionSquares::LastRow => "the row farthest from its own side",
        PromotionSquares::Edge => {
            "a square with no other square before it, straight or diagonally,"
        }
    };
    let mut said = Vec::new();
    for kind in in_play(definition)
        .iter()
        .map(|&kind| &definition.kinds[kind])
    {
        if let Some(next) = kind.becomes {
            let (name, next) = (&kind.name, &definition.kinds[next].name);
            said.push(format!("A {name} that reaches {place} becomes a {next}."));
            if kind.capture_by == CaptureBy::Jump && can_capture(kind) {
                said.push(in_capture(definition.promotion.in_capture, name, next));
            }
        }
    }
    if said.is_empty() {
        said.push("Nothing is ever promoted.".to_owned());
    }
    said
}

fn in_capture(rule: InCapture, name: &str, next: &str) -> String {
    match rule {
        InCapture::Ends => "If it gets there by a capture, its move ends there.".to_owned(),
        InCapture::GoesOnAsMan => format!(
            "If it gets there in the middle of a capture, it goes on as a {name} and is promoted \
             only if its move ends there."
        ),
        InCapture::GoesOnAsKing => format!(
            "If it gets there in the middle of a capture, it is promoted at once and goes on as a \
             {next}."
        ),
    }
}

fn end(definition: &Definition) -> Sentences {
    let stuck = match definition.end.stuck {
        Stuck::Loses => "A side that has no piece left, or none that can move, loses on its turn.",
        Stuck::Wins => "A side that has no piece left, or none that can move, wins on its turn.",
        Stuck::MostPieces => {
            "The game is over when the side to move can't move: the side with more pieces wins, \
             whichever that is, and equal numbers are a draw."
        }
    };
    let mut said = Vec::new();
    if definition.end.king_wins {
        said.push("The first side to have a piece promoted wins.".to_owned());
    }
    said.push(stuck.to_owned());
    said
}

fn notation(definition: &Definition) -> Sentences {
    let keys = definition.notation;
    let corner = match keys.corner {
        Corner::BottomLeft => "bottom left",
        Corner::BottomRight => "bottom right",
        Corner::TopLeft => "top left",
        Corner::TopRight => "top right",
    };
    let mut said = vec![match keys.squares {
        SquareNames::Numbers => format!("Squares are numbered row by row from the {corner}."),
        SquareNames::Letters => lettered('a', corner),
        SquareNames::Capitals => lettered('A', corner),
        SquareNames::RowColumn => {
            "Squares are written as row and column, both counted from 0 at the top left.".to_owned()
        }
    }];
    let results = match keys.results {
        Results::TwoNil => "2-0, 1-1 or 0-2",
        Results::OneNil => "1-0, 1/2-1/2 or 0-1",
    };
    said.push(match keys.game_type {
        Some(number) => {
            format!("PDN files call the game type {number} and write results as {results}.")
        }
        None => format!("Results are written as {results}."),
    });
    said
}

fn lettered(first: char, corner: &str) -> String {
    format!("Columns have letters and rows have numbers; {first}1 is at the {corner}.")
}
