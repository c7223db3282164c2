//! Utility tools that are defined in code: nothing outside is touched, and every cost is bounded before it is paid.

mod calculate;
mod catalog;
mod convert_units;
mod decimal;
mod definition;
mod diff_text;
mod generate_ids;
mod get_time;
mod hash_text;
mod manage_tools;
pub(crate) mod measure;
mod parse_csv;
mod query_json;
pub(crate) mod render_template;
mod runtime;
mod suggest;
mod summarize_numbers;
mod task_status;
mod tool;
mod usage_stats;
mod validate_json;
mod wait;

#[cfg(test)]
mod testing;

pub use catalog::all;
pub(crate) use query_json::{Language, check_query, evaluate};
pub use runtime::BuiltinRuntime;
pub use tool::{Builtin, BuiltinContext, Weight};
