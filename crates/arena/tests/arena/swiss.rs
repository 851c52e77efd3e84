//! The FIDE (Dutch) system against what bbpPairings 6.0.0 pairs, and tournament files.

use kingme_arena::swiss::{NoPairing, Outcome, Player, Tournament, pair, pair_leniently, placings};
use kingme_rules::Side;

/// Tournaments with random results, a line each: players, rounds and the first colour; then round
/// by round what bbpPairings pairs, White first, in the order of its boards. `3>7` was won by 3,
/// `3<7` by 7, `3=7` was drawn; `3+7` and `3-7` were forfeited, `3x7` by both; U, H and Z are a bye, a
/// pause with half a point and an absence.
const DUTCH: &str = include_str!("../fixtures/dutch.txt");

fn empty(players: usize, rounds: usize, first_colour: Side) -> Tournament {
    let player = |number: usize| Player {
        name: format!("Player {}", number + 1),
        rating: 0,
        outcomes: Vec::new(),
    };
    Tournament {
        name: "Test".to_owned(),
        players: (0..players).map(player).collect(),
        rounds,
        played: 0,
        first_colour,
    }
}

/// A tournament of the fixture, and its rounds.
fn tournament(line: &str) -> (Tournament, impl Iterator<Item = &str>) {
    let (head, rounds) = line.split_once('|').unwrap();
    let mut words = head.split(' ');
    let mut number = || words.next().unwrap().parse().unwrap();
    let (players, count) = (number(), number());
    let first = if head.ends_with('w') {
        Side::White
    } else {
        Side::Black
    };
    (empty(players, count, first), rounds.split('|'))
}

/// What a word says of one player, or of White and Black.
enum Word {
    One(usize, Outcome),
    Two([usize; 2], [Outcome; 2]),
}

fn word(text: &str) -> Word {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap();
    let (first, rest) = text.split_at(at);
    let sign = rest.chars().next().unwrap();
    let white = first.parse::<usize>().unwrap() - 1;
    let alone = match sign {
        'U' => Some(Outcome::Bye),
        'H' => Some(Outcome::HalfPause),
        'F' => Some(Outcome::FullPause),
        'Z' => Some(Outcome::Absent),
        _ => None,
    };
    if let Some(outcome) = alone {
        return Word::One(white, outcome);
    }
    let black = rest[1..].parse::<usize>().unwrap() - 1;
    let played = |opponent, colour, halves| Outcome::Played {
        opponent,
        colour,
        halves,
    };
    let forfeit = |opponent, colour, is_won| Outcome::Forfeit {
        opponent,
        colour,
        is_won,
    };
    let both = |halves: [u32; 2]| {
        [
            played(black, Side::White, halves[0]),
            played(white, Side::Black, halves[1]),
        ]
    };
    let neither = |won: [bool; 2]| {
        [
            forfeit(black, Side::White, won[0]),
            forfeit(white, Side::Black, won[1]),
        ]
    };
    let outcomes = match sign {
        '>' => both([2, 0]),
        '<' => both([0, 2]),
        '=' => both([1, 1]),
        '+' => neither([true, false]),
        '-' => neither([false, true]),
        'x' => neither([false, false]),
        other => panic!("{other}"),
    };
    Word::Two([white, black], outcomes)
}

#[test]
fn pairings_are_those_of_the_reference() {
    let mut rounds_seen = 0;
    for (number, line) in DUTCH.lines().enumerate() {
        let (mut tournament, rounds) = tournament(line);
        for round in rounds {
            let words: Vec<Word> = round.split(' ').map(word).collect();
            let (mut meetings, mut bye) = (Vec::new(), None);
            for word in &words {
                match word {
                    Word::Two(players, _) => meetings.push(*players),
                    Word::One(player, Outcome::Bye) => bye = Some(*player),
                    Word::One(player, pause) => tournament.players[*player].outcomes.push(*pause),
                }
            }
            let ours = pair(&tournament).unwrap();
            let place = format!("tournament {}, round {}", number + 1, tournament.played + 1);
            assert_eq!(ours.meetings, meetings, "{place}");
            assert_eq!(ours.bye, bye, "{place}");
            for word in words {
                match word {
                    Word::Two(players, outcomes) => {
                        for (player, outcome) in players.into_iter().zip(outcomes) {
                            tournament.players[player].outcomes.push(outcome);
                        }
                    }
                    Word::One(player, outcome @ Outcome::Bye) => {
                        tournament.players[player].outcomes.push(outcome);
                    }
                    Word::One(..) => {}
                }
            }
            tournament.played += 1;
            rounds_seen += 1;
            // A file has all of it.
            let again = Tournament::from_trf(&tournament.to_trf()).unwrap();
            assert_eq!(again, tournament, "{place}");
        }
    }
    assert_eq!(rounds_seen, 1371);
}

fn play(tournament: &mut Tournament, meetings: &[[usize; 2]], bye: Option<usize>) {
    for &[white, black] in meetings {
        let played = |opponent, colour, halves| Outcome::Played {
            opponent,
            colour,
            halves,
        };
        tournament.players[white]
            .outcomes
            .push(played(black, Side::White, 2));
        tournament.players[black]
            .outcomes
            .push(played(white, Side::Black, 0));
    }
    if let Some(bye) = bye {
        tournament.players[bye].outcomes.push(Outcome::Bye);
    }
    tournament.played += 1;
}

