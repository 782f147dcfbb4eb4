//! Everything that crosses the trust boundary, and nothing else.
//!
//! A [`mab::Spec`] is agreed on once and is public; a [`mab::Policy`] flows from the server to a device and is
//! public; a [`mab::Report`] is the only thing that leaves a device. Each is checked when it is built and by the same
//! checks when it is read. No report of a private agent has a form for a raw record. There are two exceptions to "no raw record here":
//! [`contextual::Value`] exists only to be encoded on the device and has no serialised form, and [`abse::Record`] is what the non-private
//! baseline `abse` sends in simulations; a device with real noise refuses to send it.

pub mod contextual;
pub mod mab;
pub mod pricing;
mod varint;
