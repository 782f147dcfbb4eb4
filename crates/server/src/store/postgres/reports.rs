//! Reports: their ids first, then their numbers, under the lock of their experiments' marks.
//!
//! Ids go in before the lock is asked for, so that they are sorted in while another step is on its way to the disk.
//! Whoever waits for an id holds no marks yet, and both are taken in their order: nobody waits in a circle. What marks
//! said when they were last seen is held against what they say under the lock.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use deadpool_postgres::Transaction;
use reticent_schema::Prefix;
use tokio_postgres::{Row, Statement};

use super::super::kv::codec::{segment, segment_bytes};
use super::super::kv::fate_by;
use super::super::{Arrival, Fate, Marks, Reports, Segment, StoreError, Upload};
use super::{Outcome, Parameter, Postgres, execute, prefix, read_marks, trouble};

/// A step that finds ids that were there, or marks that moved, is taken again.
const ATTEMPTS: usize = 8;

/// What makes a report one and the same.
type Key = (Prefix, i64, [u8; 16]);
type Known = BTreeMap<Prefix, Marks>;

#[async_trait]
impl Reports for Postgres {
    async fn append(&self, uploads: Vec<Upload>) -> Outcome<Vec<Vec<Fate>>> {
        let prefixes: BTreeSet<Prefix> = uploads.iter().map(|upload| upload.experiment).collect();
        let (mut known, mut care) = (self.seen(&prefixes), Care::AllNew);
        for _ in 0..ATTEMPTS {
            let mut client = self.client().await?;
            let step = client.transaction().await.map_err(trouble)?;
            let ids = candidates(&uploads, &known);
            // Both are known to the connection before, so that ids go first.
            let adding = step.prepare_cached(care.query()).await.map_err(trouble)?;
            let locking = step.prepare_cached(LOCK).await.map_err(trouble)?;
            let (new, marks) =
                tokio::try_join!(add_ids(&step, &adding, ids, care), lock(&step, &locking, &prefixes))?;
            self.see(&marks);
            let agree = |upload: &Upload| {
                let fate = |marks, one: &Arrival| fate(marks, upload.experiment, one);
                upload.reports.iter().all(|one| fate(&known, one) == fate(&marks, one))
            };
            match new {
                Some(new) if uploads.iter().all(agree) => {
                    let fates = keep(&step, &uploads, marks, new).await?;
                    step.commit().await.map_err(trouble)?;
                    return Ok(fates);
                }
                Some(_) => {}
                None => care = Care::OneByOne,
            }
            known = marks;
        }
        Err(StoreError::Unavailable("the database: its marks move too fast".into()))
    }

    /// While one is on its way to the disk, the ids of the next are sorted in.
    fn appends_at_once(&self) -> usize {
        2
    }

    async fn unfolded(&self, experiment: Prefix, from: u64, most: usize) -> Outcome<Vec<Segment>> {
        // Numbers have no gaps: so many numbers are so many reports.
        let query = "SELECT first, segment FROM reports WHERE prefix = $1 AND first >= $2 AND first < $3 \
            ORDER BY first";
        let end = i64::try_from(from.saturating_add(most.max(1) as u64)).unwrap_or(i64::MAX);
        let client = self.client().await?;
        let rows = client
            .query(query, &[&experiment.bytes().as_slice(), &(from as i64), &end])
            .await
            .map_err(trouble)?;
        rows.iter().map(|row| segment(row.get::<_, i64>(0).unsigned_abs(), row.get(1))).collect()
    }
}

/// How ids are looked at.
#[derive(Clone, Copy, PartialEq)]
enum Care {
    /// Nearly always each is new: their number is enough.
    AllNew,
    /// Some were there: the database says which were not.
    OneByOne,
}

impl Care {
    fn query(self) -> &'static str {
        match self {
            Care::AllNew => {
                "INSERT INTO ids SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[])
                    ON CONFLICT DO NOTHING"
            }
            Care::OneByOne => {
                "INSERT INTO ids SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[])
                    ON CONFLICT DO NOTHING RETURNING prefix, policy, id"
            }
        }
    }
}

/// In the order of experiments, so that two servers never wait for each other.
const LOCK: &str =
    "SELECT prefix, phase, appended, folded, oldest, newest, at FROM marks WHERE prefix = ANY($1)
    ORDER BY prefix FOR UPDATE";

/// The ids that were not there.
enum New {
    All,
    These(BTreeSet<Key>),
}

impl New {
    /// The first of its id is the one that was added.
    fn take(&mut self, key: &Key) -> bool {
        match self {
            New::All => true,
            New::These(keys) => keys.remove(key),
        }
    }
}

fn key(experiment: Prefix, report: &Arrival) -> Key {
    (experiment, report.policy as i64, report.id.0)
}

/// Why a report is not even looked at.
fn fate(known: &Known, experiment: Prefix, report: &Arrival) -> Option<Fate> {
    known.get(&experiment).map_or(Some(Fate::Closed), |marks| fate_by(marks, report.policy))
}

/// The reports that may be taken, in their order.
fn candidates(uploads: &[Upload], known: &Known) -> Vec<Key> {
    let all = uploads.iter().flat_map(|upload| upload.reports.iter().map(|one| (upload.experiment, one)));
    let mut keys: Vec<Key> = all
        .filter(|(experiment, one)| fate(known, *experiment, one).is_none())
        .map(|(experiment, one)| key(experiment, one))
        .collect();
    keys.sort_unstable();
    keys
}

