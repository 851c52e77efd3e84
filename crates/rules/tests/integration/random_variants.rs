//! Games nobody plays: rules drawn at random, so that every combination of keys is met.

use crate::values::{Change, keys, random_value};
use kingme_rules::{Board, Definition, Piece, Position, Setup, SetupError, Side, Variant};

use crate::model::{Cell, Model, Place, Run, State, pieces, places, set};

/// A small generator of random numbers (splitmix64): the same seed gives the same tests everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }

    pub fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// A shipped game with other values for about half of its keys, on another board.
pub fn variant(random: &mut Random) -> Variant {
    let (least, most) = match random.below(20) {
        0 => (2, 26),
        1 | 2 => (10, 16),
        _ => (4, 10),
    };
    let rows = random.between(least.max(4), most);
    let columns = random.between(least, most);
    changed(random, rows, columns)
}

/// The same on a board that is too long for bits, and has no more squares than tests can bear.
pub fn variant_without_bits(random: &mut Random) -> Variant {
    loop {
        let (rows, columns) = (random.between(4, 6), random.between(62, 100));
        let made = changed(random, rows, columns);
        // What contradicts another key is taken back, and that may be the board.
        if !made.has_bits() {
            return made;
        }
    }
}

fn changed(random: &mut Random, rows: usize, columns: usize) -> Variant {
    let names: Vec<&str> = Variant::names().collect();
    let base = Variant::named(random.pick(&names)).unwrap();
    let base = base.definition();
    let mut changes = changes(random, base, rows, columns);
    loop {
        let made = base.with(&changes).and_then(Variant::from_definition);
        let error = match made {
            Ok(made) => return with_promotion_squares(random, &made),
            Err(error) => error,
        };
        // What contradicts another key is taken back.
        let before = changes.len();
        let blamed = |path: &str| error.faults.iter().any(|fault| fault.key == path);
        changes.retain(|(path, _)| !blamed(path));
        if changes.len() == before {
            changes.swap_remove(random.below(before));
        }
    }
}

/// The same game, now and then with a list of squares where a side promotes: any on which it has no
/// piece at the start.
pub fn with_promotion_squares(random: &mut Random, variant: &Variant) -> Variant {
    let (board, start) = (variant.board(), variant.start());
    let mut changes = vec![("board.sizes".to_owned(), "[]".to_owned())];
    for (side, key) in [(Side::White, "white"), (Side::Black, "black")] {
        let is_own = |square| start.piece(square).is_some_and(|piece| piece.side == side);
        let mut free: Vec<_> = board.squares().filter(|&square| !is_own(square)).collect();
        if free.is_empty() || random.percent(60) {
            continue;
        }
        let number = random.between(1, free.len().min(12));
        let names: Vec<String> = (0..number)
            .map(|_| board.name(free.swap_remove(random.below(free.len()))))
            .collect();
        changes.push((format!("promotion.{key}"), format!("{names:?}")));
    }
    let definition = variant.definition().with(&changes).unwrap();
    Variant::from_definition(definition).unwrap()
}

/// How often a key is changed, in a hundred, where it is not about half of the time.
const CHANCES: [(&str, usize); 5] = [
    // Games that end with the first king are short.
    ("end.king_wins", 3),
    ("capture.obligation", 50),
    ("capture.chain", 40),
    // Jumps are what there is to be wrong about.
    ("pieces.man.capture_by", 15),
    ("pieces.king.capture_by", 15),
];

fn changes(random: &mut Random, base: &Definition, rows: usize, columns: usize) -> Vec<Change> {
    let mut changes = board(random, rows, columns);
    let mut kinds: Vec<String> = base.kinds.iter().map(|kind| kind.name.clone()).collect();
    let more = [("guard", "G", "gG"), ("horse", "H", "hH")];
    let more: Vec<_> = more
        .into_iter()
        .filter(|(name, ..)| {
            kinds.len() < 4 && random.percent(25) && !kinds.contains(&(*name).into())
        })
        .collect();
    for (name, fen, letters) in more.into_iter().take(4 - kinds.len()) {
        kinds.push(name.to_owned());
        changes.push((format!("pieces.{name}.fen"), format!("{fen:?}")));
        changes.push((format!("pieces.{name}.letters"), format!("{letters:?}")));
    }
    for (path, values) in keys(&kinds) {
        let chance = CHANCES.iter().find(|(key, _)| *key == path);
        let is_new = base.get(&path).is_none();
        if is_new || random.percent(chance.map_or(50, |(_, chance)| *chance)) {
            changes.extend(random_value(random, values, &kinds).map(|value| (path, value)));
        }
    }
    if columns > usize::from(Board::LETTERS) {
        changes.push(("notation.squares".to_owned(), "\"numbers\"".to_owned()));
    }
    changes
}

