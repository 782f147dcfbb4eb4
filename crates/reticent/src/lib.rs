#![doc = include_str!("../../../README.md")]

pub use reticent_audit as audit;
pub use reticent_curate as curate;
pub use reticent_device as device;
pub use reticent_learn as learn;
pub use reticent_privacy as privacy;
pub use reticent_protocol as protocol;
pub use reticent_schema as schema;
pub use reticent_store as store;

/// The example of `docs/audit.md` must run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/audit.md")]
struct AuditPage;
