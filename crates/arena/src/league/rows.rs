//! What the rows of a log say.

use std::time::{Duration, SystemTime};

use kingme_data::{DataError, Row};
use kingme_play::{End, EndReason, Event, Moment, Seat, Session, Terms, read_ply};
use kingme_rules::{Side, Variant};

use super::incidents::{GameIncident, incidents};
use super::lines::{play_opening, winner};
use super::{Finished, LoggedGame};

/// What a result is read from.
pub(super) const RESULT: &str = "id, number, round, white, black, winner, reason, count";
/// What a whole game is read from.
pub(super) const GAME: &str =
    "id, number, round, white, black, winner, reason, count, began, words, opening, plies, ended";
/// What went wrong in a game is read from this.
pub(super) const INCIDENTS: &str = "id, number, white, black, opening, plies";

/// What went wrong in a game.
pub(super) fn went_wrong(row: &Row) -> Result<Vec<GameIncident>, DataError> {
    let players = [row.get::<i64>(2)?, row.get(3)?].map(|player| player as usize);
    let number = row.get::<i64>(1)? as u64;
    let (opening, plies): (String, String) = (row.get(4)?, row.get(5)?);
    Ok(incidents(number, players, &opening, &plies))
}

/// A result, with the stretch of the league that its row is in.
pub(super) fn finished(row: &Row, eras: &[(u32, i64)]) -> Result<Finished, DataError> {
    let id: i64 = row.get(0)?;
    let begun = eras.partition_point(|(_, after)| *after < id);
    let letter: Option<String> = row.get(5)?;
    Ok(Finished {
        game: row.get::<i64>(1)? as u64,
        round: row.get(2)?,
        players: [row.get::<i64>(3)? as usize, row.get::<i64>(4)? as usize],
        white_score: match letter.as_deref().and_then(winner) {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        },
        reason: reason(row, 6)?,
        plies: row.get(7)?,
        era: begun.checked_sub(1).map_or(0, |index| eras[index].0),
    })
}

fn reason(row: &Row, column: usize) -> Result<EndReason, DataError> {
    let word: String = row.get(column)?;
    word.parse().map_err(DataError::Unreadable)
}

/// A whole game; `None` if its text does not fit its rules.
pub(super) fn logged(
    row: &Row,
    variant: &Variant,
    eras: &[(u32, i64)],
) -> Result<Option<LoggedGame>, DataError> {
    let finished = finished(row, eras)?;
    let letter: Option<String> = row.get(5)?;
    let (began, words): (i64, String) = (row.get(8)?, row.get(9)?);
    let (opening, lines): (String, String) = (row.get(10)?, row.get(11)?);
    let end = End {
        winner: letter.as_deref().and_then(winner),
        reason: finished.reason,
        words,
    };
    let ended: i64 = row.get(12)?;
    let session = replay(variant, &opening, lines.lines(), Some(end));
    Ok(session.map(|session| LoggedGame {
        finished,
        began: time(began),
        ended: time(ended),
        session,
    }))
}

/// A game as its lines tell it; `None` if they don't fit its rules.
pub(super) fn replay<'l>(
    variant: &Variant,
    opening: &str,
    lines: impl Iterator<Item = &'l str>,
    end: Option<End>,
) -> Option<Session> {
    let seats = [Seat::Open, Seat::Open];
    let mut session = Session::new(play_opening(variant, opening)?, seats, Terms::default());
    for line in lines {
        play_line(&mut session, line)?;
    }
    if let Some(end) = end {
        session.apply(&Event::Ended(end), Moment::ZERO).ok()?;
    }
    Some(session)
}

/// Plays the turn of a line.
pub(super) fn play_line(session: &mut Session, line: &str) -> Option<()> {
    let event = Event::Turn(read_ply(line)?);
    session.apply(&event, Moment::ZERO).ok()
}

/// A moment from milliseconds since 1970.
pub(super) fn time(at: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(at.max(0) as u64)
}
