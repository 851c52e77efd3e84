//! What holds for every search in every game.

use std::ops::ControlFlow;
use std::time::Duration;

use kingme_rules::{Game, Position, Side, Variant};

use crate::{Choice, Engine, Handle, Limit, Options, Random, Report, Score};

fn engine() -> Engine {
    Engine::new(Options {
        hash: 1,
        ..Options::default()
    })
}

fn search(engine: &mut Engine, game: &Game, limit: &Limit) -> Option<Choice> {
    engine.search(game, limit, &mut |_| ControlFlow::Continue(()))
}

/// Games after random moves, not over.
fn random_games(variant: &Variant, seed: u64, count: usize, plies: usize) -> Vec<Game> {
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let mut game = Game::new(variant);
        for _ in 0..random.below(plies) {
            if let Some(mv) = random.choose(&game.legal_moves()) {
                game.play(mv).unwrap();
            }
        }
        if game.outcome().is_none() {
            games.push(game);
        }
    }
    games
}

#[test]
fn moves_are_legal_under_tiny_limits_in_every_game() {
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        let mut engine = engine();
        let limits = [
            Limit::nodes(1),
            Limit::nodes(77),
            Limit::depth(1),
            Limit::depth(3),
            Limit::move_time(Duration::ZERO),
            Limit::clock(Duration::ZERO, Duration::ZERO),
        ];
        for (game, limit) in random_games(&variant, 1, 12, 70)
            .iter()
            .zip(limits.iter().cycle())
        {
            let limit = Limit {
                nodes: limit.nodes.or(Some(20_000)),
                ..*limit
            };
            let choice = search(&mut engine, game, &limit).unwrap();
            assert!(game.legal_moves().contains(&choice.mv), "{name} {limit:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_move() {
    for name in ["english", "international", "stupid-checkers", "turkish"] {
        let game = Game::new(&Variant::named(name).unwrap());
        let mut engine = engine();
        let handle = Handle::new();
        handle.stop();
        engine.set_handle(handle);
        let choice = search(&mut engine, &game, &Limit::INFINITE).unwrap();
        assert!(game.legal_moves().contains(&choice.mv));
    }
}

#[test]
fn an_endless_search_ends_when_it_is_told() {
    let game = Game::new(&Variant::named("russian").unwrap());
    let handle = Handle::new();
    let mut engine = Engine::new(Options {
        hash: 1,
        threads: 2,
        ..Options::default()
    });
    engine.set_handle(handle.clone());
    // From within, by the handle and by the callback.
    let choice = engine.search(&game, &Limit::INFINITE, &mut |report| {
        if report.depth.0 >= 4 {
            handle.stop();
        }
        ControlFlow::Continue(())
    });
    assert!(choice.is_some());
    engine.set_handle(Handle::new());
    let choice = engine.search(&game, &Limit::INFINITE, &mut |_| ControlFlow::Break(()));
    assert!(choice.is_some());
}

#[test]
fn pondering_minds_no_limit_until_the_hit() {
    let game = Game::new(&Variant::named("english").unwrap());
    let handle = Handle::new();
    handle.ponder();
    let mut engine = engine();
    engine.set_handle(handle.clone());
    let mut nodes = 0;
    engine.search(&game, &Limit::nodes(1_000), &mut |report| {
        nodes = report.nodes;
        if nodes > 20_000 {
            handle.ponder_hit();
        }
        ControlFlow::Continue(())
    });
    assert!(nodes > 20_000);
}

#[test]
fn a_finished_game_has_no_move() {
    let position = Position::from_fen(&Variant::named("english").unwrap(), "B:W18:B15").unwrap();
    let mut game = Game::from_position(position);
    game.play_text("15x22").unwrap();
    assert_eq!(search(&mut engine(), &game, &Limit::depth(3)), None);
}

#[test]
fn one_thread_is_deterministic() {
    for name in [
        "english",
        "international",
        "frisian",
        "turkish",
        "stupid-checkers",
        "frogs",
    ] {
        let variant = Variant::named(name).unwrap();
        for game in random_games(&variant, 3, 2, 30) {
            let run = || {
                let mut last: Option<Report> = None;
                let choice = engine().search(&game, &Limit::nodes(30_000), &mut |report| {
                    last = Some(report.clone());
                    ControlFlow::Continue(())
                });
                (choice, last.map(|report| (report.nodes, report.lines)))
            };
            assert_eq!(run(), run(), "{name}");
        }
    }
}

#[test]
fn the_table_of_positions_changes_no_exact_score() {
    for name in [
        "english",
        "international",
        "russian",
        "italian",
        "turkish",
        "breakthrough",
        "antidraughts",
    ] {
        let variant = Variant::named(name).unwrap();
        for game in random_games(&variant, 5, 6, 24) {
            let score = |with_table: bool| {
                let mut engine = engine();
                engine.pruning = false;
                if !with_table {
                    engine.forget_everything();
                }
                search(&mut engine, &game, &Limit::depth(5)).unwrap().score
            };
            assert_eq!(
                score(true),
                score(false),
                "{name} {}",
                game.position().fen()
            );
        }
    }
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    let game = Game::new(&Variant::named("international").unwrap());
    let mut engine = Engine::new(Options {
        hash: 1,
        lines: 4,
        ..Options::default()
    });
    let mut last = None;
    engine.search(&game, &Limit::depth(7), &mut |report| {
        last = Some(report.clone());
        ControlFlow::Continue(())
    });
    let lines = last.unwrap().lines;
    assert_eq!(lines.len(), 4);
    assert!(lines.windows(2).all(|two| two[0].score >= two[1].score));
    let first = |index: usize| &lines[index].moves[0];
    assert!((1..4).all(|index| (0..index).all(|other| first(other) != first(index))));
    let full = search(&mut self::engine(), &game, &Limit::depth(7)).unwrap();
    assert!(lines[0].score.value() - full.score.value() < 100);
}

/// The end of the game with best play if it comes within `plies`: plies to it, positive for a win.
fn brute_force(game: &Game, plies: i32) -> Option<i32> {
    if let Some(outcome) = game.outcome() {
        return Some(match outcome.winner {
            Some(side) if side == game.turn() => 1_000,
            Some(_) => -1_000,
            None => 0,
        });
    }
    if plies == 0 {
        return None;
    }
    let mut best = Some(i32::MIN);
    for mv in game.legal_moves() {
        let mut next = game.clone();
        next.play(&mv).unwrap();
        // A ply farther away is one less; unknown is somewhere between win and loss.
        let score = brute_force(&next, plies - 1).map(|score| -(score - score.signum()));
        best = match (best, score) {
            (Some(best), Some(score)) => Some(best.max(score)),
            (_, Some(score)) if score > 0 => Some(score),
            (Some(best), None) if best > 0 => Some(best),
            _ => None,
        };
    }
    best
}

#[test]
fn wins_near_the_end_are_seen_in_every_game() {
    let mut checked = 0;
    for name in Variant::names() {
        let variant = Variant::named(name).unwrap();
        if variant.start().legal_moves().len() > 40 {
            continue;
        }
        for seed in 0..6 {
            let Some(game) = near_the_end(&variant, seed) else {
                continue;
            };
            let Some(known) = brute_force(&game, 3).filter(|known| known.abs() > 900) else {
                continue;
            };
            let mut engine = engine();
            engine.pruning = false;
            let choice = search(&mut engine, &game, &Limit::depth(4)).unwrap();
            let plies = (1_000 - known.abs()) as usize;
            let expected = if known > 0 {
                Score::win_in(plies)
            } else {
                Score::loss_in(plies)
            };
            assert_eq!(choice.score, expected, "{name} {}", game.position().fen());
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} positions");
}

/// A random game two plies before its end, if somebody won.
fn near_the_end(variant: &Variant, seed: u64) -> Option<Game> {
    let mut random = Random::new(seed);
    let mut game = Game::new(variant);
    for _ in 0..300 {
        match random.choose(&game.legal_moves()) {
            Some(mv) => game.play(mv).unwrap(),
            None => break,
        }
    }
    game.outcome()?.winner?;
    game.undo();
    game.undo();
    // A few moves are enough for the brute force.
    (game.legal_moves().len() < 20).then_some(game)
}

fn best(name: &str, fen: &str, depth: u32) -> (String, Score) {
    best_in(&Variant::named(name).unwrap(), fen, depth)
}

fn best_in(variant: &Variant, fen: &str, depth: u32) -> (String, Score) {
    let position = Position::from_fen(variant, fen).unwrap();
    let choice = search(
        &mut engine(),
        &Game::from_position(position.clone()),
        &Limit::depth(depth),
    )
    .unwrap();
    (position.move_text(&choice.mv), choice.score)
}

#[test]
fn taking_the_last_piece_wins() {
    assert_eq!(best("english", "B:W18:B15", 3).1, Score::win_in(1));
}

#[test]
fn where_pieces_are_a_burden_giving_the_last_one_wins() {
    let (_, score) = best("antidraughts", "W:W28:B17,1", 4);
    assert!(score.plies_to_end().is_none_or(|plies| plies > 0));
}

#[test]
fn the_first_king_wins_where_it_does() {
    assert_eq!(
        best("breakthrough", "W:W7,36:B20,21", 3).1,
        Score::win_in(1)
    );
}

/// On boards with bits and without.
#[test]
fn the_last_piece_is_not_given_for_a_capture_that_is_missed() {
    let huffing = |base: &str, stuck: &str| {
        let toml = format!(
            "extends = \"{base}\"\nname = \"huffing\"\n[end]\nstuck = \"{stuck}\"\n\
             [capture]\nobligation = \"huff\"\npriority = []\n"
        );
        Variant::from_toml(&toml).unwrap()
    };
    let small = |stuck| (huffing("english", stuck), "W:W22:B1,18");
    let large = |stuck| {
        let variant = huffing("international", stuck).sized(40).unwrap();
        (variant, "W:W426:B406,1")
    };
    for ((variant, fen), capture) in [(small("loses"), "22x15"), (large("loses"), "426x387")] {
        assert_eq!(best_in(&variant, fen, 3).0, capture);
    }
    for ((variant, fen), other) in [(small("wins"), "22-17"), (large("wins"), "426-405")] {
        assert_eq!(
            best_in(&variant, fen, 3),
            (other.to_owned(), Score::win_in(1))
        );
    }
}

#[test]
fn weaker_levels_play_legal_moves_and_repeat_themselves() {
    let variant = Variant::named("english").unwrap();
    for level in 1..10 {
        let play = || {
            let mut engine = Engine::new(Options {
                hash: 1,
                level,
                seed: 7,
                ..Options::default()
            });
            let mut game = Game::new(&variant);
            for _ in 0..10 {
                let choice = search(&mut engine, &game, &Limit::nodes(5_000)).unwrap();
                game.play(&choice.mv).unwrap();
            }
            game.move_texts()
        };
        assert_eq!(play(), play(), "level {level}");
    }
}

#[test]
fn variety_gives_other_openings_for_other_seeds() {
    let game = Game::new(&Variant::named("international").unwrap());
    let first = |seed| {
        let mut engine = Engine::new(Options {
            hash: 1,
            seed,
            variety: true,
            ..Options::default()
        });
        search(&mut engine, &game, &Limit::depth(4)).unwrap().mv
    };
    let moves: std::collections::HashSet<_> = (0..12).map(first).collect();
    assert!(moves.len() > 1);
}

#[test]
fn an_only_move_is_played_at_once_and_studied_at_length() {
    let variant = Variant::named("english").unwrap();
    // White has to capture; Black has a second man to answer with.
    let position = Position::from_fen(&variant, "W:W22,30,32:B18,6,1").unwrap();
    let game = Game::from_position(position);
    assert_eq!(game.legal_moves().len(), 1);
    let depth = |search_forced| {
        let mut engine = Engine::new(Options {
            hash: 1,
            search_forced,
            ..Options::default()
        });
        let limit = Limit {
            depth: Some(6),
            ..Limit::move_time(Duration::from_mins(1))
        };
        let mut deepest = 0;
        engine.search(&game, &limit, &mut |report| {
            deepest = report.depth.0;
            ControlFlow::Continue(())
        });
        deepest
    };
    assert_eq!([false, true].map(depth), [1, 6]);
}

#[test]
fn material_decides_where_nothing_was_learned() {
    // A man more, and a misère game in which it is a man too many.
    for (name, better) in [("killer", Side::White), ("antidraughts", Side::Black)] {
        let variant = Variant::named(name).unwrap();
        let mut engine = engine();
        engine.set_weights(crate::Weights::material(&variant));
        let position = Position::from_fen(&variant, "W:W38,42,43:B8,13").unwrap();
        let choice = search(
            &mut engine,
            &Game::from_position(position),
            &Limit::depth(1),
        )
        .unwrap();
        assert_eq!(choice.score > Score::DRAW, better == Side::White, "{name}");
    }
}

#[test]
fn a_broken_weight_file_changes_nothing() {
    let variant = Variant::named("english").unwrap();
    let mut engine = engine();
    let error = engine.use_weights(b"nonsense", &variant).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it does not begin with `kingme weights 1`"
    );
    assert!(search(&mut engine, &Game::new(&variant), &Limit::depth(3)).is_some());
}
