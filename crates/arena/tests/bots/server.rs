//! Our own side of the protocol, line by line.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use kingme_players::hub::{Info, Line, PlayerThinker, Task, Thinker, Thought, serve};
use kingme_players::{Minimax, RandomPlayer, TableShelf};
use kingme_rules::{Game, Variant};

use super::support::variant;

/// An engine that does not end by itself would take longer on any machine.
const AMPLE: Duration = Duration::from_secs(30);

/// A conversation with a server in a thread of its own.
struct Talk {
    input: Option<std::io::PipeWriter>,
    output: BufReader<std::io::PipeReader>,
    server: Option<JoinHandle<std::io::Result<()>>>,
}

impl Talk {
    fn with(thinker: impl Thinker + 'static, variant: &Variant) -> Talk {
        let (server_input, input) = pipe().unwrap();
        let (output, server_output) = pipe().unwrap();
        let variant = variant.clone();
        let server = std::thread::spawn(move || {
            serve(
                BufReader::new(server_input),
                server_output,
                &variant,
                thinker,
            )
        });
        Talk {
            input: Some(input),
            output: BufReader::new(output),
            server: Some(server),
        }
    }

    fn new() -> Talk {
        Talk::with(
            PlayerThinker::new(Box::new(Minimax::new(2))),
            &variant("international"),
        )
    }

    fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(lines.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Reads until a command comes.
    fn hear_until(&mut self, command: &str) -> String {
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "the server went away before `{command}`");
            if Line::new(&line).command() == command {
                return line;
            }
        }
    }

    fn check(&mut self, lines: &str, answer: &str) {
        self.say(lines);
        assert_eq!(self.hear(), answer);
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.input = None;
        let ended = self.server.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

const START: &str = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

#[test]
fn it_says_who_it_is() {
    let mut talk = Talk::new();
    talk.say("hub");
    assert!(talk.hear().starts_with("id name=minimax version="));
    let games = talk.hear();
    let line = Line::new(&games);
    assert_eq!(line.get("value"), Some("international"));
    let values: Vec<&str> = line.get("values").unwrap().split(' ').collect();
    for name in [
        "normal", "bt", "losing", "killer", "frisian", "russian", "league",
    ] {
        assert!(values.contains(&name), "{name}");
    }
    assert_eq!(talk.hear(), "param name=size value=10 type=int");
    assert_eq!(talk.hear(), "wait");
    talk.check("init", "ready");
}

#[test]
fn it_thinks_about_a_position_with_moves() {
    let mut talk = Talk::new();
    talk.say(&format!(
        "{START} moves=\"32-28 19-23\"\nlevel depth=1\ngo think"
    ));
    assert_eq!(talk.hear_until("done"), "done move=28x19x23");
}

#[test]
fn it_plays_every_game_by_name_and_size() {
    let mut talk = Talk::with(
        PlayerThinker::new(Box::new(RandomPlayer::new(1))),
        &variant("international"),
    );
    for name in Variant::names() {
        let start = kingme_players::hub::write_position(&variant(name).start());
        talk.say(&format!("set-param name=variant value={name}\nnew-game\npos pos={start}\nlevel depth=1\ngo think"));
        let done = talk.hear_until("done");
        let text = Line::new(&done).get("move").unwrap();
        assert!(
            kingme_players::hub::read_move(&variant(name).start(), text).is_ok(),
            "{name}: {text}"
        );
    }
    talk.say("set-param name=variant value=league\nset-param name=size value=4\npos pos=Wwweeeebb\ngo think");
    talk.hear_until("done");
}

#[test]
fn it_answers_pings_and_ignores_what_it_does_not_know() {
    let mut talk = Talk::new();
    talk.check(
        "make-tea sugar=2\n\nset-param name=sugar value=2\nping",
        "pong",
    );
}

#[test]
fn bytes_that_are_no_text_are_ignored() {
    let mut talk = Talk::new();
    talk.input
        .as_mut()
        .unwrap()
        .write_all(b"\xff\xfe\x00rubbish\n")
        .unwrap();
    talk.check("ping", "pong");
}

#[test]
fn errors_are_said_in_one_line() {
    let mut talk = Talk::new();
    talk.check("pos pos=W", "error message=\"a position of `international` has 50 squares after the side to move, not 0\"");
    talk.check(
        "go think",
        "error message=\"there is no position to think about\"",
    );
    talk.check(
        "set-param name=variant value=rusian",
        "error message=\"there is no game `rusian`; did you mean `russian`?\"",
    );
    talk.check(
        "set-param name=size value=7",
        "error message=\"`international` can be played on even sizes from 4 to 100, not 7\"",
    );
    talk.say(&format!("{START} moves=\"32-26\""));
    assert!(
        talk.hear()
            .starts_with("error message=\"`32-26` is not possible here; the moves are ")
    );
}

#[test]
fn our_engine_answers_with_its_line_and_its_guess() {
    let engine = "engine:level=10,hash=1"
        .parse::<kingme_players::PlayerSpec>()
        .unwrap();
    let thinker = engine.thinker(&variant("international"), 1, None).unwrap();
    let mut talk = Talk::with(thinker, &variant("international"));
    talk.say("hub");
    assert!(talk.hear().starts_with("id name=kingme version="));
    talk.hear_until("wait");
    talk.check(
        "set-param name=threads value=0\ninit",
        "error message=\"`threads` is a number from 1 to 256, not `0`\"",
    );
    assert_eq!(talk.hear(), "ready");
    talk.say(&format!(
        "new-game\n{START} moves=\"32-28\"\nlevel depth=5\ngo think"
    ));
    let info = talk.hear_until("info");
    for name in ["depth", "score", "nodes", "time", "pv"] {
        assert!(Line::new(&info).has(name), "{info}");
    }
    let done = talk.hear_until("done");
    assert!(Line::new(&done).has("ponder"), "{done}");
    talk.say(&format!("{START}\nlevel infinite\ngo analyze\nstop"));
    talk.hear_until("done");
    talk.say(&format!(
        "{START}\nlevel move-time=0.05\ngo ponder\nponder-hit"
    ));
    talk.hear_until("done");
}

/// Thinks until it is told to stop.
struct Endless;

impl Thinker for Endless {
    fn id(&self) -> (String, String) {
        ("Endless".to_owned(), "1".to_owned())
    }

    fn think(
        &mut self,
        game: &Game,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Thought> {
        report(&Info::default());
        let mut since = None;
        while !task.stop.is_requested() {
            if task.clock_runs() {
                let since = since.get_or_insert_with(Instant::now);
                let limit = task.limit.longest();
                if limit.is_some_and(|limit| since.elapsed() >= limit) {
                    break;
                }
            }
            std::thread::yield_now();
        }
        let best = game.legal_moves().swap_remove(0);
        let ponder = game.position().play_unchecked(&best).legal_moves().pop();
        Some(Thought { best, ponder })
    }
}

fn endless() -> Talk {
    Talk::with(Endless, &variant("international"))
}

#[test]
fn stop_ends_a_search_and_a_ping_does_not() {
    let mut talk = endless();
    talk.say(&format!("{START}\nlevel infinite\ngo analyze"));
    talk.hear_until("info");
    talk.check("ping", "pong");
    talk.say("stop");
    let done = talk.hear();
    assert!(Line::new(&done).has("ponder"), "{done}");
}

#[test]
fn a_limit_ends_a_search() {
    let mut talk = endless();
    talk.say(&format!("{START}\nlevel move-time=0.05\ngo think"));
    talk.hear_until("done");
}

#[test]
fn the_clock_runs_from_the_ponder_hit_on() {
    let mut talk = endless();
    talk.say(&format!(
        "{START} moves=\"32-28\"\nlevel move-time=0.02\ngo ponder"
    ));
    talk.hear_until("info");
    // Pondering goes on whatever the level says; a ping shows that nothing else was said.
    talk.check("ping", "pong");
    talk.say("ponder-hit");
    talk.hear_until("done");
}

#[test]
fn a_wrong_guess_is_stopped_and_the_next_search_begins() {
    let mut talk = endless();
    talk.say(&format!(
        "{START} moves=\"32-28\"\nlevel move-time=0.02\ngo ponder\nstop\n{START}\ngo think"
    ));
    talk.hear_until("done");
    talk.hear_until("done");
}

#[test]
fn without_a_position_the_start_is_meant() {
    let mut talk = Talk::new();
    talk.say("level depth=1\ngo think");
    talk.hear_until("done");
}

#[test]
fn limits_add_up_until_the_next_position() {
    let mut talk = endless();
    talk.say(&format!(
        "{START}\nlevel move-time=0.01\nlevel depth=50\ngo think"
    ));
    talk.hear_until("done");
    // The next position keeps them if there are no others, and forgets them otherwise.
    talk.say(&format!("{START}\ngo think"));
    talk.hear_until("done");
    talk.say(&format!("{START}\nlevel depth=50\ngo think"));
    talk.hear_until("info");
    talk.check("ping", "pong");
    talk.say("stop");
    talk.hear_until("done");
}

/// Breaks down when it thinks.
struct Broken;

impl Thinker for Broken {
    fn id(&self) -> (String, String) {
        ("Broken".to_owned(), "1".to_owned())
    }

    fn think(&mut self, _: &Game, _: &Task, _: &mut dyn FnMut(&Info)) -> Option<Thought> {
        panic!("on purpose")
    }
}

#[test]
fn who_breaks_down_still_moves() {
    let mut talk = Talk::with(Broken, &variant("international"));
    for _ in 0..2 {
        talk.say("go think");
        assert!(talk.hear().starts_with("error message="));
        talk.hear_until("done");
    }
}

/// Our engine with a small memory.
fn our_engine(game: &str) -> Talk {
    let spec: kingme_players::PlayerSpec = "engine:hash=1".parse().unwrap();
    let thinker = spec.thinker(&variant(game), 1, None).unwrap();
    Talk::with(thinker, &variant(game))
}

#[test]
fn our_engine_answers_in_time_whatever_the_level_is() {
    let mut talk = our_engine("international");
    for level in [
        "move-time=0",
        "move-time=-3",
        "move-time=0.001",
        "time=0",
        "time=-1 inc=0.01",
        "time=0.2",
        "time=0.2 inc=10",
        "moves=1 time=0.1",
        "moves=0 time=0.1",
        "moves=40 time=1",
        "depth=0",
        "nodes=0",
        "nodes=1",
        "depth=3 nodes=100000000 move-time=60",
        "depth=99999999999 move-time=0.01",
        "time=1e-9 inc=1e300 moves=4000000000",
    ] {
        talk.say(&format!("{START}\nlevel {level}\ngo think"));
        let asked = Instant::now();
        talk.hear_until("done");
        assert!(asked.elapsed() < AMPLE, "{level}");
    }
}

#[test]
fn our_engine_stops_at_once_and_ponders_until_it_is_told() {
    let mut talk = our_engine("international");
    for go in ["think", "ponder", "analyze"] {
        talk.say(&format!("{START}\nlevel infinite\ngo {go}"));
        talk.say("ping");
        talk.hear_until("pong");
        let asked = Instant::now();
        talk.say("stop");
        talk.hear_until("done");
        assert!(asked.elapsed() < AMPLE, "{go}");
    }
    talk.say(&format!("{START}\nlevel moves=1 time=0.05\ngo ponder"));
    std::thread::sleep(Duration::from_millis(100));
    talk.say("ping");
    talk.hear_until("pong");
    talk.say("ponder-hit");
    talk.hear_until("done");
}

#[test]
fn more_memory_than_there_is_does_no_harm() {
    let mut talk = our_engine("english");
    talk.say(
        "set-param name=hash value=1\nset-param name=threads value=2\nlevel depth=4\ngo think",
    );
    talk.hear_until("done");
    talk.check(
        "set-param name=hash value=99999999999",
        "error message=\"`hash` is a number from 1 to 1048576, not `99999999999`\"",
    );
    talk.check(
        "set-param name=tables value=maybe",
        "error message=\"`tables` is true or false, not `maybe`\"",
    );
}

#[test]
fn a_weaker_level_asks_no_tables_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = std::sync::Arc::new(TableShelf::new(folder.path().to_owned()));
    let small = variant("english").sized(6).unwrap();
    let spec: kingme_players::PlayerSpec = "engine:hash=1".parse().unwrap();
    let mut talk = Talk::with(spec.thinker(&small, 1, Some(shelf)).unwrap(), &small);
    // Two kings against one win, but not within the first ply.
    let won = "pos pos=WBeeeeeeeeeeeeeeeWW\nlevel depth=1\ngo think";
    let mut knows = |change: &str| {
        talk.say(&format!("{change}\n{won}"));
        let info = talk.hear_until("info");
        talk.hear_until("done");
        let score: f32 = Line::new(&info).get("score").unwrap().parse().unwrap();
        score > 100.0
    };
    assert!(knows("init"));
    assert!(!knows("set-param name=level value=9"));
    assert!(!knows("set-param name=level value=10"), "no game has begun");
    assert!(knows("new-game"));
    assert!(!knows("set-param name=tables value=false"));
    assert!(!knows("new-game"));
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let mut talk = endless();
    talk.say(&format!("{START}\nlevel infinite\ngo think"));
    talk.hear_until("info");
}
