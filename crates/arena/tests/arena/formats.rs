//! Swiss leagues, cups, and leagues that change while they go on.

use std::collections::BTreeMap;
use std::path::Path;

use kingme_arena::league::{
    Entry, ExportFormat, Finished, League, LeagueError, LeagueEvent, LeagueFile, Log, LogPlace,
    Meeting, Nobody, Reader, Round, Stage, Standings, Summary, What, export, run,
};
use kingme_arena::swiss::{Outcome, Tournament, pair};
use kingme_play::Stop;

use crate::store::{log_in, path_in};

fn text(settings: &str, players: &[(&str, &str)]) -> String {
    let head = "name = \"Test\"\nvariant = \"league\"\nsize = 6\ndepth = 1\nmax_plies = 30\n";
    let entry = |(name, plays): &(&str, &str)| {
        format!("[[player]]\nname = \"{name}\"\nplays = \"{plays}\"\n")
    };
    let players: String = players.iter().map(entry).collect();
    format!("{head}{settings}\n{players}")
}

/// Plays until so many games have ended; all, if none is said.
fn play_some(
    text: &str,
    log: impl Into<LogPlace>,
    games: Option<usize>,
) -> Result<Summary, LeagueError> {
    let mut file = LeagueFile::read(text, Path::new(".")).unwrap();
    let log = Log::open(log, &mut file)?;
    let seats = |entry: &Entry, seed| entry.plays.open(&file.variant, seed);
    let stop = Stop::new();
    let stopper = stop.clone();
    let mut count = 0;
    run(&file, log, &seats, &Nobody, &stop, &mut |event| {
        if let LeagueEvent::Game { .. } = event {
            count += 1;
            if Some(count) == games {
                stopper.request();
            }
        }
    })
}

fn play(text: &str, log: impl Into<LogPlace>) -> Summary {
    let summary = play_some(text, log, None).unwrap();
    assert!(summary.complete);
    summary
}

fn standings(log: impl Into<LogPlace>) -> Standings {
    let mut reader = Reader::open(log).unwrap();
    let results = reader.results().unwrap();
    Standings::new(reader.league(), &reader.history().unwrap(), &results)
}

fn exported(log: impl Into<LogPlace>, format: ExportFormat) -> String {
    let mut out = Vec::new();
    export(&mut Reader::open(log).unwrap(), format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const STRONG: &str = "minimax:depth=3";

#[test]
fn byes_are_in_the_table_of_a_swiss() {
    let folder = tempfile::tempdir().unwrap();
    let players = [("a", STRONG), ("b", "random"), ("c", "random")];
    let file = text("format = \"swiss\"\nrounds = 3\ngames = 1", &players);
    play(&file, log_in(&folder));
    let table = standings(log_in(&folder));
    let total: f64 = table.rows.iter().map(|row| row.points).sum();
    assert!(
        (total - 6.0).abs() < 1e-9,
        "three games and three byes: {total}"
    );
    assert!(table.rows.is_sorted_by(|a, b| a.points >= b.points));
    for row in &table.rows {
        let swiss = row.swiss.unwrap();
        assert!((row.points - f64::from(swiss.halves) / 2.0).abs() < 1e-9);
        assert_eq!(row.results.iter().sum::<u32>(), 2);
    }
    let shown = table.to_string();
    assert!(
        shown.starts_with("  # Player  Points  Buchholz      S-B  Games"),
        "{shown}"
    );
}

/// What an arbiter's program would pair, from the file that it is given, is what was played.
#[test]
fn a_swiss_is_a_tournament_file() {
    let names: Vec<String> = (1..=9).map(|number| format!("Player {number}")).collect();
    let players: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "random")).collect();
    for (variant, games) in [("league", 1), ("league", 2), ("english", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let settings = format!("format = \"swiss\"\nrounds = 4\ngames = {games}\nseed = 3");
        let mut league = text(&settings, &players);
        if variant == "english" {
            // Here Black moves first.
            league = league.replace("variant = \"league\"\nsize = 6", "variant = \"english\"");
        }
        let summary = play(&league, log_in(&folder));
        let trf = exported(log_in(&folder), ExportFormat::Trf);
        let whole = Tournament::from_trf(&trf).unwrap();
        assert_eq!((whole.players.len(), whole.played, whole.rounds), (9, 4, 4));
        for (number, round) in summary.history.rounds.iter().enumerate() {
            let pairing = pair(&whole.before(number)).unwrap();
            assert!(pairing.has_the_same(&whole.paired_in(number)));
            let meetings: Vec<[usize; 2]> = round
                .meetings
                .iter()
                .map(|m| {
                    if variant == "english" {
                        [m.1, m.0]
                    } else {
                        [m.0, m.1]
                    }
                })
                .collect();
            assert_eq!(pairing.meetings, meetings, "round {}", number + 1);
            assert_eq!(pairing.bye.as_slice(), round.byes);
        }
    }
}

#[test]
fn only_a_swiss_is_a_tournament_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(
        "format = \"round-robin\"",
        &[("a", "random"), ("b", "random")],
    );
    play(&file, log_in(&folder));
    let mut reader = Reader::open(log_in(&folder)).unwrap();
    let error = export(&mut reader, ExportFormat::Trf, &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a TRF file is for a Swiss, and this league is a round-robin"
    );
}

