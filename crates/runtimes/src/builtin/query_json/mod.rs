//! Queries over JSON, in two languages.

pub(crate) mod jmespath;
mod jsonpath;
mod jsonpath_cost;
mod tool;

pub(super) use tool::QueryJson;
