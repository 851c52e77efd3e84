//! Changes one rule key at a time: does any position of ours notice?

use kingme_rules::variant::{
    CaptureBy, Criterion, Directions, InCapture, Kind, Landing, PromotionSquares, Range, Reach,
};
use kingme_rules::{Definition, Move, Position, Square, Variant};

use crate::model::Model;
use crate::random_variants::{self, Random};
use crate::values;

/// Set-ups that each mutant is tried on, and plies played from each.
const SET_UPS: usize = 3000;
const PLIES: usize = 12;

/// Positions that chance hardly ever finds.
const RARE: [(&str, &str); 4] = [
    // Fewer pieces are worth more, with kings among them.
    ("spanish", "B:W28,K27,20,K18,12,K9,3,1:B32,31,K14,7"),
    ("portuguese", "B:W28,K27,20,K18,12,K9,3,1:B32,31,K14,7"),
    // Fewer kings, but captured earlier.
    ("italian", "B:W6,13,K14,21,22,K23:BK3,K5,7,25,K26"),
    // By way of the last row and back.
    ("breakthrough", "W:W12:B8,9"),
];

const KING: usize = 1;

#[test]
fn every_change_of_a_rule_is_noticed() {
    let mut tried = 0;
    let mut survivors = Vec::new();
    for name in Variant::names() {
        let original = Variant::named(name).unwrap();
        let fens = fens(&original);
        let plain = canonical(original.definition());
        for (key, mutant) in mutants(original.definition()) {
            if canonical(&mutant) == plain {
                continue;
            }
            let Ok(mutant) = Variant::from_definition(mutant) else {
                continue;
            };
            tried += 1;
            if !is_noticed(&original, &mutant, &fens) {
                survivors.push(format!("{name}: {key}"));
            }
        }
    }
    println!("{tried} mutants, {} survivors", survivors.len());
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}

fn fens(variant: &Variant) -> Vec<String> {
    let model = Model::new(variant.definition());
    let kinds = variant.definition().kinds.len();
    let mut random = Random(4);
    let mut fens = vec![random_variants::fen(variant, &model.start())];
    let rare = RARE
        .iter()
        .filter(|(name, _)| *name == variant.definition().name);
    fens.extend(rare.map(|(_, fen)| (*fen).to_owned()));
    fens.extend((0..SET_UPS).map(|_| {
        let state = random_variants::setup(&mut random, &model, kinds);
        random_variants::fen(variant, &state)
    }));
    fens
}

/// Whether the two games differ in a legal move somewhere on random walks from the positions.
fn is_noticed(original: &Variant, mutant: &Variant, fens: &[String]) -> bool {
    let mut random = Random(5);
    fens.iter().any(|fen| {
        let mut position = Position::from_fen(original, fen).unwrap();
        // Where the mutant promotes and the original does not, men may stand on the last row.
        let Ok(mut mutated) = Position::from_fen(mutant, fen) else {
            return false;
        };
        let mut last = [None; 2];
        for _ in 0..PLIES {
            let (moves, others) = (sorted_moves(&position), sorted_moves(&mutated));
            if moves.iter().map(key).ne(others.iter().map(key)) {
                return true;
            }
            if moves.is_empty() {
                return false;
            }
            // The same piece again, now and then, to reach its limit of quiet moves.
            let again = |mv: &Move| random.percent(50) && last[position.turn()] == Some(mv.from);
            let chosen = moves.iter().position(again);
            let chosen = chosen.unwrap_or_else(|| random.below(moves.len()));
            last[position.turn()] = Some(moves[chosen].to);
            position = position.play(&moves[chosen]).unwrap();
            mutated = mutated.play(&others[chosen]).unwrap();
        }
        false
    })
}

fn sorted_moves(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(key);
    moves
}

/// What makes two moves the same.
fn key(mv: &Move) -> (Square, Square, Vec<Square>, usize) {
    let mut captured = mv.captured.clone();
    captured.sort_unstable();
    (mv.from, mv.to, captured, mv.becomes)
}

/// The same rules, with every key that makes no difference beside the others set to one value.
fn canonical(definition: &Definition) -> Definition {
    let mut plain = definition.clone();
    for (index, kind) in plain.kinds.iter_mut().enumerate() {
        // Where the first king wins there is never one to capture, nor one that moves on.
        if plain.end.king_wins {
            kind.takes.retain(|&taken| taken != KING);
            kind.quiet_limit = kind.quiet_limit.filter(|_| index != KING);
        }
        kind.takes.sort_unstable();
        if kind.range == Range::Anywhere {
            kind.moves = Directions::NONE;
        }
        if kind.reach == Reach::Anywhere {
            kind.captures = Directions::NONE;
        }
        let takes_nothing = kind.captures.is_empty() && kind.reach != Reach::Anywhere;
        if takes_nothing || kind.takes.is_empty() {
            (kind.captures, kind.takes) = (Directions::NONE, Vec::new());
            (kind.capture_by, kind.reach) = (CaptureBy::Jump, Reach::Short);
        }
        if kind.moves.is_empty() && kind.range != Range::Anywhere {
            (kind.range, kind.quiet_limit) = (Range::Step, None);
            kind.becomes = kind.becomes.filter(|_| !kind.takes.is_empty());
        }
        if kind.landing == Landing::NextAfterKing && !kind.takes.contains(&KING) {
            kind.landing = Landing::Any;
        }
        if kind.capture_by == CaptureBy::Replacement || kind.reach == Reach::Short {
            kind.landing = Landing::Next;
        }
    }
    canonical_capture(&mut plain);
    // Without holes only the last row has no square before it.
    if plain.board.holes.is_empty() {
        plain.promotion.squares = PromotionSquares::LastRow;
    }
    plain
}

