//! Thinking on the opponent's time.

use std::time::{Duration, Instant};

use kingme_engine::Limit;
use kingme_play::Stop;
use kingme_players::hub::HubPlayer;
use kingme_players::{Player, Question, Sandbox};
use kingme_rules::{Game, Side};

use super::support::variant;

/// Expects 19-23 first and 14x23 then, and plays 28x19 only if it is told that it was right.
const BOT: &str = r#"asked=0
while read -r line; do
  case "$line" in
    hub) echo "id name=Ponders"; echo wait;;
    init) echo ready;;
    "go think")
      asked=$((asked + 1))
      case $asked in
        1) echo "done move=32-28 ponder=19-23";;
        *) echo "done move=33-28";;
      esac;;
    ponder-hit) echo "done move=28x19x23 ponder=14x23x19";;
    stop) echo "done move=1-1";;
    quit) exit;;
  esac
done"#;

fn choose(bot: &mut HubPlayer, game: &mut Game) -> String {
    let time = Duration::from_secs(20);
    let question = Question::new(Limit::move_time(time), Stop::new());
    let question = question.until(Some(Instant::now() + time));
    let answer = bot.choose(game, &question).unwrap();
    let mv = answer.reply.find(game.position()).unwrap();
    let text = game.position().move_text(&mv);
    game.play(&mv).unwrap();
    text
}

fn play(ponders: bool) -> Vec<String> {
    let command = ["sh", "-c", BOT].map(str::to_owned).to_vec();
    let mut bot = HubPlayer::new(command, Sandbox::default()).pondering(ponders);
    let mut game = Game::new(&variant("international"));
    bot.new_game(&game, Side::White).unwrap();
    let mut texts = vec![choose(&mut bot, &mut game)];
    game.play_text("19-23").unwrap();
    if ponders {
        texts.push(choose(&mut bot, &mut game));
    } else {
        game.play_text("28x19").unwrap();
    }
    // Not the capture that it expects.
    game.play_text("13x24").unwrap();
    texts.push(choose(&mut bot, &mut game));
    bot.end_game(&game, None);
    texts
}

#[test]
fn a_right_guess_is_a_hit_and_a_wrong_one_is_asked_anew() {
    assert_eq!(play(true), ["32-28", "28x19", "33-28"]);
    assert_eq!(play(false), ["32-28", "33-28"]);
}
