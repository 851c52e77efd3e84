//! A game at this terminal: a session, the time that passes here, and what was taken back.

use std::time::{Duration, Instant};

use kingme_arena::ruling;
use kingme_play::{
    Answer, By, Chance, ChosenBy, Clock, Command, End, Event, Moment, Ply, Policy, Refusal, Reply,
    Seat, Session, Terms, TimeControl,
};
use kingme_players::PlayerFault;
use kingme_rules::{Game, Move, Position, Side, Turn};

/// A game that is played at this terminal.
#[derive(Clone, Debug)]
pub struct LocalGame {
    session: Session,
    undone: Vec<Turn>,
    moves_before: usize,
    began: Instant,
}

impl LocalGame {
    /// A game, new or begun, without a limit of time.
    pub fn new(game: Game) -> LocalGame {
        LocalGame {
            session: session(game, TimeControl::Free),
            undone: Vec::new(),
            moves_before: 0,
            began: Instant::now(),
        }
    }

    /// The same with full clocks.
    #[must_use]
    pub fn with_time(self, time: TimeControl) -> LocalGame {
        LocalGame {
            session: session(self.session.game().clone(), time),
            ..self
        }
    }

    /// The same with so much left on the clocks.
    #[must_use]
    pub fn with_left(self, left: [Duration; 2]) -> LocalGame {
        let clock = Clock::new(self.session.terms().time).with_left(left);
        LocalGame {
            session: self.session.with_clock(clock),
            ..self
        }
    }

