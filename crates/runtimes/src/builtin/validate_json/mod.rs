//! JSON Schema.

mod compile;
mod cost;
mod tool;

pub(super) use tool::ValidateJson;
