#![doc = include_str!("../../../README.md")]

pub use reticent_curate as curate;
pub use reticent_device as device;
pub use reticent_lab as lab;
pub use reticent_learn as learn;
pub use reticent_privacy as privacy;
pub use reticent_protocol as protocol;

/// The example of `docs/audit.md` must run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/audit.md")]
struct AuditPage;
