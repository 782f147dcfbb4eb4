//! What papers propose, to the letter, and what Reticent compares with. **Not for production**: some of it is
//! not private, and says so; some claims less than it leaks, and a proof beside it says where. Nothing here
//! is on the library's face.
//!
//! - [`mab`]: UCB1 and the private UCB agents of Ren et al. (2020)
//! - [`abse`]: contextual bandits by adaptive bins (Ma et al. 2025), their non-private version, and the
//!   published code's mistake
//! - [`gradient`]: contextual bandits by private gradient descent (Han et al. 2021)
//! - [`raw`]: contextual bandits on raw records: nearest neighbours, Fourier features, `LinUCB`
//! - [`nw_lcb`]: offline pricing by cells (Mun, Xu, Fan 2025), private and from raw records
//! - [`conse`]: the trial designs of Li, Shi and Simchi-Levi (2024), and where their proof fails
//! - [`kernel`]: `usca` (Pavlovic, Salgia, Zhao 2025), Gaussian-process baselines, `dubey`

pub mod abse;
pub mod conse;
pub mod gradient;
pub mod kernel;
pub mod mab;
pub mod nw_lcb;
pub mod raw;
pub mod regression;
