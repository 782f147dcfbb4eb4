//! What time it is, for all parts of the service.

use std::fmt;
use std::sync::Arc;

use reticent_store::{Clock, Moment, SystemClock};

/// A clock that many may look at: the system's, or a test's.
#[derive(Clone)]
pub struct SharedClock(Arc<dyn Clock + Sync>);

impl fmt::Debug for SharedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedClock")
    }
}

impl Default for SharedClock {
    fn default() -> SharedClock {
        SharedClock(Arc::new(SystemClock))
    }
}

impl SharedClock {
    /// This clock.
    pub fn new(clock: impl Clock + Sync + 'static) -> SharedClock {
        SharedClock(Arc::new(clock))
    }

    /// Now.
    pub fn now(&self) -> Moment {
        self.0.now()
    }
}
