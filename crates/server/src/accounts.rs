//! Players, their sessions and tokens, in the data base.

use kingme_play::{Moment, PlayerId};
use rusqlite::{OptionalExtension, params};

use crate::store::Database;

/// A player as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Number.
    pub id: PlayerId,
    /// The account's name; `None` for guests.
    pub name: Option<String>,
}

/// A session that was not used for so many days has ended.
pub(crate) const SESSION_DAYS: i64 = 90;

/// Days since 1970.
fn days(wall: Moment) -> i64 {
    (wall.as_secs() / 86_400) as i64
}

impl Database {
    /// A new guest.
    pub(crate) fn add_guest(&self) -> rusqlite::Result<PlayerId> {
        let connection = self.connection();
        connection.execute("INSERT INTO players DEFAULT VALUES", [])?;
        Ok(connection.last_insert_rowid())
    }

    /// Gives a guest a name and a password; `false` if the name is taken or the guest has one.
    pub(crate) fn name_player(
        &self,
        player: PlayerId,
        name: &str,
        password: &str,
    ) -> rusqlite::Result<bool> {
        let changed = self.connection().execute(
            "UPDATE OR IGNORE players SET name = ?2, password = ?3 WHERE id = ?1 AND name IS NULL",
            params![player, name, password],
        )?;
        Ok(changed == 1)
    }

    /// The account of a name, with the hash of its password.
    pub(crate) fn account(&self, name: &str) -> rusqlite::Result<Option<(Player, String)>> {
        self.connection()
            .query_row(
                "SELECT id, name, password FROM players WHERE name = ?1",
                [name],
                |row| Ok((player(row)?, row.get(2)?)),
            )
            .optional()
    }

    /// Changes the hash of a password.
    pub(crate) fn set_password(&self, player: PlayerId, password: &str) -> rusqlite::Result<()> {
        self.connection().execute(
            "UPDATE players SET password = ?2 WHERE id = ?1",
            params![player, password],
        )?;
        Ok(())
    }

    /// Keeps a session.
    pub(crate) fn add_session(
        &self,
        hash: &str,
        player: PlayerId,
        wall: Moment,
    ) -> rusqlite::Result<()> {
        self.connection().execute(
            "INSERT INTO sessions (hash, player, used) VALUES (?1, ?2, ?3)",
            params![hash, player, days(wall)],
        )?;
        Ok(())
    }

    /// Ends all sessions of a player.
    pub(crate) fn remove_sessions(&self, player: PlayerId) -> rusqlite::Result<()> {
        self.connection()
            .execute("DELETE FROM sessions WHERE player = ?1", [player])?;
        Ok(())
    }

    /// Ends a session.
    pub(crate) fn remove_session(&self, hash: &str) -> rusqlite::Result<()> {
        self.connection()
            .execute("DELETE FROM sessions WHERE hash = ?1", [hash])?;
        Ok(())
    }

    /// Whose session this is; one that was not used for long has ended.
    pub(crate) fn session(&self, hash: &str, wall: Moment) -> rusqlite::Result<Option<Player>> {
        let mut statement = self.connection().prepare_cached(
            "SELECT players.id, players.name, sessions.used FROM sessions
             JOIN players ON players.id = sessions.player WHERE sessions.hash = ?1",
        )?;
        let found = statement.query_row([hash], |row| Ok((player(row)?, row.get::<_, i64>(2)?)));
        let Some((player, used)) = found.optional()? else {
            return Ok(None);
        };
        let today = days(wall);
        if today - used > SESSION_DAYS {
            self.remove_session(hash)?;
            return Ok(None);
        }
        // Once a day: whoever only looks writes nothing.
        if today > used {
            self.connection().execute(
                "UPDATE sessions SET used = ?2 WHERE hash = ?1",
                params![hash, today],
            )?;
        }
        Ok(Some(player))
    }

    /// Whose token this is.
    pub(crate) fn token(&self, hash: &str) -> rusqlite::Result<Option<Player>> {
        self.player_by(
            "SELECT players.id, players.name FROM tokens
             JOIN players ON players.id = tokens.player WHERE tokens.hash = ?1",
            hash,
        )
    }

    fn player_by(&self, sql: &str, hash: &str) -> rusqlite::Result<Option<Player>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_row([hash], player).optional()
    }

    /// Keeps a token.
    pub(crate) fn add_token(
        &self,
        hash: &str,
        player: PlayerId,
        label: &str,
    ) -> rusqlite::Result<i64> {
        let connection = self.connection();
        connection.execute(
            "INSERT INTO tokens (hash, player, label) VALUES (?1, ?2, ?3)",
            params![hash, player, label],
        )?;
        Ok(connection.last_insert_rowid())
    }

    /// A player's tokens: number and label.
    pub(crate) fn tokens_of(&self, player: PlayerId) -> rusqlite::Result<Vec<(i64, String)>> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT id, label FROM tokens WHERE player = ?1")?;
        statement
            .query_map([player], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// Revokes a token of a player; `false` if there is none.
    pub(crate) fn remove_token(&self, player: PlayerId, id: i64) -> rusqlite::Result<bool> {
        let changed = self.connection().execute(
            "DELETE FROM tokens WHERE player = ?1 AND id = ?2",
            params![player, id],
        )?;
        Ok(changed == 1)
    }
}

fn player(row: &rusqlite::Row<'_>) -> rusqlite::Result<Player> {
    Ok(Player {
        id: row.get(0)?,
        name: row.get(1)?,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_session_that_nobody_uses_ends() {
        const DAY: u64 = 86_400;
        let data = Database::in_memory();
        let guest = data.add_guest().unwrap();
        let at = |day: u64| Duration::from_secs(day * DAY);
        data.add_session("hash", guest, at(20_000)).unwrap();
        // Every use counts anew.
        for day in [20_000, 20_080, 20_160, 20_250] {
            assert!(data.session("hash", at(day)).unwrap().is_some(), "{day}");
        }
        assert!(data.session("hash", at(20_341)).unwrap().is_none());
        assert!(data.session("hash", at(20_250)).unwrap().is_none());
    }
}
