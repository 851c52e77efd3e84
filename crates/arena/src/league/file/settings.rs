//! What a league's file says of all games: the game, time, policy, openings, test.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use kingme_play::{Policy, TimeControl, duration};
use kingme_players::Isolation;
use kingme_rules::variant::Definition;
use kingme_rules::{Board, Variant};

use super::raw::Raw;
use super::{Format, LeagueError, Result, wrong};
use crate::stats::Sprt;
use crate::{BookCut, Openings, read_file, sha256};

/// The text of the file that `variant` names, if it names one.
pub(super) fn variant_text(raw: &Raw, folder: &Path) -> Result<Option<String>> {
    if Path::new(&raw.variant).extension().is_none() {
        return Ok(None);
    }
    let path = folder.join(&raw.variant);
    let text = read_file(&path, Definition::MOST_BYTES + 1);
    text.map(Some)
        .map_err(|error| LeagueError::File(format!("`variant`: {}: {error}", path.display())))
}

pub(super) fn variant(raw: &Raw, text: Option<&str>) -> Result<Variant> {
    let file = |error: &dyn std::fmt::Display| LeagueError::File(format!("`variant`: {error}"));
    let variant = match text {
        Some(text) => Variant::from_toml(text).map_err(|error| file(&error.faults[0]))?,
        None => Variant::named(&raw.variant).map_err(|error| file(&error))?,
    };
    match raw.size {
        Some(size) => variant
            .sized(size)
            .map_err(|error| LeagueError::File(format!("`size`: {error}"))),
        None => Ok(variant),
    }
}

