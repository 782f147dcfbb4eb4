//! The estimator that all oracles but one share: how often reports support a symbol.

/// A report supports some of the symbols: a given symbol with probability P1 when it is the person's own and with P0
/// when the person holds any other. Wang, Blocki, Li and Jha (2017) call such an oracle pure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Support {
    own: f64,
    other: f64,
    gap: f64,
}

impl Support {
    /// P1, P0, and P1 - P0 without cancellation.
    pub(crate) fn new(own: f64, other: f64, gap: f64) -> Support {
        Support { own, other, gap }
    }

    /// The unbiased frequency of a symbol that `supported` of `reports` reports support: (S/n - P0) / (P1 - P0).
    pub(crate) fn estimate(&self, supported: u64, reports: u64) -> f64 {
        let reports = reports as f64;
        (supported as f64 - reports * self.other) / (reports * self.gap)
    }

    /// The same for each symbol.
    pub(crate) fn estimates(&self, supported: &[u64], reports: u64) -> Vec<f64> {
        supported.iter().map(|&supported| self.estimate(supported, reports)).collect()
    }

    /// The variance of the estimate from one report when a share `frequency` of the people hold the symbol: a report
    /// is a coin of bias P1 or P0.
    pub(crate) fn variance_of_one(&self, frequency: f64) -> f64 {
        let coin = |p: f64| p * (1.0 - p);
        let one_report = frequency * coin(self.own) + (1.0 - frequency) * coin(self.other);
        one_report / (self.gap * self.gap)
    }
}
