//! Raw records of the non-private baseline: simulations only.

use crate::abse::{Policy, Record, Spec};
use reticent_privacy::UnitGrid;

use super::AbsorbError;
use super::evidence::{Estimate, Origin};

/// Records by bin, so that halves can share out those of their parent, and sums by bin and arm.
#[derive(Debug)]
pub(super) struct Open {
    constant: f64,
    reports: Vec<u64>,
    records: Vec<Vec<Record>>,
    tallies: Vec<Tally>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: u64,
    steps: u64,
}

impl Open {
    pub(super) fn new(spec: &Spec, constant: f64, pairs: usize) -> Open {
        Open {
            constant,
            reports: vec![0; spec.sources().len() + 1],
            records: vec![Vec::new()],
            tallies: vec![Tally::default(); pairs],
        }
    }

    /// Adds one record and returns its bin. Sources count like the target (weights 1: equation (27) without privacy).
    pub(super) fn add(
        &mut self,
        source: usize,
        people: u64,
        record: &Record,
        policy: &Policy,
        spec: &Spec,
    ) -> Result<usize, AbsorbError> {
        let inside = record.context.iter().all(|x| (0.0..=1.0).contains(x));
        let fits = record.context.len() == policy.dims() && record.reward <= UnitGrid::STEPS;
        if !inside || !fits || record.arm >= spec.arms() {
            return Err(AbsorbError::WrongRecord);
        }
        if self.reports[source] >= people {
            return Err(AbsorbError::Finished(people));
        }
        self.reports[source] += 1;
        let bin = policy.find(&record.context);
        self.file(bin, record.clone(), policy);
        Ok(bin)
    }

    /// Records of arms that are out, and those of bins with nothing left to choose, are not needed any more.
    fn file(&mut self, bin: usize, record: Record, policy: &Policy) {
        let Some(pair) = policy.pair(bin, record.arm) else { return };
        self.tallies[pair].count += 1;
        self.tallies[pair].steps += u64::from(record.reward);
        if policy.bins()[bin].arms.len() > 1 {
            self.records[bin].push(record);
        }
    }

    /// Equation (10), and (14) without the privacy term: `sqrt(C_n / N)`.
    pub(super) fn estimate(&self, pair: usize) -> Option<Estimate> {
        let Tally { count, steps } = self.tallies[pair];
        let count = count as f64;
        (count > 0.0).then(|| Estimate {
            mean: steps as f64 / f64::from(UnitGrid::STEPS) / count,
            radius: (self.constant / count).sqrt(),
        })
    }

    /// Files the records of changed bins again.
    pub(super) fn rebuild(&mut self, next: &Policy, origins: &[Origin]) {
        let old = std::mem::replace(&mut self.records, vec![Vec::new(); origins.len()]);
        self.tallies = vec![Tally::default(); next.pairs()];
        let mut wanted = vec![false; old.len()];
        for origin in origins {
            let (Origin::Kept(from) | Origin::Child(from)) = *origin;
            wanted[from] = true;
        }
        for record in
            old.into_iter().zip(wanted).filter(|(_, wanted)| *wanted).flat_map(|(records, _)| records)
        {
            self.file(next.find(&record.context), record, next);
        }
    }
}
