//! Numbers as people write them: `1.234,50 €`.

use super::super::CellFault;

/// The longest number that is read: more digits than a double has.
const LONGEST: usize = 48;

/// How a column's numbers are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberFormat {
    decimal: u8,
    /// What may stand between groups of three digits.
    thousands: Vec<&'static [u8]>,
    /// Texts that may stand before or after the number, the longest first.
    currency: Vec<Vec<u8>>,
    /// As computers write them.
    plain: bool,
}

impl Default for NumberFormat {
    fn default() -> NumberFormat {
        NumberFormat { decimal: b'.', thousands: Vec::new(), currency: Vec::new(), plain: true }
    }
}

impl NumberFormat {
    /// None if a mark is none that numbers are written with, or serves two purposes.
    pub(super) fn new(
        decimal: Option<&str>,
        thousands: Option<&str>,
        currency: &[String],
    ) -> Option<NumberFormat> {
        let decimal = match decimal {
            None | Some(".") => b'.',
            Some(",") => b',',
            Some(_) => return None,
        };
        let thousands: Vec<&[u8]> = match thousands {
            None => Vec::new(),
            Some(".") => vec![b"."],
            Some(",") => vec![b","],
            Some("'") => vec![b"'", "\u{2019}".as_bytes()],
            Some("_") => vec![b"_"],
            // Programs that mean a space write one that does not break.
            Some(" ") => vec![b" ", "\u{a0}".as_bytes(), "\u{202f}".as_bytes()],
            Some(_) => return None,
        };
        let number_like = |text: &String| {
            text.trim().is_empty() || text.contains(|c: char| c.is_ascii_digit() || "+-.,".contains(c))
        };
        if thousands.contains(&&[decimal][..]) || currency.iter().any(number_like) {
            return None;
        }
        let mut currency: Vec<Vec<u8>> = currency.iter().map(|text| text.trim().into()).collect();
        currency.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let plain = decimal == b'.' && thousands.is_empty() && currency.is_empty();
        Some(NumberFormat { decimal, thousands, currency, plain })
    }

    /// The number in a cell without spaces around it.
    #[inline]
    pub(crate) fn read(&self, cell: &[u8]) -> Result<f64, CellFault> {
        let number = if self.plain { plain(cell) } else { self.written(cell) };
        let number = number.ok_or(CellFault::NotANumber)?;
        if number.is_finite() { Ok(number) } else { Err(CellFault::NotFinite) }
    }

    /// Without allocating: digits are copied to where the standard library reads them.
    fn written(&self, cell: &[u8]) -> Option<f64> {
        let (sign, rest) = sign(cell);
        let rest = self.without_currency(rest);
        let (other, rest) = sign_of(rest, sign);
        let mut digits = Digits { bytes: [0; LONGEST], length: 0 };
        digits.push(other)?;
        let rest = self.whole_part(rest, &mut digits)?;
        let rest = match rest.split_first() {
            Some((mark, rest)) if *mark == self.decimal => {
                digits.push(b'.')?;
                digits.copy(rest)?
            }
            _ => rest,
        };
        let rest = exponent(rest, &mut digits)?;
        if rest.is_empty() { plain(&digits.bytes[..digits.length]) } else { None }
    }

    fn without_currency<'a>(&self, mut rest: &'a [u8]) -> &'a [u8] {
        if let Some(after) = self.currency.iter().find_map(|text| rest.strip_prefix(&text[..])) {
            rest = trim(after);
        }
        if let Some(before) = self.currency.iter().find_map(|text| rest.strip_suffix(&text[..])) {
            rest = trim(before);
        }
        rest
    }

    /// Marks must stand where thousands are: `1.5` is no 15 because somebody else's decimals have points.
    fn whole_part<'a>(&self, mut rest: &'a [u8], digits: &mut Digits) -> Option<&'a [u8]> {
        let (mut run, mut groups) = (0, 0);
        loop {
            if let Some((digit @ b'0'..=b'9', after)) = rest.split_first() {
                digits.push(*digit)?;
                run += 1;
                rest = after;
            } else if let Some(after) = self.thousands.iter().find_map(|mark| rest.strip_prefix(*mark)) {
                let sound = if groups == 0 { (1..=3).contains(&run) } else { run == 3 };
                if !sound {
                    return None;
                }
                (run, groups, rest) = (0, groups + 1, after);
            } else {
                return (groups == 0 || run == 3).then_some(rest);
            }
        }
    }
}

