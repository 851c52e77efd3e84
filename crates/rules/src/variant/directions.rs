//! Directions as the mover sees them.

/// A set of directions as the mover sees them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(pub(crate) u8);

impl Directions {
    /// Names in the order of the bits: each even bit is the opposite of the next one.
    pub const NAMES: [&'static str; 8] = [
        "forward-left",
        "backward-right",
        "forward-right",
        "backward-left",
        "left",
        "right",
        "forward",
        "backward",
    ];

    /// Names for several directions at once.
    pub const GROUPS: [(&'static str, Directions); 4] = [
        ("diagonal", Directions(0b0000_1111)),
        ("orthogonal", Directions(0b1111_0000)),
        ("forward-diagonal", Directions(0b0000_0101)),
        ("all", Directions::ALL),
    ];

    /// Every direction.
    pub const ALL: Directions = Directions(0b1111_1111);

    /// No direction.
    pub const NONE: Directions = Directions(0);

    /// The direction or group with this name.
    pub fn named(name: &str) -> Option<Directions> {
        let single = Directions::NAMES.iter().position(|&n| n == name);
        let group = Directions::GROUPS.iter().find(|(n, _)| *n == name);
        single
            .map(|bit| Directions(1 << bit))
            .or(group.map(|(_, directions)| *directions))
    }

    /// The names of the directions in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (0..8)
            .filter(move |bit| self.0 >> bit & 1 == 1)
            .map(|bit| Directions::NAMES[bit])
    }

    /// Steps as (rows forward, columns to the right) for the mover.
    pub fn steps(self) -> impl Iterator<Item = (i8, i8)> {
        const STEPS: [(i8, i8); 8] = [
            (1, -1),
            (-1, 1),
            (1, 1),
            (-1, -1),
            (0, -1),
            (0, 1),
            (1, 0),
            (-1, 0),
        ];
        (0..8)
            .filter(move |bit| self.0 >> bit & 1 == 1)
            .map(|bit| STEPS[bit])
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Directions in either set.
    #[must_use]
    pub const fn union(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }
}
