//! Databases for tests: copies of one that was migrated, because to migrate takes longer than most tests do. The tests of the migrations
//! themselves begin with nothing.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test without its database ends"
)]

mod embedded;
mod shared;

pub use embedded::{migrated, stores_in, stores_on};
pub use shared::{create, empty};
