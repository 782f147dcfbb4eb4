//! The fast Walsh-Hadamard transform, in integers.

/// Replaces `sums` (a power of two of them) by the sums with signs: entry r becomes the sum over y of (-1)^(r . y)
/// times entry y, with r . y the parity of the common bits. No sum exceeds that of the absolute values.
pub(in crate::oracle) fn walsh_hadamard(sums: &mut [i64]) {
    let mut width = 1;
    while width < sums.len() {
        for pair in sums.chunks_exact_mut(2 * width) {
            let (left, right) = pair.split_at_mut(width);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        width *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_as_the_matrix(bits in 0_u32..7, seed in prop::collection::vec(-1_000_i64..1_000, 64)) {
            let plain = &seed[..1 << bits];
            let mut fast = plain.to_vec();
            walsh_hadamard(&mut fast);
            for (row, &sum) in fast.iter().enumerate() {
                let sign = |y: usize| 1 - 2 * i64::from((row & y).count_ones() % 2);
                prop_assert_eq!(sum, plain.iter().enumerate().map(|(y, &value)| sign(y) * value).sum::<i64>());
            }
        }
    }
}
