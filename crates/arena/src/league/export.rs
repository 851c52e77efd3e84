//! A league's games and table as files for others: PDN, CSV, JSON and a page.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::str::FromStr;

use kingme_play::{Heading, to_pdn};
use kingme_rules::{Game, Position, Turn, pdn};
use serde_json::{Value, json};

use super::page;
use super::{
    Finished, History, LeagueError, LeagueFile, LoggedGame, Reader, Round, Stage, Standings,
    Written, tournament,
};

/// What a league is exported as.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// All games, with times and scores.
    Pdn,
    /// A line for each game.
    Csv,
    /// The table and the games.
    Json,
    /// One page with everything in it.
    Html,
    /// A tournament report file of a Swiss, TRF16, for arbiters' programs.
    Trf,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Format, String> {
        match word {
            "pdn" => Ok(Format::Pdn),
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::Json),
            "html" => Ok(Format::Html),
            "trf" => Ok(Format::Trf),
            _ => Err(format!("`{word}` is none of pdn, csv, json, html and trf")),
        }
    }
}

/// Writes a league, game by game.
///
/// # Errors
///
/// If the log can't be read, or the output can't be written.
pub fn export(reader: &mut Reader, format: Format, out: &mut dyn Write) -> Result<(), LeagueError> {
    let written = match format {
        Format::Pdn => {
            let history = reader.history()?;
            each(reader, out, &mut |file, game, out| {
                let heading = heading(file, &history, game);
                out.write_all(pdn::to_text(&to_pdn(&game.session, &heading)).as_bytes())
            })?
        }
        Format::Csv => {
            let head = out.write_all(b"game,round,white,black,score,reason,plies,words\n");
            head.and(each(reader, out, &mut csv)?)
        }
        Format::Json => json_text(reader, out, &mut |_, value| value)?,
        Format::Html => {
            let [before, after] = page::around(reader.league());
            let head = out.write_all(before.as_bytes());
            let (file, bots) = (reader.league().clone(), reader.bots_path());
            let mut written = Written::new(&bots);
            let mut on_page = |game: &LoggedGame, mut value: Value| {
                value["steps"] = page::steps(game);
                page::add_written(&file, game, &mut written, &mut value);
                value
            };
            let script = &mut page::InScript(out);
            let data = head.and(json_text(reader, script, &mut on_page)?);
            data.and_then(|()| out.write_all(after.as_bytes()))
        }
        Format::Trf => out.write_all(trf(reader)?.as_bytes()),
    };
    written.map_err(|error| LeagueError::File(format!("the export can't be written: {error}")))
}

/// A Swiss as a tournament report file.
fn trf(reader: &mut Reader) -> Result<String, LeagueError> {
    let (results, history) = (reader.results()?, reader.history()?);
    let file = reader.league();
    if file.format != super::Format::Swiss {
        return Err(LeagueError::File(format!(
            "a TRF file is for a Swiss, and this league is a {}",
            file.format.word()
        )));
    }
    Ok(tournament(file, &history.rounds, &results).to_trf())
}

type Writing<'a> = dyn FnMut(&LeagueFile, &LoggedGame, &mut dyn Write) -> io::Result<()> + 'a;

/// Hands every game on, until the output fails.
fn each(
    reader: &Reader,
    out: &mut dyn Write,
    write: &mut Writing,
) -> Result<io::Result<()>, LeagueError> {
    let mut written = Ok(());
    reader.games(&mut |game| {
        if written.is_ok() {
            written = write(reader.league(), &game, out);
        }
    })?;
    Ok(written)
}

fn heading(file: &LeagueFile, history: &History, game: &LoggedGame) -> Heading {
    Heading {
        event: file.name.clone(),
        round: format!("{}.{}", game.finished.round, game.finished.game),
        players: game
            .finished
            .players
            .map(|player| file.players[player].name.clone()),
        date: Some(game.began),
        time: times(file, game),
        programs: game
            .finished
            .players
            .map(|player| history.program_at(player, game.ended)),
    }
}

/// What the players could use: White's and Black's, if one of them has a time of its own.
fn times(file: &LeagueFile, game: &LoggedGame) -> String {
    let players = game.finished.players.map(|player| &file.players[player]);
    if players.iter().all(|player| player.own.time.is_none()) {
        return file.time.to_string();
    }
    let [white, black] = players.map(|player| file.time_of(player));
    format!("White {white}, Black {black}")
}

fn csv(file: &LeagueFile, game: &LoggedGame, out: &mut dyn Write) -> io::Result<()> {
    let finished = &game.finished;
    let [white, black] = finished
        .players
        .map(|player| quoted(&file.players[player].name));
    writeln!(
        out,
        "{},{},{white},{black},{},{},{},{}",
        finished.game,
        finished.round,
        finished.white_score,
        finished.reason,
        finished.plies,
        quoted(end_words(game))
    )
}

