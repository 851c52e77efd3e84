//! What a bot declares about itself, and what the arena tells it about the game.

use std::fmt::Write;

use kingme_rules::{Game, Position, Side, Variant};

use super::line::{Line, LineWriter};
use super::moves::append_legal;
use super::names::hub_name;
use super::position::{append_position, letters};
use super::story::Story;

/// The game that engines play which say nothing about games.
const USUAL_GAME: &str = "international";

/// What the arena adds to every `pos` line, for bots that don't know the rules themselves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandOver {
    /// Nothing.
    #[default]
    Nothing,
    /// The position that stands now, and the legal moves.
    Legal,
    /// The position after each of them as well.
    After,
}

/// What a bot has said about itself between `hub` and `wait`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// What it wants to be handed over.
    pub hand_over: HandOver,
    params: Vec<Param>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Param {
    name: String,
    value: String,
    values: Option<Vec<String>>,
}

/// Why a bot can't play a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// It names its games, and this one is not among them.
    #[error("the bot does not play `{game}`; it plays {games}")]
    Game {
        /// What is to be played.
        game: String,
        /// What it plays.
        games: String,
    },
    /// It has no parameter for the board's size.
    #[error("the bot does not play `{game}` on {size}x{size}: it has no param `size`")]
    Size {
        /// What is to be played.
        game: String,
        /// On which board.
        size: u8,
    },
    /// It has no such parameter.
    #[error("the bot has no parameter `{name}`{hint}")]
    Param {
        /// What is to be set.
        name: String,
        /// Which it has.
        hint: String,
    },
    /// A parameter has other values.
    #[error("the bot's parameter `{name}` can't be `{value}`; it is one of {values}")]
    Value {
        /// What is to be set.
        name: String,
        /// To what.
        value: String,
        /// What it can be.
        values: String,
    },
}

impl Settings {
    /// Takes note of a line before `wait`.
    pub fn note(&mut self, line: Line) {
        match line.command() {
            "id" => self.note_name(line),
            "param" => self.note_param(line),
            _ => {}
        }
    }

    /// Takes note of a line before `ready`: a bot may know its name only when it knows the game.
    pub fn note_name(&mut self, line: Line) {
        if line.command() != "id" {
            return;
        }
        self.name = line
            .get("name")
            .filter(|name| !name.is_empty())
            .map(str::to_owned);
        self.version = line.get("version").map(str::to_owned);
    }

    fn note_param(&mut self, line: Line) {
        let Some(name) = line.get("name") else { return };
        let value = line.get("value").unwrap_or_default();
        if name == "hand-over" {
            self.hand_over = match value {
                "legal" => HandOver::Legal,
                "after" => HandOver::After,
                _ => HandOver::Nothing,
            };
        }
        let values = line
            .get("values")
            .filter(|_| line.get("type") == Some("enum"));
        self.params.push(Param {
            name: name.to_owned(),
            value: value.to_owned(),
            values: values.map(|values| values.split_whitespace().map(str::to_owned).collect()),
        });
    }

    fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The `set-param` lines that tell the bot which game it is to play, and with which side first.
    ///
    /// # Errors
    ///
    /// If the bot can't play it.
    pub fn for_game(&self, variant: &Variant, side: Side) -> Result<String, Unfit> {
        let mut lines = String::new();
        let mut set = |name: &str, value: &str| {
            if self.param(name).is_some_and(|param| param.value != value) {
                lines += &LineWriter::new("set-param")
                    .with("name", name)
                    .with("value", value)
                    .finish();
            }
        };
        set("variant", self.variant_name(variant)?);
        if let Some(size) = self.size(variant)? {
            set("size", &size.to_string());
        }
        set("board", &board_text(variant));
        set("pieces", &pieces_text(variant));
        set("side", side_name(side));
        Ok(lines)
    }

    /// The `set-param` lines for parameters of the bot's own.
    ///
    /// # Errors
    ///
    /// If it has no such parameter, or not with this value.
    pub fn with_options(&self, options: &[(String, String)]) -> Result<String, Unfit> {
        let mut lines = String::new();
        for (name, value) in options {
            let param = self.param(name).ok_or_else(|| self.no_param(name))?;
            let values = param.values.as_deref().unwrap_or_default();
            if !values.is_empty() && !values.contains(value) {
                return Err(Unfit::Value {
                    name: name.clone(),
                    value: value.clone(),
                    values: values.join(", "),
                });
            }
            lines += &LineWriter::new("set-param")
                .with("name", name)
                .with("value", value)
                .finish();
        }
        Ok(lines)
    }

