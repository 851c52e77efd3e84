//! Encodings of old files: what is not UTF-8 is recognised by its bytes.

use std::fmt;

/// How a file is written, where it is not UTF-8.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// ISO 8859-1, western Europe.
    Latin1,
    /// Cyrillic on Windows.
    Windows1251,
    /// Cyrillic on DOS.
    Cp866,
    /// Two bytes a character, the lower one first.
    Utf16Le,
    /// Two bytes a character, the higher one first.
    Utf16Be,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Latin1 => "Latin-1",
            Encoding::Windows1251 => "Windows-1251",
            Encoding::Cp866 => "CP866",
            Encoding::Utf16Le => "UTF-16 (little endian)",
            Encoding::Utf16Be => "UTF-16 (big endian)",
        })
    }
}

const WINDOWS_1251: &str =
    "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{FFFD}™љ›њќћџ\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї";
const CP866_SIGNS: &str = "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀";
const CP866_LAST: &str = "ЁёЄєЇїЎў°∙·√№¤■\u{A0}";

impl Encoding {
    /// The encoding of a file by its first bytes, if it has two bytes a character; a file without a
    /// mark starts with two ASCII characters at least.
    pub(super) fn wide(bytes: &[u8]) -> Option<Encoding> {
        match bytes {
            [0xFF, 0xFE, ..] => Some(Encoding::Utf16Le),
            [0xFE, 0xFF, ..] => Some(Encoding::Utf16Be),
            [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Some(Encoding::Utf16Le),
            [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some(Encoding::Utf16Be),
            _ => None,
        }
    }

    /// The encoding of a line that is not UTF-8. Cyrillic words have high bytes side by side,
    /// western ones have them one by one.
    pub(super) fn of_line(line: &[u8]) -> Encoding {
        let high_words = line.split(u8::is_ascii).map(<[u8]>::len);
        if high_words.max().unwrap_or(0) < 3 {
            return Encoding::Latin1;
        }
        let count = |is: fn(u8) -> bool| line.iter().filter(|&&byte| is(byte)).count();
        let dos = count(|byte| matches!(byte, 0x80..=0xAF));
        let windows = count(|byte| matches!(byte, 0xC0..=0xDF | 0xF0..=0xFF));
        if dos > windows {
            Encoding::Cp866
        } else {
            Encoding::Windows1251
        }
    }

    /// The character of a byte, in an encoding that has one byte each.
    pub(super) fn character(self, byte: u8) -> char {
        let nth = |text: &str, from: u8| text.chars().nth((byte - from).into());
        let letter =
            |first: char, from: u8| char::from_u32(u32::from(first) + u32::from(byte - from));
        let found = match (self, byte) {
            (Encoding::Windows1251, 0x80..=0xBF) => nth(WINDOWS_1251, 0x80),
            (Encoding::Windows1251, 0xC0..) => letter('А', 0xC0),
            (Encoding::Cp866, 0x80..=0xAF) => letter('А', 0x80),
            (Encoding::Cp866, 0xB0..=0xDF) => nth(CP866_SIGNS, 0xB0),
            (Encoding::Cp866, 0xE0..=0xEF) => letter('р', 0xE0),
            (Encoding::Cp866, 0xF0..) => nth(CP866_LAST, 0xF0),
            _ => None,
        };
        found.unwrap_or(char::from(byte))
    }

    /// Decodes the whole characters of a text with two bytes each; how many bytes that are. A line
    /// end that is only half there is left as well, unless the file ends.
    pub(super) fn decode_wide(self, bytes: &[u8], ended: bool, text: &mut String) -> usize {
        let units = bytes.chunks_exact(2).map(|pair| match self {
            Encoding::Utf16Be => u16::from_be_bytes([pair[0], pair[1]]),
            _ => u16::from_le_bytes([pair[0], pair[1]]),
        });
        let mut units: Vec<u16> = units.collect();
        let half = |unit: u16| unit == 0x0D || matches!(unit, 0xD800..=0xDBFF);
        if !ended && units.last().is_some_and(|&unit| half(unit)) {
            units.pop();
        }
        let used = 2 * units.len();
        text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')));
        used
    }
}
