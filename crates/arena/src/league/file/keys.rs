//! The keys of a league's file, and what is wrong when one of them can't be read.

use kingme_rules::nearest;

/// The keys of a league, each with what would be right.
const LEAGUE: [(&str, &str); 45] = [
    ("name", "a text, as in `name = \"Club\"`"),
    (
        "variant",
        "the name of a game, as in `variant = \"english\"`",
    ),
    ("size", "a whole number, as in `size = 8`"),
    (
        "time",
        "a time, as in `time = \"1s\"` or `time = \"5m+3s\"`",
    ),
    ("nodes", "a whole number, as in `nodes = 10000`"),
    ("depth", "a whole number, as in `depth = 6`"),
    ("people_time", "a time, as in `people_time = \"10m\"`"),
    (
        "format",
        "one of \"round-robin\", \"gauntlet\", \"swiss\", \"knockout\" and \"ladder\"",
    ),
    ("rounds", "a whole number, as in `rounds = 2`"),
    ("games", "a whole number, as in `games = 2`"),
    (
        "openings",
        "the name of a file, as in `openings = \"book.pdn\"`",
    ),
    ("openings_order", "\"file\" or \"random\""),
    (
        "openings_from",
        "a whole number of plies, as in `openings_from = 4`",
    ),
    (
        "openings_cut",
        "a whole number of plies, as in `openings_cut = 8`",
    ),
    ("random_plies", "a whole number, as in `random_plies = 4`"),
    ("sprt", "two differences in Elo, as in `sprt = \"0,5\"`"),
    ("sprt_alpha", "a number, as in `sprt_alpha = 0.05`"),
    ("sprt_beta", "a number, as in `sprt_beta = 0.05`"),
    ("sprt_model", "\"normalised\" or \"logistic\""),
    ("forfeit", "`true` or `false`"),
    ("on_late", "one of \"last-answer\", \"random\" and \"lose\""),
    (
        "on_illegal",
        "one of \"random\", \"skip\", \"ask-again\", \"ask-again:3\" and \"lose\"",
    ),
    ("grace", "a time, as in `grace = \"50ms\"`"),
    ("clock", "\"wall\" or \"cpu\""),
    ("max_plies", "a whole number, as in `max_plies = 200`"),
    (
        "adjudicate_win",
        "a score in men and a number of plies, as in `adjudicate_win = \"5,8\"`",
    ),
    (
        "adjudicate_draw",
        "a score in men and a number of plies, as in `adjudicate_draw = \"0.1,40\"`",
    ),
    ("adjudicate_tables", "`true` or `false`"),
    ("ponder", "`true` or `false`"),
    ("allow_failing", "`true` or `false`"),
    ("seed", "a whole number, as in `seed = 7`"),
    ("concurrency", "a whole number, as in `concurrency = 4`"),
    ("cores", "a whole number, as in `cores = 1`"),
    (
        "isolation",
        "one of \"none\", \"limits\", \"landlock\", \"bubblewrap\" and \"namespaces\"",
    ),
    ("start_limit", "a time, as in `start_limit = \"30s\"`"),
    ("new_game_limit", "a time, as in `new_game_limit = \"30s\"`"),
    ("stop_limit", "a time, as in `stop_limit = \"2s\"`"),
    ("player", "a table for each player, as in `[[player]]`"),
    // Keys of players that came first, without `[[player]]` above them.
    ("plays", "`[[player]]` on a line above it"),
    ("trusted", "`[[player]]` on a line above it"),
    ("version", "`[[player]]` on a line above it"),
    ("withdrawn", "`[[player]]` on a line above it"),
    ("owner", "`[[player]]` on a line above it"),
    ("options", "`[[player]]` on a line above it"),
    ("env", "`[[player]]` on a line above it"),
];

/// The keys of a player.
const PLAYER: [(&str, &str); 15] = [
    ("name", "a text, as in `name = \"Ada\"`"),
    ("plays", "who it is, as in `plays = \"engine:level=3\"`"),
    ("trusted", "`true` or `false`"),
    ("version", "a text, as in `version = \"2\"`"),
    ("withdrawn", "`true` or `false`"),
    ("owner", "the name of an account, as in `owner = \"ada\"`"),
    (
        "time",
        "a time, as in `time = \"1s\"` or `time = \"5m+3s\"`",
    ),
    ("nodes", "a whole number, as in `nodes = 10000`"),
    ("depth", "a whole number, as in `depth = 6`"),
    ("options", "a table, as in `options = { hash = 64 }`"),
    ("env", "a table, as in `env = { MODEL = \"small\" }`"),
    ("cores", "a whole number, as in `cores = 1`"),
    ("start_limit", "a time, as in `start_limit = \"30s\"`"),
    ("new_game_limit", "a time, as in `new_game_limit = \"30s\"`"),
    ("stop_limit", "a time, as in `stop_limit = \"2s\"`"),
];

/// What is wrong with the text of a file that TOML, or the type of a value, refuses: the line as it
/// is, and what would be right.
pub(super) fn explain(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().lines().next().unwrap_or_default();
    if let Some(key) = quoted_after(message, "missing field ") {
        return missing(text, error, key);
    }
    let Some(span) = error.span() else {
        return message.to_owned();
    };
    let start = span.start.min(text.len());
    let number = text[..start].matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default().trim();
    let keys = keys_at(text, number);
    if let Some(key) = quoted_after(message, "unknown field ") {
        if keys.iter().any(|(known, _)| *known == key) {
            return format!(
                "line {number}: `{key}` is a key of a player, and needs `[[player]]` on a line above it"
            );
        }
        let keys = if line.starts_with('[') { &LEAGUE } else { keys };
        let near = nearest(key, keys.iter().map(|(known, _)| *known));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return format!("line {number}: there is no key `{key}`{near}");
    }
    let key = line.split('=').next().unwrap_or_default().trim();
    match keys.iter().find(|(known, _)| *known == key) {
        Some((_, right)) if line.contains('=') && !message.starts_with("duplicate key") => {
            format!("line {number}: `{line}` should be {right}")
        }
        _ => format!("line {number}: {message}"),
    }
}

/// A key that has to be there and is not.
fn missing(text: &str, error: &toml::de::Error, key: &str) -> String {
    let line = error
        .span()
        .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let is_player = key == "plays";
    let keys: &[(&str, &str)] = if is_player { &PLAYER } else { &LEAGUE };
    let right = keys.iter().find(|(known, _)| *known == key);
    let right = right.map_or_else(String::new, |(_, right)| format!("; write {right}"));
    match line {
        Some(line) if is_player => format!("line {line}: the player has no `{key}`{right}"),
        _ => format!("there is no `{key}`{right}"),
    }
}

/// The word in back quotes that follows some others.
fn quoted_after<'m>(message: &'m str, start: &str) -> Option<&'m str> {
    message.strip_prefix(start)?.split('`').nth(1)
}

/// The keys that a line can have: those of the table it is in.
fn keys_at(text: &str, number: usize) -> &'static [(&'static str, &'static str)] {
    let before: Vec<&str> = text.lines().take(number).collect();
    let header = before
        .iter()
        .rev()
        .find(|line| line.trim_start().starts_with('['));
    match header {
        Some(_) => &PLAYER,
        None => &LEAGUE,
    }
}
