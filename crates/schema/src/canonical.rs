//! One spelling for a JSON document, and its digest: RFC 8785 (JSON Canonicalization Scheme).
//!
//! Documents here hold no fractions (numbers that are measured are decimal strings), so that of the scheme's
//! three rules two matter: keys in the order of their UTF-16 code units, and the shortest escapes. Integers
//! beyond 2^53, which other languages cannot hold, are refused.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Why a document has no canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// A number that languages may write in different ways.
    #[error("a public document holds whole numbers up to 2^53 only; write others as decimal strings")]
    Number,
    /// The value cannot be written as JSON.
    #[error("the document cannot be written as JSON")]
    Json,
}

/// Integers that every language holds exactly.
const LARGEST: u64 = 1 << 53;

/// The document's only spelling.
pub fn canonical(document: &impl Serialize) -> Result<String, CanonicalError> {
    let value = serde_json::to_value(document).map_err(|_| CanonicalError::Json)?;
    let mut text = String::new();
    write_value(&value, &mut text)?;
    Ok(text)
}

fn write_value(value: &Value, text: &mut String) -> Result<(), CanonicalError> {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => {
            let size = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
            let whole = size.filter(|&size| size <= LARGEST).ok_or(CanonicalError::Number)?;
            let sign = if number.as_i64().is_some_and(i64::is_negative) { "-" } else { "" };
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, "{sign}{whole}");
        }
        Value::String(string) => write_string(string, text),
        Value::Array(items) => write_list(items, ['[', ']'], text, write_value)?,
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            write_list(&fields, ['{', '}'], text, |(key, value), text| {
                write_string(key, text);
                text.push(':');
                write_value(value, text)
            })?;
        }
    }
    Ok(())
}

fn write_list<T>(
    items: &[T],
    [open, close]: [char; 2],
    text: &mut String,
    write: impl Fn(&T, &mut String) -> Result<(), CanonicalError>,
) -> Result<(), CanonicalError> {
    text.push(open);
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        write(item, text)?;
    }
    text.push(close);
    Ok(())
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\u{c}' => text.push_str("\\f"),
            '\r' => text.push_str("\\r"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

/// SHA-256 of a document's canonical form: who it is. Written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// The first bytes of a [`Digest`]: what a report has room for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Prefix([u8; Prefix::LENGTH]);

/// Text that is no digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a digest has 64 lower-case hexadecimal digits, a prefix of one has 8")]
pub struct DigestError;

impl Digest {
    /// Of this document.
    pub fn of(document: &impl Serialize) -> Result<Digest, CanonicalError> {
        Ok(Digest(Sha256::digest(canonical(document)?).into()))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// From its bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// Its first bytes.
    pub fn prefix(&self) -> Prefix {
        let mut prefix = [0; Prefix::LENGTH];
        prefix.copy_from_slice(&self.0[..Prefix::LENGTH]);
        Prefix(prefix)
    }
}

impl Prefix {
    /// Two of 1,000 experiments share a prefix once in 8,600 such sets: an accident is seen, and who opens an
    /// experiment refuses a prefix that is taken.
    pub const LENGTH: usize = 4;

    /// The bytes.
    pub fn bytes(&self) -> &[u8; Prefix::LENGTH] {
        &self.0
    }

    /// From its bytes.
    pub fn from_bytes(bytes: [u8; Prefix::LENGTH]) -> Prefix {
        Prefix(bytes)
    }
}

fn from_hex<const N: usize>(text: &str) -> Result<[u8; N], DigestError> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(DigestError),
    };
    if text.len() != 2 * N {
        return Err(DigestError);
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(bytes)
}

/// Both are written as hexadecimal digits, wherever people look.
macro_rules! hexadecimal {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
        impl FromStr for $name {
            type Err = DigestError;
            fn from_str(text: &str) -> Result<$name, DigestError> {
                from_hex(text).map($name)
            }
        }
        impl TryFrom<String> for $name {
            type Error = DigestError;
            fn try_from(text: String) -> Result<$name, DigestError> {
                text.parse()
            }
        }
        impl From<$name> for String {
            fn from(digest: $name) -> String {
                digest.to_string()
            }
        }
    };
}
hexadecimal!(Digest);
hexadecimal!(Prefix);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The orders and escapes of RFC 8785, sections 3.2.2.2 and 3.2.3.
    #[test]
    fn the_rules_examples() {
        let string =
            json!({ "string": "\u{20ac}$\u{f}\nA'\u{42}\u{22}\u{5c}\\\"/", "literals": [null, true, false] });
        assert_eq!(
            canonical(&string).unwrap(),
            "{\"literals\":[null,true,false],\"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        );
        let keys = json!({ "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7 });
        let order: Vec<u32> = canonical(&keys)
            .unwrap()
            .trim_matches(['{', '}'])
            .split(',')
            .map(|pair| pair.rsplit(':').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(order, [2, 4, 6, 7, 1, 5, 3]);
    }

    #[test]
    fn fractions_and_large_numbers_are_refused() {
        assert_eq!(canonical(&json!([LARGEST, -3, 0])).unwrap(), "[9007199254740992,-3,0]");
        for bad in [json!(0.5), json!(LARGEST + 1), json!(-1e300)] {
            assert_eq!(canonical(&bad), Err(CanonicalError::Number));
        }
    }

    #[test]
    fn a_digest_is_sha_256_and_reads_back() {
        // Of the two bytes {}.
        let digest = Digest::of(&json!({})).unwrap();
        let known = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!((digest.to_string().as_str(), digest.prefix().to_string().as_str()), (known, "44136fa3"));
        assert_eq!(known.parse::<Digest>().unwrap(), digest);
        assert_eq!(serde_json::from_str::<Digest>(&format!("\"{known}\"")).unwrap(), digest);
        for bad in [&known[1..], &known.to_uppercase(), "", "44136fa355b3678a"] {
            assert!(bad.parse::<Digest>().is_err());
        }
    }
}
