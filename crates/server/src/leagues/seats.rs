//! Whose the seats of people are in the leagues that this server plays. A seat belongs to whoever
//! comes first with its code, which the organiser hands out; a name alone is no proof.

use kingme_data::{DataError, Result, values};
use kingme_play::PlayerId;

use crate::database::Database;
use crate::error::ApiError;
use crate::said::Said;
use crate::secret;

/// A person's seat in a league that nobody has taken yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeSeat {
    /// The league's name on pages.
    pub league: String,
    /// The player's name in the league.
    pub name: String,
    /// What whoever takes it has to know.
    pub code: String,
}

impl Database {
    /// A seat's code, made at first, as long as nobody has taken it.
    pub(crate) fn free_seat(&mut self, league: &str, name: &str) -> Result<Option<FreeSeat>> {
        let data = self.connection();
        data.change(
            "INSERT INTO seats (league, name, code) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            values![league, name, &secret::new_id()],
        )?;
        let sql = "SELECT code FROM seats WHERE league = ?1 AND name = ?2 AND player IS NULL";
        let Some(row) = data.query_one(sql, values![league, name])? else {
            return Ok(None);
        };
        Ok(Some(FreeSeat {
            league: league.to_owned(),
            name: name.to_owned(),
            code: row.get(0)?,
        }))
    }

    /// Who has a seat.
    pub(crate) fn seated(&mut self, league: &str, name: &str) -> Result<Option<PlayerId>> {
        let sql = "SELECT player FROM seats WHERE league = ?1 AND name = ?2";
        let row = self.connection().query_one(sql, values![league, name])?;
        row.map_or(Ok(None), |row| row.get(0))
    }

    /// The name by which somebody plays in a league.
    pub(crate) fn name_in(&mut self, league: &str, player: PlayerId) -> Result<Option<String>> {
        let sql = "SELECT name FROM seats WHERE league = ?1 AND player = ?2";
        let row = self.connection().query_one(sql, values![league, player])?;
        row.map(|row| row.get(0)).transpose()
    }

    /// Gives a seat to whoever knows its code, and tells its name. Coming again is no fault.
    pub(crate) fn take_seat(
        &mut self,
        league: &str,
        code: &str,
        player: PlayerId,
    ) -> std::result::Result<String, ApiError> {
        let sql = "SELECT name, player FROM seats WHERE league = ?1 AND code = ?2";
        let seat = self.connection().query_one(sql, values![league, code])?;
        let seat = seat.ok_or_else(no_such_code)?;
        let (name, owner): (String, Option<PlayerId>) = (seat.get(0)?, seat.get(1)?);
        match (owner, self.name_in(league, player)?) {
            (Some(owner), _) if owner == player => return Ok(name),
            (Some(_), _) => return Err(ApiError::Conflict(taken(&name))),
            (None, Some(other)) => return Err(ApiError::Conflict(plays_already(&other))),
            (None, None) => {}
        }
        // Somebody may be quicker at another server, be it at another seat.
        let taken_now = self.connection().change(
            "UPDATE seats SET player = ?3 WHERE league = ?1 AND code = ?2 AND player IS NULL",
            values![league, code, player],
        );
        match taken_now {
            Ok(0) => Err(ApiError::Conflict(taken(&name))),
            Err(DataError::Taken(_)) => Err(ApiError::Conflict(plays_already(&name))),
            taken_now => Ok(taken_now.map(|_| name)?),
        }
    }

    /// Takes a league's seats back from everybody; their codes will be new ones.
    pub(crate) fn clear_seats(&mut self, league: &str) -> Result<()> {
        let sql = "DELETE FROM seats WHERE league = ?1";
        self.connection().change(sql, values![league])?;
        Ok(())
    }
}

fn no_such_code() -> ApiError {
    let text = "no seat of this league has that code";
    ApiError::Missing(Said::new("no_such_code", text))
}

fn taken(name: &str) -> Said {
    let text = format!("somebody else has taken the seat of {name}; the organiser can free it");
    Said::new("league_seat_taken", text).with("name", name)
}

fn plays_already(name: &str) -> Said {
    let text = format!("you play this league already, as {name}");
    Said::new("plays_already", text).with("name", name)
}

#[cfg(test)]
mod tests {
    use crate::error::ApiError;
    use crate::store::Store;

    #[test]
    fn a_seat_belongs_to_the_first_who_knows_its_code() {
        let store = Store::in_memory().unwrap();
        let seen = store.with_blocking(|data| {
            let [ada, eve] = [data.add_guest()?, data.add_guest()?];
            let seat = data.free_seat("club", "Ada")?.expect("nobody has it");
            let again = data.free_seat("club", "Ada")?;
            assert_eq!(again.as_ref(), Some(&seat), "a restart makes no other code");
            let bob = data.free_seat("club", "Bob")?.expect("nobody has it");
            assert_eq!(data.seated("club", "Ada")?, None);
            let refused = |result: Result<String, ApiError>| result.unwrap_err().to_string();
            assert_eq!(
                refused(data.take_seat("club", "guess", eve)),
                "no seat of this league has that code"
            );
            assert_eq!(
                refused(data.take_seat("other", &seat.code, eve)),
                "no seat of this league has that code"
            );
            assert_eq!(data.take_seat("club", &seat.code, ada)?, "Ada");
            assert_eq!(data.take_seat("club", &seat.code, ada)?, "Ada");
            assert_eq!(
                refused(data.take_seat("club", &seat.code, eve)),
                "somebody else has taken the seat of Ada; the organiser can free it"
            );
            assert_eq!(
                refused(data.take_seat("club", &bob.code, ada)),
                "you play this league already, as Ada"
            );
            assert_eq!(data.free_seat("club", "Ada")?, None);
            assert_eq!(data.seated("club", "Ada")?, Some(ada));
            assert_eq!(data.name_in("club", ada)?.as_deref(), Some("Ada"));
            data.clear_seats("club")?;
            let anew = data.free_seat("club", "Ada")?.expect("nobody has it");
            assert_ne!(anew.code, seat.code);
            Ok::<_, ApiError>(())
        });
        seen.unwrap();
    }
}
