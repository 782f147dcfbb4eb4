//! A choice that takes the same time either way.

/// `yes` or `no`, by a mask: whether a report is one of the true symbol's must not show in a branch.
#[inline]
pub(super) fn select(condition: bool, yes: u64, no: u64) -> u64 {
    let mask = u64::from(condition).wrapping_neg();
    (yes & mask) | (no & !mask)
}
