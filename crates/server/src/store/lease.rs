//! Who folds an experiment: one server at a time.

use async_trait::async_trait;
use reticent_schema::Prefix;

use super::StoreError;

/// A lock that its holder must renew.
///
/// It saves work, and decides nothing: a publication names the position that it goes on from, and the store takes it
/// only once.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Takes or renews the lease for so many seconds, unless another holder's is still good.
    async fn lease(&self, experiment: Prefix, holder: &str, seconds: u32) -> Result<bool, StoreError>;

    /// Gives it back.
    async fn give_back(&self, experiment: Prefix, holder: &str) -> Result<(), StoreError>;
}
