//! The names of players on the command line and in league files.

use std::fmt;
use std::str::FromStr;

use crate::Minimax;

/// Who plays: `human`, `human:NAME`, `engine`, `engine:level=3,threads=1`, `random`, `minimax`,
/// `minimax:depth=6`, `hub:COMMAND`, `hub:COMMAND {hash=64}`, `dxp:HOST:PORT` or `python:FILE:CLASS`.
///
/// ```
/// use kingme_players::PlayerSpec;
///
/// let spec: PlayerSpec = "hub:./scan hub --quiet".parse()?;
/// let PlayerSpec::Hub { command, .. } = &spec else { panic!() };
/// assert_eq!(command, &["./scan", "hub", "--quiet"]);
/// assert_eq!(
///     "enigne".parse::<PlayerSpec>().unwrap_err().to_string(),
///     "there is no player `enigne`; did you mean `engine`?",
/// );
/// # Ok::<_, kingme_players::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// A person at the screen.
    Human {
        /// Whom to wait for; `None`: whoever sits there.
        name: Option<String>,
    },
    /// Our engine.
    Engine(EngineOptions),
    /// Any legal move.
    Random,
    /// The sample player.
    Minimax {
        /// How many plies it looks ahead.
        depth: u32,
    },
    /// A process that speaks Hub.
    Hub {
        /// The program and its arguments.
        command: Vec<String>,
        /// Parameters of its own to set, with their values.
        options: Vec<(String, String)>,
    },
    /// A program that listens for `DamExchange`.
    Dxp {
        /// Its machine.
        host: String,
        /// Its port.
        port: u16,
    },
    /// A class in a Python file.
    Python {
        /// The file.
        file: String,
        /// The class.
        class: String,
    },
}

/// The options of `engine:…`; what is not given is the engine's own choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// 1 loses to a child, 10 is full strength.
    pub level: Option<u8>,
    /// Threads to search with.
    pub threads: Option<u32>,
    /// Megabytes for its memory of positions.
    pub hash: Option<u32>,
    /// A file of weights to judge by, as `kingme train` makes them.
    pub weights: Option<String>,
    /// Whether it plays without endgame tables, though there are some.
    pub without_tables: bool,
}

impl PlayerSpec {
    /// How many cores a game between two players needs: a program has one thread unless we know
    /// better, and one thinks at a time unless they ponder.
    ///
    /// ```
    /// use kingme_players::PlayerSpec;
    ///
    /// let [two, one] = ["engine:threads=2", "hub:./scan hub"].map(|text| text.parse().unwrap());
    /// assert_eq!(PlayerSpec::cores([&two, &one], false), 2);
    /// assert_eq!(PlayerSpec::cores([&one, &one], true), 2);
    /// ```
    pub fn cores(players: [&PlayerSpec; 2], ponder: bool) -> usize {
        let [one, other] = players.map(PlayerSpec::threads);
        if ponder { one + other } else { one.max(other) }
    }

    /// The same player with more options: parameters of a program that speaks Hub, or what stands
    /// after the colon of our own.
    ///
    /// # Errors
    ///
    /// If it has none, or not these.
    pub fn with_options(&self, more: &[(String, String)]) -> Result<PlayerSpec, SpecError> {
        let text = self.to_string();
        match self {
            _ if more.is_empty() => Ok(self.clone()),
            PlayerSpec::Hub { command, options } => Ok(PlayerSpec::Hub {
                command: command.clone(),
                options: options.iter().chain(more).cloned().collect(),
            }),
            PlayerSpec::Engine(_) | PlayerSpec::Minimax { .. } => {
                let mark = if text.contains(':') { ',' } else { ':' };
                format!("{text}{mark}{}", joined(more)).parse()
            }
            _ => Err(SpecError::NoOptions(text)),
        }
    }

    /// Whether it is a program that is started here and confined.
    pub fn is_process(&self) -> bool {
        matches!(self, PlayerSpec::Hub { .. } | PlayerSpec::Python { .. })
    }

    /// The file that it is made of, if it is one: a bot in Python, or our engine's evaluation.
    pub fn file(&self) -> Option<&str> {
        match self {
            PlayerSpec::Python { file, .. } => Some(file),
            PlayerSpec::Engine(options) => options.weights.as_deref(),
            _ => None,
        }
    }

