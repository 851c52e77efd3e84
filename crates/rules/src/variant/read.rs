//! From a tree of keys to a [`Definition`], one function per table.

use super::definition::{
    BoardDefinition, Capture, CaptureBy, Corner, Counter, CounterResult, Criterion, Definition,
    Dialogue, Directions, Draws, End, InCapture, Kind, Landing, Material, Notation, Progress,
    Promotion, PromotionSquares, Range, Reach, Results, Screen, Sides, Span, SquareNames, Squares,
    Start, Stuck, TextBoard,
};
use super::fields::{Fault, Fields, Tree};
use crate::Side;

/// Reads a whole file; `None` if there were faults.
pub(super) fn definition(tree: Tree, faults: &mut Vec<Fault>) -> Option<Definition> {
    let mut fields = Fields::new(tree, faults);
    let file = &mut fields;
    let name = file.text("name");
    let title = file.text("title");
    let summary = file.text("summary");
    let sources = file.text("sources");
    let board = file.table("board", board);
    let sides = file.table("sides", sides);
    let start = file.table("start", start);
    let kinds = file.table("pieces", kinds);
    let capture = file.table("capture", capture);
    let promotion = file.table("promotion", promotion);
    let end = file.table("end", end);
    let draws = file.table("draws", draws);
    let notation = file.table("notation", notation);
    let screen = file.table("screen", screen);
    fields.finish();
    Some(Definition {
        name: name?,
        title: title?,
        summary: summary?,
        sources: sources?,
        board: board?,
        sides: sides?,
        start: start?,
        kinds: kinds?,
        capture: capture?,
        promotion: promotion?,
        end: end?,
        draws: draws?,
        notation: notation?,
        screen: screen?,
    })
}

fn board(fields: &mut Fields<'_>) -> Option<BoardDefinition> {
    let columns = fields.integer("columns", 2, 26);
    let rows = fields.integer("rows", 2, 26);
    let words = [
        ("even", Squares::Even),
        ("odd", Squares::Odd),
        ("all", Squares::All),
    ];
    let squares = fields.choice("squares", &words);
    let holes = fields.parsed("holes", row_column);
    let sizes = match fields.integers("sizes").as_deref() {
        Some([]) => Some(None),
        Some(&[from, to]) if 4 <= from && from <= to && to <= 26 => {
            Some(Some((from as u8, to as u8)))
        }
        Some(_) => {
            let reason = "expected [] or the smallest and the largest size, from 4 to 26";
            fields.fault("sizes", reason);
            None
        }
        None => None,
    };
    Some(BoardDefinition {
        columns: columns? as u8,
        rows: rows? as u8,
        squares: squares?,
        holes: holes?,
        sizes: sizes?,
    })
}

fn row_column(text: &str) -> Result<(u8, u8), String> {
    text.split_once(',')
        .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)))
        .ok_or_else(|| format!("found \"{text}\", expected a row and a column such as \"3,4\""))
}

fn sides(fields: &mut Fields<'_>) -> Option<Sides> {
    let words = [("white", Side::White), ("black", Side::Black)];
    let names = (fields.text("white"), fields.text("black"));
    let letters = fields.text("letters");
    let letters = letters.and_then(|text| two_letters(fields, "letters", &text));
    let first = fields.choice("first", &words);
    let top = fields.choice("top", &words);
    Some(Sides {
        names: [names.0?, names.1?],
        letters: letters?,
        first: first?,
        top: top?,
    })
}

fn two_letters(fields: &mut Fields<'_>, key: &str, text: &str) -> Option<[char; 2]> {
    let letters: Vec<char> = text.chars().collect();
    if let [white, black] = letters[..]
        && white != black
        && letters.iter().all(char::is_ascii_alphabetic)
    {
        return Some([white, black]);
    }
    let reason = format!("found \"{text}\", expected two different letters, White's first");
    fields.fault(key, reason);
    None
}

fn start(fields: &mut Fields<'_>) -> Option<Start> {
    let gap = fields.integer("gap", 0, 26);
    let offset = fields.integer("offset", 0, 26);
    let drawn = fields.texts("draw")?;
    if drawn.is_empty() {
        return Some(Start::Rows {
            gap: gap? as u8,
            offset: offset? as u8,
        });
    }
    Some(Start::Drawn(drawn))
}

const MAX_KINDS: usize = 4;

