//! A league's file as it is written, before anything in it is checked.

use std::path::PathBuf;

use serde::Deserialize;

use super::keys::explain;
use super::{Format, LeagueError, Result};

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub name: String,
    pub variant: String,
    pub size: Option<u32>,
    pub time: Option<String>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub people_time: Option<String>,
    pub format: Format,
    pub rounds: Option<u32>,
    #[serde(default = "two")]
    pub games: u32,
    pub openings: Option<PathBuf>,
    pub openings_order: Option<String>,
    pub openings_from: Option<u32>,
    pub openings_cut: Option<u32>,
    pub random_plies: Option<u32>,
    pub sprt: Option<String>,
    pub sprt_alpha: Option<f64>,
    pub sprt_beta: Option<f64>,
    pub sprt_model: Option<String>,
    #[serde(default)]
    pub forfeit: bool,
    pub on_late: Option<String>,
    pub on_illegal: Option<String>,
    pub grace: Option<String>,
    pub clock: Option<String>,
    pub max_plies: Option<u32>,
    pub adjudicate_win: Option<String>,
    pub adjudicate_draw: Option<String>,
    #[serde(default)]
    pub adjudicate_tables: bool,
    #[serde(default)]
    pub ponder: bool,
    #[serde(default)]
    pub allow_failing: bool,
    #[serde(default)]
    pub seed: u64,
    #[serde(default = "one")]
    pub concurrency: usize,
    pub cores: Option<usize>,
    pub isolation: Option<String>,
    pub start_limit: Option<String>,
    pub new_game_limit: Option<String>,
    pub stop_limit: Option<String>,
    #[serde(default)]
    pub player: Vec<RawPlayer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlayer {
    pub name: Option<String>,
    pub plays: String,
    #[serde(default = "yes")]
    pub trusted: bool,
    pub version: Option<String>,
    #[serde(default)]
    pub withdrawn: bool,
    pub owner: Option<String>,
    pub time: Option<String>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    #[serde(default)]
    pub options: toml::Table,
    #[serde(default)]
    pub env: toml::Table,
    pub cores: Option<usize>,
    pub start_limit: Option<String>,
    pub new_game_limit: Option<String>,
    pub stop_limit: Option<String>,
}

fn one() -> usize {
    1
}

fn two() -> u32 {
    2
}

fn yes() -> bool {
    true
}

pub(super) fn raw(text: &str) -> Result<Raw> {
    toml::from_str(text).map_err(|error| LeagueError::File(explain(text, &error)))
}