    fn threads(&self) -> usize {
        match self {
            PlayerSpec::Engine(options) => options.threads.unwrap_or(1) as usize,
            _ => 1,
        }
    }
}

/// What is wrong with a player's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No player is called so.
    #[error("there is no player `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// What was given.
        name: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// Something has to follow the colon.
    #[error("`{player}` needs {what}, as in `{example}`")]
    Incomplete {
        /// What was given.
        player: String,
        /// What is missing.
        what: &'static str,
        /// How it looks.
        example: &'static str,
    },
    /// This player takes nothing after a colon.
    #[error("`{0}` takes no options")]
    NoOptions(String),
    /// No such option.
    #[error("`{player}` has no option `{option}`{}", did_you_mean(.suggestion.as_deref()))]
    Option {
        /// The player.
        player: &'static str,
        /// What was given.
        option: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// An option with a wrong value.
    #[error("`{option}={value}` is wrong: {option} is a number from {from} to {to}")]
    Value {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
        /// The least.
        from: u32,
        /// The most.
        to: u32,
    },
    /// An option that is neither on nor off.
    #[error("`{option}={value}` is wrong: {option} is on or off")]
    Switch {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
    },
    /// A quotation mark is missing.
    #[error("`{0}` has a quotation mark without its pair")]
    Quote(String),
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

const NAMES: [&str; 7] = [
    "human", "engine", "random", "minimax", "hub", "dxp", "python",
];

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match name {
            "human" => human(rest),
            "random" => plain(PlayerSpec::Random, text, rest),
            "engine" => engine(rest),
            "minimax" => minimax(rest),
            "hub" => hub(rest),
            "dxp" => dxp(text, rest),
            "python" => python(text, rest),
            _ => Err(SpecError::Unknown {
                name: text.to_owned(),
                suggestion: kingme_rules::nearest(name, NAMES).map(str::to_owned),
            }),
        }
    }
}

fn plain(spec: PlayerSpec, text: &str, rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    match rest {
        None => Ok(spec),
        Some(_) => Err(SpecError::NoOptions(
            text.split(':').next().unwrap_or(text).to_owned(),
        )),
    }
}

fn human(rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let name = rest.map(str::trim).map(str::to_owned);
    if name.as_deref() == Some("") {
        return Err(incomplete("human:", "a name", "human:Ada"));
    }
    Ok(PlayerSpec::Human { name })
}

fn engine(rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let mut options = EngineOptions::default();
    for (name, value) in pairs(rest) {
        match name {
            "level" => options.level = Some(number("level", value, 1, 10)? as u8),
            "threads" => options.threads = Some(number("threads", value, 1, 1024)?),
            "hash" => options.hash = Some(number("hash", value, 1, 1 << 20)?),
            "weights" if value.is_empty() => {
                return Err(incomplete(
                    "engine:weights=",
                    "a file",
                    "engine:weights=mine.bin",
                ));
            }
            "weights" => options.weights = Some(value.to_owned()),
            "tables" => options.without_tables = !switch("tables", value)?,
            _ => {
                let known = ["level", "threads", "hash", "weights", "tables"];
                return Err(unknown_option("engine", name, &known));
            }
        }
    }
    Ok(PlayerSpec::Engine(options))
}

fn minimax(rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let mut depth = Minimax::DEPTH;
    for (name, value) in pairs(rest) {
        match name {
            "depth" => depth = number("depth", value, 1, 30)?,
            _ => return Err(unknown_option("minimax", name, &["depth"])),
        }
    }
    Ok(PlayerSpec::Minimax { depth })
}

