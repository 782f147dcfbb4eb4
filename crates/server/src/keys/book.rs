//! All keys in memory: a wrong key costs one hash and one look, and never the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use reticent_store::Moment;

use super::{MARK, hash, hexadecimal};
use crate::store::{KeyRecord, Role};

/// The keys as they were when the store was last asked.
#[derive(Debug, Default)]
pub struct KeyBook {
    keys: RwLock<Arc<Keys>>,
}

#[derive(Debug, Default)]
struct Keys {
    by_hash: BTreeMap<String, Arc<KeyRecord>>,
    /// Pages that some key may be used from.
    origins: BTreeSet<String>,
}

/// A key that is good now.
#[derive(Debug, Clone)]
pub struct Allowed(Arc<KeyRecord>);

impl Allowed {
    /// The key.
    pub fn key(&self) -> &KeyRecord {
        &self.0
    }

    /// Whether it allows as much as a role does: an admin's key everything, any other its own role.
    pub fn is(&self, role: Role) -> bool {
        self.0.role == Role::Admin || self.0.role == role
    }
}

impl KeyBook {
    /// Takes these for all keys there are.
    pub fn load(&self, records: Vec<KeyRecord>) {
        let good = records.into_iter().filter(|key| key.revoked.is_none()).map(Arc::new);
        let by_hash: BTreeMap<String, Arc<KeyRecord>> = good.map(|key| (key.hash.clone(), key)).collect();
        let origins = by_hash.values().flat_map(|key| key.origins.iter().cloned()).collect();
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Keys { by_hash, origins });
    }

    /// The key of this text, if it is good now.
    pub fn find(&self, text: &str, now: Moment) -> Option<Allowed> {
        if !text.starts_with(MARK) {
            return None;
        }
        // Who can choose a hash that is nearly another's has broken SHA-256: how long the look takes tells nothing.
        let found = self.now().by_hash.get(&hexadecimal(&hash(text))).cloned();
        found.filter(|key| key.expires.is_none_or(|end| now < end)).map(Allowed)
    }

    /// Whether a web page may use any key at all: all that can be told before the key is seen.
    pub fn knows_origin(&self, origin: &str) -> bool {
        self.now().origins.contains(origin)
    }

    fn now(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::super::NewKey;
    use super::*;
    use crate::store::Scope;

    #[test]
    fn a_key_is_good_until_it_ends_or_is_revoked() {
        let (now, end) = (Moment::from_unix(100), Moment::from_unix(200));
        let new = NewKey { expires: Some(end), ..NewKey::new(Role::Read, Scope::All, "test") };
        let (secret, record) = new.draw(now).unwrap();
        assert_eq!(secret.reveal().len(), 3 + 64);
        let book = KeyBook::default();
        assert!(book.find(secret.reveal(), now).is_none());
        book.load(vec![record.clone()]);
        let found = book.find(secret.reveal(), now).unwrap();
        assert!(found.is(Role::Read) && !found.is(Role::Admin) && !found.is(Role::Upload));
        assert!(book.find(secret.reveal(), end).is_none(), "its time is over");
        assert!(book.find(&secret.reveal()[..66], now).is_none());
        assert!(book.find(&record.hash, now).is_none(), "the stored form is no key");
        book.load(vec![KeyRecord { revoked: Some(now), ..record }]);
        assert!(book.find(secret.reveal(), now).is_none());
    }
}