    /// The same, where so many moves were made before the game's first position.
    #[must_use]
    pub fn after(self, moves_before: usize) -> LocalGame {
        LocalGame {
            moves_before,
            ..self
        }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// How it stands.
    pub fn position(&self) -> &Position {
        self.session.position()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.session.turn()
    }

    /// How many moves were completed; forfeited turns are none.
    pub fn moves_made(&self) -> usize {
        self.moves_before + self.game().moves().count()
    }

    /// How many of them were made before the last turn that was forfeited.
    pub fn moves_before(&self) -> usize {
        self.moves_made() - self.game().since_pass().1.count()
    }

    /// How the game ended, if it did.
    pub fn end(&self) -> Option<&End> {
        self.session.end()
    }

    /// How the clocks run.
    pub fn time(&self) -> TimeControl {
        self.session.terms().time[Side::White]
    }

    /// Whether time is limited.
    pub fn has_clock(&self) -> bool {
        matches!(self.time(), TimeControl::Move(_) | TimeControl::Game { .. })
    }

    /// What a side has left, for a move or for the game; `None` if there is no limit.
    pub fn left(&self, side: Side, at: Instant) -> Option<Duration> {
        self.session.clock().left(side, self.moment(at))
    }

    fn moment(&self, at: Instant) -> Moment {
        at.saturating_duration_since(self.began)
    }

    /// The clock of the side to move runs from now on.
    pub fn start_clock(&mut self, at: Instant) {
        self.session.start_clock(self.moment(at));
    }

    /// When the side to move has used up its time.
    pub fn deadline(&self) -> Option<Instant> {
        let (_, moment) = self.session.clock().runs_out()?;
        self.began.checked_add(moment)
    }

    /// Whether the side to move has used up its time.
    pub fn is_late(&self, at: Instant) -> bool {
        self.deadline().is_some_and(|deadline| at >= deadline)
    }

    fn apply(&mut self, event: &Event, at: Instant) {
        let applied = self.session.apply(event, self.moment(at));
        debug_assert!(applied.is_ok(), "an event that was decided on fits");
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If it is not legal, or too late.
    pub fn play(&mut self, mv: &Move, at: Instant) -> Result<(), Refusal> {
        let answer = Answer::new(Reply::Move(mv.clone()));
        let by = By::Side(self.turn());
        let command = Command::Answer(answer);
        let event = self.session.decide(by, command, self.moment(at))?;
        self.apply(&event, at);
        // To play again what was taken back is to redo it.
        if self.undone.last().and_then(Turn::as_move) == Some(mv) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// The side to move has used up its time: it loses, or any move is played for it. That move.
    pub fn run_out(&mut self, chance: &mut Chance, at: Instant) -> Option<String> {
        let event = self.session.out_of_time(chance, self.moment(at));
        self.apply_turn(&event, at)
    }

    /// Does what a program's answer leads to. Its name and what went wrong, if the move is not its
    /// own.
    pub fn answered(
        &mut self,
        answer: &Result<Answer, PlayerFault>,
        suggestion: Option<&Answer>,
        chance: &mut Chance,
        at: Instant,
    ) -> Option<String> {
        let now = self.moment(at);
        let event = ruling(&self.session, answer, suggestion, chance, now)?;
        self.apply_turn(&event, at);
        let Event::Turn(Ply {
            by: ChosenBy::Referee,
            incident: Some(incident),
            ..
        }) = event
        else {
            return None;
        };
        Some(incident.words)
    }

    fn apply_turn(&mut self, event: &Event, at: Instant) -> Option<String> {
        self.apply(event, at);
        let Event::Turn(_) = event else { return None };
        self.undone.clear();
        self.game().move_texts().pop()
    }

    /// Takes back to the last turn of a side that may choose again, and with it any resignation;
    /// `false` if it never had one.
    pub fn undo_to(&mut self, may_choose: impl Fn(Side) -> bool, at: Instant) -> bool {
        let played = self.game().plies();
        let turn_after = |plies: usize| self.game().position_after(plies).map(Position::turn);
        let back = (0..played)
            .rev()
            .find(|&plies| turn_after(plies).is_some_and(&may_choose));
        let Some(first) = back else {
            return false;
        };
        let undone: Vec<Turn> = self.game().turns()[first..].to_vec();
        self.undone.extend(undone.into_iter().rev());
        let plies = played - first;
        self.apply(&Event::TakenBack { plies }, at);
        true
    }

    /// Plays again what was taken back, up to the next turn of a side that may choose; `false` if
    /// there is nothing.
    pub fn redo_to(&mut self, may_choose: impl Fn(Side) -> bool, at: Instant) -> bool {
        let redone = self.redo(at);
        while redone && !may_choose(self.turn()) && self.redo(at) {}
        redone
    }

    fn redo(&mut self, at: Instant) -> bool {
        match self.undone.last().cloned() {
            Some(Turn::Move(mv)) => self.play(&mv, at).is_ok(),
            Some(Turn::Pass) => {
                self.undone.pop();
                self.pass(at)
            }
            None => false,
        }
    }

    /// The side to move forfeits its turn; `false` where nobody can.
    pub fn pass(&mut self, at: Instant) -> bool {
        match self.session.pass(self.moment(at)) {
            Ok(event) => {
                self.apply(&event, at);
                true
            }
            Err(_) => false,
        }
    }

    /// A side gives up, if the game is not over.
    pub fn resign(&mut self, side: Side, at: Instant) {
        let command = Command::Answer(Answer::new(Reply::Resign));
        let decided = self
            .session
            .decide(By::Side(side), command, self.moment(at));
        if let Ok(event) = decided {
            self.apply(&event, at);
        }
    }
}

/// Everybody here is at the same screen: whatever is wanted is done.
fn session(game: Game, time: TimeControl) -> Session {
    let person = Seat::Person {
        player: 0,
        name: String::new(),
    };
    let terms = Terms {
        time: [time; 2],
        policy: Policy::patient(time),
        ..Terms::default()
    };
    Session::new(game, [person.clone(), person], terms)
}

#[cfg(test)]
mod tests {
    use kingme_rules::Variant;

    use super::*;

    fn game(name: &str) -> LocalGame {
        LocalGame::new(Game::new(&Variant::named(name).unwrap()))
    }

    fn play(game: &mut LocalGame, text: &str) {
        let mv = game.position().find_move(text).unwrap();
        game.play(&mv, Instant::now()).unwrap();
    }

    fn undo(game: &mut LocalGame) -> bool {
        game.undo_to(|_| true, Instant::now())
    }

    fn redo(game: &mut LocalGame) -> bool {
        game.redo_to(|_| true, Instant::now())
    }

    #[test]
    fn a_move_taken_back_can_be_played_again() {
        let mut game = game("english");
        play(&mut game, "11-15");
        play(&mut game, "22-18");
        assert!(undo(&mut game) && undo(&mut game) && !undo(&mut game));
        assert!(redo(&mut game));
        play(&mut game, "22-18");
        assert!(!redo(&mut game));
        assert_eq!(game.game().move_texts(), ["11-15", "22-18"]);
    }

    #[test]
    fn another_move_forgets_what_was_taken_back() {
        let mut game = game("english");
        play(&mut game, "11-15");
        undo(&mut game);
        play(&mut game, "11-16");
        assert!(!redo(&mut game));
    }

    #[test]
    fn a_forfeited_turn_is_no_move_and_can_be_taken_back() {
        let mut game = game("stupid-checkers");
        play(&mut game, "B2-B6");
        assert!(game.pass(Instant::now()));
        assert_eq!((game.turn(), game.moves_made()), (Side::White, 1));
        assert_eq!(game.moves_before(), 1);
        assert!(undo(&mut game) && redo(&mut game));
        assert_eq!((game.turn(), game.moves_made()), (Side::White, 1));
    }

    #[test]
    fn who_resigns_loses_and_may_think_better_of_it() {
        let mut game = game("english");
        play(&mut game, "11-15");
        game.resign(Side::Black, Instant::now());
        let end = game.end().unwrap();
        assert_eq!(end.winner, Some(Side::White));
        assert_eq!(end.words, "White wins: Black resigns.");
        assert!(undo(&mut game));
        assert_eq!(game.end(), None);
    }

    /// What a program's answer comes to: the move, and what is said of it.
    fn answer(answer: Result<Reply, PlayerFault>) -> (Vec<String>, Option<String>) {
        let mut game = game("english");
        let answer = answer.map(Answer::new);
        let note = game.answered(&answer, None, &mut Chance::new(1), Instant::now());
        (game.game().move_texts(), note)
    }

    #[test]
    fn an_answer_in_words_is_as_good_as_a_move() {
        let (moves, note) = answer(Ok(Reply::Text("11-15".to_owned())));
        assert_eq!((moves, note), (vec!["11-15".to_owned()], None));
    }

    #[test]
    fn a_wrong_answer_gets_a_random_move() {
        let (moves, note) = answer(Ok(Reply::Text("1-5".to_owned())));
        assert_eq!(moves.len(), 1);
        let words = "1-5 is not possible: the man on 1 can't move";
        assert_eq!(note.as_deref(), Some(words));
        let (moves, note) = answer(Err(PlayerFault::Crashed("why".to_owned())));
        assert_eq!((moves.len(), note.as_deref()), (1, Some("crashed: why")));
    }

    #[test]
    fn an_interrupted_program_plays_nothing() {
        assert_eq!(answer(Err(PlayerFault::Interrupted)), (vec![], None));
    }
}