fn kinds(fields: &mut Fields<'_>) -> Option<Vec<Kind>> {
    let mut names = vec!["man".to_owned(), "king".to_owned()];
    for key in fields.keys() {
        if !names.contains(&key) {
            names.push(key);
        }
    }
    if names.len() > MAX_KINDS {
        fields.fault("", format!("{} kinds of pieces; four fit", names.len()));
        return None;
    }
    for name in &names {
        if !fields.has(name) {
            fields.fault(name, "this table is missing");
        }
    }
    let mut read = fields.each_table(|name, table| kind(name, &names, table));
    names
        .iter()
        .map(|name| {
            let index = read.iter().position(|(key, _)| key == name)?;
            read.swap_remove(index).1
        })
        .collect()
}

fn kind(name: &str, names: &[String], fields: &mut Fields<'_>) -> Option<Kind> {
    let fen = fields.text("fen");
    let letters = fields.text("letters");
    let letters = letters.and_then(|text| two_letters(fields, "letters", &text));
    let moves = directions(fields, "moves");
    let range = fields.choice(
        "range",
        &[
            ("step", Range::Step),
            ("slide", Range::Slide),
            ("leap", Range::Leap),
            ("anywhere", Range::Anywhere),
        ],
    );
    let captures = directions(fields, "captures");
    let by = [
        ("jump", CaptureBy::Jump),
        ("replacement", CaptureBy::Replacement),
    ];
    let capture_by = fields.choice("capture_by", &by);
    let reach = fields.choice(
        "reach",
        &[
            ("short", Reach::Short),
            ("long", Reach::Long),
            ("anywhere", Reach::Anywhere),
        ],
    );
    let landing = fields.choice(
        "landing",
        &[
            ("any", Landing::Any),
            ("next", Landing::Next),
            ("next-after-king", Landing::NextAfterKing),
        ],
    );
    let indices: Vec<(&str, usize)> = names.iter().map(String::as_str).zip(0..).collect();
    let takes = fields.choices("takes", &indices);
    let mut targets: Vec<(&str, Option<usize>)> = vec![("nothing", None)];
    targets.extend(indices.iter().map(|&(name, index)| (name, Some(index))));
    let becomes = fields.choice("becomes", &targets);
    let quiet_limit = fields.integer("quiet_limit", 0, 100);
    Some(Kind {
        name: name.to_owned(),
        fen: fen?,
        letters: letters?,
        moves: moves?,
        range: range?,
        captures: captures?,
        capture_by: capture_by?,
        reach: reach?,
        landing: landing?,
        takes: takes?,
        becomes: becomes?,
        quiet_limit: Some(quiet_limit? as u8).filter(|&limit| limit > 0),
    })
}

fn directions(fields: &mut Fields<'_>, key: &'static str) -> Option<Directions> {
    let words: Vec<(&str, Directions)> = Directions::NAMES
        .iter()
        .map(|&name| (name, Directions::named(name).unwrap_or_default()))
        .chain(Directions::GROUPS)
        .collect();
    let chosen = fields.choices(key, &words)?;
    Some(chosen.into_iter().fold(Directions::NONE, Directions::union))
}

const MUST_OR_MAY: [(&str, bool); 2] = [("must", true), ("may", false)];

const CRITERIA: [(&str, Criterion); 5] = [
    ("most-pieces", Criterion::MostPieces),
    ("by-king", Criterion::ByKing),
    ("most-kings", Criterion::MostKings),
    ("kings-first", Criterion::KingsFirst),
    ("most-value", Criterion::MostValue),
];

fn capture(fields: &mut Fields<'_>) -> Option<Capture> {
    let obligatory = fields.choice("obligation", &MUST_OR_MAY);
    let priority = fields.choices("priority", &CRITERIA);
    let chain = fields.choice("chain", &MUST_OR_MAY);
    let removal = fields.choice("removal", &[("after", false), ("at-once", true)]);
    let turn_back = fields.boolean("turn_back");
    Some(Capture {
        obligatory: obligatory?,
        priority: priority?,
        chain_must_go_on: chain?,
        remove_at_once: removal?,
        turn_back: turn_back?,
    })
}

fn promotion(fields: &mut Fields<'_>) -> Option<Promotion> {
    let squares = fields.choice(
        "squares",
        &[
            ("last-row", PromotionSquares::LastRow),
            ("edge", PromotionSquares::Edge),
        ],
    );
    let in_capture = fields.choice(
        "in_capture",
        &[
            ("ends", InCapture::Ends),
            ("goes-on-as-man", InCapture::GoesOnAsMan),
            ("goes-on-as-king", InCapture::GoesOnAsKing),
        ],
    );
    Some(Promotion {
        squares: squares?,
        in_capture: in_capture?,
    })
}

