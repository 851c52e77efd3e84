//! Rules in English.

use super::texts::{Grammar, Texts};

pub(super) const ENGLISH: Texts = Texts {
    grammar: Grammar {
        numbers: [
            "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        ],
        ordinals: ["first", "second", "third", "fourth", "fifth"],
        names: &[],
        plurals: &[("man", "men"), ("", "s")],
    },

    board: "Board",
    start: "Start",
    captures: "Captures",
    promotion: "Promotion",
    end: "How it ends",
    draws: "Draws",
    notation: "Notation",

    and: "and",
    or: "or",
    one_piece: "piece",
    one_row: "row",
    one_empty_row: "empty row",
    one_move: "move",
    ordinal: "{number}th",
    at_least: "at least {count}",
    from_or_to: "{from} or {to}",
    from_to: "{from} to {to}",

    everywhere: "straight or diagonally in any direction",
    diagonally: "diagonally in any direction",
    straight: "straight in any direction",
    diagonally_forward: "diagonally forward",
    diagonally_backward: "diagonally backward",
    sideways: "sideways",
    diagonally_to: "diagonally {ahead} to the {aside}",
    straight_to: "straight {ahead}",
    to_side: "to the {aside}",
    forward: "forward",
    backward: "backward",
    left: "left",
    right: "right",

    size: "The board has {columns} columns and {rows} rows.",
    both_colours: "Squares of both colours are played on.",
    all_squares: "All its {count} squares are played on.",
    every_other: "Only every other square is played on, {count} in all; {corner}.",
    corner_used: "the bottom left corner is a square of the game",
    corner_unused: "the bottom left corner is not used",
    hole: "One square is missing; nothing can stand on it or cross it.",
    holes: "{count} squares are missing; nothing can stand on them or cross them.",
    sizes: "Other even sizes work too, from {from}×{from} to {to}×{to}.",

    sits: "{top} sits at the top and moves down, {bottom} sits at the bottom and moves up.",
    each_has: "Each side has {force}{placed}.",
    has: "{side} has {force}.",
    drawn_rows: "From top to bottom the rows are {rows}.",
    moves_first: "{side} moves first, then the sides take turns.",
    nearest_row: "on the row nearest to it",
    nearest_rows: "on the {count} rows nearest to it",
    in_front: "on {rows} in front of {back}",
    placed: ", {rows}; {between}",
    between_none: "no row lies between",
    between_one: "one empty row lies between",
    between_many: "{count} empty rows lie between",

    quiet_anywhere: "{who} move to any empty square of the board.",
    quiet_never: "{who} never move except to capture.",
    quiet_step: "{who} move one square {ways}.",
    quiet_slide: "{who} move any number of empty squares {ways}.",
    quiet_leap: "{who} move only by leaping {ways} over one neighbour of their own side, to the \
                 empty square behind it.",
    quiet_limit: "A {kind} may make at most {count} quiet move in a row while its side still has \
                  men.",
    quiet_limits: "A {kind} may make at most {count} quiet moves in a row while its side still has \
                   men.",
    captures_never: "They never capture.",
    captures_anywhere: "They capture by moving onto an enemy piece anywhere on the board.",
    captures_onto: "They capture by moving one square {ways} onto an enemy piece.",
    captures_onto_far: "They capture by moving any distance {ways} onto an enemy piece.",
    captures_jump: "They capture by jumping {ways} over a neighbouring enemy piece, to the empty \
                    square right behind it.",
    captures_jump_far: "They capture by jumping {ways} over an enemy piece at any distance, with \
                        only empty squares before it, and land {landing}.",
    lands_anywhere: "on any of the empty squares behind it",
    lands_next: "on the empty square right behind it",
    lands_next_after_king: "on any of the empty squares behind it, but right behind it if it is a \
                            king and the last piece taken",
    straight_jump: "A straight jump skips the squares that are not played on: the next square in a \
                    row or column is two steps away.",
    cannot_take: "{who} can't take {spared}.",

    nothing_captured: "Nothing is ever captured.",
    must_capture: "If you can capture, you must.",
    may_capture: "You may capture when you can, but you need not.",
    huff: "If you can capture and make another move instead, you lose a piece that could have \
           captured: the one that moved, on the square where it arrives, or else the first one \
           row by row from the top left.",
    any_capture: "If there are several captures, choose the one you like.",
    must_first: "You must {what}.",
    must_then: "If there is still a choice, you must {what}.",
    most_pieces: "take the line that captures the most pieces",
    by_king: "capture with a king if a king can do it",
    most_kings: "take the line that captures the most kings",
    kings_first: "take the line that meets a king soonest",
    most_value: "take the line with the highest value, where a king is worth a little less than \
                 two men",
    chain_goes_on: "A piece that has captured must go on capturing in the same move while it can.",
    chain_may_stop: "A piece that has captured may go on capturing in the same move, or stop.",
    removed_at_once: "Each captured piece leaves the board as soon as it is jumped.",
    removed_after: "Captured pieces leave the board when the move is over; none may be jumped \
                    twice.",
    no_turn_back: "Between two jumps a piece may not turn straight back.",

    becomes: "A {kind} that reaches {place} becomes a {next}.",
    becomes_for: "A {kind} of {side} that reaches {place} becomes a {next}.",
    on_last_row: "the row farthest from its own side",
    on_edge: "a square with no other square before it, straight or diagonally,",
    ends_there: "If it gets there by a capture, its move ends there.",
    goes_on_as_man: "If it gets there in the middle of a capture, it goes on as a {kind} and is \
                     promoted only if its move ends there.",
    goes_on_as_king: "If it gets there in the middle of a capture, it is promoted at once and goes \
                      on as a {next}.",
    nothing_promoted: "Nothing is ever promoted.",

    stuck_loses: "A side that has no piece left, or none that can move, loses on its turn.",
    stuck_wins: "A side that has no piece left, or none that can move, wins on its turn.",
    stuck_counts: "The game is over when the side to move can't move: the side with more pieces \
                   wins, whichever that is, and equal numbers are a draw.",
    first_king_wins: "The first side to have a piece promoted wins.",

    repetition: "The game is a draw when the same position, with the same side to move, comes up \
                 for the {times} time.",
    counter_draw: "The game is a draw {when}.",
    counter_stops: "The game stops {when}: the side with more pieces wins, equal numbers are a \
                    draw.",
    counter_wins: "The game is over {when}: the first of the two wins.",
    unless_capture: ", unless the side to move can capture",
    at_once: "at once",
    after_each: "after {moves} by each side{without}",
    after_both: "after {moves} of both sides together{without}",
    without: " without {events}",
    a_capture: "a capture",
    a_promotion: "a promotion",
    a_mans_move: "a man's move",
    in_all: ", with {pieces} on the board in all",
    when: "when",
    while_: "while",
    standing: ", standing only on {squares}",
    one_side: ", {when} one side has {one}{place}",
    each_side: ", {when} each side has {one}",
    both_sides: ", {when} one side has {one}{place} and the other has {other}",
    among: "{pieces} with {kinds} among them",
    no_draws: "Nothing makes the game a draw by itself.",

    numbered: "Squares are numbered row by row from the {corner}.",
    lettered: "Columns have letters and rows have numbers; {first} is at the {corner}.",
    row_column: "Squares are written as row and column, both counted from 0 at the top left.",
    pdn_type: "PDN files call the game type {number} and write results as {results}.",
    results: "Results are written as {results}.",
    bottom_left: "bottom left",
    bottom_right: "bottom right",
    top_left: "top left",
    top_right: "top right",
};
