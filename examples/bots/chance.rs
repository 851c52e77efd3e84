//! Plays any move of the list, in any game: rustc -o chance examples/bots/chance.rs
use std::io::BufRead;

fn main() {
    let (mut legal, mut chance) = (String::new(), 1_u64);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split(' ').next().unwrap_or_default() {
            "hub" => println!("id name=Chance version=1\nparam name=hand-over value=legal\nwait"),
            "init" => println!("ready"),
            "ping" => println!("pong"),
            "pos" => legal = line.split("legal=").nth(1).unwrap_or_default().trim_matches('"').to_owned(),
            "go" => {
                let moves: Vec<&str> = legal.split(' ').collect();
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                println!("done move={}", moves[(chance >> 33) as usize % moves.len()]);
            }
            "quit" => break,
            _ => {}
        }
    }
}
