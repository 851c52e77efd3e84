//! Variant files: the shipped ones load, broken ones say what is wrong.

use kingme_rules::variant::{Language, Material, schema, shipped};
use kingme_rules::{Definition, Fault, Variant};

const SAMPLE: &str = include_str!("../../variants/international.toml");

fn load(name: &str) -> Definition {
    let (_, text) = shipped().find(|(shipped, _)| *shipped == name).unwrap();
    Definition::from_toml(text).unwrap()
}

fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = SAMPLE.to_owned();
    for (find, replace) in changes {
        assert!(text.contains(find), "the sample has no `{find}`");
        text = text.replacen(find, replace, 1);
    }
    text
}

/// The sample with one change has one fault, and this is what it says.
#[track_caller]
fn check_error(change: (&str, &str), expected: &str) {
    check_errors(&[change], expected);
}

/// All faults of the changed sample, a line each, as `key: reason`.
#[track_caller]
fn check_errors(changes: &[(&str, &str)], expected: &str) {
    let text = changed(changes);
    let error = Definition::from_toml(&text).expect_err("the changed sample should not load");
    let faults = error.faults.iter();
    let said: Vec<String> = faults.map(|f| format!("{}: {}", f.key, f.reason)).collect();
    assert_eq!(said.join("\n"), expected);
    for fault in &error.faults {
        check_line(&text, fault);
    }
}

/// The line of a fault shows its key, or the table that lacks it.
#[track_caller]
fn check_line(text: &str, fault: &Fault) {
    let number = fault.line.expect("a line");
    let line = text.lines().nth(number - 1).unwrap();
    let mut keys = fault.key.rsplit('.');
    assert!(
        keys.any(|key| line.contains(key)),
        "line {number} is `{line}`: {fault}"
    );
}

#[test]
fn every_shipped_game_loads_under_its_file_name() {
    for (name, text) in shipped() {
        match Definition::from_toml(text) {
            Ok(definition) => assert_eq!(definition.name, name),
            Err(error) => panic!("{name}.toml: {error}"),
        }
    }
}

#[test]
fn every_variant_file_is_shipped_once() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/variants");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut names: Vec<String> = shipped().map(|(name, _)| format!("{name}.toml")).collect();
    files.sort();
    names.sort();
    assert_eq!(names, files);
}

/// Words that name a source, or say that there is none.
const SOURCES: [&str; 13] = [
    "art. ",
    "7.2.",
    "1.32.",
    "rule ",
    "Rule ",
    "APCA",
    "fmjd.org",
    "lidraughts",
    "draughts.github.io",
    "CheckersLeague",
    "as in ",
    "ours",
    "no source",
];

/// On its own line, or in the lines right before it.
#[test]
fn every_counter_names_its_source_or_says_that_there_is_none() {
    let mut counters = 0;
    for (name, text) in shipped() {
        let mut said = String::new();
        for line in text.lines() {
            if line.starts_with('#') || line.starts_with("[[draws.counters]]") {
                said += line;
            }
            if line.starts_with("[[draws.counters]]") {
                let named = SOURCES.iter().any(|source| said.contains(source));
                assert!(named, "{name}: `{said}` names no source");
                counters += 1;
            }
            if !line.starts_with('#') {
                said.clear();
            }
        }
    }
    assert!(counters > 25, "{counters}");
}

#[test]
fn titles_and_summaries_tell_games_apart() {
    let mut seen = Vec::new();
    for (name, _) in shipped() {
        let definition = load(name);
        assert!(
            definition.summary.ends_with('.'),
            "{name}: {}",
            definition.summary
        );
        for text in [definition.title, definition.summary] {
            assert!(
                !seen.contains(&text),
                "{name} says `{text}` like another game"
            );
            seen.push(text);
        }
    }
}

#[test]
fn a_child_keeps_what_it_does_not_say() {
    let (russian, poddavki) = (load("russian"), load("poddavki"));
    assert_eq!(poddavki.draws, russian.draws);
    assert_ne!(poddavki.end, russian.end);
    let brazilian = load("brazilian");
    assert_eq!(brazilian.kinds, russian.kinds);
    assert_ne!(brazilian.capture, russian.capture);
}

