//! Games nobody plays: whatever the rules and the position, the answer is a legal move.

use std::ops::ControlFlow;
use std::time::Duration;

use kingme_engine::{Engine, Handle, Limit, Options, Random};
use kingme_rules::variant::Start;
use kingme_rules::{Definition, Game, Variant};

fn shipped(random: &mut Random) -> Definition {
    let names: Vec<&str> = Variant::names().collect();
    let name = random.choose(&names).unwrap();
    Variant::named(name).unwrap().definition().clone()
}

/// A game with each part of its rules from another one, on a board of any size.
fn crossed(random: &mut Random) -> Variant {
    loop {
        let mut definition = shipped(random);
        "crossed".clone_into(&mut definition.name);
        definition.notation.game_type = None;
        definition.capture = shipped(random).capture;
        definition.promotion = shipped(random).promotion;
        definition.end = shipped(random).end;
        definition.kinds = shipped(random).kinds;
        definition.board.sizes = None;
        definition.board.holes.clear();
        definition.board.columns = 4 + random.below(8) as u8;
        definition.board.rows = 5 + random.below(7) as u8;
        let gap = definition.board.rows % 2 + 2 * random.below(2) as u8;
        definition.start = Start::Rows { gap, offset: 0 };
        if let Ok(variant) = Variant::from_definition(definition) {
            return variant;
        }
    }
}

/// A game after random moves; it may be over.
fn wander(variant: &Variant, random: &mut Random) -> Game {
    let mut game = Game::new(variant);
    for _ in 0..random.below(60) {
        let moves = game.legal_moves();
        let Some(mv) = random.choose(&moves) else {
            break;
        };
        game.play(mv).unwrap();
    }
    game
}

fn tiny(random: &mut Random) -> Limit {
    let limit = match random.below(5) {
        0 => Limit::nodes(1 + random.below(300) as u64),
        1 => Limit::depth(1 + random.below(4) as u32),
        2 => Limit::move_time(Duration::from_micros(random.below(300) as u64)),
        3 => Limit::clock(Duration::from_millis(1), Duration::ZERO),
        _ => Limit::nodes(3_000),
    };
    Limit {
        nodes: limit.nodes.or(Some(20_000)),
        ..limit
    }
}

#[test]
fn moves_are_legal_in_any_game_under_any_limit() {
    let mut random = Random::new(4);
    let mut moves = 0;
    for _ in 0..60 {
        let variant = crossed(&mut random);
        let mut engine = Engine::new(Options {
            hash: 1,
            threads: 1 + random.below(2),
            level: 1 + random.below(10) as u8,
            ..Options::default()
        });
        for _ in 0..6 {
            let game = wander(&variant, &mut random);
            let limit = tiny(&mut random);
            let handle = Handle::new();
            if random.below(3) == 0 {
                handle.stop();
            }
            engine.set_handle(handle);
            let choice = engine.search(&game, &limit, &mut |_| ControlFlow::Continue(()));
            let legal = game.legal_moves();
            let over = game.outcome().is_some();
            assert_eq!(choice.is_none(), over, "{}", game.position().fen());
            if let Some(choice) = choice {
                assert!(legal.contains(&choice.mv), "{}", game.position().fen());
                moves += 1;
            }
        }
    }
    assert!(moves > 200, "{moves}");
}

fn league(size: u32) -> Variant {
    Variant::named("league").unwrap().sized(size).unwrap()
}

fn answer(game: &Game, level: u8, limit: &Limit) -> kingme_engine::Choice {
    let mut engine = Engine::new(Options {
        hash: 1,
        level,
        ..Options::default()
    });
    let choice = engine.search(game, limit, &mut |_| ControlFlow::Continue(()));
    choice.unwrap()
}

/// 28 has bits, 40 and 100 are too large for them.
#[test]
fn large_boards_are_played_on() {
    for size in [28, 40, 100] {
        for level in [1, 5, 10] {
            let mut game = Game::new(&league(size));
            for _ in 0..3 {
                let choice = answer(&game, level, &Limit::nodes(300));
                game.play(&choice.mv).unwrap();
            }
        }
    }
}

/// On a board without bits as on others: what hangs is taken, what can be lost is kept.
#[test]
fn a_large_board_is_seen_through() {
    let variant = league(40);
    let check = |fen: &str, expected: &str| {
        let position = kingme_rules::Position::from_fen(&variant, fen).unwrap();
        let game = Game::from_position(position);
        let choice = answer(&game, 10, &Limit::depth(4));
        assert_eq!(game.position().move_text(&choice.mv), expected, "{fen}");
    };
    // Three pieces rather than one of them: a chain may stop early.
    check("W:W1:B22,63,104", "0,1;2,3;4,5;6,7");
    // A step to the other side would lose the man.
    check("W:W104:B145", "5,6;6,5");
}

#[test]
fn a_search_on_a_large_board_stops_when_it_is_told() {
    let game = Game::new(&league(100));
    let handle = Handle::new();
    let mut engine = Engine::new(Options::default());
    engine.set_handle(handle.clone());
    handle.stop();
    let choice = engine.search(&game, &Limit::INFINITE, &mut |_| ControlFlow::Continue(()));
    assert!(game.legal_moves().contains(&choice.unwrap().mv));
}