fn hub(rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let (command, options) = split_options(rest.unwrap_or_default());
    let command = words(command)?;
    if command.is_empty() {
        return Err(incomplete("hub", "a command", "hub:./scan hub"));
    }
    let mut set = Vec::new();
    for (name, value) in pairs(options) {
        if name.is_empty() || value.is_empty() {
            let example = "hub:./scan hub {threads=2,hash=64}";
            return Err(incomplete(&format!("{{{name}}}"), "a value", example));
        }
        set.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(PlayerSpec::Hub {
        command,
        options: set,
    })
}

/// `COMMAND {a=1,b=2}` as the command and what stands in the braces at its end.
fn split_options(text: &str) -> (&str, Option<&str>) {
    let inside = text.trim_end().strip_suffix('}');
    match inside.and_then(|inside| inside.rsplit_once(" {")) {
        Some((command, options)) => (command, Some(options)),
        None => (text, None),
    }
}

/// `a=1,b=2`
fn joined(options: &[(String, String)]) -> String {
    let pairs = options
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    pairs.collect::<Vec<_>>().join(",")
}

fn dxp(text: &str, rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let parsed = rest
        .and_then(|rest| rest.rsplit_once(':'))
        .and_then(|(host, port)| {
            let port = port.parse().ok().filter(|&port: &u16| port > 0)?;
            (!host.is_empty()).then(|| PlayerSpec::Dxp {
                host: host.to_owned(),
                port,
            })
        });
    parsed.ok_or_else(|| incomplete(text, "a machine and a port", "dxp:localhost:27531"))
}

fn python(text: &str, rest: Option<&str>) -> Result<PlayerSpec, SpecError> {
    let parsed = rest
        .and_then(|rest| rest.rsplit_once(':'))
        .and_then(|(file, class)| {
            (!file.is_empty() && !class.is_empty()).then(|| PlayerSpec::Python {
                file: file.to_owned(),
                class: class.to_owned(),
            })
        });
    parsed.ok_or_else(|| incomplete(text, "a file and a class", "python:bots/ada.py:Ada"))
}

fn incomplete(player: &str, what: &'static str, example: &'static str) -> SpecError {
    SpecError::Incomplete {
        player: player.to_owned(),
        what,
        example,
    }
}

/// `a=1,b=2` as pairs; an option without a value has an empty one.
fn pairs(rest: Option<&str>) -> impl Iterator<Item = (&str, &str)> {
    rest.unwrap_or_default()
        .split(',')
        .map(str::trim)
        .filter(|option| !option.is_empty())
        .map(|option| option.split_once('=').unwrap_or((option, "")))
}

fn number(option: &'static str, value: &str, from: u32, to: u32) -> Result<u32, SpecError> {
    let number = value
        .parse()
        .ok()
        .filter(|number| (from..=to).contains(number));
    number.ok_or_else(|| SpecError::Value {
        option,
        value: value.to_owned(),
        from,
        to,
    })
}

fn switch(option: &'static str, value: &str) -> Result<bool, SpecError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(SpecError::Switch {
            option,
            value: value.to_owned(),
        }),
    }
}

fn unknown_option(player: &'static str, option: &str, known: &[&str]) -> SpecError {
    SpecError::Option {
        player,
        option: option.to_owned(),
        suggestion: kingme_rules::nearest(option, known.iter().copied()).map(str::to_owned),
    }
}

/// Splits a command at blanks; quotation marks, single or double, keep blanks together.
fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(SpecError::Quote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PlayerSpec::Human { name: None } => f.write_str("human"),
            PlayerSpec::Human { name: Some(name) } => write!(f, "human:{name}"),
            PlayerSpec::Engine(options) => write!(f, "{options}"),
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::Minimax { depth } if *depth == Minimax::DEPTH => f.write_str("minimax"),
            PlayerSpec::Minimax { depth } => write!(f, "minimax:depth={depth}"),
            PlayerSpec::Hub { command, options } if options.is_empty() => {
                write!(f, "hub:{}", quoted(command))
            }
            PlayerSpec::Hub { command, options } => {
                write!(f, "hub:{} {{{}}}", quoted(command), joined(options))
            }
            PlayerSpec::Dxp { host, port } => write!(f, "dxp:{host}:{port}"),
            PlayerSpec::Python { file, class } => write!(f, "python:{file}:{class}"),
        }
    }
}

impl fmt::Display for EngineOptions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let given = [
            ("level", self.level.map(|level| level.to_string())),
            ("threads", self.threads.map(|threads| threads.to_string())),
            ("hash", self.hash.map(|hash| hash.to_string())),
            ("weights", self.weights.clone()),
            ("tables", self.without_tables.then(|| "off".to_owned())),
        ];
        let options: Vec<String> = given
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={value}")))
            .collect();
        match options.len() {
            0 => f.write_str("engine"),
            _ => write!(f, "engine:{}", options.join(",")),
        }
    }
}

