//! A slow model of the games, on a plain grid, written from the meaning of the rule keys alone.
//!
//! It shares no code with the generator: where the two agree, both have to be wrong in the same way.

use std::cmp::Ordering;

use kingme_rules::variant::{
    CaptureBy, Corner, Criterion, InCapture, Kind, Landing, Obligation, PromotionSquares, Range,
    Reach, SquareNames, Squares, Start, Stuck,
};
use kingme_rules::{Definition, Side, Variant};

/// Row and column, from 0 at the top left.
pub type Place = (usize, usize);

/// A step as it is drawn: rows down and columns to the right.
type Step = (isize, isize);

const MAN: usize = 0;
const KING: usize = 1;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A hole, or a square that is not played on.
    Off,
    Empty,
    Piece(Side, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub grid: Vec<Vec<Cell>>,
    pub turn: Side,
    /// For each side, the piece whose quiet moves are counted.
    pub runs: [Option<Run>; 2],
}

/// A piece that has made its side's last moves, all of them quiet.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub at: Place,
    pub moves: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelMove {
    pub from: Place,
    pub to: Place,
    /// Sorted.
    pub captured: Vec<Place>,
    /// Where a piece of its own side is taken off after the move.
    pub huffed: Option<Place>,
    /// The kind of the piece after the move.
    pub becomes: usize,
}

pub struct Model {
    pub definition: Definition,
    /// For each side, where it promotes; none if the file does not list the squares.
    listed: [Vec<Place>; 2],
}

/// A capture under way: the jumps made so far.
#[derive(Clone)]
struct Chain {
    from: Place,
    at: Place,
    /// Where it has landed so far.
    path: Vec<Place>,
    kind: usize,
    /// Places and kinds of the captured pieces, in order.
    captured: Vec<(Place, usize)>,
    /// Direction of the last jump.
    last: Option<Step>,
    /// Promotion has ended the move.
    ended: bool,
    /// It landed where a capture may not end: not right behind a king.
    too_far: bool,
}

impl Model {
    pub fn new(definition: &Definition) -> Model {
        let mut model = Model {
            definition: definition.clone(),
            listed: [Vec::new(), Vec::new()],
        };
        let promotion = &definition.promotion;
        model.listed = [&promotion.white, &promotion.black].map(|names| model.places_of(names));
        model
    }

    /// The places of squares that are called so.
    fn places_of(&self, names: &[String]) -> Vec<Place> {
        if names.is_empty() {
            return Vec::new();
        }
        let in_order = self.in_order();
        let numbered = in_order.iter().enumerate();
        let meant = numbered.filter(|(index, place)| names.contains(&self.name(*index, **place)));
        meant.map(|(_, place)| *place).collect()
    }

    /// The places of the squares as they are counted.
    fn in_order(&self) -> Vec<Place> {
        let board = &self.definition.board;
        let mut rows: Vec<usize> = (0..board.rows.into()).collect();
        let mut columns: Vec<usize> = (0..board.columns.into()).collect();
        let corner = self.definition.notation.corner;
        if [Corner::BottomLeft, Corner::BottomRight].contains(&corner) {
            rows.reverse();
        }
        if [Corner::TopRight, Corner::BottomRight].contains(&corner) {
            columns.reverse();
        }
        let places = rows
            .iter()
            .flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        places.filter(|&place| self.is_playable(place)).collect()
    }

    fn name(&self, index: usize, (row, column): Place) -> String {
        let (board, notation) = (&self.definition.board, self.definition.notation);
        let rank = match notation.corner {
            Corner::TopLeft | Corner::TopRight => row + 1,
            _ => usize::from(board.rows) - row,
        };
        let file = match notation.corner {
            Corner::TopLeft | Corner::BottomLeft => column,
            _ => usize::from(board.columns) - column - 1,
        };
        match notation.squares {
            SquareNames::Numbers => (index + 1).to_string(),
            SquareNames::RowColumn => format!("{row},{column}"),
            SquareNames::Letters => format!("{}{rank}", char::from(b'a' + file as u8)),
            SquareNames::Capitals => format!("{}{rank}", char::from(b'A' + file as u8)),
        }
    }

    pub fn start(&self) -> State {
        let board = &self.definition.board;
        let (rows, columns) = (usize::from(board.rows), usize::from(board.columns));
        let grid = (0..rows)
            .map(|row| {
                (0..columns)
                    .map(|column| self.at_start((row, column)))
                    .collect()
            })
            .collect();
        let turn = self.definition.sides.first;
        let runs = [None; 2];
        State { grid, turn, runs }
    }

