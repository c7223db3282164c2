//! What a process owes the ledger: it shows that it lives, and settles the calls of those that died.

mod advance;
mod heartbeat;
mod lost;
mod owed;
mod recovery;

pub(crate) use advance::Advance;
