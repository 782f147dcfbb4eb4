//! What all binary documents share: a version byte, integers of any size in few bytes (LEB128) with one
//! spelling each, and what can be wrong.

/// The version that every document starts with.
pub(crate) const VERSION: u8 = 2;

/// Why bytes are no document. Never shows the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A version that this program does not know.
    #[error("the document has version {0}; this program reads version {VERSION}")]
    Version(u8),
    /// A kind of answer that this version does not have.
    #[error("the document's kind {0} is unknown")]
    Kind(u8),
    /// Bytes are missing.
    #[error("the document is cut short")]
    Truncated,
    /// A number does not fit its field or is not in its shortest form.
    #[error("a number in the document is out of range")]
    Number,
    /// Bytes are left over.
    #[error("the document has bytes after its end")]
    Trailing,
}

/// What follows the version.
pub(crate) fn after_version(bytes: &[u8]) -> Result<&[u8], DecodeError> {
    match bytes.split_first() {
        None => Err(DecodeError::Truncated),
        Some((&VERSION, rest)) => Ok(rest),
        Some((&version, _)) => Err(DecodeError::Version(version)),
    }
}

/// Nothing may follow the end.
pub(crate) fn at_end(rest: &[u8]) -> Result<(), DecodeError> {
    if rest.is_empty() { Ok(()) } else { Err(DecodeError::Trailing) }
}

/// Appends `value`.
pub(crate) fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes one integer off the front.
pub(crate) fn take(bytes: &mut &[u8]) -> Result<u64, DecodeError> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(bytes)?;
        let low = u64::from(byte & 0x7f);
        // One spelling per number: no bits lost at the top, no trailing zero byte.
        if (low << shift) >> shift != low || (byte == 0 && shift > 0) {
            return Err(DecodeError::Number);
        }
        value |= low << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(DecodeError::Number)
}

/// Takes one integer of 32 bits off the front.
pub(crate) fn take_u32(bytes: &mut &[u8]) -> Result<u32, DecodeError> {
    u32::try_from(take(bytes)?).map_err(|_| DecodeError::Number)
}

/// Takes so many bytes off the front.
pub(crate) fn take_array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], DecodeError> {
    let (first, rest) = bytes.split_first_chunk().ok_or(DecodeError::Truncated)?;
    *bytes = rest;
    Ok(*first)
}

/// Takes a source's number plus one, or 0 for the experiment's own people, off the front.
pub(crate) fn take_source(bytes: &mut &[u8]) -> Result<Option<u32>, DecodeError> {
    match take(bytes)? {
        0 => Ok(None),
        source => u32::try_from(source - 1).map(Some).map_err(|_| DecodeError::Number),
    }
}

/// A length that is at most `most`, and as many items.
pub(crate) fn take_list<T>(
    bytes: &mut &[u8],
    most: usize,
    take: impl Fn(&mut &[u8]) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let length = take_u32(bytes)? as usize;
    if length > most {
        return Err(DecodeError::Number);
    }
    (0..length).map(|_| take(bytes)).collect()
}

/// Takes one byte off the front.
pub(crate) fn take_byte(bytes: &mut &[u8]) -> Result<u8, DecodeError> {
    let (&byte, rest) = bytes.split_first().ok_or(DecodeError::Truncated)?;
    *bytes = rest;
    Ok(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_integer_has_one_spelling(value in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let mut written = Vec::new();
            put(&mut written, value);
            prop_assert_eq!(take(&mut written.as_slice()), Ok(value));
            let mut rest = bytes.as_slice();
            if let Ok(value) = take(&mut rest) {
                let mut again = Vec::new();
                put(&mut again, value);
                prop_assert_eq!(again.as_slice(), &bytes[..bytes.len() - rest.len()]);
            }
        }
    }
}
