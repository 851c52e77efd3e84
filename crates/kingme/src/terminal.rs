//! What a terminal can do, by what the environment says of it.

/// What a terminal can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Write anywhere on the screen.
    pub move_cursor: bool,
    /// Show colours, and the user wants them.
    pub colour: bool,
    /// Show more than ASCII.
    pub unicode: bool,
}

impl Terminal {
    /// The terminal of this process.
    pub fn here() -> Terminal {
        Terminal::of(|name| std::env::var(name).ok())
    }

    /// The terminal that these variables describe.
    fn of(variable: impl Fn(&str) -> Option<String>) -> Terminal {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let kind = set("TERM").unwrap_or_default();
        // The first that is set counts.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let locale = locale.unwrap_or_default().to_lowercase().replace('-', "");
        Terminal {
            move_cursor: kind != "dumb",
            colour: set("NO_COLOR").is_none() && !kind.starts_with("vt1") && kind != "dumb",
            unicode: kind != "linux" && (locale.contains("utf8") || cfg!(windows)),
        }
    }

    /// Whether only letters tell the sides apart.
    pub fn needs_letters(self) -> bool {
        !self.colour || !self.unicode
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Terminal {
        let usual = [("TERM", "xterm-256color"), ("LANG", "en_GB.UTF-8")];
        Terminal::of(|name| {
            let mut all = variables.iter().chain(&usual);
            let found = all.find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn letters_are_for_terminals_without_colours_or_unicode() {
        assert!(!of(&[]).needs_letters());
        assert!(!of(&[("NO_COLOR", "")]).needs_letters());
        assert!(!of(&[("LC_ALL", "C.utf8")]).needs_letters());
        for variable in [
            ("NO_COLOR", "1"),
            ("TERM", "vt100"),
            ("TERM", "linux"),
            ("TERM", "dumb"),
            ("LC_ALL", "C"),
            ("LC_CTYPE", "POSIX"),
        ] {
            assert!(of(&[variable]).needs_letters(), "{variable:?}");
        }
    }

    #[test]
    fn a_dumb_terminal_has_no_screen() {
        assert!(!of(&[("TERM", "dumb")]).move_cursor);
        assert!(of(&[("TERM", "vt100")]).move_cursor);
        assert!(!of(&[("TERM", "vt100")]).colour);
    }
}
