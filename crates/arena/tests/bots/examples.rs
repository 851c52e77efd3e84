//! The bots of `examples/bots`, in every language, in several games.

use std::path::PathBuf;
use std::process::Command;

use kingme_players::Player;

use super::support::{AMPLE, check_own_moves, example, hub, play, python, variant};

/// Plays with a bot that is handed the rules over, in games that differ much.
fn check(player: &mut dyn Player, name: &str) {
    for game in ["international", "russian", "pown-chess", "frogs", "league"] {
        let record = play(player, &variant(game), AMPLE, 30);
        check_own_moves(&record);
    }
    assert_eq!(player.name(), name);
}

/// The program that a compiler makes of an example.
fn compiled(compiler: &[&str], source: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let program: PathBuf = folder.path().join("bot");
    let status = Command::new(compiler[0])
        .args(&compiler[1..])
        .arg("-o")
        .arg(&program)
        .arg(example(source))
        .status()
        .unwrap();
    assert!(status.success());
    let program = program.to_str().unwrap().to_owned();
    (folder, program)
}

#[test]
fn the_python_example_plays_every_kind_of_game() {
    let game = variant("english");
    check(
        &mut *python(&example("greedy.py"), "Greedy", &game),
        "Greedy",
    );
}

#[test]
fn the_javascript_example_plays() {
    check(&mut hub(&["node", &example("longest.js")]), "Longest");
}

#[test]
fn the_c_example_plays() {
    let (_folder, program) = compiled(&["cc", "-Wall", "-Wextra", "-Werror"], "last.c");
    check(&mut hub(&[&program]), "Last");
}

#[test]
fn the_rust_example_plays() {
    let (_folder, program) = compiled(&["rustc", "--edition=2021", "-Dwarnings"], "chance.rs");
    check(&mut hub(&[&program]), "Chance");
}

#[test]
fn the_league_examples_play_the_league_on_several_boards() {
    for (file, class, name) in [
        ("league_greedy.py", "LeagueGreedy", "League Greedy"),
        ("simple_ai.py", "MyAI", "My AI"),
    ] {
        for size in [4, 6, 10] {
            let game = variant("league").sized(size).unwrap();
            let mut player = python(&example(file), class, &game);
            check_own_moves(&play(&mut *player, &game, AMPLE, 12));
            assert_eq!(player.name(), name);
        }
    }
}

#[test]
fn large_league_boards_are_played() {
    for size in [26, 40, 100] {
        let game = variant("league").sized(size).unwrap();
        let mut player = python(&example("league_greedy.py"), "LeagueGreedy", &game);
        check_own_moves(&play(&mut *player, &game, AMPLE, 6));
    }
}

#[test]
fn a_league_bot_refuses_other_games_in_one_sentence() {
    let game = variant("english");
    let mut player = python(&example("simple_ai.py"), "MyAI", &game);
    let fault = player
        .new_game(&kingme_rules::Game::new(&game), kingme_rules::Side::White)
        .unwrap_err();
    let words = "broke the protocol: the bot does not play `english`; it plays `league`";
    assert_eq!(fault.to_string(), words);
}
