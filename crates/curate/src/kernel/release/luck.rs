//! How much rewards vary around the function.

/// The variance that is likely, given the declared one, what squared rewards tell of it, and how exactly they do.
///
/// A declaration may be far off: of outcomes that are 0 or 1 hardly anybody can say a deviation. What is believed of
/// the variance's logarithm has heavy tails, so that a declaration never outweighs numbers that are clear.
pub(super) fn likely_variance(declared: f64, told: f64, exactness: f64) -> f64 {
    // Close together: squared rewards of many people tell the variance to a few parts in a hundred.
    let sizes = (-400..=1000).map(|step| declared * libm::exp(0.01 * f64::from(step)));
    let weighed = sizes.filter(|size| *size <= 1.0).map(|size| {
        let off = told - size;
        let doublings = libm::log(size / declared) / std::f64::consts::LN_2;
        (size, -0.5 * off * off / exactness - libm::log1p(doublings * doublings))
    });
    let weighed: Vec<(f64, f64)> = weighed.collect();
    let most = weighed.iter().fold(f64::NEG_INFINITY, |most, (_, believed)| most.max(*believed));
    let shares = weighed.iter().map(|(size, believed)| (size, libm::exp(believed - most)));
    let (sum, total) =
        shares.fold((0.0, 0.0), |(sum, total), (size, share)| (sum + share * size, total + share));
    sum / total
}

#[cfg(test)]
mod tests {
    use super::likely_variance;

    #[test]
    fn clear_numbers_outweigh_a_declaration_and_vague_ones_do_not() {
        let clear = likely_variance(0.01, 0.85, 1e-4);
        assert!((clear - 0.85).abs() < 0.02, "{clear}");
        let vague = likely_variance(0.01, 0.1, 0.04);
        assert!((0.005..0.15).contains(&vague), "{vague}");
        let right = likely_variance(0.01, 0.0102, 1e-6);
        assert!((right - 0.01).abs() < 0.001, "{right}");
        let below = likely_variance(0.01, -0.5, 1e-3);
        assert!(below > 0.0 && below < 0.01, "nothing varies by less than nothing: {below}");
    }
}