    fn at_start(&self, (row, column): Place) -> Cell {
        let top = self.definition.sides.top;
        if !self.is_playable((row, column)) {
            return Cell::Off;
        }
        match &self.definition.start {
            Start::Rows { gap, offset } => {
                let rows = usize::from(self.definition.board.rows);
                let (gap, offset) = (usize::from(*gap), usize::from(*offset));
                let men = (rows - gap - 2 * offset) / 2;
                if (offset..offset + men).contains(&row) {
                    Cell::Piece(top, MAN)
                } else if (offset..offset + men).contains(&(rows - 1 - row)) {
                    Cell::Piece(!top, MAN)
                } else {
                    Cell::Empty
                }
            }
            Start::Drawn(lines) => self.piece_of(lines[row].chars().nth(column).unwrap()),
        }
    }

    fn piece_of(&self, letter: char) -> Cell {
        for (index, kind) in self.definition.kinds.iter().enumerate() {
            for side in Side::BOTH {
                if kind.letters[side] == letter {
                    return Cell::Piece(side, index);
                }
            }
        }
        Cell::Empty
    }

    pub fn is_playable(&self, (row, column): Place) -> bool {
        let board = &self.definition.board;
        let played_on = match board.squares {
            Squares::All => true,
            Squares::Even => (row + column) % 2 == 0,
            Squares::Odd => (row + column) % 2 == 1,
        };
        row < usize::from(board.rows)
            && column < usize::from(board.columns)
            && played_on
            && !board.holes.contains(&(row as u8, column as u8))
    }

    /// All legal moves, sorted.
    pub fn moves(&self, state: &State) -> Vec<ModelMove> {
        self.moves_within(state, usize::MAX).unwrap()
    }

    /// All legal moves, sorted; `None` if there are more than so many ways to jump.
    pub fn moves_within(&self, state: &State, budget: usize) -> Option<Vec<ModelMove>> {
        let moves = self.paths_within(state, budget)?;
        let mut moves: Vec<ModelMove> = moves.into_iter().map(|(mv, _)| mv).collect();
        moves.dedup();
        Some(moves)
    }

    /// All ways to make all legal moves, sorted, each with the squares it lands on.
    pub fn paths_within(
        &self,
        state: &State,
        mut budget: usize,
    ) -> Option<Vec<(ModelMove, Vec<Place>)>> {
        if self.is_over(state) {
            return Some(Vec::new());
        }
        let mut captures = Vec::new();
        let mut quiet = Vec::new();
        let mut lifted = state.clone();
        for (from, kind) in pieces(state, state.turn) {
            // The mover's own square counts as empty while it is under way.
            set(&mut lifted, from, Cell::Empty);
            self.captures_from(&lifted, from, kind, &mut captures, &mut budget)?;
            set(&mut lifted, from, at(state, from));
            self.quiet_from(state, from, kind, &mut quiet);
        }
        for &criterion in &self.definition.capture.priority {
            let best = captures.iter().map(|c| rank(state, c, criterion)).max();
            captures.retain(|c| Some(rank(state, c, criterion)) == best);
        }
        let mut moves: Vec<_> = captures
            .into_iter()
            .map(|c| self.finished(state, &c))
            .collect();
        if self.huffs() {
            let missed: Vec<Place> = moves.iter().map(|(mv, _)| mv.from).collect();
            for mv in &mut quiet {
                huff(state, &missed, mv);
            }
        }
        if moves.is_empty() || self.definition.capture.obligation != Obligation::Must {
            moves.extend(quiet.into_iter().map(|mv| (mv.clone(), vec![mv.to])));
        }
        moves.sort();
        moves.dedup();
        Some(moves)
    }