fn canonical_capture(plain: &mut Definition) {
    let jumps = |kind: &&Kind| kind.capture_by == CaptureBy::Jump && !kind.takes.is_empty();
    let mut jumpers = plain.kinds.iter().filter(jumps);
    let no_jumps = jumpers.clone().next().is_none();
    let no_long_jumps = jumpers.all(|kind| kind.reach == Reach::Short);
    let capture = &mut plain.capture;
    if no_jumps {
        capture.chain_must_go_on = true;
    }
    // Short jumps never come near a captured piece again.
    if no_long_jumps {
        capture.remove_at_once = false;
    }
    // What lies straight behind is the piece just captured.
    if !capture.remove_at_once {
        capture.turn_back = true;
    }
    let mut known: Vec<Criterion> = Vec::new();
    for &criterion in &capture.priority {
        let criterion = match criterion {
            Criterion::MostKings | Criterion::KingsFirst if plain.end.king_wins => continue,
            Criterion::MostValue if plain.end.king_wins => Criterion::MostPieces,
            _ => criterion,
        };
        known.extend(plainly(criterion, &known));
    }
    capture.priority = known;
    // Where only kings take kings, whoever takes most of them is a king.
    let takes_kings = |kind: &Kind| kind.takes.contains(&KING);
    let only_kings = plain
        .kinds
        .iter()
        .enumerate()
        .all(|(i, kind)| i == KING || !takes_kings(kind));
    let order = [Criterion::MostKings, Criterion::ByKing];
    if only_kings && let Some(at) = capture.priority.windows(2).position(|pair| pair == order) {
        capture.priority.swap(at, at + 1);
    }
    let only_forward = |kind: &Kind| {
        let mut names = kind.captures.names();
        kind.becomes.is_none() || names.all(|name| name.starts_with("forward"))
    };
    // From the last row there is nothing to capture before it.
    let nothing_left = no_jumps || plain.kinds.iter().all(only_forward);
    let last_row = plain.promotion.squares == PromotionSquares::LastRow;
    let no_promotion = plain.kinds.iter().all(|kind| kind.becomes.is_none());
    if no_promotion
        || no_jumps
        || (nothing_left && last_row && plain.promotion.in_capture == InCapture::GoesOnAsMan)
    {
        plain.promotion.in_capture = InCapture::Ends;
    }
}

/// What a criterion still decides among captures that are equal by those before it.
fn plainly(criterion: Criterion, known: &[Criterion]) -> Option<Criterion> {
    use Criterion::{ByKing, KingsFirst, MostKings, MostPieces, MostValue};
    let [pieces, kings, value] = [MostPieces, MostKings, MostValue].map(|c| known.contains(&c));
    let kings = kings || known.contains(&KingsFirst);
    match criterion {
        KingsFirst | ByKing => Some(criterion),
        // Two of the three give the third, and the value gives both numbers.
        _ if value || (pieces && kings) => None,
        MostPieces if pieces => None,
        MostKings if kings => None,
        MostValue if pieces => Some(MostKings),
        MostValue if kings => Some(MostPieces),
        _ => Some(criterion),
    }
}

/// Every change to a key that decides which moves are legal.
fn mutants(original: &Definition) -> Vec<(String, Definition)> {
    let kinds: Vec<String> = original.kinds.iter().map(|k| k.name.clone()).collect();
    let decides = |path: &str| {
        let table = path.split('.').next().unwrap_or_default();
        ["pieces", "capture", "promotion", "end"].contains(&table) && path != "end.stuck"
    };
    let mut mutants = Vec::new();
    for (path, values) in values::keys(&kinds) {
        let now = original.get(&path).unwrap();
        for value in values::neighbours(values, &now, &kinds) {
            let name = format!("{path} = {value}");
            // What contradicts another key is no game.
            let mutant = original.with(&[(path.clone(), value)]);
            let mutant = mutant
                .ok()
                .filter(|mutant| decides(&path) && mutant != original);
            mutants.extend(mutant.map(|mutant| (name, mutant)));
        }
    }
    mutants
}
