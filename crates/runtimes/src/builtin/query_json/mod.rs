//! Queries over JSON, in two languages.

mod jmespath;
mod jsonpath;
mod jsonpath_cost;
mod tool;

pub(super) use tool::QueryJson;