    /// The state after a legal move.
    pub fn play(&self, state: &State, mv: &ModelMove) -> State {
        let mut next = state.clone();
        let us = state.turn;
        let Cell::Piece(_, kind) = at(state, mv.from) else {
            panic!("no piece on {:?}", mv.from)
        };
        set(&mut next, mv.from, Cell::Empty);
        for &place in &mv.captured {
            set(&mut next, place, Cell::Empty);
        }
        set(&mut next, mv.to, Cell::Piece(us, mv.becomes));
        if let Some(place) = mv.huffed {
            set(&mut next, place, Cell::Empty);
        }
        next.turn = !us;

        let limited = self.definition.kinds[kind].quiet_limit.is_some();
        let all_stay = mv.captured.is_empty() && mv.huffed.is_none();
        next.runs[us] = (limited && all_stay && mv.becomes == kind).then(|| Run {
            at: mv.to,
            moves: 1 + moves_in_a_row(state, mv.from),
        });
        for side in Side::BOTH {
            let gone = next.runs[side].is_some_and(|run| !is_of(&next, run.at, side));
            if gone || count(&next, side, Some(MAN)) == 0 {
                next.runs[side] = None;
            }
        }
        next
    }

    fn huffs(&self) -> bool {
        self.definition.capture.obligation == Obligation::Huff
    }

    /// Whether the last move has decided the game, whatever could follow.
    fn is_over(&self, state: &State) -> bool {
        let them = !state.turn;
        let crowned = self.definition.end.king_wins && count(state, them, Some(KING)) > 0;
        crowned || self.huffs() && count(state, them, None) == 0
    }

    /// Who has won when the side to move has no legal move; `None` for a draw.
    pub fn winner(&self, state: &State) -> Option<Side> {
        let (us, them) = (state.turn, !state.turn);
        if self.definition.end.king_wins && count(state, them, Some(KING)) > 0 {
            return Some(them);
        }
        // Who has given away the last piece is stuck, though it is not to move.
        let them_stuck = self.huffs() && count(state, them, None) == 0;
        let (us, them) = if them_stuck { (them, us) } else { (us, them) };
        match self.definition.end.stuck {
            Stuck::Loses => Some(them),
            Stuck::Wins => Some(us),
            Stuck::MostPieces => match count(state, us, None).cmp(&count(state, them, None)) {
                Ordering::Greater => Some(us),
                Ordering::Less => Some(them),
                Ordering::Equal => None,
            },
        }
    }

