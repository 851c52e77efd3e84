//! Ratings: Glicko-2 for every game that counts, in the order the games ended.

use kingme_arena::stats::{Glicko, GlickoGame};
use kingme_data::{Connection, Result, Row, values};
use kingme_play::PlayerId;

use crate::database::{Database, Rating};

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
pub(crate) fn rate(data: &mut Connection, game: &str, rating: &Rating) -> Result<()> {
    let once = "INSERT INTO rated (game) VALUES (?1) ON CONFLICT DO NOTHING";
    if data.change(once, values![game])? == 0 {
        return Ok(());
    }
    let Rating {
        ref variant,
        players: [white, black],
        white_score,
    } = *rating;
    // Two games of one player that end at once count one after the other.
    data.lock(&[white, black])?;
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
    data.change(
        "UPDATE rated SET white_before = ?2, white_after = ?3, black_before = ?4, black_after = ?5
         WHERE game = ?1",
        values![
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
    pub(crate) fn rated_games(&mut self) -> Result<Vec<String>> {
        let rows = self.connection().query("SELECT game FROM rated", &[])?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// How a game moved both ratings, White's first; nothing if it has not, or nobody knows.
    pub(crate) fn changes_by(&mut self, game: &str) -> Result<Option<[Change; 2]>> {
        let sql = "SELECT white_before, white_after, black_before, black_after FROM rated
                   WHERE game = ?1 AND white_before IS NOT NULL";
        let row = self.connection().query_one(sql, values![game])?;
        row.map(|row| Ok([change(&row, 0)?, change(&row, 2)?]))
            .transpose()
    }

    /// A player's ratings, the game played most first.
    pub(crate) fn ratings_of(&mut self, player: PlayerId) -> Result<Vec<Rated>> {
        let rows = self.connection().query(
            "SELECT variant, rating, deviation, volatility, games FROM ratings
             WHERE player = ?1 ORDER BY games DESC, variant",
            values![player],
        )?;
        let rated = |row: &Row| {
            Ok(Rated {
                variant: row.get(0)?,
                standing: glicko(row, 1)?,
                games: row.get(4)?,
            })
        };
        rows.iter().map(rated).collect()
    }
}

fn standing(data: &mut Connection, player: PlayerId, variant: &str) -> Result<Glicko> {
    let sql =
        "SELECT rating, deviation, volatility FROM ratings WHERE player = ?1 AND variant = ?2";
    let row = data.query_one(sql, values![player, variant])?;
    row.map_or_else(|| Ok(Glicko::default()), |row| glicko(&row, 0))
}

fn change(row: &Row, from: usize) -> Result<Change> {
    Ok(Change {
        before: row.get(from)?,
        after: row.get(from + 1)?,
    })
}

fn glicko(row: &Row, from: usize) -> Result<Glicko> {
    Ok(Glicko {
        rating: row.get(from)?,
        deviation: row.get(from + 1)?,
        volatility: row.get(from + 2)?,
    })
}

fn keep(data: &mut Connection, player: PlayerId, variant: &str, now: Glicko) -> Result<()> {
    data.change(
        "INSERT INTO ratings (player, variant, rating, deviation, volatility, games)
         VALUES (?1, ?2, ?3, ?4, ?5, 1)
         ON CONFLICT (player, variant) DO UPDATE SET rating = excluded.rating,
             deviation = excluded.deviation, volatility = excluded.volatility, games = ratings.games + 1",
        values![player, variant, now.rating, now.deviation, now.volatility],
    )?;
    Ok(())
}
