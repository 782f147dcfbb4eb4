//! A hash that notices a changed file. It protects nothing and nobody.

/// FNV-1a, 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint(pub(super) u64);

impl Fingerprint {
    pub(super) const EMPTY: Fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The authors' test vectors.
    #[test]
    fn known_hashes() {
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut fingerprint = Fingerprint::EMPTY;
            fingerprint.add(text.as_bytes());
            assert_eq!(fingerprint.0, hash, "{text:?}");
        }
    }
}
