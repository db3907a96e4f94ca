//! Results of a person's games against engines, by opponent and by opening.

use super::error::Error;
use super::query::{PERSON, Query};
use super::store::Library;
use super::table::ResultRow;
use crate::records::GameResult;
use crate::records::tags::SEATS;
use std::collections::HashMap;

/// Results from the person's point of view, in rows with the most games first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnResults {
    /// Results by opponent; the name is the value of the opponent's [`SEATS`] tag.
    pub opponents: Vec<ResultRow>,
    /// Results by opening; the name is its code.
    pub openings: Vec<ResultRow>,
}

impl Library {
    /// Returns the results of the matching games that a person has played against an engine.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn own_results(&self, query: &Query) -> Result<OwnResults, Error> {
        let [mut opponents, mut openings]: [HashMap<String, ResultRow>; 2] = Default::default();
        let columns = "id, tags, result, opening FROM games JOIN lines ON game = id";
        self.walk(&self.search(query)?, columns, |found, row| {
            let tags: Vec<(String, String)> =
                serde_json::from_str(row.get_ref(1)?.as_str()?).map_err(|_| Error::Damaged(found.id))?;
            let seat = |wanted: &str| tags.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value);
            let (is_black, opponent) = match SEATS.map(seat) {
                [PERSON, other] => (false, other),
                [other, PERSON] => (true, other),
                _ => return Ok(()),
            };
            if ["", PERSON].contains(&opponent) {
                return Ok(());
            }
            let result = GameResult::read(row.get_ref(2)?.as_str()?);
            let opening: Option<String> = row.get(3)?;
            for (rows, name) in [(&mut opponents, opponent), (&mut openings, opening.as_deref().unwrap_or_default())] {
                rows.entry(name.to_owned())
                    .or_insert_with(|| ResultRow { name: name.to_owned(), ..ResultRow::default() })
                    .add(result, is_black);
            }
            Ok(())
        })?;
        let sorted = |rows: HashMap<String, ResultRow>| {
            let mut rows: Vec<ResultRow> = rows.into_values().collect();
            rows.sort_by(ResultRow::by_games);
            rows
        };
        Ok(OwnResults { opponents: sorted(opponents), openings: sorted(openings) })
    }
}
