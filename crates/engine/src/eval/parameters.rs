//! Which weights a position uses: the one description that search and training share.

use kingme_rules::{Side, Square, Variant};

use super::geometry::{Geometry, PATTERNS, WINDOW};
use super::weights::Form;

/// A weight with a sign: what is good for White is bad for Black.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub weight: u32,
    pub sign: i8,
}

/// Kings of each side that are told apart in the balance.
const KINGS: usize = 4;
/// Differences of men that are told apart in the balance, from −3 to 3.
const DIFFERENCES: usize = 7;

/// Numbers the weights of a game: square tables, then balance, then the right to move, then, in
/// the large form, windows.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    pub geometry: Geometry,
    pub form: Form,
    kinds: usize,
    /// Where the weights of each window begin.
    windows: Vec<u32>,
    count: usize,
}

impl Parameters {
    pub fn new(variant: &Variant, form: Form) -> Parameters {
        let geometry = Geometry::new(variant);
        let kinds = variant.definition().kinds.len();
        let mut parameters = Parameters {
            form,
            kinds,
            windows: vec![0; geometry.windows.len()],
            count: 0,
            geometry,
        };
        parameters.count = parameters.tempo().weight as usize + 1;
        if form == Form::Windows {
            for window in 0..parameters.windows.len() {
                // Of two partners the first has the weights.
                if parameters.geometry.partner[window] >= window {
                    parameters.windows[window] = parameters.count as u32;
                    parameters.count += PATTERNS;
                }
            }
        }
        parameters
    }

    /// How many weights there are for each phase.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A piece on a square.
    pub fn piece(&self, side: Side, kind: usize, square: Square) -> Term {
        let squares = self.geometry.squares;
        match (side, &self.geometry.turned) {
            (Side::White, _) => Term {
                weight: (kind * squares + square.index()) as u32,
                sign: 1,
            },
            (Side::Black, Some(turned)) => Term {
                weight: (kind * squares + turned[square.index()].index()) as u32,
                sign: -1,
            },
            (Side::Black, None) => Term {
                weight: ((self.kinds + kind) * squares + square.index()) as u32,
                sign: -1,
            },
        }
    }

    fn pieces(&self) -> usize {
        let sides = if self.geometry.turned.is_some() { 1 } else { 2 };
        sides * self.kinds * self.geometry.squares
    }

    /// The balance of material; `kings` are all pieces that are not men, White's first.
    pub fn balance(&self, men: [u32; 2], kings: [u32; 2]) -> Term {
        let [white, black] = kings.map(|kings| kings.min(KINGS as u32 - 1) as usize);
        let difference = (men[0] as i32 - men[1] as i32).clamp(-3, 3);
        let swap = (white, difference) < (black, -difference);
        let (white, black, difference) = if swap {
            (black, white, -difference)
        } else {
            (white, black, difference)
        };
        let index = (white * KINGS + black) * DIFFERENCES + (difference + 3) as usize;
        Term {
            weight: (self.pieces() + index) as u32,
            sign: match (white == black && difference == 0, swap) {
                (true, _) => 0,
                (false, true) => -1,
                (false, false) => 1,
            },
        }
    }

    /// The right to move.
    pub fn tempo(&self) -> Term {
        Term {
            weight: (self.pieces() + KINGS * KINGS * DIFFERENCES) as u32,
            sign: 1,
        }
    }

    /// A pattern in a window; only in the large form.
    pub fn pattern(&self, window: usize, pattern: usize) -> Term {
        let partner = self.geometry.partner[window];
        let term = |window: usize, pattern: usize, sign| Term {
            weight: self.windows[window] + pattern as u32,
            sign,
        };
        if self.geometry.turned.is_none() || (partner == window && !self.turns_on_itself(window)) {
            return term(window, pattern, 1);
        }
        let swapped = Geometry::swapped(pattern);
        match partner.cmp(&window) {
            std::cmp::Ordering::Greater => term(window, pattern, 1),
            std::cmp::Ordering::Less => term(partner, swapped, -1),
            std::cmp::Ordering::Equal => match swapped.cmp(&pattern) {
                std::cmp::Ordering::Greater => term(window, pattern, 1),
                std::cmp::Ordering::Less => term(window, swapped, -1),
                std::cmp::Ordering::Equal => term(window, pattern, 0),
            },
        }
    }

    /// Whether half a turn leaves a window where it is; one without a partner moves.
    fn turns_on_itself(&self, window: usize) -> bool {
        let Some(turned) = &self.geometry.turned else {
            return false;
        };
        let squares = &self.geometry.windows[window];
        (0..WINDOW).all(|place| {
            squares[place].map(|square| turned[square.index()]) == squares[WINDOW - 1 - place]
        })
    }
}

/// The pieces of a position, as training stores it and weights see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    pub pieces: Vec<(Square, Side, usize)>,
}

impl Board {
    /// Pieces of each side that are men, and that are not.
    pub fn counts(&self) -> ([u32; 2], [u32; 2]) {
        let (mut men, mut kings) = ([0; 2], [0; 2]);
        for &(_, side, kind) in &self.pieces {
            let counts = if kind == 0 { &mut men } else { &mut kings };
            counts[side] += 1;
        }
        (men, kings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(name: &str) -> Parameters {
        Parameters::new(&Variant::named(name).unwrap(), Form::Windows)
    }

    #[test]
    fn weights_of_the_shipped_sizes() {
        assert!(parameters("english").count() < 55_000);
        assert!(parameters("international").count() < 95_000);
    }

    #[test]
    fn what_is_good_for_white_is_bad_for_black() {
        let parameters = parameters("english");
        for (men, kings) in [
            ([3, 2], [0, 1]),
            ([1, 1], [2, 0]),
            ([9, 4], [0, 0]),
            ([0, 2], [1, 1]),
        ] {
            let term = parameters.balance(men, kings);
            let mirrored = parameters.balance([men[1], men[0]], [kings[1], kings[0]]);
            assert_eq!(term.weight, mirrored.weight);
            assert_eq!(term.sign, -mirrored.sign);
        }
        assert_eq!(parameters.balance([4, 4], [1, 1]).sign, 0);
        for window in 0..parameters.geometry.windows.len() {
            let partner = parameters.geometry.partner[window];
            for pattern in [0, 5, 700, 6_000] {
                let term = parameters.pattern(window, pattern);
                let mirrored = parameters.pattern(partner, Geometry::swapped(pattern));
                assert_eq!(term.weight, mirrored.weight);
                assert_eq!(term.sign, -mirrored.sign);
            }
        }
    }

    #[test]
    fn weights_do_not_overlap_in_any_game() {
        for name in Variant::names() {
            let variant = Variant::named(name).unwrap();
            let parameters = Parameters::new(&variant, Form::Squares);
            let kinds = variant.definition().kinds.len();
            let last = variant.board().squares().next_back().unwrap();
            let highest = parameters.piece(Side::White, kinds - 1, last).weight;
            assert!(
                highest < parameters.balance([0, 1], [0, 0]).weight,
                "{name}"
            );
            assert!(parameters.balance([9, 0], [9, 9]).weight < parameters.tempo().weight);
            assert_eq!(parameters.count(), parameters.tempo().weight as usize + 1);
        }
    }
}
