//! Policies, states, and what is forgotten when they move on.

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use reticent_schema::Prefix;
use reticent_store::Moment;

use super::super::{Learned, Marks, Policies, Publication, PublishedPolicy};
use super::{MARKS, Outcome, Postgres, execute, locked_marks, prefix, put_marks, read_marks, trouble};

/// What is deleted in one step: the rest waits for the next.
const MOST_DELETED: i64 = 50_000;

#[async_trait]
impl Policies for Postgres {
    async fn marks(&self) -> Outcome<Vec<(Prefix, Marks)>> {
        let client = self.client().await?;
        let query = format!("SELECT prefix, {MARKS} FROM marks ORDER BY prefix");
        let rows = client.query(&query, &[]).await.map_err(trouble)?;
        rows.iter().map(|row| Ok((prefix(row.get(0))?, read_marks(row, 1)?))).collect()
    }

    async fn learned(&self, experiment: Prefix) -> Outcome<Option<(Marks, Learned)>> {
        let client = self.client().await?;
        let query = format!(
            "SELECT {MARKS}, state, insight FROM marks JOIN learned USING (prefix) WHERE prefix = $1"
        );
        let row = client.query_opt(&query, &[&experiment.bytes().as_slice()]).await.map_err(trouble)?;
        row.map(|row| Ok((read_marks(&row, 0)?, Learned { state: row.get(6), insight: row.get(7) })))
            .transpose()
    }

    async fn publish(&self, publication: Publication) -> Outcome<bool> {
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        let Some(marks) = locked_marks(&step, publication.experiment).await? else { return Ok(false) };
        if marks.folded != publication.from || publication.to > marks.appended {
            return Ok(false);
        }
        publish(&step, marks, &publication).await?;
        step.commit().await.map_err(trouble)?;
        Ok(true)
    }

    async fn policies(&self, experiment: Prefix) -> Outcome<Vec<PublishedPolicy>> {
        let client = self.client().await?;
        let query = "SELECT version, at, bytes FROM policies WHERE prefix = $1 ORDER BY version";
        let rows = client.query(query, &[&experiment.bytes().as_slice()]).await.map_err(trouble)?;
        let policy = |row: &tokio_postgres::Row| PublishedPolicy {
            version: row.get::<_, i64>(0).unsigned_abs(),
            at: Moment::from_unix(row.get(1)),
            bytes: row.get(2),
        };
        Ok(rows.iter().map(policy).collect())
    }
}

/// Writes all of a step.
pub(super) async fn publish(step: &Transaction<'_>, before: Marks, new: &Publication) -> Outcome<()> {
    let newest = new.policy.as_ref().map_or(before.newest, |(version, _)| *version);
    let oldest = before.oldest.max(new.oldest.min(newest));
    let marks = Marks { folded: new.to, oldest, newest, at: before.at.max(new.at), ..before };
    put_marks(step, new.experiment, &marks).await?;
    let key = new.experiment.bytes().as_slice();
    let query = "INSERT INTO learned VALUES ($1, $2, $3)
        ON CONFLICT (prefix) DO UPDATE SET state = excluded.state, insight = excluded.insight";
    execute(step, query, &[&key, &new.learned.state, &new.learned.insight]).await?;
    if let Some((version, bytes)) = &new.policy {
        let query = "INSERT INTO policies VALUES ($1, $2, $3, $4)";
        execute(step, query, &[&key, &(*version as i64), &new.at.unix(), bytes]).await?;
    }
    if let Some(version) = new.thinned {
        let query = "DELETE FROM policies WHERE prefix = $1 AND version = $2";
        execute(step, query, &[&key, &(version as i64)]).await?;
    }
    forget(step, new.experiment, &marks, new.keep_since).await
}

/// Forgets closed policies with the ids of their reports, and folded reports.
pub(super) async fn forget(
    step: &Transaction<'_>,
    experiment: Prefix,
    marks: &Marks,
    keep_since: Moment,
) -> Outcome<()> {
    let key = experiment.bytes().as_slice();
    // Nothing is taken any more, so nothing can come twice. Those that are always open have a number below 0.
    let (lowest, open) = if marks.phase.is_final() { (i64::MIN, i64::MAX) } else { (0, marks.oldest as i64) };
    let query = "DELETE FROM ids WHERE (prefix, policy, id) IN (SELECT prefix, policy, id FROM ids
        WHERE prefix = $1 AND policy >= $2 AND policy < $3 LIMIT $4)";
    execute(step, query, &[&key, &lowest, &open, &MOST_DELETED]).await?;
    let served = marks.oldest.min(marks.newest) as i64;
    let query = "DELETE FROM policies WHERE prefix = $1 AND version < $2";
    execute(step, query, &[&key, &served]).await?;
    let query = "DELETE FROM reports WHERE prefix = $1 AND first < $2 AND at < $3";
    execute(step, query, &[&key, &(marks.folded as i64), &keep_since.unix()]).await.map(|_| ())
}
