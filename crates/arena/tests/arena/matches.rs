//! Matches.

use std::time::Duration;

use kingme_arena::stats::Sprt;
use kingme_arena::{MatchConfig, Openings, Standing, run_match};
use kingme_play::{Heading, Policy, Stop, TimeControl, to_pdn};
use kingme_players::{OpenError, Player, PlayerSpec};
use kingme_rules::{Side, Variant};

fn config(games: u64) -> MatchConfig {
    MatchConfig {
        variant: Variant::named("english").unwrap(),
        games,
        time: [TimeControl::Move(Duration::from_mins(1)); 2],
        policy: Policy::strict(),
        openings: Openings::Random { plies: 4 },
        seed: 3,
        concurrency: 1,
        cores: 1,
        allow_failing: false,
        hashes: Default::default(),
        sprt: None,
    }
}

fn seats(variant: &Variant, a: &str, b: &str) -> Result<[Box<dyn Player>; 2], OpenError> {
    let open = |spec: &str| spec.parse::<PlayerSpec>().unwrap().open(variant, 0);
    Ok([open(a)?, open(b)?])
}

/// Plays and returns the standing and the moves of every game in order.
fn run(config: &MatchConfig, a: &str, b: &str) -> (Standing, Vec<(Side, Vec<String>)>) {
    let mut games = Vec::new();
    let standing = run_match(
        config,
        &|| seats(&config.variant, a, b),
        None,
        &Stop::new(),
        &mut |game, _| games.push((game.number, game.side, game.session.game().move_texts())),
    )
    .unwrap();
    games.sort();
    (
        standing,
        games
            .into_iter()
            .map(|(_, side, moves)| (side, moves))
            .collect(),
    )
}

#[test]
fn openings_come_in_mirrored_pairs() {
    let (standing, games) = run(&config(10), "random", "random");
    assert_eq!(standing.tally.games(), 10);
    assert_eq!(standing.tally.pairs.iter().sum::<u64>(), 5);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].0, !pair[1].0, "colours are swapped");
        assert_eq!(pair[0].1[..4], pair[1].1[..4], "the opening is the same");
        assert_ne!(pair[0].1, pair[1].1);
    }
    assert_ne!(games[0].1[..4], games[2].1[..4]);
}

#[test]
fn a_seed_gives_the_same_match_on_any_number_of_threads() {
    let one = run(&config(12), "random", "random").1;
    let three = run(
        &MatchConfig {
            concurrency: 3,
            ..config(12)
        },
        "random",
        "random",
    )
    .1;
    assert_eq!(one, three);
    let other = run(
        &MatchConfig {
            seed: 4,
            ..config(12)
        },
        "random",
        "random",
    )
    .1;
    assert_ne!(one, other);
}

#[test]
fn looking_ahead_beats_chance() {
    let (standing, _) = run(&config(20), "minimax:depth=3", "random");
    assert!(standing.tally.points() >= 17.0, "{:?}", standing.tally);
}

#[test]
fn a_decided_test_ends_the_match() {
    let config = MatchConfig {
        sprt: Some("0,50".parse::<Sprt>().unwrap()),
        ..config(4000)
    };
    let (standing, _) = run(&config, "minimax:depth=2", "random");
    assert!(standing.tally.games() < 4000, "{:?}", standing.tally);
}

#[test]
fn people_cannot_sit_down_in_a_match() {
    let config = config(2);
    let error = run_match(
        &config,
        &|| seats(&config.variant, "random", "human:Ada"),
        None,
        &Stop::new(),
        &mut |_, _| (),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`human:Ada` is a person and can't play here"
    );
}

#[test]
fn records_are_pdn_that_can_be_replayed() {
    let config = config(2);
    let mut texts = Vec::new();
    let seats = || seats(&config.variant, "minimax:depth=2", "random");
    run_match(&config, &seats, None, &Stop::new(), &mut |game, _| {
        let heading = Heading {
            event: "Test".to_owned(),
            round: "1".to_owned(),
            players: ["a".to_owned(), "b".to_owned()],
            ..Heading::default()
        };
        let text = kingme_rules::pdn::to_text(&to_pdn(&game.session, &heading));
        texts.push((text, game.session.game().move_texts()));
    })
    .unwrap();
    for (text, moves) in texts {
        let read = kingme_rules::pdn::Reader::new(text.as_bytes())
            .next()
            .unwrap()
            .unwrap();
        let replay = kingme_rules::pdn::replay(&read, None);
        assert_eq!(replay.errors, []);
        assert_eq!(replay.game.move_texts(), moves);
        assert_eq!(read.tag("Termination"), Some("rules"));
        assert!(read.moves[4].elapsed().is_some(), "{text}");
        assert!(
            read.moves[0].elapsed().is_none(),
            "the opening was not played"
        );
    }
}