#[test]
fn every_key_of_every_game_is_written_as_it_was_read() {
    for (name, _) in shipped() {
        let definition = load(name);
        assert_eq!(definition.with(&[]).as_ref(), Ok(&definition), "{name}");
        let kinds: Vec<String> = definition.kinds.iter().map(|k| k.name.clone()).collect();
        for (path, _) in crate::values::keys(&kinds) {
            let value = definition
                .get(&path)
                .unwrap_or_else(|| panic!("{name}: {path}"));
            assert_eq!(
                definition.with(&[(path, value)]).as_ref(),
                Ok(&definition),
                "{name}"
            );
        }
    }
}

#[test]
fn a_changed_key_is_another_game() {
    let change = |path: &str, value: &str| {
        let changes = [(path.to_owned(), value.to_owned())];
        load("international").with(&changes)
    };
    let slow = change("pieces.king.range", "\"step\"").unwrap();
    assert_eq!(slow.get("pieces.king.range").as_deref(), Some("\"step\""));
    assert_eq!(slow.get("pieces.queen.range"), None);
    let error = |path: &str, value: &str| change(path, value).unwrap_err().to_string();
    assert_eq!(
        error("capture.turnback", "true"),
        "capture.turnback: unknown key `turnback`; did you mean `turn_back`?"
    );
    assert_eq!(
        error("capture.chain", "3"),
        "capture.chain: found 3, expected one of \"must\", \"may\""
    );
}

/// Every key has a sentence, and a default that the reader takes.
#[test]
fn the_schema_is_whole() {
    let mut keys = 0;
    for table in schema() {
        for key in &table.keys {
            keys += 1;
            assert!(key.sentence.ends_with('.'), "{}.{}", table.path, key.name);
        }
    }
    assert!(keys > 50, "{keys}");
    let counter = "{ plies = 9, restart = [], result = \"draw\" }";
    let path = "draws.counters".to_owned();
    let international = load("international");
    let changed = international
        .with(&[(path, format!("[{counter}]"))])
        .unwrap();
    assert_eq!(changed.draws.counters[0].one, Material::default());
    assert_eq!(changed.draws.counters[0].pieces, None);
}

#[test]
fn unknown_key() {
    check_error(
        ("range = \"step\"", "range = \"step\"\nrnge = \"step\""),
        "pieces.man.rnge: unknown key `rnge`; did you mean `range`?",
    );
}

#[test]
fn unknown_table() {
    check_error(("[screen]", "[zzz]\n\n[screen]"), "zzz: unknown key `zzz`");
}

#[test]
fn wrong_word() {
    check_error(
        ("chain = \"must\"", "chain = \"always\""),
        "capture.chain: found \"always\", expected one of \"must\", \"may\"",
    );
}

#[test]
fn wrong_type() {
    check_error(
        ("columns = 10", "columns = \"10\""),
        "board.columns: found \"10\", expected a whole number from 2 to 100",
    );
    check_error(
        ("turn_back = true", "turn_back = 1"),
        "capture.turn_back: found 1, expected true or false",
    );
}

#[test]
fn number_out_of_range() {
    check_error(
        ("columns = 10", "columns = 101"),
        "board.columns: found 101, expected a whole number from 2 to 100",
    );
}

#[test]
fn missing_key() {
    check_error(
        ("removal = \"after\"", "# removal = \"after\""),
        "capture.removal: this key is missing",
    );
}

#[test]
fn broken_toml() {
    let text = changed(&[("[board]", "[board")]);
    let error = Definition::from_toml(&text).unwrap_err().to_string();
    assert!(error.starts_with("line 7: not valid TOML: "), "{error}");
}

#[test]
fn unknown_parent() {
    let error = Definition::from_toml("extends = \"rusian\"\nname = \"mine\"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1: extends: there is no game `rusian`; did you mean `russian`?"
    );
}