    /// Number of ways to play so many plies.
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        let moves = self.moves(state);
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves
                .iter()
                .map(|mv| self.perft(&self.play(state, mv), depth - 1))
                .sum(),
        }
    }

    fn quiet_from(&self, state: &State, from: Place, kind: usize, moves: &mut Vec<ModelMove>) {
        let us = state.turn;
        let rules = &self.definition.kinds[kind];
        let limit = rules.quiet_limit;
        let tired = limit.is_some_and(|limit| moves_in_a_row(state, from) >= limit);
        if tired && count(state, us, Some(MAN)) > 0 {
            return;
        }
        let mut targets = Vec::new();
        if rules.range == Range::Anywhere {
            targets = places(state);
        }
        for step in self.steps(rules.moves, us) {
            let ray = ray(state, from, step);
            match rules.range {
                Range::Step => targets.extend(ray.first()),
                Range::Slide => {
                    targets.extend(ray.iter().take_while(|&&p| at(state, p) == Cell::Empty));
                }
                Range::Leap if ray.len() >= 2 && is_of(state, ray[0], us) => targets.push(ray[1]),
                Range::Leap | Range::Anywhere => (),
            }
        }
        for to in targets {
            if at(state, to) == Cell::Empty {
                moves.push(ModelMove {
                    from,
                    to,
                    captured: Vec::new(),
                    huffed: None,
                    becomes: self.promoted(kind, us, to),
                });
            }
        }
    }

    fn captures_from(
        &self,
        state: &State,
        from: Place,
        kind: usize,
        done: &mut Vec<Chain>,
        budget: &mut usize,
    ) -> Option<()> {
        let chain = Chain {
            from,
            at: from,
            path: Vec::new(),
            kind,
            captured: Vec::new(),
            last: None,
            ended: false,
            too_far: false,
        };
        match self.definition.kinds[kind].capture_by {
            CaptureBy::Jump => self.go_on(state, &chain, done, budget),
            CaptureBy::Replacement => {
                for (to, victim) in self.replaceable(state, from, kind) {
                    let mut chain = chain.clone();
                    chain.at = to;
                    chain.path.push(to);
                    chain.captured.push((to, victim));
                    chain.kind = self.promoted(kind, state.turn, to);
                    chain.ended = true;
                    done.push(chain);
                }
                Some(())
            }
        }
    }

    /// Enemies that can be captured by moving onto them.
    fn replaceable(&self, state: &State, from: Place, kind: usize) -> Vec<(Place, usize)> {
        let rules = &self.definition.kinds[kind];
        let targets: Vec<Place> = match rules.reach {
            Reach::Anywhere => places(state),
            Reach::Short => self
                .steps(rules.captures, state.turn)
                .filter_map(|step| ray(state, from, step).first().copied())
                .collect(),
            Reach::Long => self
                .steps(rules.captures, state.turn)
                .filter_map(|step| {
                    let ray = ray(state, from, step);
                    ray.into_iter()
                        .find(|&place| at(state, place) != Cell::Empty)
                })
                .collect(),
        };
        let victims = targets.into_iter().map(|to| (to, victim(state, rules, to)));
        victims.filter_map(|(to, kind)| Some((to, kind?))).collect()
    }

    /// Continues a chain of jumps in every way, and keeps those that may end where they are.
    fn go_on(
        &self,
        state: &State,
        chain: &Chain,
        done: &mut Vec<Chain>,
        budget: &mut usize,
    ) -> Option<()> {
        *budget = budget.checked_sub(1)?;
        for landings in self.jumps(state, chain) {
            let goes_on = |next: &Chain| !self.jumps(state, next).is_empty();
            let some_go_on = landings.iter().any(goes_on);
            for next in &landings {
                if goes_on(next) {
                    self.go_on(state, next, done, budget)?;
                }
                let must_go_on = self.definition.capture.chain_must_go_on && some_go_on;
                if !must_go_on && !next.too_far {
                    done.push(next.clone());
                }
            }
        }
        Some(())
    }

    /// The next jumps: a list for each piece that can be jumped, with every landing square.
    fn jumps(&self, state: &State, chain: &Chain) -> Vec<Vec<Chain>> {
        let rules = &self.definition.kinds[chain.kind];
        if chain.ended || rules.capture_by != CaptureBy::Jump {
            return Vec::new();
        }
        let turns_back = |step: Step| chain.last == Some((-step.0, -step.1));
        self.steps(rules.captures, state.turn)
            .filter(|&step| self.definition.capture.turn_back || !turns_back(step))
            .map(|step| self.jumps_along(state, chain, step))
            .filter(|landings| !landings.is_empty())
            .collect()
    }

    fn jumps_along(&self, state: &State, chain: &Chain, step: Step) -> Vec<Chain> {
        let rules = &self.definition.kinds[chain.kind];
        let ray = ray(state, chain.at, step);
        let is_captured = |place: Place| chain.captured.iter().any(|&(taken, _)| taken == place);
        let is_empty = |place: Place| {
            let removed = self.definition.capture.remove_at_once && is_captured(place);
            removed || at(state, place) == Cell::Empty
        };

        let Some(distance) = ray.iter().position(|&place| !is_empty(place)) else {
            return Vec::new();
        };
        let over = ray[distance];
        let Some(taken) = victim(state, rules, over) else {
            return Vec::new();
        };
        if is_captured(over) || (rules.reach == Reach::Short && distance > 0) {
            return Vec::new();
        }

        let behind = &ray[distance + 1..];
        let room = behind.iter().take_while(|&&place| is_empty(place)).count();
        let only_next = rules.reach == Reach::Short || rules.landing == Landing::Next;
        let room = if only_next { room.min(1) } else { room };
        let after_king = rules.landing == Landing::NextAfterKing && taken == KING;
        (0..room)
            .map(|index| {
                let mut next = chain.clone();
                next.at = behind[index];
                next.path.push(next.at);
                next.captured.push((over, taken));
                next.last = Some(step);
                next.too_far = after_king && index > 0;
                self.promote_in_capture(&mut next, state.turn);
                next
            })
            .collect()
    }

    fn promote_in_capture(&self, chain: &mut Chain, side: Side) {
        let promoted = self.promoted(chain.kind, side, chain.at);
        if promoted == chain.kind {
            return;
        }
        match self.definition.promotion.in_capture {
            InCapture::GoesOnAsMan => (),
            InCapture::GoesOnAsKing => chain.kind = promoted,
            InCapture::Ends => {
                chain.kind = promoted;
                chain.ended = true;
            }
        }
    }

    fn finished(&self, state: &State, chain: &Chain) -> (ModelMove, Vec<Place>) {
        let mut captured: Vec<Place> = chain.captured.iter().map(|&(place, _)| place).collect();
        captured.sort_unstable();
        let as_man = self.definition.promotion.in_capture == InCapture::GoesOnAsMan;
        let becomes = if as_man && !chain.ended {
            self.promoted(chain.kind, state.turn, chain.at)
        } else {
            chain.kind
        };
        let mv = ModelMove {
            from: chain.from,
            to: chain.at,
            captured,
            huffed: None,
            becomes,
        };
        (mv, chain.path.clone())
    }

    /// What a piece is after it has come to a square.
    pub fn promoted(&self, kind: usize, side: Side, place: Place) -> usize {
        match self.definition.kinds[kind].becomes {
            Some(becomes) if self.promotes(side, place) => becomes,
            _ => kind,
        }
    }

    fn promotes(&self, side: Side, (row, column): Place) -> bool {
        let listed = &self.listed[side];
        if !listed.is_empty() {
            return listed.contains(&(row, column));
        }
        let forward = if side == self.definition.sides.top {
            1
        } else {
            -1
        };
        let ahead = row as isize + forward;
        match self.definition.promotion.squares {
            PromotionSquares::LastRow => !(0..self.definition.board.rows as isize).contains(&ahead),
            PromotionSquares::Edge => (-1..=1).all(|aside| {
                let column = column as isize + aside;
                let inside = ahead >= 0 && column >= 0;
                !inside || !self.is_playable((ahead as usize, column as usize))
            }),
        }
    }

    /// Directions as they are drawn. Where every other square is played on, the next square
    /// straight ahead is two away.
    fn steps(
        &self,
        directions: kingme_rules::variant::Directions,
        side: Side,
    ) -> impl Iterator<Item = Step> {
        let down = side == self.definition.sides.top;
        let every_square = self.definition.board.squares == Squares::All;
        directions.steps().map(move |(forward, right)| {
            let (forward, right) = (isize::from(forward), isize::from(right));
            let straight = forward == 0 || right == 0;
            let length = if straight && !every_square { 2 } else { 1 };
            if down {
                (forward * length, -right * length)
            } else {
                (-forward * length, right * length)
            }
        })
    }
}