#[test]
fn the_winner_of_the_cup_stands_first() {
    let folder = tempfile::tempdir().unwrap();
    // The strongest is seeded last and has no bye, so that others play fewer games.
    let players = [
        ("a", "random"),
        ("b", "random"),
        ("c", "random"),
        ("d", "random"),
        ("e", STRONG),
    ];
    play(
        &text("format = \"knockout\"\nseed = 5", &players),
        log_in(&folder),
    );
    let table = standings(log_in(&folder));
    assert_eq!(table.rows[0].name, "e");
    assert_eq!(table.winner, Some(4));
    let names: Vec<String> = table.stages.iter().map(Stage::name).collect();
    assert_eq!(names, ["Quarter-finals", "Semi-finals", "Final"]);
    assert_eq!(table.stages[0].byes, [0, 1, 2]);
    let last = table.stages.last().unwrap().meetings[0];
    assert_eq!(last.winner, Some(4));
    let second = last.players.iter().find(|player| **player != 4).unwrap();
    assert_eq!(
        table.rows[1].player, *second,
        "who lost the final is second"
    );
    let shown = table.to_string();
    assert!(shown.contains("\nFinal\n    "), "{shown}");
    assert!(shown.ends_with("\ne has won the cup\n"), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&exported(log_in(&folder), ExportFormat::Json)).unwrap();
    assert_eq!(json["winner"], 4);
    assert_eq!(json["bracket"][2]["name"], "Final");
}

const SWISS_2: &str = include_str!("../fixtures/league-2-swiss.sql");
const ROBIN_2: &str = include_str!("../fixtures/league-2-robin.sql");

/// Logs of version 2, interrupted in the middle of a round, go on with the pairs they had.
#[test]
fn old_rounds_stay_as_they_were_paired() {
    for (sql, next) in [
        (SWISS_2, vec![(6, [5, 3])]),
        (
            ROBIN_2,
            vec![
                (6, [3, 1]),
                (7, [3, 0]),
                (8, [2, 4]),
                (9, [0, 4]),
                (10, [1, 2]),
            ],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = path_in(&folder);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let mut reader = Reader::open(&path).unwrap();
        let before = reader.results().unwrap();
        assert_eq!(before.len(), 5);
        let shown = standings(&path).to_string();
        assert!(shown.contains("5 games; moving first"), "{shown}");
        let league = reader.league().text.clone();
        let results = play(&league, &path).results;
        for (number, players) in next {
            assert_eq!(results[&number].players, players, "game {number}");
        }
        for (number, result) in &before {
            assert_eq!(results[number], *result);
        }
        let again = standings(&path);
        assert!(again.changes.is_empty() && again.former.is_empty());
    }
}

fn whats(log: impl Into<LogPlace>) -> Vec<What> {
    let history = Reader::open(log).unwrap().history().unwrap();
    history
        .later_changes()
        .map(|change| change.what.clone())
        .collect()
}

#[test]
fn a_league_changes_while_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let settings = "format = \"round-robin\"\nrounds = 2";
    let first = text(settings, &[("a", "random"), ("b", STRONG), ("c", "random")]);
    play_some(&first, &log, Some(5)).unwrap();
    let before = Reader::open(&log).unwrap().results().unwrap();
    // `c` leaves, `d` comes, `a` gets better.
    let second = text(settings, &[("a", STRONG), ("b", STRONG), ("d", "random")]);
    let summary = play(&second, &log);
    assert_eq!(
        whats(&log),
        [
            What::Version {
                player: 0,
                plays: STRONG.to_owned()
            },
            What::Withdrew(2),
            What::Joined {
                name: "d".to_owned(),
                plays: "random".to_owned()
            },
        ]
    );
    let after: BTreeMap<u64, Finished> = summary.results;
    for (number, result) in &before {
        assert_eq!((after[number], result.era), (*result, 0));
    }
    let later: Vec<&Finished> = after.values().filter(|game| game.era == 1).collect();
    assert!(
        later.iter().all(|game| !game.players.contains(&2)),
        "who has left does not play"
    );
    let newcomer = later
        .iter()
        .filter(|game| game.players.contains(&3))
        .count();
    assert_eq!(newcomer, 2 * 2 * 2, "two opponents, two rounds, two games");
    let table = standings(&log);
    let row = |name: &str| table.rows.iter().find(|row| row.name == name).unwrap();
    assert!(row("c").withdrawn && !row("a").withdrawn);
    // The old version of `a` has a rating of its own, and its own results.
    let [old] = &table.former[..] else {
        panic!("{:?}", table.former)
    };
    assert_eq!((old.player, old.plays.as_str()), (0, "random"));
    let played = before
        .values()
        .filter(|game| game.players.contains(&0))
        .count();
    assert_eq!(old.games as usize, played);
    let now = after
        .values()
        .filter(|game| game.players.contains(&0))
        .count()
        - played;
    assert!(now > 0 && row("a").rating != old.rating);
    let shown = table.to_string();
    assert!(
        shown.contains(" UTC  a plays minimax:depth=3, rated anew\n"),
        "{shown}"
    );
    assert!(shown.contains(" UTC  c withdraws\n"), "{shown}");
    assert!(
        shown.contains(" UTC  d joins and plays random\n"),
        "{shown}"
    );
    assert!(shown.contains("\n    a, random: "), "{shown}");
}