    fn no_param(&self, name: &str) -> Unfit {
        let known: Vec<&str> = self.params.iter().map(|param| &*param.name).collect();
        let hint = match kingme_rules::nearest(name, known.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if known.is_empty() => String::new(),
            None => format!("; it has {}", known.join(", ")),
        };
        Unfit::Param {
            name: name.to_owned(),
            hint,
        }
    }

    /// What the bot calls the game.
    fn variant_name<'a>(&'a self, variant: &'a Variant) -> Result<&'a str, Unfit> {
        let name = variant.name();
        let unfit = |games: String| Unfit::Game {
            game: name.to_owned(),
            games,
        };
        let Some(param) = self.param("variant") else {
            let knows = name == USUAL_GAME || self.hand_over > HandOver::Nothing;
            return if knows {
                Ok(name)
            } else {
                Err(unfit(format!("`{USUAL_GAME}`")))
            };
        };
        let Some(values) = &param.values else {
            return Ok(name);
        };
        let known = |name: &&str| values.iter().any(|value| value == name);
        let found = Some(name)
            .filter(known)
            .or_else(|| hub_name(name).filter(known));
        found.ok_or_else(|| {
            unfit(
                values
                    .iter()
                    .map(|v| format!("`{v}`"))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        })
    }

    /// The size to set; `None` if the bot does not care for it.
    fn size(&self, variant: &Variant) -> Result<Option<u8>, Unfit> {
        let size = variant.board().columns();
        if self.param("size").is_some() {
            return Ok(Some(size));
        }
        let usual =
            Variant::named(variant.name()).is_ok_and(|usual| usual.board() == variant.board());
        if usual || self.hand_over > HandOver::Nothing || variant.definition().sizes().is_none() {
            return Ok(None);
        }
        Err(Unfit::Size {
            game: variant.name().to_owned(),
            size,
        })
    }

    /// The line that begins a game.
    pub fn new_game(&self, side: Side) -> String {
        let line = LineWriter::new("new-game");
        match self.param("side") {
            Some(_) => line.with("side", side_name(side)).finish(),
            None => line.finish(),
        }
    }

    /// The `pos` line of a game as it stands: where it began and what was played, so that a bot
    /// can count repetitions, and what this bot wants to be handed over.
    pub fn position(&self, game: &Game) -> String {
        let mut line = String::new();
        self.append_position(&mut line, &mut Story::default(), game);
        line
    }

    /// The same, with a story that is kept from turn to turn.
    pub(super) fn append_position(&self, line: &mut String, story: &mut Story, game: &Game) {
        line.push_str(story.tell(game));
        if story.has_moves() {
            line.push('"');
        }
        if self.hand_over != HandOver::Nothing {
            self.append_legal(line, game.position());
        }
        line.push('\n');
    }

    fn append_legal(&self, line: &mut String, position: &Position) {
        line.push_str(" now=");
        append_position(line, position);
        line.push_str(" legal=\"");
        append_legal(line, position);
        line.push('"');
        if self.hand_over == HandOver::After {
            line.push_str(" after=\"");
            for (index, mv) in position.legal_moves().iter().enumerate() {
                if index > 0 {
                    line.push(' ');
                }
                append_position(line, &position.play_unchecked(mv));
            }
            line.push('"');
        }
    }
}

fn side_name(side: Side) -> &'static str {
    ["white", "black"][side]
}

/// `8x8 0,1 0,3 …`: columns and rows, then row and column of square 1, 2, 3 …
fn board_text(variant: &Variant) -> String {
    let board = variant.board();
    let mut squares: Vec<_> = board.squares().collect();
    squares.sort_by_key(|&square| board.number(square));
    let mut text = format!("{}x{}", board.columns(), board.rows());
    for square in squares {
        let (row, column) = board.row_column(square);
        let _ = write!(text, " {row},{column}");
    }
    text
}

