//! Queries over JSON, in two languages.

mod evaluate;
mod jmespath;
mod jsonpath;
mod jsonpath_cost;
mod tool;

pub(crate) use evaluate::{Language, check_query, evaluate};
pub(super) use tool::QueryJson;
