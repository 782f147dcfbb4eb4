//! Reports: numbered under the lock of their experiment's marks.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use reticent_schema::Prefix;
use tokio_postgres::Row;

use super::super::kv::codec::{segment, segment_bytes};
use super::super::kv::fate_by;
use super::super::{Fate, Reports, Segment, StoreError, Upload};
use super::{Outcome, Postgres, execute, locked_marks, put_marks, trouble};

#[async_trait]
impl Reports for Postgres {
    async fn append(&self, uploads: Vec<Upload>) -> Outcome<Vec<Vec<Fate>>> {
        let mut fates: Vec<Vec<Fate>> = vec![Vec::new(); uploads.len()];
        // In the order of experiments, so that two servers never wait for each other.
        let mut by_experiment: BTreeMap<Prefix, Vec<usize>> = BTreeMap::new();
        for (at, upload) in uploads.iter().enumerate() {
            by_experiment.entry(upload.experiment).or_default().push(at);
        }
        let mut client = self.client().await?;
        let step = client.transaction().await.map_err(trouble)?;
        for (experiment, places) in by_experiment {
            let mine: Vec<&Upload> = places.iter().map(|&at| &uploads[at]).collect();
            for (at, one) in places.into_iter().zip(append(&step, experiment, &mine).await?) {
                fates[at] = one;
            }
        }
        step.commit().await.map_err(trouble)?;
        Ok(fates)
    }

    async fn unfolded(&self, experiment: Prefix, from: u64, most: usize) -> Outcome<Vec<Segment>> {
        let query =
            "SELECT first, segment FROM reports WHERE prefix = $1 AND first >= $2 ORDER BY first LIMIT $3";
        let client = self.client().await?;
        let limit = i64::try_from(most).unwrap_or(i64::MAX).max(1);
        let rows = client
            .query(query, &[&experiment.bytes().as_slice(), &(from as i64), &limit])
            .await
            .map_err(trouble)?;
        let (mut segments, mut count) = (Vec::new(), 0);
        for row in rows {
            let next = segment(row.get::<_, i64>(0).unsigned_abs(), row.get(1))?;
            count += next.reports.len();
            segments.push(next);
            if count >= most {
                break;
            }
        }
        Ok(segments)
    }
}

async fn append(step: &Transaction<'_>, experiment: Prefix, uploads: &[&Upload]) -> Outcome<Vec<Vec<Fate>>> {
    let Some(mut marks) = locked_marks(step, experiment).await? else {
        return Ok(uploads.iter().map(|upload| vec![Fate::Closed; upload.reports.len()]).collect());
    };
    let mut new = add_ids(step, experiment, uploads, |policy| fate_by(&marks, policy).is_none()).await?;
    let mut all = Vec::new();
    let mut rows = (Vec::new(), Vec::new(), Vec::new());
    for upload in uploads {
        let mut taken = Vec::new();
        let mut fates = Vec::new();
        for report in &upload.reports {
            fates.push(match fate_by(&marks, report.policy) {
                Some(refused) => refused,
                // The first of its id is the one that was added.
                None if new.remove(&(report.policy as i64, report.id.0)) => {
                    taken.push(report.bytes.as_slice());
                    Fate::Taken
                }
                None => Fate::Replayed,
            });
        }
        if !taken.is_empty() {
            rows.0.push(marks.appended as i64);
            rows.1.push(upload.at.unix());
            marks.appended += taken.len() as u64;
            rows.2.push(segment_bytes(upload.at, taken.into_iter()));
        }
        all.push(fates);
    }
    if !rows.0.is_empty() {
        let query = "INSERT INTO reports SELECT $1::bytea, first, at, segment
            FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS new(first, at, segment)";
        execute(step, query, &[&experiment.bytes().as_slice(), &rows.0, &rows.1, &rows.2]).await?;
        put_marks(step, experiment, &marks).await?;
    }
    Ok(all)
}

/// Adds the ids of reports that may be taken, in one go; gives those that were not there.
async fn add_ids(
    step: &Transaction<'_>,
    experiment: Prefix,
    uploads: &[&Upload],
    may: impl Fn(u64) -> bool,
) -> Outcome<BTreeSet<(i64, [u8; 16])>> {
    let reports = uploads.iter().flat_map(|upload| &upload.reports).filter(|report| may(report.policy));
    let (policies, ids): (Vec<i64>, Vec<&[u8]>) =
        reports.map(|report| (report.policy as i64, report.id.0.as_slice())).unzip();
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let query = "INSERT INTO ids SELECT $1::bytea, policy, id FROM unnest($2::bigint[], $3::bytea[]) AS new(policy, id)
        ON CONFLICT DO NOTHING RETURNING policy, id";
    let statement = step.prepare_cached(query).await.map_err(trouble)?;
    let rows =
        step.query(&statement, &[&experiment.bytes().as_slice(), &policies, &ids]).await.map_err(trouble)?;
    let id = |row: &Row| <[u8; 16]>::try_from(row.get::<_, &[u8]>(1)).ok();
    let added = rows.iter().map(|row| Some((row.get(0), id(row)?))).collect::<Option<_>>();
    added.ok_or_else(|| StoreError::Damaged("the id of a report cannot be read".into()))
}
