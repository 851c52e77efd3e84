//! A Swiss tournament as its results make it.

use kingme_rules::Side;

use super::Pairing;

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

    /// The tournament as it was before one of its rounds, from 0, was paired. Who was not paired
    /// there had said so.
    #[must_use]
    pub fn before(&self, round: usize) -> Tournament {
        let mut before = self.clone();
        before.played = round;
        for player in &mut before.players {
            let was_paired = player.outcomes.get(round).is_some_and(|o| o.was_paired());
            player.outcomes.truncate(round + usize::from(!was_paired));
        }
        before
    }

    /// Who met whom in one of its rounds, from 0; the order of the boards is not known.
    pub fn paired_in(&self, round: usize) -> Pairing {
        let mut pairing = Pairing::default();
        for (number, player) in self.players.iter().enumerate() {
            match player.outcomes[round] {
                Outcome::Played {
                    opponent, colour, ..
                }
                | Outcome::Forfeit {
                    opponent, colour, ..
                } => {
                    if colour == Side::White {
                        pairing.meetings.push([number, opponent]);
                    }
                }
                Outcome::Bye => pairing.bye = Some(number),
                Outcome::FullPause | Outcome::HalfPause | Outcome::Absent => {}
            }
        }
        pairing
    }

    /// Whether a player is to be paired in the next round.
    pub fn is_here(&self, player: usize) -> bool {
        self.players[player].outcomes.len() <= self.played
    }
}
