//! The games that come with the program.

macro_rules! game {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../variants/", $name, ".toml")),
        )
    };
}

/// Names and texts of the variant files, in the order in which they are listed.
const SHIPPED: &[(&str, &str)] = &[
    game!("international"),
    game!("english"),
    game!("russian"),
    game!("brazilian"),
    game!("italian"),
    game!("frisian"),
    game!("turkish"),
    game!("pool"),
    game!("spanish"),
    game!("portuguese"),
    game!("czech"),
    game!("canadian"),
    game!("thai"),
    game!("armenian"),
    game!("killer"),
    game!("breakthrough"),
    game!("antidraughts"),
    game!("frysk"),
    game!("poddavki"),
    game!("spantsiretti"),
    game!("filipino"),
    game!("jamaican"),
    game!("sri-lankan"),
    game!("dumm"),
    game!("slovak"),
    game!("german"),
    game!("argentinian"),
    game!("tanzanian"),
    game!("moroccan"),
    game!("english-giveaway"),
    game!("nigerian"),
    game!("zimbabwean"),
    game!("kenyan"),
    game!("malaysian"),
    game!("croda"),
    game!("ktar"),
    game!("gothic"),
    game!("diagonal"),
    game!("simple"),
    game!("stupid-checkers"),
    game!("pown-chess"),
    game!("checkers"),
    game!("draughts"),
    game!("league"),
    game!("frogs"),
    game!("lake"),
    game!("cross"),
];

/// What else people call a game, and its name here.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("american", "english"),
    ("straight", "english"),
    ("shashki", "russian"),
    ("dama", "turkish"),
    ("damas", "spanish"),
    ("damier", "international"),
];

/// The name of a game here, if people call it otherwise.
pub(super) fn usual(name: &str) -> &str {
    let fits = |(other, _): &&(&str, &'static str)| other.eq_ignore_ascii_case(name);
    let found = OTHER_NAMES.iter().find(fits);
    found.map_or(name, |(_, usual)| usual)
}

/// Names and variant files of all games.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHIPPED.iter().copied()
}

/// The names of all games.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The variant file of a game.
pub(super) fn text(name: &str) -> Option<&'static str> {
    SHIPPED
        .iter()
        .find(|(shipped, _)| *shipped == name)
        .map(|(_, text)| *text)
}