/// The larger, the better; compared from the front.
fn rank(state: &State, chain: &Chain, criterion: Criterion) -> Vec<usize> {
    let is_king: Vec<usize> = chain
        .captured
        .iter()
        .map(|&(_, kind)| usize::from(kind == KING))
        .collect();
    let (pieces, kings) = (is_king.len(), is_king.iter().sum::<usize>());
    match criterion {
        Criterion::MostPieces => vec![pieces],
        Criterion::ByKing => {
            let by_king = at(state, chain.from) == Cell::Piece(state.turn, KING);
            vec![usize::from(by_king)]
        }
        Criterion::MostKings => vec![kings],
        // Men captured after the last king make no difference.
        Criterion::KingsFirst => {
            let last = is_king.iter().rposition(|&king| king == 1);
            is_king[..last.map_or(0, |last| last + 1)].to_vec()
        }
        Criterion::MostValue => vec![(pieces + kings) * 100 - kings],
    }
}

/// What a quiet move costs where captures that could begin on these places were missed.
fn huff(state: &State, missed: &[Place], mv: &mut ModelMove) {
    if missed.contains(&mv.from) {
        let Cell::Piece(_, kind) = at(state, mv.from) else {
            panic!("no piece on {:?}", mv.from)
        };
        mv.huffed = Some(mv.to);
        mv.becomes = kind;
    } else {
        // Rows first, then columns: as places are ordered.
        mv.huffed = missed.iter().min().copied();
    }
}

pub fn at(state: &State, (row, column): Place) -> Cell {
    state.grid[row][column]
}

pub fn set(state: &mut State, (row, column): Place, cell: Cell) {
    state.grid[row][column] = cell;
}

/// All playable places.
pub fn places(state: &State) -> Vec<Place> {
    let columns = state.grid[0].len();
    (0..state.grid.len())
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .filter(|&place| at(state, place) != Cell::Off)
        .collect()
}

/// A side's pieces with their kinds.
pub fn pieces(state: &State, side: Side) -> Vec<(Place, usize)> {
    let kind = |place| match at(state, place) {
        Cell::Piece(owner, kind) if owner == side => Some((place, kind)),
        _ => None,
    };
    places(state).into_iter().filter_map(kind).collect()
}

/// Number of a side's pieces, of one kind or of all.
fn count(state: &State, side: Side, kind: Option<usize>) -> usize {
    let pieces = pieces(state, side).into_iter();
    pieces
        .filter(|&(_, k)| kind.is_none_or(|kind| k == kind))
        .count()
}

