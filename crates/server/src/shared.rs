//! What servers ask of a data base that they share: who is there, who does what has to happen in a
//! game by itself, and how one tells the others.

use kingme_data::{DataError, Result, values};
use kingme_play::Moment;

use crate::database::{Database, millis, moment, stored_event};
use crate::old_events::StoredEvent;

/// What has happened in a game since somebody looked, with the moments.
#[derive(Debug)]
pub(crate) struct Since {
    /// The events.
    pub events: Vec<(Moment, StoredEvent)>,
    /// Whether the hold on the game is ours.
    pub ours: bool,
}

/// A server that shares the data base.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its number.
    pub server: i64,
    /// Whether it has said so in time.
    pub alive: bool,
    /// The bots that listen to it, as it has written them.
    pub bots: String,
}

/// How the words of servers to each other are called in the data base.
pub(crate) const CHANNEL: &str = "kingme";

/// Whoever comes or goes is alone with the list.
const ARRIVALS: i64 = 0x006b_696e_676d_6502;

impl Database {
    /// The events of a game from a number on.
    pub(crate) fn events_from(&mut self, game: &str, seq: u64) -> Result<Since> {
        let Some(server) = self.server() else {
            let sql = "SELECT at, event FROM events WHERE game = ?1 AND seq >= ?2 ORDER BY seq";
            let rows = self.connection().query(sql, values![game, seq as i64])?;
            let events = rows.iter().map(stored_event).collect::<Result<_>>()?;
            return Ok(Since { events, ours: true });
        };
        let rows = self.connection().query(
            "SELECT at, event, (SELECT server FROM holds WHERE game = ?1) FROM events
             WHERE game = ?1 AND seq >= ?2 ORDER BY seq",
            values![game, seq as i64],
        )?;
        let holder = rows.last().map_or(Ok(None), |row| row.get(2))?;
        Ok(Since {
            events: rows.iter().map(stored_event).collect::<Result<_>>()?,
            ours: holder == Some(server),
        })
    }

    /// Whether the hold on a game is ours.
    pub(crate) fn is_ours(&mut self, game: &str) -> Result<bool> {
        let Some(server) = self.server() else {
            return Ok(true);
        };
        let sql = "SELECT server FROM holds WHERE game = ?1";
        let row = self.connection().query_one(sql, values![game])?;
        Ok(row.map_or(Ok(None), |row| row.get(0))? == Some(server))
    }

    /// Takes the hold on a game that no server has, whose last event was at a moment: whether it is
    /// ours then, and the moment it is now in the game. Time while no server has it is nobody's. In
    /// a file there are no holds.
    pub(crate) fn hold(&mut self, game: &str, at: Moment) -> Result<Option<(bool, Moment)>> {
        let Some(server) = self.server() else {
            return Ok(None);
        };
        let data = self.connection();
        data.change(
            "INSERT INTO holds (game, server, ahead) VALUES (?1, ?2, ?3 - kingme_now())
             ON CONFLICT (game) DO UPDATE SET server = excluded.server
                 WHERE holds.server NOT IN (SELECT id FROM servers)",
            values![game, server, millis(at)],
        )?;
        let sql = "SELECT server, ahead + kingme_now() FROM holds WHERE game = ?1";
        let row = data.query_one(sql, values![game])?;
        // It may have ended this very moment.
        let row = row.map(|row| Ok((row.get::<i64>(0)? == server, moment(row.get(1)?))));
        row.transpose()
    }

    /// A server comes. If it is the only one, nobody has had any game until now.
    pub(crate) fn arrive(&mut self, lease: Moment) -> Result<()> {
        let server = self.number()?;
        self.connection().atomically(|data| {
            data.lock(&[ARRIVALS])?;
            let alive = "SELECT id FROM servers WHERE until >= kingme_now()";
            if data.query(alive, &[])?.is_empty() {
                data.change("DELETE FROM holds", &[])?;
                data.change("DELETE FROM servers", &[])?;
            }
            let sql = "INSERT INTO servers (id, until, bots)
                       VALUES (?1, kingme_now() + ?2, '[]') ON CONFLICT (id) DO NOTHING";
            data.change(sql, values![server, millis(lease)]).map(drop)
        })
    }

    /// A server says that it is there, and which bots listen to it; who else is there.
    pub(crate) fn beat(&mut self, lease: Moment, bots: &str) -> Result<Vec<Peer>> {
        let server = self.number()?;
        let data = self.connection();
        data.change(
            "INSERT INTO servers (id, until, bots) VALUES (?1, kingme_now() + ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET until = excluded.until, bots = excluded.bots",
            values![server, millis(lease), bots],
        )?;
        let sql = "SELECT id, until - kingme_now(), bots FROM servers WHERE id <> ?1";
        let rows = data.query(sql, values![server])?;
        let peer = |row: &kingme_data::Row| {
            Ok(Peer {
                server: row.get(0)?,
                alive: row.get::<i64>(1)? >= 0,
                bots: row.get(2)?,
            })
        };
        rows.iter().map(peer).collect()
    }

    /// Takes the games of a server that has not said in time that it is there; nothing if somebody
    /// else has, or if it is back.
    pub(crate) fn bury(&mut self, dead: i64) -> Result<Vec<String>> {
        let server = self.number()?;
        self.connection().atomically(|data| {
            let gone = "DELETE FROM servers WHERE id = ?1 AND until < kingme_now()";
            if data.change(gone, values![dead])? == 0 {
                return Ok(Vec::new());
            }
            let sql = "UPDATE holds SET server = ?2 WHERE server = ?1 RETURNING game";
            let rows = data.change_returning(sql, values![dead, server])?;
            rows.iter().map(|row| row.get(0)).collect()
        })
    }

    /// A server goes; others take its games when they look next.
    pub(crate) fn leave(&mut self) -> Result<()> {
        let server = self.number()?;
        let sql = "UPDATE servers SET until = 0, bots = '[]' WHERE id = ?1";
        self.connection().change(sql, values![server]).map(drop)
    }

    /// Tells all servers something.
    pub(crate) fn tell(&mut self, words: &str) -> Result<()> {
        let sql = "SELECT pg_notify(?1, ?2)";
        let told = self.connection().query(sql, values![CHANNEL, words]);
        told.map(drop)
    }

    fn number(&self) -> Result<i64> {
        let alone = || DataError::Other("a file has one server".to_owned());
        self.server().ok_or_else(alone)
    }
}
