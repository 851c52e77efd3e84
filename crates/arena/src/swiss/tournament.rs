//! A Swiss tournament as its results make it.

use kingme_rules::Side;

/// A tournament up to now. The order of the players is their ranking at the start, and a player's
/// number in it the *pairing number*, here from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// What it is called.
    pub name: String,
    /// Everybody who takes part, or once did.
    pub players: Vec<Player>,
    /// How many rounds it has in all.
    pub rounds: usize,
    /// How many rounds have been played.
    pub played: usize,
    /// The colour of the first player in the first round: White is who moves first.
    pub first_colour: Side,
}

/// A player of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// Its rating, 0 if it has none.
    pub rating: u32,
    /// What happened in each round. One outcome more than rounds were played: the player is not to
    /// be paired in the next one.
    pub outcomes: Vec<Outcome>,
}

/// What a round was for a player.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A meeting.
    Played {
        /// With whom.
        opponent: usize,
        /// Which colour the player had.
        colour: Side,
        /// Half points: 2, 1 or 0.
        halves: u32,
    },
    /// A meeting that was not played, since somebody did not appear.
    Forfeit {
        /// Who was to be met.
        opponent: usize,
        /// Which colour the player was to have.
        colour: Side,
        /// Whether the player was there.
        is_won: bool,
    },
    /// Nobody was left to meet: as good as a win.
    Bye,
    /// A pause that was granted, with a whole point.
    FullPause,
    /// A pause that was granted, with half a point.
    HalfPause,
    /// Not there, without points.
    Absent,
}

impl Outcome {
    /// The half points it gave.
    pub fn halves(self) -> u32 {
        match self {
            Outcome::Played { halves, .. } => halves,
            Outcome::Bye | Outcome::FullPause | Outcome::Forfeit { is_won: true, .. } => 2,
            Outcome::HalfPause => 1,
            Outcome::Absent | Outcome::Forfeit { .. } => 0,
        }
    }

    /// The colour of a meeting that was played.
    pub fn colour(self) -> Option<Side> {
        match self {
            Outcome::Played { colour, .. } => Some(colour),
            _ => None,
        }
    }

    /// The opponent of a meeting that was played.
    pub fn opponent(self) -> Option<usize> {
        match self {
            Outcome::Played { opponent, .. } => Some(opponent),
            _ => None,
        }
    }

    /// Whether the player was among those who were paired.
    pub(super) fn was_paired(self) -> bool {
        matches!(
            self,
            Outcome::Played { .. } | Outcome::Forfeit { .. } | Outcome::Bye
        )
    }
}

impl Player {
    /// The half points after so many rounds.
    pub fn halves_after(&self, rounds: usize) -> u32 {
        let rounds = self.outcomes.iter().take(rounds);
        rounds.map(|outcome| outcome.halves()).sum()
    }
}

impl Tournament {
    /// A player's half points up to now.
    pub fn halves(&self, player: usize) -> u32 {
        self.players[player].halves_after(self.played)
    }

    /// Whether a player is to be paired in the next round.
    pub fn is_here(&self, player: usize) -> bool {
        self.players[player].outcomes.len() <= self.played
    }
}
