//! From a sale to one randomised symbol.

use std::fmt;
use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::oracle::Oracle;
use reticent_privacy::{Epsilon, Generator, Guarantee, Paid, UnitGrid};
use reticent_protocol::Report;
use reticent_protocol::pricing::Spec;
use reticent_schema::{Digest, MAX_AXES, Value};

use crate::device::ensure_paid;
use crate::{DeviceError, Problem};

/// A spec as those need it who hold records.
#[derive(Debug)]
pub struct Privatiser {
    spec: Spec,
    questions: NonZeroU64,
}

/// A sale, clipped and scaled to the unit cube, ready to be privatised. Shows nothing.
pub struct Record {
    point: [f64; MAX_AXES + 1],
    outcome: UnitGrid,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Record { .. }")
    }
}

impl Problem for Privatiser {
    type Spec = Spec;
    type Record = Record;

    fn new(spec: &Spec) -> Privatiser {
        // A spec has at least one question.
        let questions = NonZeroU64::new(spec.channels().len() as u64).unwrap_or(NonZeroU64::MIN);
        Privatiser { spec: spec.clone(), questions }
    }

    fn experiment(&self) -> Digest {
        self.spec.digest()
    }

    fn guarantee(&self) -> Guarantee {
        self.spec.guarantee()
    }

    /// The questions are part of the spec: there is one policy.
    fn policy(_: &Record) -> u64 {
        0
    }

    #[inline]
    fn cost(&self, _: &Record) -> Epsilon {
        self.spec.epsilon()
    }

    /// Which question is drawn does not depend on the record.
    #[inline]
    fn report<G: Generator>(
        &self,
        record: Record,
        receipt: Paid,
        rng: &mut G,
    ) -> Result<Report, DeviceError> {
        ensure_paid(receipt, self.spec.epsilon())?;
        let question = uniform_below(self.questions, rng) as u32;
        let channel = &self.spec.channels()[question as usize];
        // Good with probability exactly the outcome: an unbiased rounding to one bit.
        let good = (rng.next_u64() >> (64 - UnitGrid::BITS)) < u64::from(record.outcome.steps());
        let symbol = 2 * channel.cell(&record.point[..self.spec.terms().axes()]) + u32::from(good);
        let oracle = channel.oracle();
        let answer = oracle.randomise(oracle.domain().clip(symbol), rng).into();
        Ok(Report { experiment: self.spec.prefix(), policy: 0, source: None, question, answer })
    }
}

impl Privatiser {
    pub(super) fn record(&self, context: &[Value], price: f64) -> Result<Record, DeviceError> {
        let mut point = [0.0; MAX_AXES + 1];
        let dimension = self.spec.terms().context().dimension();
        self.spec.terms().context().encode_values(context, &mut point[..dimension])?;
        Ok(self.priced(point, price))
    }

    #[inline]
    pub(super) fn record_numbers(&self, context: &[f64], price: f64) -> Result<Record, DeviceError> {
        let mut point = [0.0; MAX_AXES + 1];
        let dimension = self.spec.terms().context().dimension();
        self.spec.terms().context().encode_numbers(context, &mut point[..dimension])?;
        Ok(self.priced(point, price))
    }

    #[inline]
    pub(super) fn record_placed(&self, context: &[f64], price: f64) -> Result<Record, DeviceError> {
        let mut point = [0.0; MAX_AXES + 1];
        let dimension = self.spec.terms().context().dimension();
        self.spec.terms().context().encode_placed(context, &mut point[..dimension])?;
        Ok(self.priced(point, price))
    }

    /// Adds the price behind the context; one that is no number is in the middle.
    #[inline]
    fn priced(&self, mut point: [f64; MAX_AXES + 1], price: f64) -> Record {
        let terms = self.spec.terms();
        let price = if price.is_finite() {
            price
        } else {
            f64::midpoint(terms.prices().low(), terms.prices().high())
        };
        point[terms.axes() - 1] = terms.prices().unit(price);
        Record { point, outcome: UnitGrid::MIDDLE }
    }

    #[inline]
    pub(super) fn with_outcome(&self, mut record: Record, outcome: f64) -> Record {
        if outcome.is_finite() {
            let unit = self.spec.terms().outcome().unit(outcome);
            record.outcome = UnitGrid::clip(unit).unwrap_or(UnitGrid::MIDDLE);
        }
        record
    }
}
