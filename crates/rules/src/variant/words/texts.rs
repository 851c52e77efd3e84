//! The sentences of every language: the same keys, the same gaps.

use super::dutch::DUTCH;
use super::english::ENGLISH;

/// A language that games are explained in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// Dutch.
    Dutch,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::English, Language::Dutch];

    /// Its code in ISO 639, such as `en`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Dutch => "nl",
        }
    }

    pub(super) fn texts(self) -> &'static Texts {
        match self {
            Language::English => &ENGLISH,
            Language::Dutch => &DUTCH,
        }
    }
}

/// How a language counts and names things.
pub(super) struct Grammar {
    /// From 0 on, as books print them.
    pub numbers: [&'static str; 13],
    /// From 1 on.
    pub ordinals: [&'static str; 5],
    /// Names in the games' data, and what they are called; others are called as they are.
    pub names: &'static [(&'static str, &'static str)],
    /// How the end of a word changes when there are several; the first that fits.
    pub plurals: &'static [(&'static str, &'static str)],
}

macro_rules! texts {
    ($($key:ident)*) => {
        /// Everything that is said, with `{gaps}`.
        pub(super) struct Texts {
            pub grammar: Grammar,
            $(pub $key: &'static str,)*
        }

        #[cfg(test)]
        impl Texts {
            /// Every text by its key.
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($key), self.$key),)*]
            }
        }
    };
}

texts! {
    // Titles.
    board start captures promotion end draws notation
    // Small words.
    and or one_piece one_row one_empty_row one_move ordinal at_least from_or_to from_to
    // Directions.
    everywhere diagonally straight diagonally_forward diagonally_backward sideways
    diagonally_to straight_to to_side forward backward left right
    // The board.
    size both_colours all_squares every_other corner_used corner_unused hole holes sizes
    // The start.
    sits each_has has drawn_rows moves_first nearest_row nearest_rows in_front placed
    between_none between_one between_many
    // What pieces do.
    quiet_anywhere quiet_never quiet_step quiet_slide quiet_leap quiet_limit quiet_limits
    captures_never captures_anywhere captures_onto captures_onto_far captures_jump
    captures_jump_far lands_anywhere lands_next lands_next_after_king straight_jump cannot_take
    // Captures.
    nothing_captured must_capture may_capture huff any_capture must_first must_then
    most_pieces by_king most_kings kings_first most_value
    chain_goes_on chain_may_stop removed_at_once removed_after no_turn_back
    // Promotion.
    becomes becomes_for on_last_row on_edge ends_there goes_on_as_man goes_on_as_king nothing_promoted
    // The end.
    stuck_loses stuck_wins stuck_counts first_king_wins
    // Draws.
    repetition counter_draw counter_stops counter_wins unless_capture at_once after_each after_both without
    a_capture a_promotion a_mans_move in_all when while_ standing
    one_side each_side both_sides among no_draws
    // Notation.
    numbered lettered row_column pdn_type results
    bottom_left bottom_right top_left top_right
}

/// A text with its gaps filled.
pub(super) fn filled(text: &str, gaps: &[(&str, &str)]) -> String {
    let mut filled = text.to_owned();
    for (name, value) in gaps {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gaps of a text, each once.
    fn gaps(text: &str) -> Vec<&str> {
        let parts = text.split('{').skip(1);
        let mut gaps: Vec<&str> = parts.filter_map(|part| part.split('}').next()).collect();
        gaps.sort_unstable();
        gaps.dedup();
        gaps
    }

    #[test]
    fn all_languages_have_the_same_gaps() {
        for language in Language::ALL {
            let texts = language.texts().all();
            for ((key, text), (_, english)) in texts.into_iter().zip(ENGLISH.all()) {
                assert!(!text.is_empty(), "{language:?}: {key}");
                assert_eq!(gaps(text), gaps(english), "{language:?}: {key}");
            }
        }
    }
}