fn end_words(game: &LoggedGame) -> &str {
    game.session.end().map_or("", |end| &end.words)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// All of a league as one object; `finish` adds to each game what a screen needs to show it. The
/// games are many and come last, one a line, and are never all in memory.
fn json_text(
    reader: &mut Reader,
    out: &mut dyn Write,
    finish: &mut dyn FnMut(&LoggedGame, Value) -> Value,
) -> Result<io::Result<()>, LeagueError> {
    let results = reader.results()?;
    let history = reader.history()?;
    let table = Standings::new(reader.league(), &history, &results);
    let mut head = summary(reader.league(), &table);
    let rounds = history.rounds.iter();
    head["rounds"] = rounds.map(|round| round_json(round, &results)).collect();
    let head = head.to_string();
    // The object stays open for the games.
    let mut written = write!(
        out,
        "{},\"games\":[",
        head.strip_suffix("}").unwrap_or(&head)
    );
    let mut separator = "\n";
    written = written.and(each(reader, out, &mut |_, game, out| {
        write!(out, "{separator}{}", finish(game, game_json(game)))?;
        separator = ",\n";
        Ok(())
    })?);
    Ok(written.and_then(|()| out.write_all(b"\n]}\n")))
}

fn summary(file: &LeagueFile, table: &Standings) -> Value {
    json!({
        "name": file.name,
        "variant": file.variant.name(),
        "time": file.time.to_string(),
        "board": page::board(file),
        "first_move": { "elo": table.first_move.elo, "error": table.first_move.error },
        "players": file.players.iter().map(|player| json!({
            "name": player.name,
            "plays": player.plays.to_string(),
        })).collect::<Vec<_>>(),
        "table": table.rows.iter().map(|row| json!({
            "player": row.player,
            "points": row.points,
            "wins": row.results[0],
            "draws": row.results[1],
            "losses": row.results[2],
            "elo": row.rating.elo,
            "error": row.rating.error,
            "glicko": row.glicko.rating,
            "deviation": row.glicko.deviation,
            "withdrawn": row.withdrawn,
            "meetings": row.swiss.map(|swiss| f64::from(swiss.halves) / 2.0),
            "buchholz": row.swiss.map(|swiss| f64::from(swiss.buchholz) / 2.0),
            "sonneborn_berger": row.swiss.map(|swiss| f64::from(swiss.sonneborn_berger) / 4.0),
        })).collect::<Vec<_>>(),
        "bracket": table.stages.iter().map(stage_json).collect::<Vec<_>>(),
        "winner": table.winner,
        "test": table.test,
        "changes": table.changes,
        "former": table.former.iter().map(|former| json!({
            "player": former.player,
            "plays": former.plays,
            "points": former.points,
            "games": former.games,
            "elo": former.rating.elo,
            "error": former.rating.error,
        })).collect::<Vec<_>>(),
    })
}

fn round_json(round: &Round, results: &BTreeMap<u64, Finished>) -> Value {
    let meetings = round.meetings.iter().enumerate().map(|(index, meeting)| {
        let score = round.score(index, results);
        json!({
            "players": [meeting.0, meeting.1],
            "points": score.points,
            "games": score.games,
        })
    });
    json!({
        "number": round.number,
        "meetings": meetings.collect::<Vec<_>>(),
        "byes": round.byes,
    })
}

fn stage_json(stage: &Stage) -> Value {
    json!({
        "name": stage.name(),
        "byes": stage.byes,
        "meetings": stage.meetings.iter().map(|meeting| json!({
            "players": meeting.players,
            "points": meeting.points,
            "winner": meeting.winner,
        })).collect::<Vec<_>>(),
    })
}

fn game_json(game: &LoggedGame) -> Value {
    let finished = &game.finished;
    json!({
        "game": finished.game,
        "round": finished.round,
        "white": finished.players[0],
        "black": finished.players[1],
        "score": finished.white_score,
        "reason": finished.reason.word(),
        "plies": finished.plies,
        "words": end_words(game),
        "start": game.session.game().start().fen(),
        "moves": move_texts(game.session.game()),
        "incidents": incidents(game),
    })
}

/// The moves, and `-` for a turn that was passed.
fn move_texts(game: &Game) -> Vec<String> {
    let text = |(position, turn): (&Position, &Turn)| match turn {
        Turn::Move(mv) => position.move_text(mv),
        Turn::Pass => "-".to_owned(),
    };
    game.history().map(text).collect()
}

fn incidents(game: &LoggedGame) -> Vec<Value> {
    let plies = game.session.plies().enumerate();
    plies
        .filter_map(|(index, (side, ply))| {
            let incident = ply.incident.as_ref()?;
            Some(json!({
                "ply": index + 1,
                "side": side.letter().to_string(),
                "reason": incident.reason.word(),
                "words": incident.words,
            }))
        })
        .collect()
}
