//! What games are called in the protocol.

/// Names that Scan gave to games which have another name here.
const ALIASES: [(&str, &str); 3] = [
    ("normal", "international"),
    ("bt", "breakthrough"),
    ("losing", "antidraughts"),
];

/// The name of a game as Scan and its kin know it.
pub fn hub_name(name: &str) -> Option<&'static str> {
    let found = ALIASES.iter().find(|(_, ours)| *ours == name);
    found.map(|(hub, _)| *hub)
}

/// All names that only Scan and its kin use.
pub fn hub_aliases() -> impl Iterator<Item = &'static str> {
    ALIASES.iter().map(|(hub, _)| *hub)
}

/// Our name of a game that the protocol names.
pub fn our_name(name: &str) -> &str {
    let found = ALIASES.iter().find(|(hub, _)| *hub == name);
    found.map_or(name, |(_, ours)| ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alias_is_a_game() {
        for (hub, ours) in ALIASES {
            assert!(kingme_rules::Variant::named(ours).is_ok(), "{ours}");
            assert_eq!(our_name(hub), ours);
            assert_eq!(hub_name(ours), Some(hub));
        }
        assert_eq!(our_name("english"), "english");
        assert_eq!(hub_name("english"), None);
    }
}
