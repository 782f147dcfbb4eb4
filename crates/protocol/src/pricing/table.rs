//! Prices as a published table: one for each cell of the contexts, small enough for any device.
//!
//! Layout: the head of all policies (kind 3); then the cells per context axis; the prices, 8 bytes each,
//! lowest first; and for the cells in order, the last axis first, runs of equal prices (length, the price's
//! number). Numbers without a length are LEB128 integers.

use reticent_schema::{ContextError, Digest, Encoding, MAX_AXES, Value};
use serde::{Deserialize, Serialize};

use crate::DecodeError;
use crate::bytes::{self, at_end, take_array, take_list, take_u32};
use crate::policy_head::{self, PolicyKind};

/// A price for each cell of the contexts. Public.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Table(Raw);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    experiment: Digest,
    version: u64,
    cells: Vec<u32>,
    prices: Vec<f64>,
    map: Vec<u32>,
}

/// Why a table is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a price table has 1 to {MAX_TABLE} cells, a price for each, and finite prices in increasing order")]
pub struct TableError;

/// More cells than this are no table for a device.
pub const MAX_TABLE: usize = 1 << 14;

impl Table {
    /// Checks the sizes. `map` has a price's number for each cell, the last axis first.
    pub fn new(
        experiment: Digest,
        version: u64,
        cells: Vec<u32>,
        prices: Vec<f64>,
        map: Vec<u32>,
    ) -> Result<Table, TableError> {
        Table::try_from(Raw { experiment, version, cells, prices, map })
    }

    /// The experiment that it belongs to.
    pub fn experiment(&self) -> Digest {
        self.0.experiment
    }

    /// Counts up.
    pub fn version(&self) -> u64 {
        self.0.version
    }

    /// The price for a point of the unit cube.
    pub fn price_at(&self, point: &[f64]) -> f64 {
        let Raw { cells, prices, map, .. } = &self.0;
        let cell = cells.iter().zip(point).fold(0, |cell, (&size, &x)| {
            // Saturating: whatever the point, the cell is one of the table's.
            cell * size as usize + ((x * f64::from(size)) as usize).min(size as usize - 1)
        });
        prices[map[cell] as usize]
    }

    /// The price for a context. Whatever the values, there is one, if the table has the context's axes.
    pub fn price(&self, encoding: &Encoding, context: &[Value]) -> Result<f64, ContextError> {
        if self.0.cells.len() != encoding.dimension() {
            return Err(ContextError::Room { expected: self.0.cells.len(), got: encoding.dimension() });
        }
        let mut point = [0.0; MAX_AXES];
        let point = &mut point[..encoding.dimension()];
        encoding.encode_values(context, point)?;
        Ok(self.price_at(point))
    }

    /// The bytes of this table.
    pub fn encode(&self) -> Vec<u8> {
        let Raw { experiment, version, cells, prices, map } = &self.0;
        let mut bytes = policy_head::start(PolicyKind::Prices, *experiment, *version);
        bytes::put(&mut bytes, cells.len() as u64);
        for &size in cells {
            bytes::put(&mut bytes, size.into());
        }
        bytes::put(&mut bytes, prices.len() as u64);
        bytes.extend(prices.iter().flat_map(|price| price.to_le_bytes()));
        for run in map.chunk_by(|a, b| a == b) {
            bytes::put(&mut bytes, run.len() as u64);
            bytes::put(&mut bytes, run[0].into());
        }
        bytes
    }

