//! The board as the side to move sees it: squares numbered from its own point of view.

use kingme_rules::{Bits, Ruleset, Side, Variant};

/// Numbers of ways to choose, by table.
#[derive(Clone, Debug)]
pub(super) struct Choose {
    rows: Vec<[u64; Choose::MOST + 1]>,
}

impl Choose {
    const MOST: usize = super::slice::MOST_PIECES;

    fn new(most: usize) -> Choose {
        let mut rows = vec![[0; Choose::MOST + 1]; most + 1];
        rows[0][0] = 1;
        for n in 1..=most {
            rows[n][0] = 1;
            for k in 1..=Choose::MOST {
                rows[n][k] = rows[n - 1][k] + rows[n - 1][k - 1];
            }
        }
        Choose { rows }
    }

    /// The ways to choose `k` of `n`.
    #[inline(always)]
    pub fn of(&self, n: usize, k: usize) -> usize {
        self.rows[n][k] as usize
    }
}

/// The squares of the board as one side numbers them.
#[derive(Clone, Debug)]
pub(super) struct View<B> {
    pub side: Side,
    /// By bit.
    pub number: Vec<u16>,
    /// By number.
    pub bits: Vec<u16>,
    /// By bit: the squares with lower numbers.
    pub below: Vec<B>,
    /// Where the men of this side and of the other may stand.
    pub own_men: ManSquares<B>,
    pub their_men: ManSquares<B>,
}

/// The squares on which one side's men may stand, numbered.
#[derive(Clone, Debug)]
pub(super) struct ManSquares<B> {
    pub set: B,
    /// By bit.
    pub number: Vec<u16>,
    /// By number.
    pub bits: Vec<u16>,
}

/// All that positions of a game are numbered by.
#[derive(Clone, Debug)]
pub(super) struct Geometry<B> {
    pub choose: Choose,
    pub views: [View<B>; 2],
    /// Whether the board looks the same to both sides, so that one table serves both.
    pub symmetric: bool,
}

impl<B: Bits> Geometry<B> {
    pub fn new<R: Ruleset<Bits = B>>(rules: R, variant: &Variant) -> Geometry<B> {
        let men = Side::BOTH.map(|side| man_squares(rules, variant, side));
        let views = Side::BOTH.map(|side| View::new(rules, variant, side, men));
        Geometry {
            choose: Choose::new(variant.board().len()),
            symmetric: is_symmetric(variant) && views[0].mirrors(&views[1]),
            views,
        }
    }

    /// The side that a table of positions with this side to move is kept under.
    #[inline(always)]
    pub fn kept_under(&self, side: Side) -> Side {
        if self.symmetric { Side::White } else { side }
    }

    /// The sides that tables are kept under.
    pub fn sides(&self) -> &'static [Side] {
        if self.symmetric {
            &Side::BOTH[..1]
        } else {
            &Side::BOTH
        }
    }

    pub fn squares(&self) -> usize {
        self.views[0].bits.len()
    }
}

impl<B: Bits> View<B> {
    fn new<R: Ruleset<Bits = B>>(rules: R, variant: &Variant, side: Side, men: [B; 2]) -> View<B> {
        let mut bits: Vec<u16> = variant
            .board()
            .squares()
            .map(|square| rules.layout().bit(square) as u16)
            .collect();
        if side == Side::Black {
            bits.reverse();
        }
        let mut number = vec![0; B::WIDTH];
        let mut below = vec![B::EMPTY; B::WIDTH];
        let mut seen = B::EMPTY;
        for (place, &bit) in bits.iter().enumerate() {
            number[usize::from(bit)] = place as u16;
            below[usize::from(bit)] = seen;
            seen = seen | B::bit(bit.into());
        }
        View {
            side,
            number,
            below,
            own_men: ManSquares::new(men[side], &bits),
            their_men: ManSquares::new(men[!side], &bits),
            bits,
        }
    }

    /// How many members of a set have lower numbers than a square.
    #[inline(always)]
    pub fn count_below(&self, set: B, bit: usize) -> usize {
        (set & self.below[bit]).count() as usize
    }

    /// Whether another side sees the same as this one.
    fn mirrors(&self, other: &View<B>) -> bool {
        let places = |view: &View<B>, men: &ManSquares<B>| -> Vec<u16> {
            men.bits
                .iter()
                .map(|&bit| view.number[usize::from(bit)])
                .collect()
        };
        places(self, &self.own_men) == places(other, &other.own_men)
            && places(self, &self.their_men) == places(other, &other.their_men)
    }
}

impl<B: Bits> ManSquares<B> {
    fn new(set: B, order: &[u16]) -> ManSquares<B> {
        let bits: Vec<u16> = order
            .iter()
            .copied()
            .filter(|&bit| set.has(bit.into()))
            .collect();
        let mut number = vec![0; B::WIDTH];
        for (place, &bit) in bits.iter().enumerate() {
            number[usize::from(bit)] = place as u16;
        }
        ManSquares { set, number, bits }
    }
}

/// Where a side's men may stand: not where they would be kings.
fn man_squares<R: Ruleset>(rules: R, variant: &Variant, side: Side) -> R::Bits {
    let promotes = variant.definition().kinds[0].becomes.is_some();
    let playable = rules.layout().playable();
    if promotes {
        playable & !rules.layout().promotion(side)
    } else {
        playable
    }
}

/// Whether the board is the same after half a turn.
fn is_symmetric(variant: &Variant) -> bool {
    let board = variant.board();
    let (rows, columns) = (usize::from(board.rows()), usize::from(board.columns()));
    board.squares().all(|square| {
        let (row, column) = board.row_column(square);
        board.at(rows - 1 - row, columns - 1 - column).is_some()
    })
}
