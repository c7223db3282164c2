//! JSON Schema.

mod compile;
mod tool;

pub(super) use tool::ValidateJson;
