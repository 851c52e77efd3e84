//! An example for every command, at the end of its help.

use clap::Command;

/// What to try; each line is shown by the command that it begins with, and by those above it.
const EXAMPLES: &[&str] = &[
    "kingme analyse international --time 5s --lines 3",
    "kingme backup ~/.local/share/kingme monday.db",
    "kingme bench --check crates/engine/bench.txt",
    "kingme bot check python:examples/bots/greedy.py:Greedy --variant english",
    "kingme completions bash > ~/.local/share/bash-completion/completions/kingme",
    "kingme dxp --listen 27531 --player engine:level=5",
    "kingme hub --variant frisian",
    "kingme league run examples/leagues/club.toml",
    "kingme league show examples/leagues/club.toml",
    "kingme league export examples/leagues/club.toml --out club.html",
    "kingme man ~/.local/share/man/man1",
    "kingme match engine minimax --variant english --games 100 --random-plies 4 --sprt 0,10",
    "kingme match engine engine:level=9 --variant english --nodes 5000 --store postgres://kingme@db.example/kingme",
    "kingme moves frisian --fen W:W28:B18",
    "kingme pdn check games.pdn",
    "kingme pdn convert games.pdn",
    "kingme perft international 8 --threads 2",
    "kingme play international --black engine:level=3",
    "kingme play --resume",
    "kingme restore monday.db ~/.local/share/kingme",
    "kingme serve --listen 0.0.0.0:8080",
    "kingme serve --league club.toml --no-open",
    "kingme serve --league class.toml --listen 0.0.0.0:8080 --workers",
    "kingme serve --store postgres://kingme@db.example/kingme",
    "kingme solve pown-chess",
    "kingme store copy ~/.local/share/kingme postgres://kingme@db.example/kingme",
    "kingme swiss pair examples/leagues/open.trf",
    "kingme swiss table examples/leagues/open.trf",
    "kingme swiss check examples/leagues/open.trf",
    "kingme tables build english --pieces 4",
    "kingme tables check english --pieces 4",
    "kingme tables probe english --fen W:WK18,K19:BK4",
    "kingme train russian --time 60m --out russian.bin",
    "kingme train russian --time 60m --out russian.bin --store postgres://kingme@db.example/kingme",
    "kingme variants frisian",
    "kingme variants mine.toml",
    "kingme worker http://teacher:8080 --token 3f1c…",
    "kingme worker postgres://kingme@db.example/kingme",
    "kingme workers http://teacher:8080 --token 3f1c…",
];

/// What stands below the list of all commands.
const FIRST: &str = "\
Examples:
  kingme                       the games in the browser
  kingme play                  a game in the terminal
  kingme variants              all games, a line each
  kingme help match            what a command can do

Exit status:
  0  fine
  1  the answer is no: a fault in a file or a bot, nothing proven, a league that has stopped
  2  an error, in one line on standard error
  130  ended by a second Ctrl-C";

/// Adds its examples to the help of a command and of those below it.
pub fn add_to(command: Command) -> Command {
    let name = command.get_name().to_owned();
    below(command, &name).after_help(FIRST)
}

fn below(command: Command, path: &str) -> Command {
    command.mut_subcommands(|command| {
        let path = format!("{path} {}", command.get_name());
        let examples = examples(&path);
        below(command, &path).after_help(examples)
    })
}

fn examples(path: &str) -> String {
    let begins = |line: &&&str| line.starts_with(&format!("{path} "));
    let lines: Vec<&str> = EXAMPLES.iter().filter(begins).copied().collect();
    let title = if lines.len() == 1 {
        "Example"
    } else {
        "Examples"
    };
    format!("{title}:\n  {}", lines.join("\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_command() {
        for line in EXAMPLES {
            let words = line.split_whitespace().take_while(|word| *word != ">");
            let read = crate::args::read(words.map(Into::into));
            assert!(read.is_ok(), "{line}: {}", read.err().unwrap());
        }
    }
}
