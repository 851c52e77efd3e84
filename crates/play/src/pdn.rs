//! Games in play as PDN, with times and scores.

use std::time::{Duration, SystemTime};

use kingme_rules::Side;
use kingme_rules::pdn::{PdnGame, ResultToken, Tag, from_game};

use crate::{ChosenBy, EndReason, Ply, Session};

/// What a session does not know by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The match or league.
    pub event: String,
    /// The round, or the number of the game.
    pub round: String,
    /// The players' names, White's and Black's.
    pub players: [String; 2],
    /// When it was played.
    pub date: Option<SystemTime>,
    /// The time control, in words.
    pub time: String,
    /// What White's and Black's programs are, where they are programs.
    pub programs: [Program; 2],
}

/// What a program is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// What it says it is, as in `Scan 3.1`; empty if it says nothing.
    pub version: String,
    /// The SHA-256 of its file, or of the weights it plays with; empty if nobody knows.
    pub hash: String,
}

/// A session as PDN. Every move has its time in `[%emt …]`, what its clock shows in `[%clk …]`, its
/// score in `[%eval …]`, the depth and the positions it took in `[%depth …]` and `[%nodes …]`, the
/// moves that were expected in `[%pv …]`, and what went wrong in plain words.
pub fn to_pdn(session: &Session, heading: &Heading) -> PdnGame {
    let [white, black] = &heading.programs;
    let mut tags = vec![
        Tag::new("Event", heading.event.as_str()),
        Tag::new(
            "Date",
            heading.date.map_or_else(|| "????.??.??".to_owned(), date),
        ),
        Tag::new("Round", heading.round.as_str()),
        Tag::new("White", heading.players[Side::White].as_str()),
        Tag::new("Black", heading.players[Side::Black].as_str()),
        Tag::new("Result", result(session).as_str()),
        Tag::new("TimeControl", heading.time.as_str()),
        Tag::new(
            "Termination",
            session.end().map_or("", |end| end.reason.word()),
        ),
        Tag::new("WhiteVersion", white.version.as_str()),
        Tag::new("WhiteHash", white.hash.as_str()),
        Tag::new("BlackVersion", black.version.as_str()),
        Tag::new("BlackHash", black.hash.as_str()),
    ];
    tags.retain(|tag| !tag.value.is_empty());
    let mut pdn = from_game(session.game(), tags);
    // The plies of the opening come first and have no record.
    let opening = pdn.moves.len().saturating_sub(session.plies().len());
    for (node, (_, ply)) in pdn.moves[opening..].iter_mut().zip(session.plies()) {
        node.comments.extend(comment(ply));
    }
    pdn.comments
        .extend(session.end().map(|end| end.words.clone()));
    pdn
}

fn result(session: &Session) -> ResultToken {
    match session.end() {
        Some(end) if end.reason != EndReason::Aborted => {
            ResultToken::won_by(session.game().variant(), end.winner)
        }
        _ => ResultToken::unfinished(),
    }
}

fn comment(ply: &Ply) -> Option<String> {
    let mut words = Vec::new();
    words.extend(ply.time.map(|time| format!("[%emt {}]", clock(time))));
    words.extend(ply.clock.map(|left| format!("[%clk {}]", clock(left))));
    words.extend(ply.score.map(|score| format!("[%eval {score:.2}]")));
    words.extend(ply.depth.map(|depth| format!("[%depth {depth}]")));
    words.extend(ply.nodes.map(|nodes| format!("[%nodes {nodes}]")));
    words.extend(ply.line.as_deref().map(expected));
    if let Some(incident) = &ply.incident {
        let instead = match ply.by {
            ChosenBy::Player => "",
            ChosenBy::Suggestion => ", last suggestion played",
            ChosenBy::Referee if ply.text.is_none() => ", turn passed",
            ChosenBy::Referee => ", random move",
        };
        words.push(format!(
            "{}: {}{instead}",
            incident.reason,
            incident.words.replace(['{', '}'], "")
        ));
    }
    (!words.is_empty()).then(|| words.join(" "))
}

/// A line in a player's own notation, in which nothing ends the comment.
fn expected(line: &str) -> String {
    format!("[%pv {}]", line.replace(['{', '}', '[', ']'], ""))
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!(
        "{hours}:{minutes:02}:{:02}.{:03}",
        seconds % 60,
        time.subsec_millis()
    )
}

/// The day and the minute in UTC, as in `2026-11-18 10:30`.
pub fn minute(time: SystemTime) -> String {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let minutes = since.as_secs() / 60;
    let day = date(time).replace('.', "-");
    format!("{day} {:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// The day in UTC, as PDN writes it.
fn date(time: SystemTime) -> String {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let (year, month, day) = civil((since.as_secs() / 86_400) as i64);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Year, month and day of a number of days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years that begin in March have their leap day last; eras of 400 years are all alike.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(951_827_730);
        assert_eq!(minute(time), "2000-02-29 12:35");
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_772), (2026, 11, 15));
    }

    #[test]
    fn times_have_hours_and_milliseconds() {
        assert_eq!(clock(Duration::from_millis(3_723_004)), "1:02:03.004");
    }
}
