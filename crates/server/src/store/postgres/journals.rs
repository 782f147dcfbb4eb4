//! Journals in pieces. Two servers that extend one at the same place want the same key: one of them gets it.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::super::{JournalName, Journals};
use super::{Outcome, Postgres, trouble};

#[async_trait]
impl Journals for Postgres {
    async fn journal(&self, experiment: Prefix, name: JournalName) -> Outcome<Vec<u8>> {
        let query = "SELECT bytes FROM journals WHERE prefix = $1 AND name = $2 ORDER BY place";
        let client = self.client().await?;
        let rows =
            client.query(query, &[&experiment.bytes().as_slice(), &(name as i16)]).await.map_err(trouble)?;
        Ok(rows.iter().flat_map(|row| row.get::<_, Vec<u8>>(0)).collect())
    }

    async fn journal_length(&self, experiment: Prefix, name: JournalName) -> Outcome<u64> {
        let query =
            "SELECT coalesce(max(place + length(bytes)), 0) FROM journals WHERE prefix = $1 AND name = $2";
        let client = self.client().await?;
        let row = client
            .query_one(query, &[&experiment.bytes().as_slice(), &(name as i16)])
            .await
            .map_err(trouble)?;
        Ok(row.get::<_, i64>(0).unsigned_abs())
    }

    async fn extend(
        &self,
        experiment: Prefix,
        name: JournalName,
        length: u64,
        bytes: &[u8],
    ) -> Outcome<bool> {
        // The pieces cover everything up to here, and none begins here or later.
        let query = "INSERT INTO journals SELECT $1::bytea, $2::smallint, $3::bigint, $4::bytea
            WHERE (SELECT coalesce(max(place + length(bytes)), 0) FROM journals WHERE prefix = $1 AND name = $2) = $3
            ON CONFLICT DO NOTHING";
        let client = self.client().await?;
        let place = length as i64;
        let added = client
            .execute(query, &[&experiment.bytes().as_slice(), &(name as i16), &place, &bytes])
            .await
            .map_err(trouble)?;
        Ok(added == 1)
    }
}