fn quoted(command: &[String]) -> String {
    let quote = |word: &String| match word {
        word if word.contains('"') => format!("'{word}'"),
        word if word.is_empty() || word.contains(char::is_whitespace) => format!("\"{word}\""),
        word => word.clone(),
    };
    command.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> PlayerSpec {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text, "written as it was read");
        spec
    }

    fn check_error(text: &str, message: &str) {
        assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), message);
    }

    #[test]
    fn players_are_read_as_they_are_written() {
        check("human");
        check("human:Ada Lovelace");
        check("random");
        check("minimax");
        check("minimax:depth=6");
        check("engine");
        check("engine:level=3,threads=1");
        check("engine:hash=8,weights=mine.bin");
        check("engine:tables=off");
        check("dxp:localhost:27531");
        check("python:bots/ada.py:Ada");
        check("hub:./scan hub");
    }

    #[test]
    fn the_rest_after_hub_is_the_command() {
        let PlayerSpec::Hub { command, .. } = check("hub:env A=b \"my bot\" x:y") else {
            panic!("not a hub player")
        };
        assert_eq!(command, ["env", "A=b", "my bot", "x:y"]);
    }

    #[test]
    fn a_program_has_parameters_in_braces() {
        let PlayerSpec::Hub { command, options } = check("hub:./scan hub {threads=2,book=a b}")
        else {
            panic!("not a hub player")
        };
        assert_eq!(command, ["./scan", "hub"]);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(options, [pair("threads", "2"), pair("book", "a b")]);
        check_error(
            "hub:./scan {hash}",
            "`{hash}` needs a value, as in `hub:./scan hub {threads=2,hash=64}`",
        );
    }

    #[test]
    fn options_are_added_to_those_who_have_some() {
        let with = |text: &str, name: &str, value: &str| {
            let spec: PlayerSpec = text.parse().unwrap();
            spec.with_options(&[(name.to_owned(), value.to_owned())])
                .map(|spec| spec.to_string())
                .map_err(|error| error.to_string())
        };
        let is = |text: &str| Ok(text.to_owned());
        assert_eq!(with("engine", "level", "3"), is("engine:level=3"));
        assert_eq!(
            with("engine:level=3", "hash", "8"),
            is("engine:level=3,hash=8")
        );
        assert_eq!(with("hub:./bot {a=1}", "b", "2"), is("hub:./bot {a=1,b=2}"));
        let refused = |text: &str| Err(text.to_owned());
        assert_eq!(
            with("random", "a", "1"),
            refused("`random` takes no options")
        );
        let near = "`minimax` has no option `dept`; did you mean `depth`?";
        assert_eq!(with("minimax", "dept", "1"), refused(near));
    }

    #[test]
    fn a_python_file_may_have_a_colon() {
        let spec = check("python:C:/bots/ada.py:Ada");
        let file = "C:/bots/ada.py".to_owned();
        let class = "Ada".to_owned();
        assert_eq!(spec, PlayerSpec::Python { file, class });
    }

    #[test]
    fn bad_names_are_explained() {
        check_error(
            "ranodm",
            "there is no player `ranodm`; did you mean `random`?",
        );
        check_error("bob", "there is no player `bob`");
        check_error("random:3", "`random` takes no options");
        check_error("human:", "`human:` needs a name, as in `human:Ada`");
        check_error("hub:", "`hub` needs a command, as in `hub:./scan hub`");
        check_error("hub:a 'b", "`a 'b` has a quotation mark without its pair");
        check_error(
            "dxp:here",
            "`dxp:here` needs a machine and a port, as in `dxp:localhost:27531`",
        );
        check_error(
            "python:a.py",
            "`python:a.py` needs a file and a class, as in `python:bots/ada.py:Ada`",
        );
        check_error(
            "engine:levle=3",
            "`engine` has no option `levle`; did you mean `level`?",
        );
        check_error(
            "engine:level=11",
            "`level=11` is wrong: level is a number from 1 to 10",
        );
        check_error(
            "engine:tables=no",
            "`tables=no` is wrong: tables is on or off",
        );
        check_error(
            "engine:weights=",
            "`engine:weights=` needs a file, as in `engine:weights=mine.bin`",
        );
        check_error(
            "minimax:depth=x",
            "`depth=x` is wrong: depth is a number from 1 to 30",
        );
    }
}