#[test]
fn results_under_other_conditions_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let players = [("a", "random"), ("b", STRONG)];
    let first = text("format = \"round-robin\"\nrounds = 5", &players);
    let before = play_some(&first, &log, Some(4)).unwrap().results.len();
    let second = first.replace("depth = 1", "nodes = 500");
    let summary = play(&second, &log);
    let condition = |key: &str, from: &str, to: &str| What::Condition {
        key: key.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
    };
    assert_eq!(
        whats(&log),
        [condition("nodes", "", "500"), condition("depth", "1", "")]
    );
    let eras: Vec<u32> = summary.results.values().map(|game| game.era).collect();
    let expected: Vec<u32> = (0..10).map(|index| u32::from(index >= before)).collect();
    assert_eq!(eras, expected);
    let table = standings(&log);
    let games: Vec<u32> = table.former.iter().map(|former| former.games).collect();
    assert_eq!(games, [before as u32; 2], "both have a rating from before");
    // What is shown now is what the games since then say.
    let alone = tempfile::tempdir().unwrap();
    let only: BTreeMap<u64, Finished> = summary
        .results
        .iter()
        .filter(|(_, game)| game.era == 1)
        .map(|(k, v)| (*k, *v))
        .collect();
    play_some(&second, log_in(&alone), Some(1)).unwrap();
    let mut reader = Reader::open(log_in(&alone)).unwrap();
    reader.results().unwrap();
    let flat: BTreeMap<u64, Finished> = only
        .into_iter()
        .map(|(k, v)| (k, Finished { era: 0, ..v }))
        .collect();
    let expected = Standings::new(reader.league(), &reader.history().unwrap(), &flat);
    for row in &table.rows {
        let other = expected
            .rows
            .iter()
            .find(|other| other.name == row.name)
            .unwrap();
        assert_eq!(row.rating, other.rating);
    }
    let shown = table.to_string();
    assert!(
        shown.contains(" UTC  nodes: nothing becomes 500\n"),
        "{shown}"
    );
}

#[test]
fn a_new_version_may_have_the_same_name_and_program() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let first = text(
        "format = \"round-robin\"\nrounds = 3",
        &[("a", "random"), ("b", "random")],
    );
    play_some(&first, &log, Some(2)).unwrap();
    let second = first.replacen(
        "plays = \"random\"",
        "plays = \"random\"\nversion = \"2\"",
        1,
    );
    play(&second, &log);
    assert_eq!(
        whats(&log),
        [What::Version {
            player: 0,
            plays: "random, version 2".to_owned()
        }]
    );
    // Nothing more changes when it is run again.
    play(&second, &log);
    assert_eq!(whats(&log).len(), 1);
}

