//! The rules that `CheckersLeague` bots see in Python, against ours.

use std::io::Write;
use std::process::{Command, Stdio};

use kingme_play::Chance;
use kingme_players::hub::write_move;
use kingme_rules::{Game, Move, Side};

use super::support::{root, variant};

/// A game by chance, of so many plies at most: its moves, and what was legal before each of them and
/// at the end.
fn random_game(size: u32, seed: u64, most: usize) -> (Game, Vec<String>) {
    let mut game = Game::new(&variant("league").sized(size).unwrap());
    let mut chance = Chance::new(seed);
    let mut legal_texts = Vec::new();
    loop {
        let legal = game.position().legal_moves();
        let mut texts: Vec<String> = legal.iter().map(|mv| text(&game, mv)).collect();
        texts.sort();
        legal_texts.push(texts.join(" "));
        match chance.pick(&game.legal_moves()) {
            Some(mv) if game.plies() < most => game.play(mv).unwrap(),
            _ => return (game, legal_texts),
        }
    }
}

/// A move with its captured squares in order.
fn text(game: &Game, mv: &Move) -> String {
    let mut mv = mv.clone();
    let board = game.variant().board();
    mv.captured.sort_by_key(|&square| board.number(square));
    write_move(board, &mv)
}

fn winner(game: &Game) -> &'static str {
    match game.outcome().map(|outcome| outcome.winner) {
        Some(Some(Side::White)) => "w",
        Some(Some(Side::Black)) => "b",
        Some(None) => "d",
        None => "None",
    }
}

#[test]
fn python_and_rust_agree_on_every_legal_move_of_random_games() {
    // Whole games, and as much of those on large boards as Python plays in a second or two.
    let whole = [4, 4, 6, 6, 8, 8, 10, 12, 16].map(|size| (size, usize::MAX));
    let begun = [(28, 30), (40, 15), (100, 2)];
    let games: Vec<_> = (0..)
        .zip(whole.into_iter().chain(begun))
        .map(|(seed, (size, most))| (size, random_game(size, seed, most)))
        .collect();
    let mut python = Command::new("python3")
        .arg("-B")
        .arg(root().join("crates/arena/tests/bots/files/league_rules.py"))
        .env("PYTHONPATH", root().join("crates/players/python"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    let lines: Vec<String> = games
        .iter()
        .map(|(size, (game, _))| {
            let board = game.variant().board();
            let moves: Vec<String> = game.moves().map(|mv| write_move(board, mv)).collect();
            format!("{size} {}\n", moves.join(" "))
        })
        .collect();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).unwrap();
        }
    });
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), games.len());
    for (line, (size, (game, legal))) in text.lines().zip(&games) {
        let expected = format!("{}/{}", legal.join("/"), winner(game));
        assert_eq!(line, expected, "on {size}x{size}: {game}");
    }
}
