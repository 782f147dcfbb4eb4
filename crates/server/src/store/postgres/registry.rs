//! Experiments, keys and deeds.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use reticent_schema::Prefix;
use reticent_store::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{Created, Deed, Entry, KeyRecord, Marks, Phase, Publication, Registry, StoreError};
use super::policies::{forget, publish};
use super::{Outcome, Postgres, locked_marks, put_marks, trouble};

#[async_trait]
impl Registry for Postgres {
    async fn create(&self, entry: Entry, first: Publication, deed: Deed) -> Outcome<Created> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        let (name, prefix) = (entry.experiment.name(), entry.experiment.prefix());
        let key = prefix.bytes().as_slice();
        // Whoever creates holds the lock of the audit log, and so are alone.
        lock_deeds(&step).await?;
        let there = "SELECT entry FROM experiments WHERE prefix = $1";
        if let Some(row) = step.query_opt(there, &[&key]).await.map_err(trouble)? {
            let there: Entry = of_text(row.get(0), "an experiment")?;
            let same = there.experiment.digest() == entry.experiment.digest();
            return Ok(if same { Created::Same } else { Created::PrefixTaken });
        }
        let named = "SELECT 1 FROM experiments WHERE name = $1";
        if step.query_opt(named, &[&name]).await.map_err(trouble)?.is_some() {
            return Ok(Created::NameTaken);
        }
        let query = "INSERT INTO experiments VALUES ($1, $2, $3)";
        step.execute(query, &[&key, &name, &to_text(&entry)?]).await.map_err(trouble)?;
        let query = "INSERT INTO marks VALUES ($1, 0, 0, 0, 0, 0, $2)";
        step.execute(query, &[&key, &entry.created.unix()]).await.map_err(trouble)?;
        publish(&step, Marks::first(entry.created), &first).await?;
        add_deed(&step, &deed).await?;
        step.commit().await.map_err(trouble)?;
        Ok(Created::New)
    }

    async fn entries(&self) -> Outcome<Vec<Entry>> {
        let client = self.client().await?;
        let rows =
            client.query("SELECT entry FROM experiments ORDER BY prefix", &[]).await.map_err(trouble)?;
        rows.iter().map(|row| of_text(row.get(0), "an experiment")).collect()
    }

    async fn change(&self, experiment: Prefix, from: Phase, to: Phase, deed: Deed) -> Outcome<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        let Some(before) = locked_marks(&step, experiment).await?.filter(|marks| marks.phase == from) else {
            return Ok(false);
        };
        let after = Marks { phase: to, at: before.at.max(deed.at), ..before };
        put_marks(&step, experiment, &after).await?;
        forget(&step, experiment, &after, Moment::from_unix(0)).await?;
        lock_deeds(&step).await?;
        add_deed(&step, &deed).await?;
        step.commit().await.map_err(trouble)?;
        Ok(true)
    }

    async fn keys(&self) -> Outcome<Vec<KeyRecord>> {
        let client = self.client().await?;
        let rows = client.query("SELECT record FROM keys ORDER BY id", &[]).await.map_err(trouble)?;
        rows.iter().map(|row| of_text(row.get(0), "a key")).collect()
    }

    async fn add_key(&self, key: KeyRecord, deed: Deed) -> Outcome<()> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        let query =
            "INSERT INTO keys VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET record = excluded.record";
        step.execute(query, &[&key.id, &to_text(&key)?]).await.map_err(trouble)?;
        lock_deeds(&step).await?;
        add_deed(&step, &deed).await?;
        step.commit().await.map_err(trouble)
    }

    async fn revoke_key(&self, id: &str, deed: Deed) -> Outcome<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        let query = "SELECT record FROM keys WHERE id = $1 FOR UPDATE";
        let Some(row) = step.query_opt(query, &[&id]).await.map_err(trouble)? else { return Ok(false) };
        let mut key: KeyRecord = of_text(row.get(0), "a key")?;
        if key.revoked.is_some() {
            return Ok(false);
        }
        key.revoked = Some(deed.at);
        step.execute("UPDATE keys SET record = $2 WHERE id = $1", &[&id, &to_text(&key)?])
            .await
            .map_err(trouble)?;
        lock_deeds(&step).await?;
        add_deed(&step, &deed).await?;
        step.commit().await.map_err(trouble)?;
        Ok(true)
    }

    async fn deeds(&self, from: u64, most: usize) -> Outcome<Vec<Deed>> {
        let client = self.client().await?;
        let query = "SELECT deed FROM deeds WHERE number >= $1 ORDER BY number LIMIT $2";
        let (from, most) = (from as i64, i64::try_from(most).unwrap_or(i64::MAX));
        let rows = client.query(query, &[&from, &most]).await.map_err(trouble)?;
        rows.iter().map(|row| of_text(row.get(0), "the audit log")).collect()
    }

    async fn note(&self, deed: Deed) -> Outcome<()> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        lock_deeds(&step).await?;
        add_deed(&step, &deed).await?;
        step.commit().await.map_err(trouble)
    }
}

async fn lock_deeds(step: &Transaction<'_>) -> Outcome<()> {
    step.batch_execute("LOCK TABLE deeds IN EXCLUSIVE MODE").await.map_err(trouble)
}

/// The log only grows: its last line has the highest number.
async fn add_deed(step: &Transaction<'_>, deed: &Deed) -> Outcome<()> {
    let query = "INSERT INTO deeds SELECT coalesce(max(number) + 1, 0), $1 FROM deeds";
    step.execute(query, &[&to_text(deed)?]).await.map_err(trouble).map(|_| ())
}

fn to_text(value: &impl Serialize) -> Outcome<String> {
    serde_json::to_string(value).map_err(|_| StoreError::Damaged("what was to be written cannot be".into()))
}

fn of_text<T: DeserializeOwned>(text: &str, what: &str) -> Outcome<T> {
    serde_json::from_str(text).map_err(|_| StoreError::Damaged(format!("{what} cannot be read")))
}
