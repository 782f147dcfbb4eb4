//! The prices that Algorithm 2 compares.

/// The set G of Algorithm 2, ascending: 0, 1, and for each logged price p the ends max(0, p - h) and min(1,
/// p + h) of the interval of prices that it is near to. In floating point that interval is what the two rounded
/// ends enclose, both included; so a sale counts at the breakpoints that it makes itself, as it does in real
/// numbers, where the paper's ball is closed.
#[derive(Debug)]
pub(super) struct Candidates {
    pub(super) prices: Vec<f64>,
    /// For each rank of a logged price, the first and the last candidate that it is near to. Both ascend with the rank.
    pub(super) near: Vec<(u32, u32)>,
}

impl Candidates {
    /// From the different logged prices, ascending.
    pub(super) fn new(logged: &[f64], bandwidth: f64) -> Candidates {
        let low = |price: f64| (price - bandwidth).max(0.0);
        let high = |price: f64| (price + bandwidth).min(1.0);
        let mut prices = vec![0.0, 1.0];
        prices.extend(logged.iter().flat_map(|&price| [low(price), high(price)]));
        prices.sort_unstable_by(f64::total_cmp);
        prices.dedup();
        let place = |end: f64| prices.partition_point(|&price| price < end) as u32;
        let near = logged.iter().map(|&price| (place(low(price)), place(high(price)))).collect();
        Candidates { prices, near }
    }
}
