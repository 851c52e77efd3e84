//! Reading a file game by game.

use std::io::BufRead;

use super::build::Builder;
use super::token::Scanner;
use super::{Encoding, PdnError, PdnGame};

/// Reads the games of a PDN file, one at a time; the file may be larger than memory.
///
/// What real files get wrong is put right or noted in [`PdnGame::faults`]. An `Err` stands for a
/// game that could not be kept in memory or an input that failed; after the former the next
/// game follows.
///
/// ```
/// let text = "[White \"Wiersma\"] 1. 32-28 19-23 2. 28x19 14x23 2-0";
/// let game = kingme_rules::pdn::Reader::new(text.as_bytes()).next().unwrap()?;
/// assert_eq!(game.tag("white"), Some("Wiersma"));
/// assert_eq!(game.moves[2].text, "28x19");
/// # Ok::<_, kingme_rules::pdn::PdnError>(())
/// ```
pub struct Reader<R> {
    scanner: Scanner<R>,
}

impl<R: BufRead> Reader<R> {
    /// A reader of the games in `input`.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            scanner: Scanner::new(input),
        }
    }

    /// Refuses games whose text is longer than so many bytes. Moves may take some fifty times as
    /// much memory as their text.
    #[must_use]
    pub fn longest_game(mut self, bytes: usize) -> Reader<R> {
        self.scanner.source.longest_game = bytes;
        self
    }

    /// How the file is written, as far as it has been read; `None` for UTF-8.
    pub fn encoding(&self) -> Option<Encoding> {
        self.scanner.source.encoding
    }

    /// How many bytes have been read as games: where the next one begins. They are those of the
    /// input if that is UTF-8 without a mark and its lines end with `\n`.
    pub fn offset(&self) -> usize {
        self.scanner.source.offset()
    }

    fn game(&mut self) -> Result<Option<PdnGame>, PdnError> {
        let mut place = self.scanner.begin_game()?;
        let mut builder = Builder::new(place.line);
        loop {
            let mark = self.scanner.source.mark();
            let Some((at, token)) = self.scanner.token()? else {
                break;
            };
            place = at;
            if builder.ends_before(&token) {
                self.scanner.source.rewind(mark);
                break;
            }
            builder.feed(at, token)?;
        }
        Ok(builder.finish(place))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<PdnGame, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.game() {
            Ok(game) => game.map(Ok),
            Err(error) => {
                // The input may end or fail here as well; the next call will say so.
                let _ = self.scanner.source.skip_game();
                Some(Err(error))
            }
        }
    }
}
