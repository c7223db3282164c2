//! What the engine can do at most: the same rows into the same tables, with nothing of ours in between.

mod columns;
mod either;
mod postgres;
mod sqlite;

pub(crate) use either::Floor;
