//! Journals in pieces, each under the place of its first byte.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::super::{JournalName, Journals};
use super::{Backend, KvStore, Outcome, Read, Table, codec};

#[async_trait]
impl<B: Backend> Journals for KvStore<B> {
    async fn journal(&self, experiment: Prefix, name: JournalName) -> Outcome<Vec<u8>> {
        self.look(|tables| {
            let mut whole = Vec::new();
            let (start, end) = ends(experiment, name);
            tables.scan(Table::Journals, &start, &end, &mut |_, piece| {
                whole.extend(piece);
                true
            })?;
            Ok(whole)
        })
    }

    async fn journal_length(&self, experiment: Prefix, name: JournalName) -> Outcome<u64> {
        self.look(|tables| length_of(tables, experiment, name))
    }

    async fn extend(
        &self,
        experiment: Prefix,
        name: JournalName,
        length: u64,
        bytes: &[u8],
    ) -> Outcome<bool> {
        let bytes = bytes.to_vec();
        self.alter(move |tables| {
            if length != length_of(tables, experiment, name)? {
                return Ok(false);
            }
            tables.put(Table::Journals, &place(experiment, name, length), &bytes)?;
            Ok(true)
        })
        .await
    }
}

fn place(experiment: Prefix, name: JournalName, first: u64) -> [u8; 13] {
    let mut key = [0; 13];
    key[..4].copy_from_slice(experiment.bytes());
    key[4] = name as u8;
    key[5..].copy_from_slice(&first.to_be_bytes());
    key
}

fn ends(experiment: Prefix, name: JournalName) -> ([u8; 13], [u8; 13]) {
    (place(experiment, name, 0), place(experiment, name, u64::MAX))
}

fn length_of(tables: &(impl Read + ?Sized), experiment: Prefix, name: JournalName) -> Outcome<u64> {
    let (start, end) = ends(experiment, name);
    let Some((key, piece)) = tables.last(Table::Journals, &start, &end)? else { return Ok(0) };
    let first = key.get(5..).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
    Ok(first.ok_or_else(|| codec::damaged("a journal"))? + piece.len() as u64)
}
