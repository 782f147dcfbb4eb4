//! Policies, states, and what is forgotten when they move on.

use async_trait::async_trait;
use reticent_schema::Prefix;
use reticent_store::Moment;

use super::super::{Learned, Marks, Phase, Policies, Publication, PublishedPolicy};
use super::reports::{marks, put_marks};
use super::{Backend, KvStore, Outcome, Table, Write, codec};

/// What is deleted in one step: the rest waits for the next.
const MOST_DELETED: usize = 50_000;

#[async_trait]
impl<B: Backend> Policies for KvStore<B> {
    async fn marks(&self) -> Outcome<Vec<(Prefix, Marks)>> {
        self.look(|tables| {
            let mut all = Vec::new();
            tables.scan(Table::Marks, &[], &[0xff; 5], &mut |key, value| {
                all.push((<[u8; Prefix::LENGTH]>::try_from(key), Marks::decode(value)));
                true
            })?;
            let read = |(key, marks): (Result<[u8; 4], _>, Outcome<Marks>)| {
                Ok((Prefix::from_bytes(key.map_err(|_| codec::damaged("a key"))?), marks?))
            };
            all.into_iter().map(read).collect()
        })
    }

    async fn learned(&self, experiment: Prefix) -> Outcome<Option<(Marks, Learned)>> {
        self.look(|tables| {
            let Some(marks) = marks(tables, experiment)? else { return Ok(None) };
            let part = |table| Ok(tables.get(table, experiment.bytes())?.unwrap_or_default());
            Ok(Some((marks, Learned { state: part(Table::States)?, insight: part(Table::Insights)? })))
        })
    }

    async fn publish(&self, publication: Publication) -> Outcome<bool> {
        self.alter(move |tables| {
            let Some(marks) = marks(tables, publication.experiment)? else { return Ok(false) };
            if marks.folded != publication.from || publication.to > marks.appended {
                return Ok(false);
            }
            publish(tables, marks, &publication)?;
            Ok(true)
        })
        .await
    }

    async fn policies(&self, experiment: Prefix) -> Outcome<Vec<PublishedPolicy>> {
        self.look(|tables| {
            let mut all = Vec::new();
            let (start, end) = (codec::key(experiment, 0), codec::key(experiment, u64::MAX));
            tables.scan(Table::Policies, &start, &end, &mut |key, value| {
                let read = codec::number(key).and_then(|version| Ok((version, codec::policy(value)?)));
                all.push(read.map(|(version, (at, bytes))| PublishedPolicy { version, at, bytes }));
                true
            })?;
            all.into_iter().collect()
        })
    }
}

/// Writes all of a step.
pub(super) fn publish(tables: &mut dyn Write, before: Marks, step: &Publication) -> Outcome<()> {
    let newest = step.policy.as_ref().map_or(before.newest, |(version, _)| *version);
    let oldest = before.oldest.max(step.oldest.min(newest));
    let marks = Marks { folded: step.to, oldest, newest, at: before.at.max(step.at), ..before };
    put_marks(tables, step.experiment, &marks)?;
    tables.put(Table::States, step.experiment.bytes(), &step.learned.state)?;
    tables.put(Table::Insights, step.experiment.bytes(), &step.learned.insight)?;
    if let Some((version, bytes)) = &step.policy {
        tables.put(
            Table::Policies,
            &codec::key(step.experiment, *version),
            &codec::policy_bytes(step.at, bytes),
        )?;
    }
    if let Some(version) = step.thinned {
        tables.remove(Table::Policies, &codec::key(step.experiment, version))?;
    }
    forget(tables, step.experiment, &marks, step.keep_since)
}

/// Forgets closed policies with the ids of their reports, and folded reports.
pub(super) fn forget(
    tables: &mut dyn Write,
    experiment: Prefix,
    marks: &Marks,
    keep_since: Moment,
) -> Outcome<()> {
    // Nothing is taken any more, so nothing can come twice.
    let open = if marks.phase.is_final() { u64::MAX } else { marks.oldest };
    let (start, first_open) = (codec::key(experiment, 0), codec::key(experiment, open));
    remove(tables, Table::Ids, &start, &first_open, |_| Ok(true))?;
    let served = codec::key(experiment, marks.oldest.min(marks.newest));
    remove(tables, Table::Policies, &start, &served, |_| Ok(true))?;
    let folded = codec::key(experiment, marks.folded);
    remove(tables, Table::Reports, &start, &folded, |value| Ok(codec::segment_moment(value)? < keep_since))
}

/// Removes pairs from the front as long as they may go.
fn remove(
    tables: &mut dyn Write,
    table: Table,
    from: &[u8],
    to: &[u8],
    may_go: impl Fn(&[u8]) -> Outcome<bool>,
) -> Outcome<()> {
    let (mut gone, mut fault) = (Vec::new(), None);
    tables.scan(table, from, to, &mut |key, value| match may_go(value) {
        Ok(true) => {
            gone.push(key.to_vec());
            gone.len() < MOST_DELETED
        }
        Ok(false) => false,
        Err(error) => {
            fault = Some(error);
            false
        }
    })?;
    fault.map_or(Ok(()), Err)?;
    gone.iter().try_for_each(|key| tables.remove(table, key))
}

impl Marks {
    /// Of an experiment that begins.
    pub(in super::super) fn first(at: Moment) -> Marks {
        Marks { phase: Phase::Running, appended: 0, folded: 0, oldest: 0, newest: 0, at }
    }
}
