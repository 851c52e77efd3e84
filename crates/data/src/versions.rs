//! Tables that grow version by version.

use crate::{Connection, DataError, Result, values};

/// The tables of one part of kingme. A step that was shipped is never changed: data bases of that
/// version have taken it.
#[derive(Debug)]
pub struct Versions {
    /// Whose tables they are: in a `PostgreSQL` several parts have versions of their own.
    pub part: &'static str,
    /// What each version adds in a file.
    pub sqlite: &'static [&'static str],
    /// And in a `PostgreSQL`.
    pub postgres: &'static [&'static str],
}

/// Whoever changes tables of a `PostgreSQL` is alone with them: servers may start at the same time.
const BUILDERS: i64 = 0x006b_696e_676d_6501;

impl Connection {
    /// Brings the tables of a part up to date, each step whole or not at all. In a file version 0 is
    /// a new one, or one from before versions were counted, which has the tables of the first.
    ///
    /// # Errors
    ///
    /// If they are newer than this program.
    pub fn migrate(&mut self, versions: &Versions) -> Result<()> {
        if self.is_postgres() {
            return self.atomically(|data| {
                data.lock(&[BUILDERS])?;
                data.batch(
                    "CREATE TABLE IF NOT EXISTS kingme_versions (
                        part TEXT PRIMARY KEY, version BIGINT NOT NULL
                    )",
                )?;
                let version = data.version(versions)?;
                for step in versions.postgres.iter().skip(version) {
                    data.batch(step)?;
                }
                let now = versions.postgres.len() as i64;
                data.change(
                    "INSERT INTO kingme_versions (part, version) VALUES (?1, ?2)
                     ON CONFLICT (part) DO UPDATE SET version = excluded.version",
                    values![versions.part, now],
                )?;
                Ok(())
            });
        }
        while self.version(versions)? < versions.sqlite.len() {
            self.atomically(|data| {
                // Others may have taken the step meanwhile.
                let version = data.version(versions)?;
                if let Some(sql) = versions.sqlite.get(version) {
                    data.batch(sql)?;
                    data.batch(&format!("PRAGMA user_version = {}", version + 1))?;
                }
                Ok::<_, DataError>(())
            })?;
        }
        Ok(())
    }

    /// The version of the tables of a part.
    ///
    /// # Errors
    ///
    /// If it is newer than this program.
    pub fn version(&mut self, versions: &Versions) -> Result<usize> {
        let (row, known) = if self.is_postgres() {
            let sql = "SELECT version FROM kingme_versions WHERE part = ?1";
            let row = self.query_one(sql, values![versions.part])?;
            (row, versions.postgres.len())
        } else {
            let row = self.query_one("PRAGMA user_version", &[])?;
            (row, versions.sqlite.len())
        };
        let found = row.map_or(Ok(0), |row| row.get::<u32>(0))? as usize;
        if found > known {
            return Err(DataError::Newer { found, known });
        }
        Ok(found)
    }
}