/// The board, and a start on it; no counters, which need games.
fn board(random: &mut Random, rows: usize, columns: usize) -> Vec<Change> {
    let holes = if random.percent(40) {
        random.between(1, 6)
    } else {
        0
    };
    let mut holes: Vec<String> = (0..holes)
        .map(|_| format!("\"{},{}\"", random.below(rows), random.below(columns)))
        .collect();
    holes.sort();
    holes.dedup();
    let offset = usize::from(rows > 5 && random.percent(25));
    let most_gap = rows - 2 - 2 * offset;
    let gap = random.between(0, most_gap / 2) * 2 + rows % 2;
    let changes = [
        ("name", "\"random\"".to_owned()),
        ("board.rows", rows.to_string()),
        ("board.columns", columns.to_string()),
        ("board.sizes", "[]".to_owned()),
        ("board.holes", format!("[{}]", holes.join(", "))),
        ("start.gap", gap.min(most_gap).to_string()),
        ("start.offset", offset.to_string()),
        ("start.draw", "[]".to_owned()),
        ("draws.counters", "[]".to_owned()),
        ("notation.game_type", "0".to_owned()),
    ];
    changes.map(|(path, value)| (path.to_owned(), value)).into()
}

/// A random set-up with many kings: pieces anywhere, or few against many with gaps to jump into.
pub fn setup(random: &mut Random, model: &Model, kinds: usize) -> State {
    let mut state = model.start();
    for place in places(&state) {
        set(&mut state, place, Cell::Empty);
    }
    state.turn = random.pick(&Side::BOTH);
    let mostly = random.below(kinds);
    let gaps = random.percent(50);
    for (place, side) in if gaps {
        gappy(random, &state)
    } else {
        scattered(random, &state)
    } {
        let kind = if random.percent(50) {
            mostly
        } else {
            random.below(kinds)
        };
        // A man on its last row is a king already.
        let kind = model.promoted(kind, side, place);
        if model.promoted(kind, side, place) == kind {
            set(&mut state, place, Cell::Piece(side, kind));
        }
    }
    state.runs = Side::BOTH.map(|side| run(random, model, &state, side));
    state
}

/// A piece with a limit of quiet moves that has made some of them.
fn run(random: &mut Random, model: &Model, state: &State, side: Side) -> Option<Run> {
    let pieces = pieces(state, side);
    let (at, kind) = pieces.get(random.below(pieces.len().max(1)))?;
    let limit = model.definition.kinds[*kind].quiet_limit?;
    let has_men = pieces.iter().any(|(_, kind)| *kind == 0);
    has_men.then(|| Run {
        at: *at,
        moves: random.between(1, limit.into()) as u8,
    })
}

/// The generator's position for a state of the model.
pub fn position(variant: &Variant, state: &State) -> Result<Position, SetupError> {
    let square = |(row, column): Place| variant.board().at(row, column).unwrap();
    let mut setup = Setup::empty(state.turn);
    for side in Side::BOTH {
        let pieces = pieces(state, side).into_iter();
        setup
            .pieces
            .extend(pieces.map(|(place, kind)| (square(place), Piece { side, kind })));
        setup
            .runs
            .extend(state.runs[side].map(|run| (square(run.at), run.moves)));
    }
    Position::new(variant, &setup)
}

fn scattered(random: &mut Random, state: &State) -> Vec<(Place, Side)> {
    let mut free = places(state);
    let most = (free.len() * 2 / 3).clamp(1, 30);
    (0..random.between(1, most).min(free.len()))
        .map(|number| {
            let place = free.swap_remove(random.below(free.len()));
            (place, Side::BOTH[(number + random.below(4) / 3) % 2])
        })
        .collect()
}

/// The mover's pieces on every other row and column, its enemies between them.
fn gappy(random: &mut Random, state: &State) -> Vec<(Place, Side)> {
    let (row, column) = random.pick(&places(state));
    let (few, many) = (random.between(3, 20), random.between(10, 45));
    let mut chosen = vec![((row, column), state.turn)];
    for place in places(state) {
        let mine = place.0 % 2 == row % 2 && place.1 % 2 == column % 2;
        let (chance, side) = if mine {
            (few, state.turn)
        } else {
            (many, !state.turn)
        };
        if place != (row, column) && random.percent(chance) && chosen.len() < 30 {
            chosen.push((place, side));
        }
    }
    chosen
}

/// What FEN writes for a state of the model.
pub fn fen(variant: &Variant, state: &State) -> String {
    let mut fen = state.turn.letter().to_string();
    for side in Side::BOTH {
        let squares: Vec<String> = pieces(state, side)
            .into_iter()
            .map(|((row, column), kind)| {
                let square = variant.board().at(row, column).unwrap();
                let letter = &variant.definition().kinds[kind].fen;
                format!("{letter}{}", variant.board().fen_name(square))
            })
            .collect();
        fen += ":";
        fen.push(side.letter());
        fen += &squares.join(",");
    }
    fen
}
