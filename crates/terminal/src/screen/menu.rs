//! The menu of games and players.

use kingme_players::PlayerSpec;
use kingme_rules::{Game, Side, Variant};

/// Players that can be chosen, and how the command line names them.
const PLAYERS: [(&str, &str); 13] = [
    ("a person", "human"),
    ("the computer, level 1 of 10", "engine:level=1"),
    ("the computer, level 2 of 10", "engine:level=2"),
    ("the computer, level 3 of 10", "engine:level=3"),
    ("the computer, level 4 of 10", "engine:level=4"),
    ("the computer, level 5 of 10", "engine:level=5"),
    ("the computer, level 6 of 10", "engine:level=6"),
    ("the computer, level 7 of 10", "engine:level=7"),
    ("the computer, level 8 of 10", "engine:level=8"),
    ("the computer, level 9 of 10", "engine:level=9"),
    ("the computer, level 10 of 10", "engine"),
    ("minimax, a plain sample", "minimax"),
    ("any move by chance", "random"),
];

/// What is being changed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The list of games.
    Game,
    /// The size of the board.
    Size,
    /// Who plays White.
    White,
    /// Who plays Black.
    Black,
}

/// The menu of a new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// What is being changed.
    pub field: Field,
    /// What was typed to find a game.
    pub filter: String,
    at: usize,
    size: Option<u32>,
    players: [usize; 2],
}

/// What the menu leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    /// The game.
    pub variant: Variant,
    /// The size of the board, if it is not the usual one.
    pub size: Option<u32>,
    /// Who plays, White first.
    pub players: [PlayerSpec; 2],
}

impl Default for Menu {
    fn default() -> Menu {
        Menu {
            field: Field::Game,
            filter: String::new(),
            at: 0,
            size: None,
            players: [0, 0],
        }
    }
}

impl Menu {
    /// A menu that begins at a game.
    pub fn at(name: &str) -> Menu {
        let at = Variant::names().position(|shipped| shipped == name);
        Menu {
            at: at.unwrap_or(0),
            ..Menu::default()
        }
    }

    /// The games that fit what was typed.
    pub fn games(&self) -> Vec<Variant> {
        let typed = self.filter.to_lowercase();
        let all = Variant::names().filter_map(|name| Variant::named(name).ok());
        all.filter(|variant| fits(variant, &typed)).collect()
    }

    /// The number of the game that is marked, among those that fit.
    pub fn marked(&self) -> usize {
        self.at
    }

    /// The game that is marked.
    pub fn variant(&self) -> Option<Variant> {
        self.games().into_iter().nth(self.at)
    }

    /// The size of the board, if the game has a choice.
    pub fn size(&self) -> Option<u32> {
        let variant = self.variant()?;
        variant.definition().sizes()?;
        Some(
            self.size
                .unwrap_or_else(|| variant.board().columns().into()),
        )
    }