#[test]
fn who_leaves_can_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let all = [("a", "random"), ("b", "random"), ("c", "random")];
    let settings = "format = \"swiss\"\nrounds = 4\ngames = 1";
    play_some(&text(settings, &all), &log, Some(1)).unwrap();
    let without = text(settings, &all).replace("name = \"c\"", "name = \"c\"\nwithdrawn = true");
    play_some(&without, &log, Some(1)).unwrap();
    play(&text(settings, &all), &log);
    assert_eq!(whats(&log), [What::Withdrew(2), What::Returned(2)]);
    let table = standings(&log);
    assert!(table.rows.iter().all(|row| !row.withdrawn));
}

#[test]
fn a_cup_takes_nobody_in_and_goes_on_without_who_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    // The first meeting is far from over when it is stopped.
    let cup = "format = \"knockout\"\ngames = 12";
    let four = [
        ("a", STRONG),
        ("b", "random"),
        ("c", "random"),
        ("d", "random"),
    ];
    play_some(&text(cup, &four), &log, Some(1)).unwrap();
    let mut five = four.to_vec();
    five.push(("e", "random"));
    let error = play_some(&text(cup, &five), &log, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`e` can't join: a knockout that has begun takes nobody in"
    );
    // `a` leaves: `d` goes on, and somebody wins.
    play(&text(cup, &four[1..]), &log);
    let table = standings(&log);
    let first = table.stages[0].meetings[0];
    assert_eq!((first.players, first.winner), ([0, 3], Some(3)));
    assert!(table.winner.is_some_and(|winner| winner != 0));
}

#[test]
fn another_game_is_another_league() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let players = [("a", "random"), ("b", "random")];
    let file = text("format = \"round-robin\"", &players);
    play(&file, &log);
    let other = file.replace("size = 6", "size = 8");
    let error = play_some(&other, &log, None).unwrap_err().to_string();
    assert!(
        error.contains("is the log of another league, `Test`"),
        "{error}"
    );
}

/// The file changes while the league is being played: first for the worse, then for the better.
#[test]
fn a_league_notices_that_its_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("league.toml");
    let settings = "format = \"round-robin\"\nrounds = 30";
    let first = text(settings, &[("a", "random"), ("b", "random")]);
    std::fs::write(&path, &first).unwrap();
    let league = League::open(&path, log_in(&folder), None).unwrap();
    let (mut games, mut heard) = (0, Vec::new());
    let (file, summary) = league
        .play(&Nobody, &Stop::new(), &mut |event| match event {
            LeagueEvent::Game { .. } => {
                games += 1;
                if games == 1 {
                    std::fs::write(&path, first.replace("rounds = 30", "rounds = two")).unwrap();
                }
            }
            LeagueEvent::NotChanged { why } => {
                heard.push(why.clone());
                let players = [("a", "random"), ("b", "random"), ("new", "random")];
                let better = text("format = \"round-robin\"\nrounds = 31", &players);
                std::fs::write(&path, better).unwrap();
            }
            LeagueEvent::Changed { changes, .. } => heard.extend(changes.iter().cloned()),
            LeagueEvent::Resumed { .. } => {}
        })
        .unwrap();
    assert!(summary.complete);
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(heard[0].contains("league.toml: line 7: "), "{heard:?}");
    assert_eq!(heard[1], "new joins and plays random");
    assert_eq!(file.players.len(), 3);
    let newcomer = summary
        .results
        .values()
        .filter(|game| game.players.contains(&2));
    assert_eq!(newcomer.count(), 2 * 31 * 2);
    assert_eq!(summary.results.len(), 3 * 31 * 2);
}

#[test]
fn a_league_notices_that_its_openings_have_changed() {
    let folder = tempfile::tempdir().unwrap();
    let [path, book] = ["league.toml", "book.pdn"].map(|name| folder.path().join(name));
    std::fs::write(&book, "1. 11-15 *\n").unwrap();
    let settings = "format = \"round-robin\"\nrounds = 30\nopenings = \"book.pdn\"";
    let league = text(settings, &[("a", "random"), ("b", "random")]);
    let league = league.replace("variant = \"league\"\nsize = 6", "variant = \"english\"");
    std::fs::write(&path, league).unwrap();
    let league = League::open(&path, log_in(&folder), None).unwrap();
    let (mut games, mut heard) = (0, Vec::new());
    let played = league.play(&Nobody, &Stop::new(), &mut |event| match event {
        LeagueEvent::Game { .. } => {
            games += 1;
            if games == 1 {
                std::fs::write(&book, "1. 11-15 22-18 *\n").unwrap();
            }
        }
        LeagueEvent::Changed { changes, .. } => heard.extend(changes.iter().cloned()),
        _ => {}
    });
    assert!(played.unwrap().1.complete);
    assert_eq!(heard, ["the file of openings has other contents"]);
}

