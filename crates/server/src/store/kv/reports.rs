//! Reports: appended once, read in order.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::super::{ALWAYS_OPEN, Fate, Marks, Phase, Reports, Segment, Upload};
use super::{Backend, KvStore, Outcome, Read, Table, Write, codec};

#[async_trait]
impl<B: Backend> Reports for KvStore<B> {
    async fn append(&self, uploads: Vec<Upload>) -> Outcome<Vec<Vec<Fate>>> {
        self.alter(move |tables| uploads.iter().map(|upload| append(tables, upload)).collect()).await
    }

    async fn unfolded(&self, experiment: Prefix, from: u64, most: usize) -> Outcome<Vec<Segment>> {
        self.look(|tables| {
            let (mut segments, mut count, mut fault) = (Vec::new(), 0, None);
            let (start, end) = (codec::key(experiment, from), codec::key(experiment, u64::MAX));
            tables.scan(Table::Reports, &start, &end, &mut |key, value| match codec::number(key)
                .and_then(|first| codec::segment(first, value))
            {
                Ok(segment) => {
                    count += segment.reports.len();
                    segments.push(segment);
                    count < most
                }
                Err(error) => {
                    fault = Some(error);
                    false
                }
            })?;
            fault.map_or(Ok(segments), Err)
        })
    }
}

fn append(tables: &mut dyn Write, upload: &Upload) -> Outcome<Vec<Fate>> {
    let Some(mut marks) = marks(tables, upload.experiment)? else {
        return Ok(vec![Fate::Closed; upload.reports.len()]);
    };
    let (mut fates, mut taken) = (Vec::with_capacity(upload.reports.len()), Vec::new());
    for report in &upload.reports {
        let id = codec::id_key(upload.experiment, report.policy, report.id.0);
        fates.push(match fate_by(&marks, report.policy) {
            Some(refused) => refused,
            None if tables.add(Table::Ids, &id)? => {
                taken.push(report.bytes.as_slice());
                Fate::Taken
            }
            None => Fate::Replayed,
        });
    }
    if !taken.is_empty() {
        let (place, count) = (codec::key(upload.experiment, marks.appended), taken.len() as u64);
        tables.put(Table::Reports, &place, &codec::segment_bytes(upload.at, taken.into_iter()))?;
        marks.appended += count;
        put_marks(tables, upload.experiment, &marks)?;
    }
    Ok(fates)
}

/// Why a report that names this policy is not even looked at.
pub(in super::super) fn fate_by(marks: &Marks, policy: u64) -> Option<Fate> {
    match marks.phase {
        Phase::Paused => Some(Fate::Paused),
        Phase::Stopped | Phase::Frozen => Some(Fate::Closed),
        Phase::Running if policy == ALWAYS_OPEN => None,
        Phase::Running if policy > marks.newest => Some(Fate::TooEarly),
        Phase::Running if policy < marks.oldest => Some(Fate::TooLate),
        Phase::Running => None,
    }
}

pub(super) fn marks(tables: &(impl Read + ?Sized), experiment: Prefix) -> Outcome<Option<Marks>> {
    tables.get(Table::Marks, experiment.bytes())?.map(|bytes| Marks::decode(&bytes)).transpose()
}

pub(super) fn put_marks(tables: &mut dyn Write, experiment: Prefix, marks: &Marks) -> Outcome<()> {
    tables.put(Table::Marks, experiment.bytes(), &marks.encode())
}
