//! Letters leave the house here: over HTTP, and only to addresses that are nobody's inside (`address.rs`).

mod address;
mod notifier;

pub(crate) use notifier::start;
