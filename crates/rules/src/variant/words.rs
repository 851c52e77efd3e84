//! A game explained in plain words, from its keys alone, in any language of `texts.rs`.

mod draws;
mod dutch;
mod english;
mod grammar;
mod texts;

pub use self::texts::Language;

use self::grammar::capitalised;
use self::texts::{Texts, filled};
use super::{
    BoardDefinition, CaptureBy, Corner, Criterion, Definition, InCapture, Kind, Landing,
    Obligation, PromotionSquares, Range, Reach, Results, SquareNames, Squares, Start, Stuck,
};
use crate::{Board, Side};

impl Definition {
    /// The rules in English, as [`Definition::in_words_of`] has them.
    pub fn in_words(&self) -> String {
        self.in_words_of(Language::English)
    }

    /// The rules as short titled paragraphs, one a line, with an empty line between them.
    pub fn in_words_of(&self, language: Language) -> String {
        let texts = language.texts();
        let mut paragraphs = vec![
            (texts.board.to_owned(), texts.board_of(self)),
            (texts.start.to_owned(), texts.start_of(self)),
        ];
        for &kind in &in_play(self) {
            let title = texts.kinds(&self.kinds[kind]);
            paragraphs.push((title, texts.piece_of(self, kind)));
        }
        paragraphs.extend([
            (texts.captures.to_owned(), texts.captures_of(self)),
            (texts.promotion.to_owned(), texts.promotion_of(self)),
            (texts.end.to_owned(), texts.end_of(self)),
            (texts.draws.to_owned(), texts.draws_of(self)),
            (texts.notation.to_owned(), texts.notation_of(self)),
        ]);
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

fn can_capture(kind: &Kind) -> bool {
    !kind.takes.is_empty() && (kind.reach == Reach::Anywhere || !kind.captures.is_empty())
}

impl Texts {
    /// Pieces of a kind, to begin a sentence with.
    fn kinds(&self, kind: &Kind) -> String {
        capitalised(&self.plural(self.name(&kind.name)))
    }

    fn board_of(&self, definition: &Definition) -> Sentences {
        let keys = &definition.board;
        let whole = Board::new(
            &BoardDefinition {
                holes: Vec::new(),
                ..keys.clone()
            },
            definition.notation,
        );
        let corner = match whole.at(usize::from(keys.rows) - 1, 0) {
            Some(_) => self.corner_used,
            None => self.corner_unused,
        };
        let played_on = whole.len() - keys.holes.len();
        let [columns, rows, count] =
            [keys.columns.into(), keys.rows.into(), played_on].map(|n: usize| n.to_string());
        let mut said = vec![filled(self.size, &[("columns", &columns), ("rows", &rows)])];
        said.push(match keys.squares {
            Squares::All if !keys.holes.is_empty() => self.both_colours.to_owned(),
            Squares::All => filled(self.all_squares, &[("count", &count)]),
            Squares::Even | Squares::Odd => {
                filled(self.every_other, &[("count", &count), ("corner", corner)])
            }
        });
        match keys.holes.len() {
            0 => (),
            1 => said.push(self.hole.to_owned()),
            n => said.push(filled(
                self.holes,
                &[("count", &capitalised(&self.number(n)))],
            )),
        }
        if let Some((from, to)) = definition.sizes() {
            let (from, to) = (from.to_string(), to.to_string());
            said.push(filled(self.sizes, &[("from", &from), ("to", &to)]));
        }
        said
    }

    fn start_of(&self, definition: &Definition) -> Sentences {
        let sides = &definition.sides;
        let name = |side: Side| self.name(&sides.names[side]);
        let mut said = vec![filled(
            self.sits,
            &[("top", name(sides.top)), ("bottom", name(!sides.top))],
        )];
        let forces = Side::BOTH.map(|side| self.force(definition, side));
        if forces[0] == forces[1] {
            let placed = self.placed_in(definition);
            let gaps = [("force", &*forces[0]), ("placed", &placed)];
            said.push(filled(self.each_has, &gaps));
        } else {
            for side in Side::BOTH {
                let gaps = [("side", name(side)), ("force", &forces[side])];
                said.push(filled(self.has, &gaps));
            }
        }
        if let Start::Drawn(rows) = &definition.start {
            said.push(filled(self.drawn_rows, &[("rows", &rows.join(" "))]));
        }
        said.push(filled(self.moves_first, &[("side", name(sides.first))]));
        said
    }

    /// Such as `10 men and two frogs`.
    fn force(&self, definition: &Definition, side: Side) -> String {
        let counts = definition
            .kinds
            .iter()
            .enumerate()
            .filter_map(|(index, kind)| {
                let count = starting(definition, side, index);
                (count > 0).then(|| self.counted(count, self.name(&kind.name)))
            });
        self.all_of(&counts.collect::<Vec<_>>())
    }

    /// Where the men of a start in rows stand.
    fn placed_in(&self, definition: &Definition) -> String {
        let Start::Rows { gap, offset } = definition.start else {
            return String::new();
        };
        let rows = match (filled_rows(definition), offset) {
            (1, 0) => self.nearest_row.to_owned(),
            (n, 0) => filled(self.nearest_rows, &[("count", &self.number(n))]),
            (n, back) => {
                let rows = self.counted(n, self.one_row);
                let back = self.counted(back.into(), self.one_empty_row);
                filled(self.in_front, &[("rows", &rows), ("back", &back)])
            }
        };
        let between = match gap {
            0 => self.between_none.to_owned(),
            1 => self.between_one.to_owned(),
            n => filled(self.between_many, &[("count", &self.number(n.into()))]),
        };
        filled(self.placed, &[("rows", &rows), ("between", &between)])
    }

    /// What one kind of piece may do.
    fn piece_of(&self, definition: &Definition, index: usize) -> Sentences {
        let kind = &definition.kinds[index];
        let mut said = vec![self.quiet(kind), self.capture(kind)];
        let straight = kind.captures.names().any(|name| !name.contains('-'));
        let all = definition.board.squares == Squares::All;
        if straight && !all && kind.capture_by == CaptureBy::Jump {
            said.push(self.straight_jump.to_owned());
        }
        said.extend(self.not_taken(definition, kind));
        if let Some(limit) = kind.quiet_limit {
            let text = if limit == 1 {
                self.quiet_limit
            } else {
                self.quiet_limits
            };
            let (kind, count) = (self.name(&kind.name), self.number(limit.into()));
            said.push(filled(text, &[("kind", kind), ("count", &count)]));
        }
        said
    }

    fn quiet(&self, kind: &Kind) -> String {
        let text = match kind.range {
            Range::Anywhere => self.quiet_anywhere,
            _ if kind.moves.is_empty() => self.quiet_never,
            Range::Step => self.quiet_step,
            Range::Slide => self.quiet_slide,
            Range::Leap => self.quiet_leap,
        };
        let (who, ways) = (self.kinds(kind), self.directions(kind.moves));
        filled(text, &[("who", &who), ("ways", &ways)])
    }

    fn capture(&self, kind: &Kind) -> String {
        let text = match (kind.capture_by, kind.reach) {
            _ if !can_capture(kind) => self.captures_never,
            (_, Reach::Anywhere) => self.captures_anywhere,
            (CaptureBy::Replacement, Reach::Short) => self.captures_onto,
            (CaptureBy::Replacement, Reach::Long) => self.captures_onto_far,
            (CaptureBy::Jump, Reach::Short) => self.captures_jump,
            (CaptureBy::Jump, Reach::Long) => self.captures_jump_far,
        };
        let landing = match kind.landing {
            Landing::Any => self.lands_anywhere,
            Landing::Next => self.lands_next,
            Landing::NextAfterKing => self.lands_next_after_king,
        };
        let ways = self.directions(kind.captures);
        filled(text, &[("ways", &ways), ("landing", landing)])
    }

    fn not_taken(&self, definition: &Definition, kind: &Kind) -> Option<String> {
        let spared: Vec<String> = in_play(definition)
            .into_iter()
            .filter(|index| !kind.takes.contains(index))
            .map(|index| self.plural(self.name(&definition.kinds[index].name)))
            .collect();
        let gaps = [
            ("who", &*self.kinds(kind)),
            ("spared", &self.any_of(&spared)),
        ];
        (can_capture(kind) && !spared.is_empty()).then(|| filled(self.cannot_take, &gaps))
    }

    fn captures_of(&self, definition: &Definition) -> Sentences {
        let keys = &definition.capture;
        let kinds: Vec<&Kind> = in_play(definition)
            .iter()
            .map(|&kind| &definition.kinds[kind])
            .filter(|kind| can_capture(kind))
            .collect();
        if kinds.is_empty() {
            return vec![self.nothing_captured.to_owned()];
        }
        let mut said = Vec::new();
        let obligation = match keys.obligation {
            Obligation::Must => self.must_capture,
            Obligation::May => self.may_capture,
            Obligation::Huff => self.huff,
        };
        said.push(obligation.to_owned());
        if keys.obligation != Obligation::May && keys.priority.is_empty() {
            said.push(self.any_capture.to_owned());
        }
        let priority = keys.priority.iter().enumerate();
        said.extend(priority.map(|(place, &first)| self.criterion(place, first)));
        if kinds.iter().any(|kind| kind.capture_by == CaptureBy::Jump) {
            said.extend(self.chains(definition));
        }
        said
    }

    fn criterion(&self, place: usize, criterion: Criterion) -> String {
        let text = if place == 0 {
            self.must_first
        } else {
            self.must_then
        };
        let what = match criterion {
            Criterion::MostPieces => self.most_pieces,
            Criterion::ByKing => self.by_king,
            Criterion::MostKings => self.most_kings,
            Criterion::KingsFirst => self.kings_first,
            Criterion::MostValue => self.most_value,
        };
        filled(text, &[("what", what)])
    }

    /// What happens between the jumps of one capture.
    fn chains(&self, definition: &Definition) -> Sentences {
        let keys = &definition.capture;
        let chain = if keys.chain_must_go_on {
            self.chain_goes_on
        } else {
            self.chain_may_stop
        };
        let removal = if keys.remove_at_once {
            self.removed_at_once
        } else {
            self.removed_after
        };
        let mut said = vec![chain.to_owned(), removal.to_owned()];
        if !keys.turn_back {
            said.push(self.no_turn_back.to_owned());
        }
        said
    }

    fn promotion_of(&self, definition: &Definition) -> Sentences {
        let in_capture = match definition.promotion.in_capture {
            InCapture::Ends => self.ends_there,
            InCapture::GoesOnAsMan => self.goes_on_as_man,
            InCapture::GoesOnAsKing => self.goes_on_as_king,
        };
        let mut said = Vec::new();
        for kind in in_play(definition)
            .iter()
            .map(|&kind| &definition.kinds[kind])
        {
            let Some(next) = kind.becomes else { continue };
            let next = self.name(&definition.kinds[next].name);
            let gaps = [("kind", self.name(&kind.name)), ("next", next)];
            let becomes = self.becomes_of(definition).into_iter();
            said.extend(becomes.map(|sentence| filled(&sentence, &gaps)));
            if kind.capture_by == CaptureBy::Jump && can_capture(kind) {
                said.push(filled(in_capture, &gaps));
            }
        }
        if said.is_empty() {
            said.push(self.nothing_promoted.to_owned());
        }
        said
    }

    /// Where pieces promote: one sentence for both sides, or one for each.
    fn becomes_of(&self, definition: &Definition) -> Sentences {
        let places = Side::BOTH.map(|side| match definition.promotion.named(side) {
            [] => match definition.promotion.squares {
                PromotionSquares::LastRow => self.on_last_row.to_owned(),
                PromotionSquares::Edge => self.on_edge.to_owned(),
            },
            named => self.any_of(named),
        });
        if places[0] == places[1] {
            return vec![filled(self.becomes, &[("place", &places[0])])];
        }
        let each = Side::BOTH.map(|side| {
            let name = self.name(&definition.sides.names[side]);
            filled(
                self.becomes_for,
                &[("side", name), ("place", &places[side])],
            )
        });
        each.into()
    }

    fn end_of(&self, definition: &Definition) -> Sentences {
        let stuck = match definition.end.stuck {
            Stuck::Loses => self.stuck_loses,
            Stuck::Wins => self.stuck_wins,
            Stuck::MostPieces => self.stuck_counts,
        };
        let mut said = Vec::new();
        if definition.end.king_wins {
            said.push(self.first_king_wins.to_owned());
        }
        said.push(stuck.to_owned());
        said
    }

    fn notation_of(&self, definition: &Definition) -> Sentences {
        let keys = definition.notation;
        let corner = match keys.corner {
            Corner::BottomLeft => self.bottom_left,
            Corner::BottomRight => self.bottom_right,
            Corner::TopLeft => self.top_left,
            Corner::TopRight => self.top_right,
        };
        let (squares, first) = match keys.squares {
            SquareNames::Numbers => (self.numbered, "1"),
            SquareNames::Letters => (self.lettered, "a1"),
            SquareNames::Capitals => (self.lettered, "A1"),
            SquareNames::RowColumn => (self.row_column, "0,0"),
        };
        let results = match keys.results {
            Results::TwoNil => ["2-0", "1-1", "0-2"],
            Results::OneNil => ["1-0", "1/2-1/2", "0-1"],
        };
        let results = self.any_of(&results.map(str::to_owned));
        let mut said = vec![filled(squares, &[("first", first), ("corner", corner)])];
        said.push(match keys.game_type {
            Some(number) => {
                let gaps = [("number", &*number.to_string()), ("results", &results)];
                filled(self.pdn_type, &gaps)
            }
            None => filled(self.results, &[("results", &results)]),
        });
        said
    }
}