fn end(fields: &mut Fields<'_>) -> Option<End> {
    let words = [
        ("loses", Stuck::Loses),
        ("wins", Stuck::Wins),
        ("most-pieces", Stuck::MostPieces),
    ];
    let stuck = fields.choice("stuck", &words);
    let king_wins = fields.boolean("king_wins");
    Some(End {
        stuck: stuck?,
        king_wins: king_wins?,
    })
}

fn draws(fields: &mut Fields<'_>) -> Option<Draws> {
    let repetition = fields.integer("repetition", 0, 100);
    let counters = fields.tables("counters", counter);
    Some(Draws {
        repetition: Some(repetition? as u8).filter(|&times| times > 0),
        counters: counters?,
    })
}

fn counter(fields: &mut Fields<'_>) -> Option<Counter> {
    let plies = fields.integer("plies", 0, 1000);
    let restart = fields.choices(
        "restart",
        &[
            ("capture", Progress::Capture),
            ("promotion", Progress::Promotion),
            ("man-move", Progress::ManMove),
        ],
    );
    let pieces = optional(fields, "pieces", |fields| span(fields, "pieces"));
    let one = optional(fields, "one", |fields| fields.table("one", material));
    let other = optional(fields, "other", |fields| fields.table("other", material));
    let on = optional(fields, "on", |fields| fields.texts("on"));
    let words = [
        ("draw", CounterResult::Draw),
        ("most-pieces", CounterResult::MostPieces),
    ];
    let result = fields.choice("result", &words);
    Some(Counter {
        plies: plies?,
        restart: restart?,
        pieces: pieces?,
        one: one?.unwrap_or_default(),
        other: other?.unwrap_or_default(),
        on: on?.unwrap_or_default(),
        result: result?,
    })
}

fn material(fields: &mut Fields<'_>) -> Option<Material> {
    let pieces = optional(fields, "pieces", |fields| span(fields, "pieces"));
    let men = optional(fields, "men", |fields| span(fields, "men"));
    let kings = optional(fields, "kings", |fields| span(fields, "kings"));
    Some(Material {
        pieces: pieces?,
        men: men?,
        kings: kings?,
    })
}

/// A key of a counter that may be left out: the outer `None` is a fault.
fn optional<T>(
    fields: &mut Fields<'_>,
    key: &str,
    read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
) -> Option<Option<T>> {
    if fields.has(key) {
        read(fields).map(Some)
    } else {
        Some(None)
    }
}

fn span(fields: &mut Fields<'_>, key: &'static str) -> Option<Span> {
    let text = fields.text(key)?;
    let parsed = parse_span(&text);
    if parsed.is_none() {
        let reason = format!("found \"{text}\", expected a range such as \"3\", \"3-5\" or \"3+\"");
        fields.fault(key, reason);
    }
    parsed
}

fn parse_span(text: &str) -> Option<Span> {
    if let Some(from) = text.strip_suffix('+') {
        let from = from.parse().ok()?;
        return Some(Span { from, to: u16::MAX });
    }
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some(Span { from, to })
}

fn notation(fields: &mut Fields<'_>) -> Option<Notation> {
    let squares = fields.choice(
        "squares",
        &[
            ("numbers", SquareNames::Numbers),
            ("letters", SquareNames::Letters),
            ("capitals", SquareNames::Capitals),
            ("row-column", SquareNames::RowColumn),
        ],
    );
    let corner = fields.choice(
        "corner",
        &[
            ("bottom-left", Corner::BottomLeft),
            ("bottom-right", Corner::BottomRight),
            ("top-left", Corner::TopLeft),
            ("top-right", Corner::TopRight),
        ],
    );
    let game_type = fields.integer("game_type", 0, 999);
    let words = [("2-0", Results::TwoNil), ("1-0", Results::OneNil)];
    let results = fields.choice("results", &words);
    Some(Notation {
        squares: squares?,
        corner: corner?,
        game_type: Some(game_type?).filter(|&number| number > 0),
        results: results?,
    })
}

fn screen(fields: &mut Fields<'_>) -> Option<Screen> {
    let dialogue = fields.choice(
        "dialogue",
        &[
            ("moves", Dialogue::Moves),
            ("from-to", Dialogue::FromTo),
            ("from", Dialogue::From),
            ("turns", Dialogue::Turns),
        ],
    );
    let text_board = fields.choice(
        "text_board",
        &[
            ("plain", TextBoard::Plain),
            ("grid", TextBoard::Grid),
            ("console", TextBoard::Console),
        ],
    );
    let theme = fields.text("theme");
    Some(Screen {
        dialogue: dialogue?,
        text_board: text_board?,
        theme: theme?,
    })
}
