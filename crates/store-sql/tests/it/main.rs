//! The stories of this crate, in one program: a program of tests costs a link, and links add up.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test ends where its story breaks")]

mod common;
mod database;
mod emptied;
mod postgres;
mod postgres_call_rules;
mod postgres_calls;
mod postgres_role;
mod postgres_shared;
mod postgres_walls;
mod psql;
mod quotas;
mod redis;
mod s3;
mod sqlite;
mod sqlite_replaces;
mod tool_index;
