//! Integers of any size in few bytes (LEB128), one spelling each.

/// Why bytes are no integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Bytes are missing.
    Truncated,
    /// More than 64 bits, or not the shortest form.
    Range,
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
pub(crate) fn take(bytes: &mut &[u8]) -> Result<u64, Fault> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Fault::Truncated)?;
        *bytes = rest;
        let low = u64::from(byte & 0x7f);
        // One spelling per number: no bits lost at the top, no trailing zero byte.
        if (low << shift) >> shift != low || (byte == 0 && shift > 0) {
            return Err(Fault::Range);
        }
        value |= low << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Fault::Range)
}

/// Appends a signed value: numbers near zero are short, whatever their sign.
pub(crate) fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    put(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

/// Takes one signed integer off the front.
pub(crate) fn take_signed(bytes: &mut &[u8]) -> Result<i64, Fault> {
    let zigzag = take(bytes)?;
    Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
}