#[test]
fn parent_that_is_no_text() {
    let error = Definition::from_toml("extends = 3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1: extends: found 3, expected a text in quotes"
    );
}

#[test]
fn a_fault_against_an_inherited_key_has_the_line_of_its_table() {
    let text = "extends = \"english\"\nname = \"mine\"\n[start]\ngap = 3";
    let error = Definition::from_toml(text).unwrap_err();
    assert_eq!(
        error.faults[0].to_string(),
        "line 4: start.gap: 3 empty rows in the middle and 0 (start.offset) behind each side leave \
         no equal rows of men on 8 rows (board.rows)"
    );
}

#[test]
fn several_faults_at_once_in_the_order_of_the_file() {
    let text = changed(&[
        ("chain = \"must\"", "chain = \"always\""),
        ("columns = 10", "columns = 1000"),
        ("king_wins = false", ""),
    ]);
    let line = |start: &str| {
        text.lines()
            .position(|line| line.starts_with(start))
            .unwrap()
            + 1
    };
    let expected = format!(
        "line {}: board.columns: found 1000, expected a whole number from 2 to 100\n\
         line {}: capture.chain: found \"always\", expected one of \"must\", \"may\"\n\
         line {}: end.king_wins: this key is missing",
        line("columns"),
        line("chain"),
        line("[end]"),
    );
    assert_eq!(
        Definition::from_toml(&text).unwrap_err().to_string(),
        expected
    );
}

#[test]
fn name_must_be_plain() {
    check_error(
        ("name = \"international\"", "name = \"../International\""),
        "name: found \"../International\", expected small letters, digits and hyphens",
    );
}

#[test]
fn sides_need_two_names() {
    check_error(
        ("black = \"Black\"", "black = \"White\""),
        "sides.black: \"White\" is the name of the other side (sides.white) as well",
    );
    check_error(
        ("letters = \"wb\"", "letters = \"ww\""),
        "sides.letters: found \"ww\", expected two different letters, White's first",
    );
}

#[test]
fn holes_must_be_squares() {
    let sizes = ("sizes = [4, 100]", "sizes = []");
    check_errors(
        &[sizes, ("holes = []", "holes = [\"0,0\"]")],
        "board.holes: \"0,0\" is not a square of the board",
    );
    check_errors(
        &[sizes, ("holes = []", "holes = [\"4,5\", \"4,5\"]")],
        "board.holes: \"4,5\" stands here twice",
    );
    check_errors(
        &[sizes, ("holes = []", "holes = [\"d4\"]")],
        "board.holes: found \"d4\", expected a row and a column such as \"3,4\"",
    );
}

#[test]
fn holes_fix_the_size() {
    check_error(
        ("holes = []", "holes = [\"4,5\"]"),
        "board.sizes: a board with board.holes has one size; say []",
    );
}

#[test]
fn sizes_must_leave_men() {
    check_error(
        ("gap = 2 ", "gap = 4 "),
        "board.sizes: 4 rows leave no equal rows of men beside 4 empty ones (start.gap) \
         and 0 behind each side (start.offset)",
    );
    check_error(
        ("sizes = [4, 100]", "sizes = [4, 25]"),
        "board.sizes: both ends must be even numbers",
    );
    check_error(
        ("sizes = [4, 100]", "sizes = [100, 4]"),
        "board.sizes: found [100, 4], expected [] or the smallest and the largest size, from 4 to 100",
    );
}

#[test]
fn gap_must_leave_men() {
    let sizes = ("sizes = [4, 100]", "sizes = []");
    check_errors(
        &[sizes, ("gap = 2 ", "gap = 10 ")],
        "start.gap: 10 empty rows in the middle and 0 (start.offset) behind each side leave no \
         equal rows of men on 10 rows (board.rows)",
    );
    let holes = "holes = [\"0,1\", \"0,3\", \"0,5\", \"0,7\", \"0,9\"]";
    check_errors(
        &[sizes, ("gap = 2 ", "gap = 8 "), ("holes = []", holes)],
        "start.gap: board.holes leaves a side without men",
    );
}