/// Adds the ids of reports that may be taken, in one go; none if that has to be done with more care.
async fn add_ids(
    step: &Transaction<'_>,
    adding: &Statement,
    mut keys: Vec<Key>,
    care: Care,
) -> Outcome<Option<New>> {
    let asked = keys.len();
    keys.dedup();
    if keys.is_empty() {
        return Ok(Some(New::All));
    }
    let prefixes: Vec<&[u8]> = keys.iter().map(|(prefix, ..)| prefix.bytes().as_slice()).collect();
    let policies: Vec<i64> = keys.iter().map(|(_, policy, _)| *policy).collect();
    let ids: Vec<&[u8]> = keys.iter().map(|(.., id)| id.as_slice()).collect();
    let with: [Parameter<'_>; 3] = [&prefixes, &policies, &ids];
    if care == Care::AllNew {
        let added = step.execute(adding, &with).await.map_err(trouble)?;
        return Ok((added == asked as u64).then_some(New::All));
    }
    let rows = step.query(adding, &with).await.map_err(trouble)?;
    rows.iter().map(read_key).collect::<Outcome<_>>().map(|keys| Some(New::These(keys)))
}

fn read_key(row: &Row) -> Outcome<Key> {
    let id = <[u8; 16]>::try_from(row.get::<_, &[u8]>(2));
    let id = id.map_err(|_| StoreError::Damaged("the id of a report cannot be read".into()))?;
    Ok((prefix(row.get(0))?, row.get(1), id))
}

/// The marks of experiments, locked until the step ends.
async fn lock(step: &Transaction<'_>, locking: &Statement, experiments: &BTreeSet<Prefix>) -> Outcome<Known> {
    let prefixes: Vec<&[u8]> = experiments.iter().map(|prefix| prefix.bytes().as_slice()).collect();
    let rows = step.query(locking, &[&prefixes]).await.map_err(trouble)?;
    rows.iter().map(|row| Ok((prefix(row.get(0))?, read_marks(row, 1)?))).collect()
}

/// Numbers the reports that are new, and keeps them.
async fn keep(
    step: &Transaction<'_>,
    uploads: &[Upload],
    mut marks: Known,
    mut new: New,
) -> Outcome<Vec<Vec<Fate>>> {
    let (mut all, mut rows) = (Vec::new(), Rows::default());
    for upload in uploads {
        let mut taken = Vec::new();
        let mut fates = Vec::with_capacity(upload.reports.len());
        for report in &upload.reports {
            fates.push(match fate(&marks, upload.experiment, report) {
                Some(refused) => refused,
                None if new.take(&key(upload.experiment, report)) => {
                    taken.push(report.bytes.as_slice());
                    Fate::Taken
                }
                None => Fate::Replayed,
            });
        }
        if let Some(marks) = marks.get_mut(&upload.experiment).filter(|_| !taken.is_empty()) {
            rows.add(upload, marks, &taken);
        }
        all.push(fates);
    }
    rows.write(step, &marks).await?;
    Ok(all)
}

/// What is written of a step, column by column.
#[derive(Default)]
struct Rows<'u> {
    prefixes: Vec<&'u [u8]>,
    firsts: Vec<i64>,
    moments: Vec<i64>,
    segments: Vec<Vec<u8>>,
}

impl<'u> Rows<'u> {
    fn add(&mut self, upload: &'u Upload, marks: &mut Marks, taken: &[&[u8]]) {
        self.prefixes.push(upload.experiment.bytes().as_slice());
        self.firsts.push(marks.appended as i64);
        self.moments.push(upload.at.unix());
        self.segments.push(segment_bytes(upload.at, taken.iter().copied()));
        marks.appended += taken.len() as u64;
    }

    async fn write(&self, step: &Transaction<'_>, marks: &Known) -> Outcome<()> {
        if self.firsts.is_empty() {
            return Ok(());
        }
        let prefixes: Vec<&[u8]> = marks.keys().map(|prefix| prefix.bytes().as_slice()).collect();
        let appended: Vec<i64> = marks.values().map(|marks| marks.appended as i64).collect();
        let reports = "INSERT INTO reports
            SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[])";
        let rows: [Parameter<'_>; 4] = [&self.prefixes, &self.firsts, &self.moments, &self.segments];
        let numbers = "UPDATE marks SET appended = new.appended
            FROM unnest($1::bytea[], $2::bigint[]) AS new(prefix, appended) WHERE marks.prefix = new.prefix";
        let marks: [Parameter<'_>; 2] = [&prefixes, &appended];
        tokio::try_join!(execute(step, reports, &rows), execute(step, numbers, &marks))?;
        Ok(())
    }
}

impl Postgres {
    /// The marks of these experiments, as they were when they were last seen.
    fn seen(&self, experiments: &BTreeSet<Prefix>) -> Known {
        let seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        experiments.iter().filter_map(|prefix| Some((*prefix, *seen.get(prefix)?))).collect()
    }

    fn see(&self, marks: &Known) {
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.extend(marks.iter().map(|(prefix, marks)| (*prefix, *marks)));
    }
}
