//! What people keep, in the data base: studies and games of their own.

use kingme_data::{Result, values};
use kingme_play::{Moment, PlayerId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::database::Database;

/// So many works one person may keep.
pub const MOST_WORKS: u32 = 200;

/// From so many bytes of the data base on no more works are kept, so that strangers can't fill the
/// disk with them. Games go on.
pub const MOST_DATA: u64 = 8 << 30;

/// What a work is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Moves with variations and comments.
    Study,
    /// The file of a game of one's own.
    Variant,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Study => "study",
            Kind::Variant => "variant",
        }
    }

    fn named(name: &str) -> Kind {
        if name == Kind::Variant.name() {
            Kind::Variant
        } else {
            Kind::Study
        }
    }
}

/// A work with what is in it.
#[derive(Clone, Debug)]
pub struct Work {
    /// What it is.
    pub kind: Kind,
    /// Its name for people.
    pub title: String,
    /// What the page has written.
    pub body: String,
}

/// A work in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WorkCard {
    /// Identifier.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Its name for people.
    pub title: String,
}

impl Database {
    /// Keeps a new work; `false` if its owner has too many.
    pub(crate) fn add_work(
        &mut self,
        id: &str,
        player: PlayerId,
        work: &Work,
        touched: Moment,
    ) -> Result<bool> {
        let added = self.connection().change(
            "INSERT INTO works (id, player, kind, title, body, touched)
             SELECT ?1, CAST(?2 AS BIGINT), ?3, ?4, ?5, CAST(?6 AS BIGINT)
             WHERE (SELECT count(*) FROM works WHERE player = ?2) < ?7",
            values![
                id,
                player,
                work.kind.name(),
                &work.title,
                &work.body,
                touched.as_millis() as i64,
                MOST_WORKS
            ],
        )?;
        Ok(added == 1)
    }

    /// Whether the data base has fewer bytes than that.
    pub(crate) fn is_smaller_than(&mut self, bytes: u64) -> Result<bool> {
        let data = self.connection();
        let size = if data.is_postgres() {
            "SELECT pg_database_size(current_database())"
        } else {
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        };
        let size: i64 = data.query_one(size, &[])?.map_or(Ok(0), |row| row.get(0))?;
        Ok(size.unsigned_abs() < bytes)
    }

    /// Writes a work anew; `false` if this player has none by that identifier.
    pub(crate) fn change_work(
        &mut self,
        id: &str,
        player: PlayerId,
        (title, body): (&str, &str),
        touched: Moment,
    ) -> Result<bool> {
        let changed = self.connection().change(
            "UPDATE works SET title = ?3, body = ?4, touched = ?5 WHERE id = ?1 AND player = ?2",
            values![id, player, title, body, touched.as_millis() as i64],
        )?;
        Ok(changed == 1)
    }

    /// Forgets a work; `false` if this player has none by that identifier.
    pub(crate) fn remove_work(&mut self, id: &str, player: PlayerId) -> Result<bool> {
        let sql = "DELETE FROM works WHERE id = ?1 AND player = ?2";
        let removed = self.connection().change(sql, values![id, player])?;
        Ok(removed == 1)
    }

    /// A work and whose it is.
    pub(crate) fn work(&mut self, id: &str) -> Result<Option<(PlayerId, Work)>> {
        let sql = "SELECT player, kind, title, body FROM works WHERE id = ?1";
        let Some(row) = self.connection().query_one(sql, values![id])? else {
            return Ok(None);
        };
        let work = Work {
            kind: Kind::named(&row.get::<String>(1)?),
            title: row.get(2)?,
            body: row.get(3)?,
        };
        Ok(Some((row.get(0)?, work)))
    }

    /// A player's works, the latest first.
    pub(crate) fn works_of(&mut self, player: PlayerId) -> Result<Vec<WorkCard>> {
        let sql = "SELECT id, kind, title FROM works WHERE player = ?1 ORDER BY touched DESC";
        let rows = self.connection().query(sql, values![player])?;
        let works = rows.iter().map(|row| {
            Ok(WorkCard {
                id: row.get(0)?,
                kind: Kind::named(&row.get::<String>(1)?),
                title: row.get(2)?,
            })
        });
        works.collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;

    #[tokio::test]
    async fn the_size_of_the_data_is_known() {
        let store = Store::in_memory().unwrap();
        let is_smaller = |bytes| store.with(move |data| data.is_smaller_than(bytes));
        assert!(is_smaller(super::MOST_DATA).await.unwrap());
        assert!(!is_smaller(4096).await.unwrap());
    }
}
