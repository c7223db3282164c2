//! What makes tampering visible: every receipt and every audit event has a digest, and each tenant's digests form a chain.

mod chain;
mod event;
mod receipt;

pub use chain::{GENESIS, ITEM_BYTES, Item, ItemKind, link_hash, read_items};
pub use event::AuditEvent;
pub use receipt::Receipt;

pub use crate::hash::Digest;
