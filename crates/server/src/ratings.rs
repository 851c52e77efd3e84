//! Ratings: Glicko-2 for every game that counts, in the order the games ended.

use kingme_arena::stats::{Glicko, GlickoGame};
use kingme_play::PlayerId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::store::{Database, Rating};

/// A player's standing in one game.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The game's name.
    pub variant: String,
    /// How strong the player is.
    pub standing: Glicko,
    /// By how many games.
    pub games: u32,
}

/// How a game moved a player's rating.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// The rating before the game.
    pub before: f64,
    /// And after it.
    pub after: f64,
}

/// Lets a game count for both players. A game counts once, however often it is said.
pub(crate) fn rate(data: &Connection, game: &str, rating: &Rating) -> rusqlite::Result<()> {
    let new = data.execute("INSERT OR IGNORE INTO rated (game) VALUES (?1)", [game])?;
    if new == 0 {
        return Ok(());
    }
    let Rating {
        ref variant,
        players: [white, black],
        white_score,
    } = *rating;
    // Both by how they stood before the game.
    let before = [
        standing(data, white, variant)?,
        standing(data, black, variant)?,
    ];
    let after = |own: Glicko, opponent, score| own.after(&[GlickoGame { opponent, score }]);
    let after = [
        after(before[0], before[1], white_score),
        after(before[1], before[0], 1.0 - white_score),
    ];
    keep(data, white, variant, after[0])?;
    keep(data, black, variant, after[1])?;
    data.execute(
        "UPDATE rated SET white_before = ?2, white_after = ?3, black_before = ?4, black_after = ?5
         WHERE game = ?1",
        params![
            game,
            before[0].rating,
            after[0].rating,
            before[1].rating,
            after[1].rating
        ],
    )?;
    Ok(())
}

impl Database {
    /// The games that have changed ratings.
    #[cfg(test)]
    pub(crate) fn rated_games(&self) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection().prepare("SELECT game FROM rated")?;
        statement.query_map([], |row| row.get(0))?.collect()
    }

    /// How a game moved both ratings, White's first; nothing if it has not, or nobody knows.
    pub(crate) fn changes_by(&self, game: &str) -> rusqlite::Result<Option<[Change; 2]>> {
        let sql = "SELECT white_before, white_after, black_before, black_after FROM rated
                   WHERE game = ?1 AND white_before IS NOT NULL";
        let mut statement = self.connection().prepare_cached(sql)?;
        let found = statement.query_row([game], |row| Ok([change(row, 0)?, change(row, 2)?]));
        found.optional()
    }

    /// A player's ratings, the game played most first.
    pub(crate) fn ratings_of(&self, player: PlayerId) -> rusqlite::Result<Vec<Rated>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT variant, rating, deviation, volatility, games FROM ratings
             WHERE player = ?1 ORDER BY games DESC, variant",
        )?;
        let rated = |row: &rusqlite::Row<'_>| {
            Ok(Rated {
                variant: row.get(0)?,
                standing: glicko(row, 1)?,
                games: row.get(4)?,
            })
        };
        statement.query_map([player], rated)?.collect()
    }
}

fn standing(data: &Connection, player: PlayerId, variant: &str) -> rusqlite::Result<Glicko> {
    let sql =
        "SELECT rating, deviation, volatility FROM ratings WHERE player = ?1 AND variant = ?2";
    let found = data.query_row(sql, params![player, variant], |row| glicko(row, 0));
    Ok(found.optional()?.unwrap_or_default())
}

fn change(row: &rusqlite::Row<'_>, from: usize) -> rusqlite::Result<Change> {
    Ok(Change {
        before: row.get(from)?,
        after: row.get(from + 1)?,
    })
}

fn glicko(row: &rusqlite::Row<'_>, from: usize) -> rusqlite::Result<Glicko> {
    Ok(Glicko {
        rating: row.get(from)?,
        deviation: row.get(from + 1)?,
        volatility: row.get(from + 2)?,
    })
}

fn keep(data: &Connection, player: PlayerId, variant: &str, now: Glicko) -> rusqlite::Result<()> {
    data.execute(
        "INSERT INTO ratings (player, variant, rating, deviation, volatility, games)
         VALUES (?1, ?2, ?3, ?4, ?5, 1)
         ON CONFLICT (player, variant) DO UPDATE SET rating = excluded.rating,
             deviation = excluded.deviation, volatility = excluded.volatility, games = games + 1",
        params![player, variant, now.rating, now.deviation, now.volatility],
    )?;
    Ok(())
}