#[test]
fn a_test_ends_a_league_as_soon_as_it_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let settings = "format = \"gauntlet\"\nrounds = 500\nsprt = \"0,400\"\nsprt_alpha = 0.1\n\
                    sprt_model = \"logistic\"\nrandom_plies = 2";
    let players = [("a", STRONG), ("b", "random"), ("c", "random")];
    let league = text(settings, &players).replace("max_plies = 30", "max_plies = 200");
    let summary = play(&league, &log);
    let games = summary.results.len();
    assert!(games < 400, "{games} games of 2000");
    let shown = standings(&log).to_string();
    assert!(
        shown.contains("SPRT 0, 400 (logistic): accepted: 400 or better; LLR "),
        "{shown}"
    );
    // Nothing more is played when it is run again.
    assert_eq!(play(&league, &log).results.len(), games);
    // A test of a new version begins anew.
    let weaker = league
        .replacen(STRONG, "random", 1)
        .replace("rounds = 500", "rounds = 501");
    assert!(play(&weaker, &log).results.len() > games);
    let shown = standings(&log).to_string();
    assert!(shown.contains("refused: 0 or worse"), "{shown}");
}

/// Who joins a Swiss late has no points for the rounds before, and is paired like everybody then.
#[test]
fn a_swiss_takes_somebody_in_after_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_in(&folder);
    let settings = "format = \"swiss\"\nrounds = 3\ngames = 1\nseed = 5";
    let mut players = vec![
        ("a", STRONG),
        ("b", "random"),
        ("c", STRONG),
        ("d", "random"),
    ];
    // One game of the first round has ended when the file changes.
    play_some(&text(settings, &players), &log, Some(1)).unwrap();
    players.push(("late", STRONG));
    let summary = play(&text(settings, &players), &log);
    let rounds = &summary.history.rounds;
    assert_eq!(rounds.len(), 3);
    let takes_part = |round: &Round| {
        let meets = |meeting: &Meeting| [meeting.0, meeting.1].contains(&4);
        round.byes.contains(&4) || round.meetings.iter().any(meets)
    };
    assert_eq!(
        rounds.iter().map(takes_part).collect::<Vec<_>>(),
        [false, true, true]
    );
    // Five players: two meetings and a bye, nobody has it twice.
    assert!(
        rounds[1..]
            .iter()
            .all(|round| round.byes.len() == 1 && round.meetings.len() == 2)
    );
    assert_ne!(rounds[1].byes, rounds[2].byes);
    let table = standings(&log);
    let total: f64 = table.rows.iter().map(|row| row.points).sum();
    assert!(
        (total - 8.0).abs() < 1e-9,
        "two, then three a round: {total}"
    );
    let late = table.rows.iter().find(|row| row.name == "late").unwrap();
    assert!(late.points <= 2.0, "{table}");
    let trf = exported(&log, ExportFormat::Trf);
    let whole = Tournament::from_trf(&trf).unwrap();
    assert!(whole.players[4].outcomes[0] == Outcome::Absent, "{trf}");
    for (number, round) in rounds.iter().enumerate().skip(1) {
        let pairing = pair(&whole.before(number)).unwrap();
        assert_eq!(pairing.bye.as_slice(), round.byes, "round {}", number + 1);
    }
}

/// Another file of openings under the same name makes other games: that is a change like any other.
#[test]
fn openings_that_have_changed_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (log, book) = (log_in(&folder), folder.path().join("book.fen"));
    let settings = |rounds: u32| {
        let book = book.display();
        format!("format = \"round-robin\"\nrounds = {rounds}\nopenings = \"{book}\"")
    };
    let players = [("a", STRONG), ("b", "random")];
    let start = kingme_rules::Variant::named("league")
        .unwrap()
        .sized(6)
        .unwrap()
        .start();
    std::fs::write(&book, start.fen() + "\n").unwrap();
    play(&text(&settings(1), &players), &log);
    play(&text(&settings(2), &players), &log);
    assert_eq!(
        standings(&log).changes,
        [""; 0],
        "the same file is no change"
    );
    std::fs::write(&book, format!("# a comment\n{}\n", start.fen())).unwrap();
    play(&text(&settings(3), &players), &log);
    let table = standings(&log);
    assert_eq!(table.changes.len(), 1, "{table}");
    assert!(
        table.changes[0].ends_with("the file of openings has other contents"),
        "{table}"
    );
    let before: Vec<u32> = table.former.iter().map(|former| former.games).collect();
    assert_eq!(before, [4, 4], "told apart: {table}");
}