/// A board of 4×4 squares with this start.
#[track_caller]
fn check_draw_error(draw: &str, expected: &str) {
    let draw = format!("draw = [{draw}]");
    check_errors(
        &[
            ("columns = 10", "columns = 4"),
            ("rows = 10", "rows = 4"),
            ("sizes = [4, 100]", "sizes = []"),
            ("draw = []", &draw),
        ],
        expected,
    );
}

#[test]
fn drawn_boards_must_fit() {
    check_draw_error(
        r#""_b_b", "._._", "_._.""#,
        "start.draw: 3 rows are drawn, board.rows says 4\nstart.draw: each side needs a piece",
    );
    check_draw_error(
        r#""_b_b", "._._", "_._", "w_w_""#,
        "start.draw: row 3 is 3 columns wide, board.columns says 4",
    );
    check_draw_error(
        r#""_b_b", "x_._", "_._.", "w_w_""#,
        "start.draw: \"x\" in row 2, column 1 is no piece's letter",
    );
    check_draw_error(
        r#""_b_b", "....", "_._.", "w_w_""#,
        "start.draw: \".\" in row 2, column 2 is not played on\n\
         start.draw: \".\" in row 2, column 4 is not played on",
    );
    check_draw_error(
        r##""_b_b", "#_._", "_._.", "w_w_""##,
        "start.draw: \"#\" in row 2, column 1 is a playable square",
    );
    check_draw_error(
        r#""_b_b", ".w._", "_._.", "w_w_""#,
        "start.draw: \"w\" in row 2, column 2 is not a playable square",
    );
}

#[test]
fn a_drawn_board_fixes_the_size() {
    let rows = "\"_b_b\", \"._._\", \"_._.\", \"w_w_\"";
    check_errors(
        &[
            ("columns = 10", "columns = 4"),
            ("rows = 10", "rows = 4"),
            ("draw = []", &format!("draw = [{rows}]")),
        ],
        "board.sizes: a board drawn in start.draw has one size; say []",
    );
}

#[test]
fn kinds_must_be_told_apart() {
    check_error(
        ("letters = \"WB\"", "letters = \"wB\""),
        "pieces.king.letters: the letter `w` stands for another piece already",
    );
    check_error(
        ("fen = \"K\"", "fen = \"k\""),
        "pieces.king.fen: men are written with \"\", every other kind with one capital \
         letter",
    );
}

#[test]
fn kinds_can_not_become_themselves() {
    check_error(
        ("becomes = \"nothing\"", "becomes = \"king\""),
        "pieces.king.becomes: a piece can't become what it is; say \"nothing\"",
    );
}

#[test]
fn reach_anywhere_needs_replacement() {
    check_error(
        ("reach = \"long\"", "reach = \"anywhere\""),
        "pieces.king.reach: needs \"replacement\" in pieces.king.capture_by",
    );
}

#[test]
fn straight_moves_need_all_squares() {
    check_error(
        ("moves = [\"diagonal\"]", "moves = [\"all\"]"),
        "pieces.king.moves: straight moves need board.squares = \"all\"; straight captures \
         don't",
    );
}

