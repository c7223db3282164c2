//! The embedded store: one file, one writer with group commit, readers beside it.

mod blob_index;
mod database;
mod events;
mod invocations;
mod keys;
mod ledger;
mod nodes;
mod readers;
mod rows;
mod settings;
mod signals;
mod tools;
mod writer;

pub use database::{Sqlite, SqliteOptions};
