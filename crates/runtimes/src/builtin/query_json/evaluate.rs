//! The two languages, for whoever has a query and data: the tool here, and responses of HTTP tools.

use serde_json::Value;
use toolgate_domain::json::{JsonSize, check_value};

use super::{jmespath, jsonpath};

pub(super) const MAX_QUERY_CHARS: usize = 1_000;
pub(super) const MAX_DEPTH: usize = 64;
const MAX_RESULT_NODES: u64 = 200_000;
const MAX_RESULT_BYTES: u64 = 8 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// RFC 9535: the result is the list of matches.
    JsonPath,
    /// The result is what the expression makes.
    JmesPath,
}

/// Whether the query can be read, before there is data.
pub(crate) fn check_query(language: Language, query: &str) -> Result<(), String> {
    check_length(query)?;
    match language {
        Language::JsonPath => jsonpath::query(&Value::Null, JsonSize::of(&Value::Null), query).map(drop),
        Language::JmesPath => jmespath::check(query),
    }
}

/// Runs a query within its bounds.
pub(crate) fn evaluate(language: Language, data: &Value, query: &str) -> Result<Value, String> {
    check_length(query)?;
    let size = JsonSize::of(data);
    if size.depth > MAX_DEPTH as u64 {
        return Err(format!("the data nests deeper than {MAX_DEPTH} levels"));
    }
    let result = match language {
        Language::JsonPath => {
            let found = jsonpath::query(data, size, query)?;
            check_size(found.iter().copied())?;
            found.into_iter().cloned().collect()
        }
        Language::JmesPath => {
            let result = jmespath::query(data, size, query)?;
            check_size([&result])?;
            result
        }
    };
    // The query may have nested lists, or read numbers out of text.
    check_value(&result, MAX_DEPTH - 1).map_err(|error| format!("the result: {error}"))?;
    Ok(result)
}

fn check_length(query: &str) -> Result<(), String> {
    if query.len() > MAX_QUERY_CHARS && query.chars().count() > MAX_QUERY_CHARS {
        return Err(format!("the query has more than {MAX_QUERY_CHARS} characters"));
    }
    Ok(())
}

fn check_size<'a>(values: impl IntoIterator<Item = &'a Value>) -> Result<(), String> {
    let (mut nodes, mut bytes) = (0, 0);
    for value in values {
        let size = JsonSize::of(value);
        nodes += size.nodes;
        bytes += size.about_bytes();
        if nodes > MAX_RESULT_NODES || bytes > MAX_RESULT_BYTES {
            return Err(format!(
                "the result has more than {MAX_RESULT_NODES} values or {MAX_RESULT_BYTES} bytes: narrow the query"
            ));
        }
    }
    Ok(())
}
