//! From `key=value` to the input that a tool's schema asks for.

mod build;
mod convert;
mod missing;
mod prompt;
mod schema;

pub(crate) use build::build;
pub(crate) use missing::missing;
pub(crate) use prompt::prompt;
pub(crate) use schema::Schema;
