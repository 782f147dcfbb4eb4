//! The symbols that a frequency oracle counts.

use serde::{Deserialize, Serialize};

/// A domain of D symbols, numbered from 0.
///
/// ```
/// use reticent_privacy::oracle::Domain;
/// let domain = Domain::new(5)?;
/// assert_eq!(domain.symbol(4)?.index(), 4);
/// assert!(domain.symbol(5).is_err());
/// # Ok::<(), reticent_privacy::oracle::OracleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Domain(u32);

/// A symbol of some [`Domain`]. An oracle for a smaller domain takes it for its own last symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol(u32);

crate::clipped::private_debug!(Symbol);

/// What is wrong with a domain, a symbol or an oracle's name. Never contains a symbol: it may be a person's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// No symbol, or too many.
    #[error(
        "a domain has between 1 and {} symbols, not {got}; group the rarest symbols into one",
        Domain::MAX
    )]
    DomainSize {
        /// The size asked for.
        got: u32,
    },
    /// A symbol beyond the domain.
    #[error("the symbol is not in the domain, whose {size} symbols are numbered from 0; nothing was sent")]
    SymbolOutside {
        /// The domain's size.
        size: u32,
    },
    /// A name that no oracle has.
    #[error(
        "there is no frequency oracle {got:?}; choose k-rr, unary-encoding, subset-selection, hadamard-response or \
         projective-geometry"
    )]
    UnknownKind {
        /// The name asked for.
        got: String,
    },
}

impl Domain {
    /// The largest number of symbols, 2^20.
    pub const MAX: u32 = 1 << 20;

    /// A domain of `size` symbols.
    pub fn new(size: u32) -> Result<Domain, OracleError> {
        if (1..=Self::MAX).contains(&size) {
            Ok(Domain(size))
        } else {
            Err(OracleError::DomainSize { got: size })
        }
    }

    /// The number of symbols, D.
    #[inline]
    pub fn size(self) -> u32 {
        self.0
    }

    /// The symbol of number `index`.
    #[inline]
    pub fn symbol(self, index: u32) -> Result<Symbol, OracleError> {
        if index < self.0 { Ok(Symbol(index)) } else { Err(OracleError::SymbolOutside { size: self.0 }) }
    }

    /// The symbol of number `index`, or the last if there is none: for a device, which must not fall silent.
    #[inline]
    pub fn clip(self, index: u32) -> Symbol {
        Symbol(index.min(self.0 - 1))
    }

    /// All symbols in order.
    pub fn symbols(self) -> impl Iterator<Item = Symbol> {
        (0..self.0).map(Symbol)
    }

    /// The symbol's number here, clipped to the last: a symbol of a larger domain must not stop a device.
    #[inline]
    pub(super) fn place(self, symbol: Symbol) -> u32 {
        symbol.0.min(self.0 - 1)
    }
}

impl Symbol {
    /// The symbol's number, from 0.
    #[inline]
    pub fn index(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Domain {
    type Error = OracleError;
    fn try_from(size: u32) -> Result<Domain, OracleError> {
        Domain::new(size)
    }
}

impl From<Domain> for u32 {
    fn from(domain: Domain) -> u32 {
        domain.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges() {
        for bad in [0, Domain::MAX + 1, u32::MAX] {
            assert_eq!(Domain::new(bad), Err(OracleError::DomainSize { got: bad }));
            assert!(serde_json::from_str::<Domain>(&bad.to_string()).is_err());
        }
        let domain = Domain::new(Domain::MAX).unwrap();
        assert_eq!(serde_json::from_str::<Domain>(&serde_json::to_string(&domain).unwrap()).unwrap(), domain);
        let last = domain.symbol(Domain::MAX - 1).unwrap();
        assert_eq!(Domain::new(3).unwrap().place(last), 2);
        // A message must not repeat what may be a person's symbol.
        let refused = Domain::new(3).unwrap().symbol(77_777).unwrap_err();
        assert!(!refused.to_string().contains("77"));
    }
}