#[test]
fn where_the_rules_know_no_way_the_oldest_meetings_come_again() {
    let mut two = empty(2, 3, Side::White);
    play(&mut two, &[[0, 1]], None);
    assert_eq!(pair(&two), Err(NoPairing));
    let again = pair_leniently(&two);
    assert_eq!(again.meetings, [[1, 0]], "with colours swapped");
    let mut four = empty(4, 5, Side::White);
    for _ in 0..5 {
        let round = pair_leniently(&four);
        assert_eq!((round.meetings.len(), round.bye), (2, None));
        play(&mut four, &round.meetings, round.bye);
    }
    let opponents = |player: usize| {
        let outcomes = four.players[player].outcomes.iter();
        outcomes
            .filter_map(|outcome| outcome.opponent())
            .collect::<Vec<_>>()
    };
    for player in 0..4 {
        let mut first: Vec<usize> = opponents(player)[..3].to_vec();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 3, "three rounds without a repetition");
    }
}

#[test]
fn equals_are_told_apart_by_their_opponents() {
    // One and Three draw and beat the others.
    let text = concat!(
        "012 Tie\n",
        "XXR 3\n",
        "001    1      One                               2000                             2.5    1     2 w 1     3 b =     4 w 1\n",
        "001    2      Two                               1900                             1.0    3     1 b 0     4 w 1     3 b 0\n",
        "001    3      Three                             1800                             2.5    2     4 b 1     1 w =     2 w 1\n",
        "001    4      Four                                                               0.0    4     3 w 0     2 b 0     1 b 0\n",
    );
    let tournament = Tournament::from_trf(text).unwrap();
    let rows = placings(&tournament);
    let order: Vec<usize> = rows.iter().map(|row| row.player).collect();
    assert_eq!(order, [0, 2, 1, 3]);
    // One met 1.0, 2.5 and 0.0 points; so did Three. Both beat 1.0 and 0.0 and drew with 2.5.
    assert_eq!((rows[0].buchholz, rows[0].sonneborn_berger), (7, 2 * 2 + 5));
    assert_eq!((rows[1].buchholz, rows[1].sonneborn_berger), (7, 9));
    assert_eq!(rows[0].direct, Some(1), "they drew");
    assert_eq!(rows[2].direct, None);
}

#[test]
fn a_round_without_an_opponent_counts_as_one_against_oneself() {
    let text = concat!(
        "XXR 2\n",
        "001    1      One                                                                2.0    1  0000 - U     2 w 1\n",
        "001    2      Two                                                                1.0    2     3 w 1     1 b 0\n",
        "001    3      Three                                                              0.0    3     2 b 0  0000 - Z\n",
    );
    let rows = placings(&Tournament::from_trf(text).unwrap());
    // One: the bye counts as its own 2.0, and Two has 1.0.
    assert_eq!(
        (rows[0].buchholz, rows[0].sonneborn_berger),
        (4 + 2, 2 * 4 + 2 * 2)
    );
    // Three left after a loss: for Two it stands as if it had drawn the round it missed.
    assert_eq!((rows[1].buchholz, rows[1].sonneborn_berger), (1 + 4, 2));
}

fn refused(text: &str, message: &str) {
    let error = Tournament::from_trf(text).unwrap_err().to_string();
    assert_eq!(error, message);
}

#[test]
fn bad_files_are_explained() {
    let line = |number: &str, points: &str, round: &str| {
        format!("001 {number:>4} {:71}{points:>4} {:6}{round}\n", "", "")
    };
    refused(
        "012 Nobody\n",
        "there are no players in it: lines that begin with 001",
    );
    refused(
        &line("x", "0.0", ""),
        "line 1: `x` in columns 5 to 8 is no pairing number",
    );
    refused(
        &(line("1", "0.0", "") + &line("1", "0.0", "")),
        "line 2: there are two players with the number 1",
    );
    refused(
        &line("1", "much", ""),
        "line 1: `much` in columns 81 to 84 is no number of points",
    );
    refused(
        &line("1", "0.0", "   2 w ?  "),
        "line 1: `2 w ?` is no round; write an opponent, `w` or `b`, and 1, =, 0, + or -, \
         as in `12 w 1`, or `0000 - U`, F, H or Z",
    );
    refused(
        &line("1", "1.0", "   2 w 1  "),
        "line 1: there is no player 2",
    );
    let pair = line("1", "1.0", "   2 w 1  ") + &line("2", "0.0", "   1 w 0  ");
    refused(&pair, "line 1: round 1: player 2 does not say the same");
    let sums = line("1", "2.0", "   2 w 1  ") + &line("2", "0.0", "   1 b 0  ");
    refused(
        &sums,
        "line 1: 2.0 points are written, and the results give 1.0",
    );
    refused("XXR two\n", "line 1: `two` is no number of rounds");
}

#[test]
fn lines_may_end_as_any_program_ends_them() {
    let mut tournament = empty(4, 3, Side::Black);
    let round = pair(&tournament).unwrap();
    play(&mut tournament, &round.meetings, round.bye);
    let text = tournament.to_trf();
    for ending in ["\r", "\r\n"] {
        assert_eq!(
            Tournament::from_trf(&text.replace('\n', ending)).unwrap(),
            tournament
        );
    }
}
