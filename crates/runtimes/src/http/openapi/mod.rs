//! From an OpenAPI document to definitions of HTTP tools. Nothing is fetched and nothing is registered here.

mod answer;
mod auth;
mod body;
mod check;
mod import;
mod keywords;
mod names;
mod notes;
mod operation;
mod parameters;
mod path;
mod query;
mod read;
mod refs;
mod schema;
mod select;
mod server;

#[cfg(test)]
mod tests;

pub use import::{Import, ImportError, ImportOptions, LeftOut, MAX_OPERATIONS, MadeTool, import};
pub use read::MAX_DOCUMENT_BYTES;