/// The sample on one size, with squares on which White promotes.
fn promoting_on(squares: &str) -> [(&'static str, &str); 2] {
    [("sizes = [4, 100]", "sizes = []"), ("in_capture", squares)]
}

#[test]
fn promotion_squares_are_squares_of_the_board() {
    check_errors(
        &promoting_on("white = [\"3\", \"51\"]\nin_capture"),
        "promotion.white: \"51\" is not a square of this board",
    );
}

#[test]
fn nothing_starts_where_it_would_be_promoted() {
    check_errors(
        &promoting_on("white = [\"23\", \"31\"]\nin_capture"),
        "promotion.white: White has a man on 31 at the start",
    );
    let drawn = "gap = 0\noffset = 0\ndraw = [\"_w_._\", \"._._.\", \"_b_._\", \"._._.\"]";
    check_errors(
        &[
            ("columns = 10", "columns = 5"),
            ("rows = 10", "rows = 4"),
            ("sizes = [4, 100]", "sizes = []"),
            ("gap = 2", drawn),
            ("\noffset = 0\ndraw = []", ""),
        ],
        "promotion.squares: White has a man on 1 at the start",
    );
}

#[test]
fn listed_promotion_squares_fit_one_size() {
    check_error(
        ("in_capture", "black = [\"28\"]\nin_capture"),
        "board.sizes: a game that lists its promotion squares has one size; say []",
    );
}

#[test]
fn listed_promotion_squares_in_words() {
    let text = changed(&promoting_on("white = [\"3\", \"23\"]\nin_capture"));
    let definition = Definition::from_toml(&text).unwrap();
    let words = definition.in_words();
    let promotion = "Promotion: A man of White that reaches 3 or 23 becomes a king. A man of Black \
                     that reaches the row farthest from its own side becomes a king. If it gets";
    assert!(words.contains(promotion), "{words}");
    let words = definition.in_words_of(Language::Dutch);
    let promotion = "Een schijf van Wit die 3 of 23 bereikt, wordt een dam. Een schijf van Zwart \
                     die de verste rij bereikt, wordt een dam.";
    assert!(words.contains(promotion), "{words}");
}

#[test]
fn first_king_can_not_win_without_promotion() {
    check_errors(
        &[
            ("becomes = \"king\"", "becomes = \"nothing\""),
            ("king_wins = false", "king_wins = true"),
        ],
        "end.king_wins: nothing is ever promoted: every pieces.*.becomes is \"nothing\"",
    );
}

#[test]
fn free_captures_have_no_priority() {
    check_error(
        ("obligation = \"must\"", "obligation = \"may\""),
        "capture.priority: captures that need not be made (capture.obligation) have no \
         order; say []",
    );
}

#[test]
fn longest_capture_can_not_stop_early() {
    check_error(
        ("chain = \"must\"", "chain = \"may\""),
        "capture.chain: \"may\" lets a capture stop early, which capture.priority forbids",
    );
}

#[test]
fn criteria_stand_once() {
    check_error(
        ("[\"most-pieces\"]", "[\"most-pieces\", \"most-pieces\"]"),
        "capture.priority: a criterion stands here twice",
    );
}

#[test]
fn rows_and_columns_have_no_game_type() {
    check_error(
        ("squares = \"numbers\"", "squares = \"row-column\""),
        "notation.game_type: PDN's GameType has no rows and columns (notation.squares); \
         say 0",
    );
}

#[test]
fn draws_must_leave_a_game() {
    check_error(
        ("repetition = 3", "repetition = 1"),
        "draws.repetition: 1 would end every game at its start; say 0 for no such rule, or \
         2 and more",
    );
    check_error(
        ("plies = 50", "plies = 0"),
        "draws.counters.plies: 0 would end every game at its start, as no pieces, one or \
         other is asked for",
    );
}

#[test]
fn four_kinds_of_pieces_fit() {
    let more = "extends = \"frogs\"\nname = \"zoo\"\n[pieces.toad]\n[pieces.newt]\n";
    let error = Definition::from_toml(more).unwrap_err();
    let fault = error.faults.iter().find(|fault| fault.key == "pieces");
    assert_eq!(fault.unwrap().reason, "5 kinds of pieces; four fit");
}

/// A draw rule names its source or says that there is none: beside it, or in the lines above.
#[test]
fn every_counter_says_where_it_comes_from() {
    for (name, text) in shipped() {
        let mut before = "";
        for line in text.lines() {
            let counter = line.starts_with("[[draws.counters]]");
            let told = line.contains('#') || before.starts_with('#');
            assert!(!counter || told, "{name}: {line}");
            before = line;
        }
    }
}

#[test]
fn a_game_has_eight_counters_at_most() {
    let counter = "{ plies = 9, restart = [], result = \"draw\" }";
    let counters = |number: usize| format!("[{}]", vec![counter; number].join(", "));
    let with = |number| {
        let change = ("draws.counters".to_owned(), counters(number));
        load("international").with(&[change])
    };
    assert!(with(8).is_ok());
    assert_eq!(
        with(9).unwrap_err().to_string(),
        "draws.counters: 9 counters; a game has 8 at most"
    );
}

#[test]
fn counters_name_squares_of_the_board() {
    check_error(
        ("plies = 32", "plies = 32\non = [\"51\"]"),
        "draws.counters.on: \"51\" is not a square of this board",
    );
    check_error(
        ("plies = 50", "plies = 50\non = [\"5\"]"),
        "draws.counters.on: says where the pieces of `one` stand, which is not there",
    );
    check_error(
        ("kings = \"1+\"", "kings = \"some\""),
        "draws.counters.other.kings: found \"some\", expected a range such as \"3\", \
         \"3-5\" or \"3+\"",
    );
}

#[track_caller]
fn check_words(name: &str, sentences: &[&str]) {
    check_words_of(Language::English, name, sentences);
}

#[track_caller]
fn check_words_of(language: Language, name: &str, sentences: &[&str]) {
    let words = load(name).in_words_of(language);
    for sentence in sentences {
        assert!(words.contains(sentence), "`{sentence}` is not in:\n{words}");
    }
}

#[test]
fn frisian_in_words() {
    check_words(
        "frisian",
        &[
            "Only every other square is played on, 50 in all; the bottom left corner is a square of \
             the game.",
            "Each side has 20 men, on the four rows nearest to it; two empty rows lie between.",
            "Men move one square diagonally forward.",
            "They capture by jumping straight or diagonally in any direction over a neighbouring \
             enemy piece",
            "A straight jump skips the squares that are not played on",
            "Kings move any number of empty squares diagonally in any direction.",
            "A king may make at most three quiet moves in a row while its side still has men.",
            "If you can capture, you must.",
            "You must take the line with the highest value, where a king is worth a little less \
             than two men. If there is still a choice, you must capture with a king if a king can \
             do it.",
            "it goes on as a man and is promoted only if its move ends there.",
            "The game is a draw after seven moves by each side, while one side has one king and no \
             men and the other has two kings and no men.",
        ],
    );
}

#[test]
fn frisian_in_dutch() {
    check_words_of(
        Language::Dutch,
        "frisian",
        &[
            "Bord: Het bord heeft 10 kolommen en 10 rijen. Er wordt alleen op elk tweede veld \
             gespeeld, 50 in totaal; de hoek linksonder doet mee.",
            "Zwart zit boven en gaat omlaag, Wit zit onder en gaat omhoog. Elke kant heeft 20 \
             schijven, op de vier rijen die het dichtst bij hem liggen; er liggen twee lege rijen \
             tussen. Wit begint",
            "Schijven: Schijven gaan één veld schuin vooruit. Ze slaan door recht of schuin in elke \
             richting over een vijandelijk stuk naast zich te springen",
            "Dammen: Dammen gaan zoveel lege velden als ze willen schuin in elke richting.",
            "Een dam mag hoogstens drie stille zetten achter elkaar doen zolang zijn kant nog \
             schijven heeft.",
            "Is er dan nog keus, dan moet je met een dam slaan als een dam het kan.",
            "Een schijf die de verste rij bereikt, wordt een dam.",
            "De partij is remise na zeven zetten van elke kant, terwijl één kant één dam en geen \
             schijven heeft en de andere twee dammen en geen schijven.",
        ],
    );
}

#[test]
fn no_gap_is_left_open_in_any_language() {
    for name in Variant::names() {
        for language in Language::ALL {
            let words = load(name).in_words_of(language);
            assert!(!words.contains(['{', '}']), "{name}: {words}");
            assert!(!words.contains("  "), "{name}: {words}");
        }
    }
}

#[test]
fn stupid_checkers_in_words() {
    let words = load("stupid-checkers").in_words();
    assert!(!words.contains("king"), "there are no kings:\n{words}");
    check_words(
        "stupid-checkers",
        &[
            "All its 64 squares are played on.",
            "r sits at the top and moves down, b sits at the bottom and moves up. Each side has \
             twelve men.",
            "Men move to any empty square of the board.",
            "They capture by moving onto an enemy piece anywhere on the board.",
            "You may capture when you can, but you need not.",
            "Nothing is ever promoted.",
            "Nothing makes the game a draw by itself.",
            "A1 is at the top left.",
        ],
    );
}

#[test]
fn english_in_words() {
    check_words(
        "english",
        &[
            "Black moves first",
            "They capture by jumping diagonally forward over a neighbouring enemy piece, to the \
             empty square right behind it.",
            "Kings move one square diagonally in any direction.",
            "If there are several captures, choose the one you like.",
            "If it gets there by a capture, its move ends there.",
            "A side that has no piece left, or none that can move, loses on its turn.",
            "comes up for the third time. The game is a draw after 40 moves by each side without a \
             capture or a man's move.",
            "PDN files call the game type 21 and write results as 1-0, 1/2-1/2 or 0-1.",
        ],
    );
}

#[test]
fn other_games_in_words() {
    check_words("italian", &["Men can't take kings."]);
    check_words(
        "turkish",
        &["Men move one square sideways or straight forward."],
    );
    check_words(
        "turkish",
        &["Between two jumps a piece may not turn straight back."],
    );
    check_words(
        "league",
        &["The game stops after 20 moves by each side without a capture"],
    );
    check_words(
        "breakthrough",
        &["The first side to have a piece promoted wins."],
    );
    check_words("frogs", &["Each side has ten men and two frogs."]);
    check_words(
        "frogs",
        &["Frogs move only by leaping diagonally in any direction over one"],
    );
    check_words(
        "turkish",
        &["at once, when each side has one piece, unless the side to move can capture."],
    );
    check_words(
        "russian",
        &[
            "after 30 moves by each side without a capture or a promotion, with four or five pieces \
             on the board in all, while each side has at least one king.",
            "while one side has one king and no men, standing only on a1, b2, c3, d4, e5, f6, g7 or \
             h8, and the other has three pieces with at least one king among them.",
        ],
    );
    check_words(
        "lake",
        &[
            "Only every other square is played on, 46 in all; the bottom left corner",
            "Four squares are missing; nothing can stand on them or cross them.",
        ],
    );
}

/// What is wrong with a file is said soon and in few words, however much of it there is.
#[test]
fn large_files_are_refused_in_few_words() {
    let head = "extends = \"english\"\nname = \"mine\"\n";
    let faults = |text: &str| match Variant::from_toml(&format!("{head}{text}")) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults,
    };
    let long = faults(&"# nothing\n".repeat(10_000));
    assert_eq!(long[0].reason, "a game's file has at most 65536 bytes");
    let title = faults(&format!("title = \"{}\"", "t".repeat(5_000)));
    assert!(title[0].reason.len() < 200, "{}", title[0].reason);
    assert!(title[0].reason.ends_with("a text of at most 1000 bytes"));
    let unknown: Vec<String> = (0..5_000).map(|number| format!("k{number}=1\n")).collect();
    let unknown = faults(&unknown.concat());
    assert_eq!(unknown.len(), 21);
    assert_eq!(unknown[20].reason, "4980 more unknown keys");
    let counter = "[[draws.counters]]\nplies=1\nrestart=[]\nresult=\"draw\"\n";
    let counters = faults(&counter.repeat(1_000));
    assert!(!counters.is_empty());
    let holes: Vec<String> = (0..7_000).map(|_| "\"0,1\"".to_owned()).collect();
    let holes = faults(&format!("[board]\nholes=[{}]", holes.join(",")));
    assert!(!holes.is_empty());
}

#[test]
fn games_are_found_by_their_other_names() {
    for (other, name) in [
        ("american", "english"),
        ("American", "english"),
        ("straight", "english"),
        ("shashki", "russian"),
        ("dama", "turkish"),
        ("damas", "spanish"),
        ("damier", "international"),
    ] {
        assert_eq!(Variant::named(other).unwrap().name(), name, "{other}");
    }
}
