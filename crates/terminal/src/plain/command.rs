//! What can be typed in place of a move.

/// A line that a person has typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A move, or something that may have been meant as one.
    Move(String),
    /// Show the board again.
    Board,
    /// List the legal moves.
    Moves,
    /// Take back.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Ask the engine.
    Hint,
    /// Turn the board round.
    Flip,
    /// Print the position.
    Fen,
    /// Write the game to a file.
    Pdn(String),
    /// Give up.
    Resign,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
    /// Just Enter.
    Nothing,
}

/// The commands as `help` lists them.
pub const HELP: &str = "\
Type a move, or one of these:
  moves     list the legal moves
  board     show the board again
  undo      take the last move back
  redo      play it again
  hint      ask the engine for a move
  flip      turn the board round
  fen       print the position as a FEN
  pdn FILE  write the game to a file
  resign    give the game up
  quit      leave; `kingme play --resume` goes on
";

impl Command {
    /// Reads a line. Whatever is no command is taken for a move.
    pub fn parse(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => Command::Nothing,
            ("board", "") => Command::Board,
            ("moves", "") => Command::Moves,
            ("undo", "") => Command::Undo,
            ("redo", "") => Command::Redo,
            ("hint", "") => Command::Hint,
            ("flip", "") => Command::Flip,
            ("fen", "") => Command::Fen,
            ("pdn", file) => Command::Pdn(file.to_owned()),
            ("resign", "") => Command::Resign,
            ("help" | "?", "") => Command::Help,
            ("quit" | "exit", "") => Command::Quit,
            _ => Command::Move(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_a_move() {
        assert_eq!(Command::parse(" 32 28 "), Command::Move("32 28".to_owned()));
        assert_eq!(
            Command::parse("undo it"),
            Command::Move("undo it".to_owned())
        );
        assert_eq!(Command::parse("UNDO"), Command::Undo);
        assert_eq!(
            Command::parse("pdn my game.pdn"),
            Command::Pdn("my game.pdn".to_owned())
        );
        assert_eq!(Command::parse("\t"), Command::Nothing);
    }

    #[test]
    fn help_names_every_command() {
        for line in HELP.lines().skip(1) {
            let word = line.split_whitespace().next().unwrap();
            assert!(!matches!(Command::parse(word), Command::Move(_)), "{word}");
        }
    }
}