/// `man:wb king:WB`: the kinds with their letters, White's first.
fn pieces_text(variant: &Variant) -> String {
    let kinds = variant.definition().kinds.iter().enumerate();
    let words: Vec<String> = kinds
        .map(|(kind, definition)| {
            let [white, black] = letters(variant, kind);
            format!("{}:{white}{black}", definition.name)
        })
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(lines: &[&str]) -> Settings {
        let mut settings = Settings::default();
        for line in lines {
            settings.note(Line::new(line));
        }
        settings
    }

    fn named(name: &str) -> Variant {
        Variant::named(name).unwrap()
    }

    const SCAN: &str =
        "param name=variant value=normal type=enum values=\"normal killer bt frisian losing\"";

    #[test]
    fn engines_are_told_the_game_by_the_name_they_know() {
        let scan = bot(&[
            "id name=Scan version=3.1",
            SCAN,
            "param name=book value=true type=bool",
        ]);
        assert_eq!(scan.name.as_deref(), Some("Scan"));
        let check = |game: &str, lines: &str| {
            assert_eq!(scan.for_game(&named(game), Side::White).unwrap(), lines);
        };
        check("international", "");
        check("antidraughts", "set-param name=variant value=losing\n");
        check("frisian", "set-param name=variant value=frisian\n");
        let error = scan.for_game(&named("english"), Side::White).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the bot does not play `english`; it plays `normal` `killer` `bt` `frisian` `losing`",
        );
    }

    #[test]
    fn a_bot_that_says_nothing_plays_international() {
        let bot = bot(&["id name=Silent"]);
        assert_eq!(
            bot.for_game(&named("international"), Side::White).unwrap(),
            ""
        );
        let error = bot
            .for_game(&named("russian"), Side::White)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "the bot does not play `russian`; it plays `international`"
        );
    }

    #[test]
    fn sizes_are_told_to_those_who_can_change() {
        let league = bot(&[
            "param name=variant value=league type=enum values=league",
            "param name=size value=8 type=int min=4 max=100",
        ]);
        let check = |size, lines: &str| {
            assert_eq!(
                league
                    .for_game(&named("league").sized(size).unwrap(), Side::White)
                    .unwrap(),
                lines
            );
        };
        check(8, "");
        check(10, "set-param name=size value=10\n");
        let fixed = bot(&["param name=variant value=league type=enum values=league"]);
        let error = fixed
            .for_game(&named("league").sized(6).unwrap(), Side::White)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the bot does not play `league` on 6x6: it has no param `size`"
        );
    }

    #[test]
    fn the_board_is_described_to_those_who_ask() {
        let asks = bot(&[
            "param name=board value=\"\" type=string",
            "param name=pieces value=\"\" type=string",
            "param name=hand-over value=legal type=enum values=\"none legal after\"",
        ]);
        let game = named("league").sized(4).unwrap();
        assert_eq!(
            asks.for_game(&game, Side::Black).unwrap(),
            "set-param name=board value=\"4x4 0,1 0,3 1,0 1,2 2,1 2,3 3,0 3,2\"\n\
             set-param name=pieces value=\"man:wb king:WB\"\n",
        );
    }

    #[test]
    fn moves_are_handed_over_to_those_who_ask() {
        let mut game = Game::new(&named("league").sized(4).unwrap());
        let silent = bot(&[]);
        assert_eq!(silent.position(&game), "pos pos=Wwweeeebb\n");
        game.play_text("0,1;1,0").unwrap();
        let asks = bot(&["param name=hand-over value=after"]);
        let text = asks.position(&game);
        let line = Line::new(&text);
        assert_eq!(line.get("pos"), Some("Wwweeeebb"));
        assert_eq!(line.get("moves"), Some("1-3"));
        assert_eq!(line.get("now"), Some("Bewweeebb"));
        let words = |name| line.get(name).unwrap().split(' ');
        let mut pairs: Vec<(&str, &str)> = words("legal").zip(words("after")).collect();
        pairs.sort_unstable();
        assert_eq!(
            pairs,
            [
                ("7-5", "Wewwebeeb"),
                ("8-5", "Wewwebebe"),
                ("8-6", "Wewweebbe")
            ]
        );
    }

    #[test]
    fn only_those_who_ask_learn_their_side() {
        assert_eq!(bot(&[]).new_game(Side::Black), "new-game\n");
        let asks = bot(&["param name=side value=\"\" type=string"]);
        assert_eq!(asks.new_game(Side::Black), "new-game side=black\n");
    }
}