/// A number as computers write it.
#[inline]
pub(crate) fn plain(cell: &[u8]) -> Option<f64> {
    short(cell).or_else(|| std::str::from_utf8(cell).ok()?.parse().ok())
}

/// A decimal of up to fifteen digits, as most are: its digits and the power of ten are doubles without rounding,
/// so that their quotient is the nearest double (Clinger 1990), and quicker than reading any decimal.
#[inline]
fn short(cell: &[u8]) -> Option<f64> {
    const TENS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, decimal) = match cell {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if decimal.len() > TENS.len() {
        return None;
    }
    let (mut digits, mut count, mut behind, mut point) = (0_u64, 0, 0, false);
    for &byte in decimal {
        match byte {
            b'0'..=b'9' => {
                digits = 10 * digits + u64::from(byte - b'0');
                count += 1;
                behind += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    if count == 0 || count >= TENS.len() {
        return None;
    }
    let number = digits as f64 / TENS[behind];
    Some(if negative { -number } else { number })
}

/// Spaces, also those that do not break.
fn trim(mut text: &[u8]) -> &[u8] {
    const SPACES: [&[u8]; 2] = ["\u{a0}".as_bytes(), "\u{202f}".as_bytes()];
    loop {
        let before = text.len();
        text = text.trim_ascii();
        for space in SPACES {
            text = text.strip_prefix(space).unwrap_or(text);
            text = text.strip_suffix(space).unwrap_or(text);
        }
        if text.len() == before {
            return text;
        }
    }
}

/// The sign at the front, and what follows it.
fn sign(text: &[u8]) -> (Option<u8>, &[u8]) {
    let text = trim(text);
    if let Some(rest) = text.strip_prefix("\u{2212}".as_bytes()) {
        return (Some(b'-'), trim(rest));
    }
    match text.split_first() {
        Some((mark @ (b'+' | b'-'), rest)) => (Some(*mark), trim(rest)),
        _ => (None, text),
    }
}

/// The sign that was there already, or the one here.
fn sign_of(text: &[u8], before: Option<u8>) -> (u8, &[u8]) {
    if let Some(mark) = before {
        return (mark, text);
    }
    let (mark, rest) = sign(text);
    (mark.unwrap_or(b'+'), rest)
}

fn exponent<'a>(rest: &'a [u8], digits: &mut Digits) -> Option<&'a [u8]> {
    match rest {
        [b'e' | b'E', rest @ ..] => {
            digits.push(b'e')?;
            let (mark, rest) = sign_of(rest, None);
            digits.push(mark)?;
            digits.copy(rest)
        }
        _ => Some(rest),
    }
}

struct Digits {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Digits {
    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.length)? = byte;
        self.length += 1;
        Some(())
    }

    /// Takes over all digits at the front; what follows them is left.
    fn copy<'a>(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        text[..count].iter().try_for_each(|&digit| self.push(digit))?;
        Some(&text[count..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick way and the library's agree on every decimal, and both refuse the same.
    #[test]
    fn short_decimals_are_read_as_the_library_reads_them() {
        let mut state = 1_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let mut quick = 0;
        for _ in 0..200_000 {
            let length = 1 + below(19);
            let text: String =
                (0..length).map(|_| char::from(b"0123456789012345678.-+e"[below(23) as usize])).collect();
            let library = text.parse::<f64>().ok();
            assert_eq!(plain(text.as_bytes()).map(f64::to_bits), library.map(f64::to_bits), "{text}");
            quick += u32::from(short(text.as_bytes()).is_some());
        }
        assert!(quick > 20_000, "{quick}");
        for text in
            ["", ".", "-", "-.", "1.", ".5", "-0", "-0.0", "00.10", "999999999999999", "9999999999999999"]
        {
            assert_eq!(
                plain(text.as_bytes()).map(f64::to_bits),
                text.parse::<f64>().ok().map(f64::to_bits),
                "{text}"
            );
        }
    }
}
