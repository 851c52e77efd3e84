//! Players, their sessions and tokens, in the data base.

use kingme_data::{DataError, Result, Row, values};
use kingme_play::{Moment, PlayerId};

use crate::database::Database;

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
    pub(crate) fn add_guest(&mut self) -> Result<PlayerId> {
        let sql = "INSERT INTO players DEFAULT VALUES RETURNING id";
        new_number(&self.connection().change_returning(sql, &[])?)
    }

    /// Gives a guest a name and a password; `false` if the name is taken or the guest has one.
    pub(crate) fn name_player(
        &mut self,
        player: PlayerId,
        name: &str,
        password: &str,
    ) -> Result<bool> {
        let changed = self.connection().change(
            "UPDATE players SET name = ?2, password = ?3 WHERE id = ?1 AND name IS NULL",
            values![player, name, password],
        );
        match changed {
            Err(DataError::Taken(_)) => Ok(false),
            changed => Ok(changed? == 1),
        }
    }

    /// The account of a name, with the hash of its password.
    pub(crate) fn account(&mut self, name: &str) -> Result<Option<(Player, String)>> {
        let data = self.connection();
        // Large and small letters are the same to both, each by an index of its own kind.
        let sql = if data.is_postgres() {
            "SELECT id, name, password FROM players WHERE lower(name) = lower(?1)"
        } else {
            "SELECT id, name, password FROM players WHERE name = ?1"
        };
        let row = data.query_one(sql, values![name])?;
        row.map(|row| Ok((player(&row)?, row.get(2)?))).transpose()
    }

    /// Changes the hash of a password.
    pub(crate) fn set_password(&mut self, player: PlayerId, password: &str) -> Result<()> {
        let sql = "UPDATE players SET password = ?2 WHERE id = ?1";
        self.connection().change(sql, values![player, password])?;
        Ok(())
    }

    /// Keeps a session.
    pub(crate) fn add_session(&mut self, hash: &str, player: PlayerId, wall: Moment) -> Result<()> {
        self.connection().change(
            "INSERT INTO sessions (hash, player, used) VALUES (?1, ?2, ?3)",
            values![hash, player, days(wall)],
        )?;
        Ok(())
    }

    /// Ends all sessions of a player.
    pub(crate) fn remove_sessions(&mut self, player: PlayerId) -> Result<()> {
        let sql = "DELETE FROM sessions WHERE player = ?1";
        self.connection().change(sql, values![player])?;
        Ok(())
    }

    /// Ends a session.
    pub(crate) fn remove_session(&mut self, hash: &str) -> Result<()> {
        let sql = "DELETE FROM sessions WHERE hash = ?1";
        self.connection().change(sql, values![hash])?;
        Ok(())
    }

    /// Whose session this is; one that was not used for long has ended.
    pub(crate) fn session(&mut self, hash: &str, wall: Moment) -> Result<Option<Player>> {
        let found = self.connection().query_one(
            "SELECT players.id, players.name, sessions.used FROM sessions
             JOIN players ON players.id = sessions.player WHERE sessions.hash = ?1",
            values![hash],
        )?;
        let Some(row) = found else {
            return Ok(None);
        };
        let (player, used) = (player(&row)?, row.get::<i64>(2)?);
        let today = days(wall);
        if today - used > SESSION_DAYS {
            self.remove_session(hash)?;
            return Ok(None);
        }
        // Once a day: whoever only looks writes nothing.
        if today > used {
            let sql = "UPDATE sessions SET used = ?2 WHERE hash = ?1";
            self.connection().change(sql, values![hash, today])?;
        }
        Ok(Some(player))
    }

    /// Whose token this is.
    pub(crate) fn token(&mut self, hash: &str) -> Result<Option<Player>> {
        let found = self.connection().query_one(
            "SELECT players.id, players.name FROM tokens
             JOIN players ON players.id = tokens.player WHERE tokens.hash = ?1",
            values![hash],
        )?;
        found.as_ref().map(player).transpose()
    }

    /// Keeps a token.
    pub(crate) fn add_token(&mut self, hash: &str, player: PlayerId, label: &str) -> Result<i64> {
        let sql = "INSERT INTO tokens (hash, player, label) VALUES (?1, ?2, ?3) RETURNING id";
        let values = values![hash, player, label];
        new_number(&self.connection().change_returning(sql, values)?)
    }

    /// A player's tokens: number and label.
    pub(crate) fn tokens_of(&mut self, player: PlayerId) -> Result<Vec<(i64, String)>> {
        let sql = "SELECT id, label FROM tokens WHERE player = ?1 ORDER BY id";
        let rows = self.connection().query(sql, values![player])?;
        rows.iter()
            .map(|row| Ok((row.get(0)?, row.get(1)?)))
            .collect()
    }

    /// Revokes a token of a player; `false` if there is none.
    pub(crate) fn remove_token(&mut self, player: PlayerId, id: i64) -> Result<bool> {
        let sql = "DELETE FROM tokens WHERE player = ?1 AND id = ?2";
        let changed = self.connection().change(sql, values![player, id])?;
        Ok(changed == 1)
    }
}

/// The number that the data base has given to something new.
fn new_number(rows: &[Row]) -> Result<i64> {
    let none = || DataError::Unreadable("something new has no number".to_owned());
    rows.first().ok_or_else(none)?.get(0)
}

fn player(row: &Row) -> Result<Player> {
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
        let mut data = Database::in_memory();
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
