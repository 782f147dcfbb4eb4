//! Many observations in one block of memory.

/// Observations of one input, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sample {
    values: Vec<f64>,
    /// Where each observation ends.
    ends: Vec<usize>,
}

impl Sample {
    pub(super) fn push(&mut self, seen: &[f64]) {
        self.values.extend_from_slice(seen);
        self.ends.push(self.values.len());
    }

    pub(super) fn append(&mut self, other: &Sample) {
        let start = self.values.len();
        self.values.extend_from_slice(&other.values);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn row(&self, index: usize) -> &[f64] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.values[start..self.ends[index]]
    }

    /// All observations.
    pub(super) fn rows(&self) -> Rows<'_> {
        Rows { sample: self, start: 0, end: self.len() }
    }

    /// The first half, to fit on, and the second, to choose by.
    pub(super) fn halves(&self) -> (Rows<'_>, Rows<'_>) {
        let middle = self.len() / 2;
        (Rows { sample: self, start: 0, end: middle }, Rows { sample: self, start: middle, end: self.len() })
    }
}

/// A stretch of a sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    sample: &'a Sample,
    start: usize,
    end: usize,
}

impl<'a> Rows<'a> {
    pub(super) fn len(self) -> usize {
        self.end - self.start
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'a [f64]> {
        (self.start..self.end).map(move |index| self.sample.row(index))
    }

    /// The first of so many parts.
    pub(super) fn part(self, parts: usize) -> Rows<'a> {
        Rows { end: self.start + self.len().div_ceil(parts), ..self }
    }

    /// At most `most` of the rows, evenly spread.
    pub(super) fn some(self, most: usize) -> impl Iterator<Item = &'a [f64]> {
        let step = self.len().div_ceil(most).max(1);
        self.iter().step_by(step)
    }
}

/// The same stretch of the samples of two neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Both<'a> {
    pub(super) first: Rows<'a>,
    pub(super) second: Rows<'a>,
}

/// Enough rows for a quantile or a covariance.
pub(super) const SOME: usize = 1 << 14;

impl<'a> Both<'a> {
    /// Some rows of either neighbour.
    pub(super) fn pooled(self) -> impl Iterator<Item = &'a [f64]> {
        self.first.some(SOME).chain(self.second.some(SOME))
    }

    /// Some rows of each.
    pub(super) fn apart(self) -> (impl Iterator<Item = &'a [f64]>, impl Iterator<Item = &'a [f64]>) {
        (self.first.some(SOME), self.second.some(SOME))
    }

    /// The longest observation among some.
    pub(super) fn width(self) -> usize {
        self.pooled().map(<[f64]>::len).max().unwrap_or(0)
    }

    /// The values of one coordinate in some rows, in order.
    pub(super) fn sorted_coordinate(self, coordinate: usize) -> Vec<f64> {
        let mut values: Vec<f64> = self.pooled().map(|seen| value_at(seen, coordinate)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }
}

/// A coordinate's value; what is missing or no number is below all numbers.
#[inline]
pub(super) fn value_at(seen: &[f64], coordinate: usize) -> f64 {
    seen.get(coordinate).copied().filter(|value| !value.is_nan()).unwrap_or(f64::NEG_INFINITY)
}