    /// Who plays a side, for people to read.
    pub fn player(&self, side: Side) -> &'static str {
        PLAYERS[self.players[side]].0
    }

    /// Who plays a side.
    fn spec(&self, side: Side) -> Option<PlayerSpec> {
        PLAYERS[self.players[side]].1.parse().ok()
    }

    /// Adds a letter to what was typed.
    pub fn type_letter(&mut self, letter: char) {
        self.filter.push(letter);
        self.begin_list();
    }

    /// Takes a letter away.
    pub fn backspace(&mut self) {
        self.filter.pop();
        self.begin_list();
    }

    fn begin_list(&mut self) {
        self.field = Field::Game;
        self.at = 0;
        self.size = None;
    }

    /// Goes up or down the list of games.
    pub fn step(&mut self, by: isize) {
        let last = self.games().len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.size = None;
    }

    /// Goes to the next field, or to the one before.
    pub fn next_field(&mut self, by: isize) {
        let mut fields = vec![Field::Game, Field::Size, Field::White, Field::Black];
        if self.size().is_none() {
            fields.remove(1);
        }
        let at = fields
            .iter()
            .position(|&field| field == self.field)
            .unwrap_or(0);
        let count = fields.len() as isize;
        self.field = fields[(at as isize + by).rem_euclid(count) as usize];
    }

    /// Changes the field's value to the next one, or to the one before.
    pub fn change(&mut self, by: isize) {
        match self.field {
            Field::Game => self.step(by),
            Field::Size => self.change_size(by),
            Field::White => self.change_player(Side::White, by),
            Field::Black => self.change_player(Side::Black, by),
        }
    }

    fn change_player(&mut self, side: Side, by: isize) {
        let at = self.players[side] as isize + by;
        self.players[side] = at.rem_euclid(PLAYERS.len() as isize) as usize;
    }

    fn change_size(&mut self, by: isize) {
        let sizes = self
            .variant()
            .and_then(|variant| variant.definition().sizes());
        if let (Some(size), Some((from, to))) = (self.size(), sizes) {
            let size = i64::from(size) + 2 * by as i64;
            self.size = Some(size.clamp(from.into(), to.into()) as u32);
        }
    }

    /// The game that is chosen; `None` if no game fits.
    pub fn chosen(&self) -> Option<NewGame> {
        let variant = self.variant()?;
        let size = self
            .size
            .filter(|&size| size != u32::from(variant.board().columns()));
        let variant = match size {
            Some(size) => variant.sized(size).ok()?,
            None => variant,
        };
        Some(NewGame {
            variant,
            size,
            players: [self.spec(Side::White)?, self.spec(Side::Black)?],
        })
    }
}

impl NewGame {
    /// The game from its start.
    pub fn game(&self) -> Game {
        Game::new(&self.variant)
    }
}

fn fits(variant: &Variant, typed: &str) -> bool {
    let title = variant.definition().title.to_lowercase();
    variant.name().contains(typed) || title.contains(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_finds_a_game() {
        let mut menu = Menu::default();
        "frisi".chars().for_each(|letter| menu.type_letter(letter));
        assert_eq!(menu.variant().unwrap().name(), "frisian");
        menu.type_letter('?');
        assert_eq!(menu.chosen(), None);
        menu.backspace();
        assert_eq!(menu.chosen().unwrap().variant.name(), "frisian");
    }

    #[test]
    fn sizes_and_players_are_chosen() {
        let mut menu = Menu::at("league");
        menu.next_field(1);
        menu.change(-1);
        menu.next_field(1);
        menu.next_field(1);
        menu.change(-1);
        let chosen = menu.chosen().unwrap();
        assert_eq!(chosen.size, Some(6));
        assert_eq!(chosen.variant.board().columns(), 6);
        assert_eq!(
            chosen.players.map(|player| player.to_string()),
            ["human", "random"]
        );
    }

    #[test]
    fn the_computer_is_offered_by_name_and_level() {
        let mut menu = Menu {
            field: Field::Black,
            ..Menu::at("english")
        };
        for _ in 0..4 {
            menu.change(1);
        }
        assert_eq!(menu.player(Side::Black), "the computer, level 4 of 10");
        let chosen = menu.chosen().unwrap();
        assert_eq!(chosen.players[Side::Black].to_string(), "engine:level=4");
    }

    #[test]
    fn a_game_of_one_size_has_no_field_for_it() {
        let mut menu = Menu::at("pown-chess");
        menu.next_field(1);
        assert_eq!(menu.field, Field::White);
    }

    #[test]
    fn the_list_ends_at_both_ends() {
        let mut menu = Menu::default();
        menu.step(-1);
        assert_eq!(menu.marked(), 0);
        menu.step(1000);
        assert_eq!(
            menu.variant().unwrap().name(),
            Variant::names().last().unwrap()
        );
    }

    #[test]
    fn every_player_in_the_menu_has_a_name_that_is_read() {
        for (words, name) in PLAYERS {
            assert!(name.parse::<PlayerSpec>().is_ok(), "{words}: {name}");
        }
    }
}