    /// Reads one table; accepts exactly what [`encode`](Self::encode) writes.
    pub fn decode(bytes: &[u8]) -> Result<Table, DecodeError> {
        let (experiment, version, mut rest) = policy_head::read(PolicyKind::Prices, bytes)?;
        let cells = take_list(&mut rest, MAX_AXES, take_u32)?;
        let prices = take_list(&mut rest, MAX_TABLE, |rest| Ok(f64::from_le_bytes(take_array(rest)?)))?;
        let all = product(&cells).ok_or(DecodeError::Number)?;
        let mut map: Vec<u32> = Vec::new();
        while map.len() < all {
            let (length, price) = (take_u32(&mut rest)? as usize, take_u32(&mut rest)?);
            // One spelling: no empty run, no two runs of one price.
            if length == 0 || map.len() + length > all || map.last() == Some(&price) {
                return Err(DecodeError::Number);
            }
            map.extend(std::iter::repeat_n(price, length));
        }
        at_end(rest)?;
        Table::new(experiment, version, cells, prices, map).map_err(|_| DecodeError::Number)
    }
}

/// All cells, if they are a table's.
fn product(cells: &[u32]) -> Option<usize> {
    let all = cells.iter().try_fold(1_usize, |all, &size| all.checked_mul(size as usize))?;
    (1..=MAX_TABLE).contains(&all).then_some(all)
}

impl From<Table> for Raw {
    fn from(table: Table) -> Raw {
        table.0
    }
}

impl TryFrom<Raw> for Table {
    type Error = TableError;
    fn try_from(raw: Raw) -> Result<Table, TableError> {
        let sound = product(&raw.cells) == Some(raw.map.len())
            && raw.prices.iter().all(|price| price.is_finite())
            && raw.prices.windows(2).all(|pair| pair[0] < pair[1])
            && raw.map.iter().all(|&price| (price as usize) < raw.prices.len());
        if sound { Ok(Table(raw)) } else { Err(TableError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(cells: Vec<u32>, map: Vec<u32>) -> Result<Table, TableError> {
        Table::new(Digest::from_bytes([3; 32]), 4, cells, vec![4.99, 9.99, 14.99], map)
    }

    #[test]
    fn a_price_for_each_cell() {
        let table = table(vec![2, 2], vec![0, 1, 2, 2]).unwrap();
        let at = |x: f64, y: f64| table.price_at(&[x, y]);
        assert_eq!([at(0.1, 0.2), at(0.1, 0.9), at(0.9, 0.2), at(1.0, 1.0)], [4.99, 9.99, 14.99, 14.99]);
        let encoding = Encoding::unit(2).unwrap();
        assert_eq!(table.price(&encoding, &[f64::NAN.into(), Value::Missing]).unwrap(), 14.99);
        assert!(
            table
                .price(&Encoding::unit(3).unwrap(), &[Value::Missing, Value::Missing, Value::Missing])
                .is_err()
        );
        assert_eq!(table.encode()[..2], [2, 3]);
        assert_eq!(table.encode()[34..], [&[4, 2, 2, 2, 3][..], &prices(), &[1, 0, 1, 1, 2, 2]].concat());
    }

    fn prices() -> Vec<u8> {
        [4.99_f64, 9.99, 14.99].iter().flat_map(|price| price.to_le_bytes()).collect()
    }

    #[test]
    fn refusals() {
        for (cells, map) in
            [(vec![2], vec![0]), (vec![2], vec![0, 3]), (vec![0], vec![]), (vec![1 << 15], vec![])]
        {
            assert_eq!(table(cells, map), Err(TableError));
        }
    }

    proptest! {
        #[test]
        fn every_table_survives_and_every_cut_is_seen(map in prop::collection::vec(0_u32..3, 1..60)) {
            let table = table(vec![map.len() as u32], map).unwrap();
            let bytes = table.encode();
            prop_assert_eq!(Table::decode(&bytes), Ok(table.clone()));
            for cut in 0..bytes.len() {
                prop_assert_eq!(Table::decode(&bytes[..cut]), Err(DecodeError::Truncated));
            }
            let json = serde_json::to_string(&table).unwrap();
            prop_assert_eq!(serde_json::from_str::<Table>(&json).unwrap(), table);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let bytes = [vec![2, 3], bytes].concat();
            if let Ok(table) = Table::decode(&bytes) {
                prop_assert_eq!(table.encode(), bytes);
            }
        }
    }
}
