//! The shared store: many processes on one PostgreSQL, each with one writer that commits in groups, and wake-ups between them.

mod actions;
mod audit;
mod blob_index;
mod chain;
mod columns;
mod database;
mod events;
mod handed_over;
mod invocations;
mod keys;
mod ledger;
mod link;
mod meter;
mod migrate;
mod nodes;
mod records;
mod rows;
mod scope;
mod settings;
mod signals;
mod spans;
mod statement;
mod steps;
mod suspensions;
mod tenants;
mod threads;
mod tools;
mod writer;

pub use database::{Postgres, PostgresOptions};
