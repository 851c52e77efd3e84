//! Weight files: a few lines that say what they are, then the weights.

use std::fmt::Write as _;

use kingme_rules::Variant;

use super::net::Shape;
use super::parameters::Parameters;

/// What an evaluation looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each piece by itself, and the balance of material.
    Squares,
    /// Windows of eight squares as well.
    Windows,
    /// A small network that sees the whole board.
    Net,
}

impl Form {
    const NAMES: [(Form, &str); 3] = [
        (Form::Squares, "squares"),
        (Form::Windows, "windows"),
        (Form::Net, "net"),
    ];

    /// How many weights it has in a game.
    pub(crate) fn count(self, variant: &Variant) -> usize {
        match self {
            Form::Squares | Form::Windows => 2 * Parameters::new(variant, self).count(),
            Form::Net => Shape::new(variant).count(),
        }
    }

    fn name(self) -> &'static str {
        let found = Form::NAMES.iter().find(|(form, _)| *form == self);
        found.map_or("", |(_, name)| name)
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The weights of an evaluation and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The game they were trained for.
    pub variant: String,
    /// What they look at.
    pub form: Form,
    /// The day they were made.
    pub date: String,
    /// How many positions they were fitted to.
    pub positions: u64,
    /// How they did against what they replaced.
    pub result: String,
    /// Of linear forms two for each parameter, opening and ending, in quarters of a point; of a
    /// network as its shape says.
    pub(crate) values: Vec<i16>,
    /// Points for each legal move more than the other side has; only untrained games use it.
    pub(crate) mobility: i32,
}

/// Steps of a weight to one point.
pub(crate) const STEPS: i32 = 4;

const MAGIC: &str = "kingme weights 1";

/// What is wrong with a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is something else.
    #[error("it does not begin with `{MAGIC}`")]
    Magic,
    /// A line of the header is missing or unreadable.
    #[error("its header has no sound line `{0}: …`")]
    Header(&'static str),
    /// It was cut short or changed.
    #[error("its weights do not have the sum that its header states; the file is damaged")]
    Sum,
    /// It is for another game.
    #[error("it is for `{found}`, not for `{wanted}`")]
    Variant {
        /// The game of the file.
        found: String,
        /// The game that is played.
        wanted: String,
    },
    /// It is for another board.
    #[error("it has {found} weights, this board needs {wanted}")]
    Size {
        /// In the file.
        found: usize,
        /// For the board.
        wanted: usize,
    },
}

impl Weights {
    /// Reads a weight file and checks that it fits a game.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(file: &[u8], variant: &Variant) -> Result<Weights, WeightsError> {
        let weights = Weights::parse(file)?;
        if weights.variant != variant.name() {
            return Err(WeightsError::Variant {
                found: weights.variant,
                wanted: variant.name().to_owned(),
            });
        }
        let wanted = weights.form.count(variant);
        if weights.values.len() != wanted {
            return Err(WeightsError::Size {
                found: weights.values.len(),
                wanted,
            });
        }
        Ok(weights)
    }

    fn parse(file: &[u8]) -> Result<Weights, WeightsError> {
        let end = file
            .windows(2)
            .position(|two| two == b"\n\n")
            .ok_or(WeightsError::Magic)?;
        let header = std::str::from_utf8(&file[..end]).map_err(|_| WeightsError::Magic)?;
        let body = &file[end + 2..];
        if header.lines().next() != Some(MAGIC) {
            return Err(WeightsError::Magic);
        }
        let line = |key: &'static str| {
            let lines = header.lines().filter_map(|line| line.split_once(": "));
            lines
                .clone()
                .find(|(name, _)| *name == key)
                .map(|(_, value)| value)
                .ok_or(WeightsError::Header(key))
        };
        let form = line("form")?;
        let (form, _) = Form::NAMES
            .into_iter()
            .find(|(_, name)| *name == form)
            .ok_or(WeightsError::Header("form"))?;
        if line("sum")? != format!("{:016x}", sum(body)) || !body.len().is_multiple_of(2) {
            return Err(WeightsError::Sum);
        }
        Ok(Weights {
            variant: line("variant")?.to_owned(),
            form,
            date: line("date")?.to_owned(),
            positions: line("positions")?
                .parse()
                .map_err(|_| WeightsError::Header("positions"))?,
            result: line("result")?.to_owned(),
            values: body
                .chunks_exact(2)
                .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
                .collect(),
            mobility: 0,
        })
    }

    /// The weights of a linear form's parameter: opening and ending.
    pub(crate) fn pair(&self, parameter: usize) -> [i16; 2] {
        [self.values[2 * parameter], self.values[2 * parameter + 1]]
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let body: Vec<u8> = self
            .values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let mut text = format!("{MAGIC}\n");
        for (key, value) in [
            ("variant", self.variant.clone()),
            ("form", self.form.name().to_owned()),
            ("date", self.date.clone()),
            ("positions", self.positions.to_string()),
            ("result", self.result.clone()),
            ("sum", format!("{:016x}", sum(&body))),
        ] {
            writeln!(text, "{key}: {value}").expect("a string takes it");
        }
        text.push('\n');
        let mut file = text.into_bytes();
        file.extend(body);
        file
    }
}

/// FNV-1a, enough to notice damage.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> Variant {
        Variant::named("english").unwrap()
    }

    fn sample() -> Weights {
        let count = Parameters::new(&english(), Form::Squares).count();
        Weights {
            variant: "english".to_owned(),
            form: Form::Squares,
            date: "2026-01-02".to_owned(),
            positions: 12,
            result: "+3 =2 -1".to_owned(),
            values: (0..2 * count as i16).collect(),
            mobility: 0,
        }
    }

    fn check_error(file: &[u8], message: &str) {
        let error = Weights::read(file, &english()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Weights::read(&sample().write(), &english()), Ok(sample()));
    }

    #[test]
    fn other_files_are_refused() {
        check_error(b"", "it does not begin with `kingme weights 1`");
        check_error(b"GIF89a\n\n", "it does not begin with `kingme weights 1`");
        check_error(
            b"kingme weights 1\nvariant: english\n\n",
            "its header has no sound line `form: …`",
        );
    }

    #[test]
    fn damage_is_noticed() {
        let mut file = sample().write();
        file.pop();
        check_error(
            &file,
            "its weights do not have the sum that its header states; the file is damaged",
        );
    }

    #[test]
    fn weights_of_another_game_are_refused() {
        let mut other = sample();
        other.variant = "russian".to_owned();
        check_error(&other.write(), "it is for `russian`, not for `english`");
        let mut small = sample();
        small.values.truncate(5);
        check_error(&small.write(), "it has 5 weights, this board needs 354");
    }

    #[test]
    fn every_shipped_file_is_sound() {
        for (name, file) in super::super::SHIPPED {
            let variant = Variant::named(name).unwrap();
            Weights::read(file, &variant).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