/// What a player may use, if it is said.
pub(super) fn time(
    time: Option<&str>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> std::result::Result<Option<TimeControl>, String> {
    let nothing = |what: &str| Err(format!("`{what} = 0` leaves nothing to think with"));
    match (time, nodes, depth) {
        (Some(text), None, None) => text
            .parse()
            .map(Some)
            .map_err(|error| format!("`time`: {error}")),
        (None, Some(0), None) => nothing("nodes"),
        (None, Some(nodes), None) => Ok(Some(TimeControl::Nodes(nodes))),
        (None, None, Some(0)) => nothing("depth"),
        (None, None, Some(depth)) => Ok(Some(TimeControl::Depth(depth))),
        (None, None, None) => Ok(None),
        _ => Err("give one of `time`, `nodes` and `depth`".to_owned()),
    }
}

/// What all programs may use.
pub(super) fn league_time(raw: &Raw) -> Result<TimeControl> {
    let time = time(raw.time.as_deref(), raw.nodes, raw.depth).map_err(LeagueError::File)?;
    let missing = "there is no `time`; write `time = \"1s\"`, or `nodes` or `depth`";
    time.map_or_else(|| wrong(missing), Ok)
}

pub(super) fn people_time(raw: &Raw) -> Result<TimeControl> {
    match &raw.people_time {
        None => Ok(TimeControl::Free),
        Some(text) => text
            .parse()
            .map_err(|error| LeagueError::File(format!("`people_time`: {error}"))),
    }
}

pub(super) fn policy(raw: &Raw, board: &Board) -> Result<Policy> {
    let mut policy = if raw.forfeit {
        Policy::strict()
    } else {
        Policy::lenient()
    };
    if let Some(late) = parsed("on_late", raw.on_late.as_deref())? {
        policy.late = late;
    }
    if let Some(illegal) = parsed("on_illegal", raw.on_illegal.as_deref())? {
        policy.illegal = illegal;
    }
    if let Some(grace) = &raw.grace {
        policy.grace = grace_time(grace)?;
    }
    policy.measure = parsed("clock", raw.clock.as_deref())?.unwrap_or_default();
    let plies = raw.max_plies;
    policy.ply_limit = Some(plies.unwrap_or_else(|| Policy::usual_ply_limit(board)));
    policy.adjudication.win = parsed("adjudicate_win", raw.adjudicate_win.as_deref())?;
    policy.adjudication.draw = parsed("adjudicate_draw", raw.adjudicate_draw.as_deref())?;
    Ok(policy)
}

fn parsed<T: FromStr<Err = String>>(key: &str, text: Option<&str>) -> Result<Option<T>> {
    text.map(str::parse)
        .transpose()
        .map_err(|error| LeagueError::File(format!("`{key}`: {error}")))
}

fn grace_time(text: &str) -> Result<Duration> {
    duration(text)
        .ok_or_else(|| LeagueError::File(format!("`grace`: `{text}` is no time; write 50ms")))
}

/// Where games begin, and the SHA-256 of the file of openings, if there is one.
pub(super) fn openings(raw: &Raw, variant: &Variant, folder: &Path) -> Result<(Openings, String)> {
    let cut = book_cut(raw)?;
    match (&raw.openings, raw.random_plies) {
        (Some(_), Some(_)) => wrong("give one of `openings` and `random_plies`"),
        (None, _) if cut != BookCut::default() => {
            wrong("`openings_order`, `openings_from` and `openings_cut` need `openings`")
        }
        (None, None) => Ok((Openings::Start, String::new())),
        (None, Some(plies)) => Ok((Openings::Random { plies }, String::new())),
        (Some(path), None) => {
            let path = folder.join(path);
            let fault = |error: String| {
                LeagueError::File(format!("`openings`: {}: {error}", path.display()))
            };
            let text = std::fs::read_to_string(&path).map_err(|error| fault(error.to_string()))?;
            let openings = Openings::read(&text, variant).and_then(|book| book.cut(cut, raw.seed));
            let openings = openings.map_err(|error| fault(error.to_string()))?;
            Ok((openings, sha256(text.as_bytes())))
        }
    }
}

fn book_cut(raw: &Raw) -> Result<BookCut> {
    Ok(BookCut {
        order: parsed("openings_order", raw.openings_order.as_deref())?.unwrap_or_default(),
        from: raw.openings_from.unwrap_or(0),
        plies: raw.openings_cut,
    })
}

/// The test that ends a league.
pub(super) fn sprt(raw: &Raw) -> Result<Option<Sprt>> {
    let Some(bounds) = &raw.sprt else {
        let others = [
            raw.sprt_alpha.is_some(),
            raw.sprt_beta.is_some(),
            raw.sprt_model.is_some(),
        ];
        if others.contains(&true) {
            return wrong(
                "`sprt_alpha`, `sprt_beta` and `sprt_model` need `sprt`, as in `sprt = \"0,5\"`",
            );
        }
        return Ok(None);
    };
    let is_gauntlet = raw.format == Format::Gauntlet;
    let is_duel = raw.format == Format::RoundRobin && raw.player.len() == 2;
    if !is_gauntlet && !is_duel {
        return wrong("`sprt` is for a gauntlet, or for a round robin of two players");
    }
    if raw.games % 2 == 1 {
        return wrong("`sprt` counts pairs of games; `games` should be even");
    }
    let fault = |error: String| LeagueError::File(format!("`sprt`: {error}"));
    let bounds: Sprt = bounds.parse().map_err(|error| fault(format!("{error}")))?;
    let test = Sprt {
        alpha: raw.sprt_alpha.unwrap_or(bounds.alpha),
        beta: raw.sprt_beta.unwrap_or(bounds.beta),
        model: parsed("sprt_model", raw.sprt_model.as_deref())?.unwrap_or_default(),
        ..bounds
    };
    test.check().map_err(fault)?;
    Ok(Some(test))
}

pub(super) fn isolation(raw: &Raw) -> Result<Isolation> {
    match &raw.isolation {
        None => Ok(Isolation::Landlock),
        Some(word) => word
            .parse()
            .map_err(|error| LeagueError::File(format!("`isolation`: {error}"))),
    }
}
