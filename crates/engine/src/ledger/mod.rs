//! What a process owes the ledger: it shows that it lives, and settles the calls of those that died.

mod advance;
mod heartbeat;
mod lease;
mod lost;
mod owed;
mod recovery;

pub(crate) use advance::Advance;
pub(crate) use lease::{Lease, LeaseEpoch};
