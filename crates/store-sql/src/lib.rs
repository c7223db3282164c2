//! Everything that keeps state, behind the traits of `toolgate-store`. Only the binary and tests name this crate.

mod answering;
mod codec;
mod days;
mod log;
mod migrations;
mod news;

pub mod local;
pub mod objects;
pub mod postgres;
pub mod redis;
pub mod sqlite;
mod totals;

pub use migrations::Applied;
