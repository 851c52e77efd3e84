//! What a league's file says of its players.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use kingme_play::duration;
use kingme_players::hub::Patience;
use kingme_players::{EngineOptions, PlayerSpec};

use super::identity::value_text;
use super::raw::{Raw, RawPlayer};
use super::settings::time;
use super::{Entry, LeagueError, Own, Result, wrong};

pub(super) fn players(raw: &Raw) -> Result<Vec<Entry>> {
    let mut names = HashSet::new();
    let mut players = Vec::new();
    for player in &raw.player {
        let name = player.name.clone().unwrap_or_else(|| player.plays.clone());
        let fault = |why: String| LeagueError::Player {
            name: name.clone(),
            why,
        };
        let plays: PlayerSpec = player
            .plays
            .parse()
            .map_err(|error| fault(format!("{error}")))?;
        let options = texts("options", &player.options).map_err(fault)?;
        let plays = plays
            .with_options(&options)
            .map_err(|error| fault(format!("`options`: {error}")))?;
        let own = own(player, &plays, raw).map_err(fault)?;
        if !names.insert(name.clone()) {
            return wrong(format!("two players are called `{name}`"));
        }
        players.push(Entry {
            name,
            plays,
            trusted: player.trusted,
            version: player.version.clone(),
            withdrawn: player.withdrawn,
            owner: player.owner.clone(),
            own,
        });
    }
    match players.len() {
        0 | 1 => wrong("a league needs two players at least"),
        _ => Ok(players),
    }
}

/// What a player has of its own.
fn own(player: &RawPlayer, plays: &PlayerSpec, raw: &Raw) -> std::result::Result<Own, String> {
    if !plays.is_process() && (player.cores.is_some() || !player.env.is_empty()) {
        let hint = "`env` and `cores` are for programs, `hub:…` and `python:…`; \
                    the engine has `options = { threads = 2 }`";
        return Err(hint.to_owned());
    }
    if player.cores == Some(0) {
        return Err("`cores = 0` leaves nothing to think with".to_owned());
    }
    let env = texts("env", &player.env)?;
    if let Some((name, _)) = env
        .iter()
        .find(|(name, value)| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0'))
    {
        return Err(format!("`env`: `{name}` can't be the name of a variable"));
    }
    Ok(Own {
        time: time(player.time.as_deref(), player.nodes, player.depth)?,
        env,
        cores: player.cores,
        patience: patience(player, raw)?,
    })
}

/// How long a program may take: as its player says, else as the league does.
fn patience(player: &RawPlayer, raw: &Raw) -> std::result::Result<Patience, String> {
    let usual = Patience::default();
    let limit = |key: &str, own: &Option<String>, all: &Option<String>, usual: Duration| {
        let Some(text) = own.as_ref().or(all.as_ref()) else {
            return Ok(usual);
        };
        let limit = duration(text).filter(|limit| !limit.is_zero());
        limit.ok_or_else(|| format!("`{key}`: `{text}` is no time; write 30s"))
    };
    Ok(Patience {
        start: limit(
            "start_limit",
            &player.start_limit,
            &raw.start_limit,
            usual.start,
        )?,
        new_game: limit(
            "new_game_limit",
            &player.new_game_limit,
            &raw.new_game_limit,
            usual.new_game,
        )?,
        stop: limit(
            "stop_limit",
            &player.stop_limit,
            &raw.stop_limit,
            usual.stop,
        )?,
        ..usual
    })
}

/// A table of names with texts, numbers or yes and no.
fn texts(key: &str, table: &toml::Table) -> std::result::Result<Vec<(String, String)>, String> {
    let text = |(name, value): (&String, &toml::Value)| match value {
        toml::Value::String(_)
        | toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_) => Ok((name.clone(), value_text(value))),
        _ => Err(format!(
            "`{key}`: `{name}` should be a text, a number, `true` or `false`"
        )),
    };
    table.iter().map(text).collect()
}

/// As many cores as the file says, or as the player needs who needs most.
pub(super) fn cores(raw: &Raw, players: &[Entry]) -> usize {
    let need = |player: &Entry| match player.own.cores {
        Some(own) if raw.ponder => 2 * own,
        Some(own) => own,
        None => PlayerSpec::cores([&player.plays; 2], raw.ponder),
    };
    let needs = players.iter().map(need).max().unwrap_or(1);
    raw.cores.unwrap_or(needs)
}

/// The same player, with the file of an engine's weights in a folder.
pub(super) fn with_weights_in(plays: &PlayerSpec, folder: &Path) -> PlayerSpec {
    let mut plays = plays.clone();
    if let PlayerSpec::Engine(EngineOptions {
        weights: Some(file),
        ..
    }) = &mut plays
    {
        *file = folder.join(&*file).to_string_lossy().into_owned();
    }
    plays
}

/// Whether what a player needs is there.
pub(super) fn find_program(spec: &PlayerSpec, folder: &Path) -> std::result::Result<(), String> {
    match spec {
        PlayerSpec::Hub { command, .. } => {
            let program = &command[0];
            let is_there = if program.contains('/') {
                folder.join(program).exists()
            } else {
                let folders = std::env::var_os("PATH").unwrap_or_default();
                std::env::split_paths(&folders).any(|folder| folder.join(program).exists())
            };
            is_there
                .then_some(())
                .ok_or_else(|| format!("there is no program `{program}`"))
        }
        _ => match spec.file() {
            Some(file) if !folder.join(file).exists() => Err(format!("there is no file `{file}`")),
            _ => Ok(()),
        },
    }
}
