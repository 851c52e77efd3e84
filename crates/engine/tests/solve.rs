//! Small games, proven.

use std::collections::HashMap;

use kingme_engine::solve::{SolveConfig, Solved, Symmetry, solve};
use kingme_engine::tables::Verdict;
use kingme_rules::variant::Start;
use kingme_rules::{Game, Side, Variant};
use tempfile::TempDir;

fn solved(variant: &Variant, config: &SolveConfig) -> Solved {
    let directory = TempDir::new().unwrap();
    solve(variant, directory.path(), config, &mut |_| {}).unwrap()
}

fn four_by_four(name: &str) -> Option<Verdict> {
    let variant = Variant::named(name).unwrap().sized(4).unwrap();
    solved(&variant, &SolveConfig::default()).verdict
}

#[test]
fn four_by_four_is_a_draw_in_the_games_of_eight_by_eight() {
    for name in ["english", "russian", "brazilian", "italian", "spanish"] {
        assert_eq!(four_by_four(name), Some(Verdict::Draw), "{name}");
    }
}

#[test]
fn four_by_four_giveaway_is_lost_for_the_first_player() {
    assert_eq!(four_by_four("poddavki"), Some(Verdict::Loss));
}

#[test]
fn proofs_by_search_agree_with_tables() {
    // With few tables the search has to go on to them.
    let few = SolveConfig {
        table_positions: 2_000,
        ..SolveConfig::default()
    };
    for name in ["english", "russian", "poddavki", "antidraughts"] {
        let variant = Variant::named(name).unwrap().sized(4).unwrap();
        let by_search = solved(&variant, &few);
        assert!(by_search.tables < 4, "{name}");
        assert_eq!(by_search.proofs.len(), 2, "{name}");
        assert_eq!(by_search.verdict, four_by_four(name), "{name}");
    }
}

#[test]
fn stupid_checkers_is_won_by_whoever_starts() {
    let variant = Variant::named("stupid-checkers").unwrap();
    let solved = solved(&variant, &SolveConfig::default());
    assert_eq!(solved.tables, 0);
    assert_eq!(solved.symmetry, Symmetry::Squares);
    assert_eq!(solved.verdict, Some(Verdict::Win));
}

#[test]
fn pown_chess_is_won_by_the_second_player() {
    let variant = Variant::named("pown-chess").unwrap();
    let solved = solved(&variant, &SolveConfig::default());
    assert_eq!(solved.tables, 0);
    assert_eq!(solved.symmetry, Symmetry::Columns);
    assert_eq!(solved.verdict, Some(Verdict::Loss));
}

/// Pown Chess on a smaller board.
fn pown_chess(columns: u8, rows: u8) -> Variant {
    let mut definition = Variant::named("pown-chess").unwrap().definition().clone();
    (definition.board.columns, definition.board.rows) = (columns, rows);
    let row = |letter: &str| letter.repeat(columns.into());
    let mut drawn = vec![row("."); rows.into()];
    drawn[0] = row("w");
    drawn[usize::from(rows) - 1] = row("b");
    definition.start = Start::Drawn(drawn);
    Variant::from_definition(definition).unwrap()
}

/// The verdict of a game that always ends, move by move from the rules.
fn play_all(game: &mut Game, known: &mut HashMap<String, Verdict>) -> Verdict {
    if let Some(outcome) = game.outcome() {
        return match outcome.winner {
            Some(side) if side == game.turn() => Verdict::Win,
            Some(_) => Verdict::Loss,
            None => Verdict::Draw,
        };
    }
    let fen = game.position().fen();
    if let Some(&verdict) = known.get(&fen) {
        return verdict;
    }
    let mut best = Verdict::Loss;
    for mv in game.legal_moves() {
        game.play(&mv).unwrap();
        best = best.max(!play_all(game, known));
        game.undo();
    }
    known.insert(fen, best);
    best
}

#[test]
fn proofs_of_small_pown_chess_agree_with_playing_every_game() {
    for (columns, rows) in [(1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 4)] {
        let variant = pown_chess(columns, rows);
        let expected = play_all(&mut Game::new(&variant), &mut HashMap::new());
        let config = SolveConfig {
            table_positions: 0,
            ..SolveConfig::default()
        };
        let solved = solved(&variant, &config);
        assert_eq!(solved.symmetry, Symmetry::Columns);
        assert_eq!(solved.verdict, Some(expected), "{columns}x{rows}");
    }
}

#[test]
fn too_small_a_limit_leaves_a_game_open() {
    let config = SolveConfig {
        table_positions: 0,
        nodes: 1_000,
        ..SolveConfig::default()
    };
    let solved = solved(&Variant::named("english").unwrap(), &config);
    assert_eq!(solved.first, Side::Black);
    assert_eq!(solved.verdict, None);
    assert!(solved.proofs.iter().all(|proof| proof.holds.is_none()));
}

#[test]
fn a_counter_that_decides_is_named() {
    let directory = TempDir::new().unwrap();
    let league = Variant::named("league").unwrap();
    let error = solve(
        &league,
        directory.path(),
        &SolveConfig::default(),
        &mut |_| {},
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`league` can't be solved: after 40 plies without progress the side with more pieces \
         wins, and proofs don't count plies"
    );
}