fn is_of(state: &State, place: Place, side: Side) -> bool {
    matches!(at(state, place), Cell::Piece(owner, _) if owner == side)
}

/// The kind of the piece on a place, if it is an enemy that may be taken.
fn victim(state: &State, rules: &Kind, place: Place) -> Option<usize> {
    match at(state, place) {
        Cell::Piece(owner, kind) if owner != state.turn && rules.takes.contains(&kind) => {
            Some(kind)
        }
        _ => None,
    }
}

/// The playable places in one direction, up to the edge or a hole.
fn ray(state: &State, from: Place, step: Step) -> Vec<Place> {
    let mut ray = Vec::new();
    let mut place = from;
    loop {
        let (row, column) = (place.0 as isize + step.0, place.1 as isize + step.1);
        if row < 0 || column < 0 {
            return ray;
        }
        place = (row as usize, column as usize);
        let cell = state.grid.get(place.0).and_then(|row| row.get(place.1));
        match cell {
            None | Some(Cell::Off) => return ray,
            Some(_) => ray.push(place),
        }
    }
}

/// How many quiet moves in a row the mover's piece on this place has made.
fn moves_in_a_row(state: &State, from: Place) -> u8 {
    let run = state.runs[state.turn].filter(|run| run.at == from);
    run.map_or(0, |run| run.moves)
}

/// Sets up a FEN whose squares are numbered row by row from the top left.
fn set_up(model: &Model, fen: &str) -> State {
    let mut state = model.start();
    if fen == "start" {
        return state;
    }
    let squares = places(&state);
    for &place in &squares {
        set(&mut state, place, Cell::Empty);
    }
    let side = |text: &str| {
        if text.starts_with('W') {
            Side::White
        } else {
            Side::Black
        }
    };
    let (turn, lists) = fen.split_once(':').unwrap();
    state.turn = side(turn);
    for list in lists.split(':') {
        for piece in list[1..].split(',') {
            let kind = usize::from(piece.starts_with('K'));
            let number: usize = piece[kind..].parse().unwrap();
            set(
                &mut state,
                squares[number - 1],
                Cell::Piece(side(list), kind),
            );
        }
    }
    state
}

/// The model is right by itself: numbers on which several programs agree.
#[test]
fn the_model_counts_known_positions() {
    let known = [
        ("international", "start", 4, 4265),
        (
            "international",
            "B:W24,25,K47:B4,9,10,13,14,15,K17,20",
            6,
            2624,
        ),
        ("international", "B:W32,37,K43:B6,16,26,29,K50", 4, 5646),
        ("international", "B:WK1,21,38:B4,K6,13,14,25,29", 4, 6659),
        ("killer", "B:WK1,21,38:B4,K6,13,14,25,29", 4, 6550),
        ("killer", "B:WK17,26,29,32,43,48:BK37", 4, 6020),
        (
            "killer",
            "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
            4,
            5165,
        ),
        ("frisian", "start", 4, 3874),
        ("frisian", "W:WK1,41:B4,9,14,15,17,19,24,25,K33", 6, 10380),
        ("frisian", "W:WK22:B5,11,16,24,30,K39", 6, 1908),
        ("english", "start", 5, 7361),
        ("english", "W:WK3,5,13,16,25,28:BK32", 6, 4985),
        ("italian", "B:WK1,14,17,K19,29,31:B18,K23", 5, 3281),
        ("italian", "W:WK3,K9,K15:BK21,K24,27,K31", 4, 3466),
        ("russian", "W:WK2,13:BK1,4,5,8,16,27", 5, 2584),
        ("russian", "W:W14,22,K23:B5,13,K19", 8, 410),
        ("thai", "W:WK1,6,14,21,29:B4,K10", 8, 2665),
        ("thai", "W:WK4:B2,3,9,K11,21", 6, 7355),
        ("turkish", "start", 4, 7538),
        (
            "turkish",
            "W:W41,47,50,51,52,K54:B12,15,18,20,21,24,37,K59,K64",
            3,
            753,
        ),
        (
            "turkish",
            "W:WK8,39,41,43,K48,53,54,55,56:B10,11,13,27,K44",
            4,
            2856,
        ),
    ];
    for (name, fen, depth, nodes) in known {
        let model = Model::new(Variant::named(name).unwrap().definition());
        let counted = model.perft(&set_up(&model, fen), depth);
        assert_eq!(counted, nodes, "{name} {fen} {depth}");
    }
}
