//! Colours mixed with the paper, and the scale of quantities.

/// Matplotlib's viridis in nine steps: brightness rises evenly, so that it
/// reads the same without colour.
const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

/// A colour on white paper: all of it at 1, nothing of it at 0.
pub(super) fn tint(hex: &str, strength: f64) -> String {
    let part = |from: usize| hex.get(from..from + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    let base = [1, 3, 5].map(|from| part(from).unwrap_or(0));
    between([255; 3], base, strength)
}

/// The colour of a quantity, from 0 (dark) to 1 (bright).
pub(super) fn sequential(fraction: f64) -> String {
    let place = fraction.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let below = (place as usize).min(VIRIDIS.len() - 2);
    between(VIRIDIS[below], VIRIDIS[below + 1], place - below as f64)
}

fn between(from: [u8; 3], to: [u8; 3], part: f64) -> String {
    let mix = |i: usize| {
        let (from, to) = (f64::from(from[i]), f64::from(to[i]));
        (from + part.clamp(0.0, 1.0) * (to - from)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact() {
        assert_eq!(tint("#0072b2", 1.0), "#0072b2");
        assert_eq!(tint("#0072b2", 0.0), "#ffffff");
        assert_eq!(tint("#000000", 0.5), "#808080");
        assert_eq!([0.0, 0.5, 1.0].map(sequential), ["#440154", "#21918c", "#fde725"]);
    }

    /// Relative luminance as in WCAG 2, to be read without colour.
    #[test]
    fn quantities_get_brighter() {
        let luminance = |hex: &str| {
            let part = |i| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
            let linear = |c: f64| if c <= 0.04 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
            0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
        };
        let steps: Vec<_> = (0..=64).map(|i| luminance(&sequential(f64::from(i) / 64.0))).collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    }
}
