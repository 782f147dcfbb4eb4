//! A hash that notices a change. It protects nothing and nobody.

/// FNV-1a, 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(bytes);
        fingerprint
    }

    /// Takes in bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// Takes in a whole word at once, eight times as fast; another hash than that of its bytes.
    #[inline]
    pub fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(PRIME).rotate_left(23);
    }

    /// The hash.
    pub fn value(self) -> u64 {
        self.0
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
            assert_eq!(Fingerprint::of(text.as_bytes()).value(), hash, "{text:?}");
        }
    }
}
