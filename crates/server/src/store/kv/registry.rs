//! Experiments, keys and deeds.

use async_trait::async_trait;
use reticent_schema::Prefix;
use reticent_store::Moment;

use super::super::{Created, Deed, Entry, KeyRecord, Marks, Phase, Publication, Registry};
use super::policies::{forget, publish};
use super::reports::{marks, put_marks};
use super::{Backend, KvStore, Outcome, Read, Table, Write, codec};

#[async_trait]
impl<B: Backend> Registry for KvStore<B> {
    async fn create(&self, entry: Entry, first: Publication, deed: Deed) -> Outcome<Created> {
        self.alter(move |tables| {
            let (name, prefix) = (entry.experiment.name(), entry.experiment.prefix());
            if let Some(bytes) = tables.get(Table::Entries, prefix.bytes())? {
                let there: Entry = codec::of_json(&bytes, "an experiment")?;
                let same = there.experiment.digest() == entry.experiment.digest();
                return Ok(if same { Created::Same } else { Created::PrefixTaken });
            }
            if tables.get(Table::Names, name.as_bytes())?.is_some() {
                return Ok(Created::NameTaken);
            }
            tables.put(Table::Names, name.as_bytes(), prefix.bytes())?;
            tables.put(Table::Entries, prefix.bytes(), &codec::to_json(&entry)?)?;
            publish(tables, Marks::first(entry.created), &first)?;
            add_deed(tables, &deed)?;
            Ok(Created::New)
        })
        .await
    }

    async fn entries(&self) -> Outcome<Vec<Entry>> {
        self.look(|tables| all(tables, Table::Entries, &[0xff; 5], "an experiment"))
    }

    async fn change(&self, experiment: Prefix, from: Phase, to: Phase, deed: Deed) -> Outcome<bool> {
        self.alter(move |tables| {
            let Some(before) = marks(tables, experiment)?.filter(|marks| marks.phase == from) else {
                return Ok(false);
            };
            let after = Marks { phase: to, at: before.at.max(deed.at), ..before };
            put_marks(tables, experiment, &after)?;
            forget(tables, experiment, &after, Moment::from_unix(0))?;
            add_deed(tables, &deed)?;
            Ok(true)
        })
        .await
    }

    async fn keys(&self) -> Outcome<Vec<KeyRecord>> {
        self.look(|tables| all(tables, Table::Keys, &[0xff; 5], "a key"))
    }

    async fn add_key(&self, key: KeyRecord, deed: Deed) -> Outcome<()> {
        self.alter(move |tables| {
            tables.put(Table::Keys, key.id.as_bytes(), &codec::to_json(&key)?)?;
            add_deed(tables, &deed)
        })
        .await
    }

    async fn revoke_key(&self, id: &str, deed: Deed) -> Outcome<bool> {
        let id = id.to_string();
        self.alter(move |tables| {
            let Some(bytes) = tables.get(Table::Keys, id.as_bytes())? else { return Ok(false) };
            let mut key: KeyRecord = codec::of_json(&bytes, "a key")?;
            if key.revoked.is_some() {
                return Ok(false);
            }
            key.revoked = Some(deed.at);
            tables.put(Table::Keys, id.as_bytes(), &codec::to_json(&key)?)?;
            add_deed(tables, &deed)?;
            Ok(true)
        })
        .await
    }

    async fn deeds(&self, from: u64, most: usize) -> Outcome<Vec<Deed>> {
        self.look(|tables| {
            let mut found = Vec::new();
            tables.scan(Table::Deeds, &from.to_be_bytes(), &[0xff; 9], &mut |_, value| {
                found.push(codec::of_json(value, "the audit log"));
                found.len() < most
            })?;
            found.into_iter().take(most).collect()
        })
    }

    async fn note(&self, deed: Deed) -> Outcome<()> {
        self.alter(move |tables| add_deed(tables, &deed)).await
    }
}

fn all<T: serde::de::DeserializeOwned>(
    tables: &dyn Read,
    table: Table,
    end: &[u8],
    what: &str,
) -> Outcome<Vec<T>> {
    let mut found = Vec::new();
    tables.scan(table, &[], end, &mut |_, value| {
        found.push(codec::of_json(value, what));
        true
    })?;
    found.into_iter().collect()
}

/// The log only grows: its last line has the highest number.
fn add_deed(tables: &mut dyn Write, deed: &Deed) -> Outcome<()> {
    let last = tables.last(Table::Deeds, &[], &[0xff; 9])?;
    let number = match last {
        Some((key, _)) => {
            let key: [u8; 8] = key.try_into().map_err(|_| codec::damaged("the audit log"))?;
            u64::from_be_bytes(key) + 1
        }
        None => 0,
    };
    tables.put(Table::Deeds, &number.to_be_bytes(), &codec::to_json(deed)?)
}
