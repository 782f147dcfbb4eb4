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
            // Names are written once. Marks are written so often that looking through them is no quick look.
            let mut prefixes = Vec::new();
            tables.scan(Table::Names, &[], &[0xff; 5], &mut |_, value| {
                prefixes.push(<[u8; Prefix::LENGTH]>::try_from(value).map(Prefix::from_bytes));
                true
            })?;
            let read = |prefix: Result<Prefix, _>| {
                let prefix = prefix.map_err(|_| codec::damaged("a name"))?;
                Ok((prefix, marks(tables, prefix)?.ok_or_else(|| codec::damaged("an experiment's marks"))?))
            };
            prefixes.into_iter().map(read).collect()
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
            tables.scan(Table::Policies, &start, &end, &mut |_, value| {
                all.push(codec::policy(value));
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
        let place = codec::key(step.experiment, place(tables, step.experiment, step.thinned)?);
        tables.put(Table::Policies, &place, &codec::policy_bytes(step.at, *version, bytes))?;
    }
    forget(tables, step.experiment, &marks, step.keep_since)
}

/// Where the next policy goes: behind the last, or, if that one is thinned out, into its place.
fn place(tables: &dyn Write, experiment: Prefix, thinned: Option<u64>) -> Outcome<u64> {
    let (start, end) = (codec::key(experiment, 0), codec::key(experiment, u64::MAX));
    let Some((key, value)) = tables.last(Table::Policies, &start, &end)? else { return Ok(0) };
    let is_thinned = thinned == Some(codec::policy(&value)?.version);
    Ok(codec::number(&key)? + u64::from(!is_thinned))
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
    remove(tables, Table::Ids, experiment, open, |_| Ok(true))?;
    let served = marks.oldest.min(marks.newest);
    remove(
        tables,
        Table::Policies,
        experiment,
        u64::MAX,
        |value| Ok(codec::policy(value)?.version < served),
    )?;
    let is_over = |value: &[u8]| Ok(codec::segment_moment(value)? < keep_since);
    remove(tables, Table::Reports, experiment, marks.folded, is_over)
}

/// Removes an experiment's pairs below a number, from the front on and as long as they may go.
fn remove(
    tables: &mut dyn Write,
    table: Table,
    experiment: Prefix,
    below: u64,
    may_go: impl Fn(&[u8]) -> Outcome<bool>,
) -> Outcome<()> {
    let mark = [experiment.bytes().as_slice(), &[table as u8]].concat();
    let from = tables.get(Table::Forgotten, &mark)?.unwrap_or_else(|| codec::key(experiment, 0).to_vec());
    let (mut gone, mut fault) = (Vec::new(), None);
    tables.scan(table, &from, &codec::key(experiment, below), &mut |key, value| match may_go(value) {
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
    gone.iter().try_for_each(|key| tables.remove(table, key))?;
    // Nothing comes before what is gone: numbers grow, and closed policies take no reports.
    gone.last().map_or(Ok(()), |last| tables.put(Table::Forgotten, &mark, last))
}

impl Marks {
    /// Of an experiment that begins.
    pub(in super::super) fn first(at: Moment) -> Marks {
        Marks { phase: Phase::Running, appended: 0, folded: 0, oldest: 0, newest: 0, at }
    }
}
