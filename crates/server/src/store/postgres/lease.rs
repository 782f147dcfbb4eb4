//! The lease of an experiment, by the database's own clock.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::super::Leases;
use super::{Outcome, Postgres, trouble};

#[async_trait]
impl Leases for Postgres {
    async fn lease(&self, experiment: Prefix, holder: &str, seconds: u32) -> Outcome<bool> {
        let query = "INSERT INTO leases VALUES ($1, $2, now() + $3::float8 * interval '1 second')
            ON CONFLICT (prefix) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE leases.holder = excluded.holder OR leases.until < now() RETURNING holder";
        let client = self.client().await?;
        let held = client
            .query_opt(query, &[&experiment.bytes().as_slice(), &holder, &f64::from(seconds)])
            .await
            .map_err(trouble)?;
        Ok(held.is_some())
    }

    async fn give_back(&self, experiment: Prefix, holder: &str) -> Outcome<()> {
        let query = "DELETE FROM leases WHERE prefix = $1 AND holder = $2";
        let client = self.client().await?;
        client.execute(query, &[&experiment.bytes().as_slice(), &holder]).await.map_err(trouble).map(|_| ())
    }
}
