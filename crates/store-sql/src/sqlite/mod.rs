//! The embedded store: one file, one writer with group commit, readers beside it.

mod actions;
mod audit;
mod blob_index;
mod chain;
mod checkpoints;
mod database;
mod events;
mod invocations;
mod keys;
mod ledger;
mod meter;
mod nodes;
mod readers;
mod records;
mod rhythm;
mod rows;
mod settings;
mod signals;
mod spans;
mod steps;
mod suspensions;
mod tenants;
mod threads;
mod tools;
mod writer;

pub use database::{PRAGMAS, Sqlite, SqliteOptions};
