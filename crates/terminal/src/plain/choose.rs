//! The menu of games, line by line.

use std::io::{BufRead, Write};

use kingme_rules::Variant;

use super::Error;
use super::lines::{Line, LineSource, Lines};

/// Lists the games and asks for one until there is an answer; `None` if the input ends first.
///
/// # Errors
///
/// If the input or the output fails.
pub fn choose(input: impl BufRead, mut output: impl Write) -> Result<Option<Variant>, Error> {
    for name in Variant::names() {
        if let Ok(variant) = Variant::named(name) {
            writeln!(output, "{name:<16} {}", variant.definition().title)?;
        }
    }
    let mut lines = Lines::new(input);
    loop {
        write!(output, "Which game? ")?;
        output.flush()?;
        let Line::Text(line) = lines.next(None)? else {
            writeln!(output)?;
            return Ok(None);
        };
        match Variant::named(line.trim()) {
            Ok(variant) => return Ok(Some(variant)),
            Err(_) if line.trim().is_empty() => {}
            Err(error) => writeln!(output, "{error}")?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(typed: &str) -> (Option<String>, String) {
        let mut printed = Vec::new();
        let variant = choose(typed.as_bytes(), &mut printed).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        (variant.map(|variant| variant.name().to_owned()), printed)
    }

    #[test]
    fn a_wrong_name_is_asked_again() {
        let (name, printed) = answer("\nfrisan\nfrisian\n");
        assert_eq!(name.as_deref(), Some("frisian"));
        let asked = "Which game? Which game? there is no game `frisan`; did you mean `frisian`?\nWhich game? ";
        assert!(printed.ends_with(asked), "{printed}");
    }

    #[test]
    fn the_input_may_end() {
        assert_eq!(answer("").0, None);
    }
}
