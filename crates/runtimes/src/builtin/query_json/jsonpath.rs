//! JSONPath (RFC 9535), by `serde_json_path`.

use serde_json::Value;
use serde_json_path::JsonPath;
use toolgate_domain::json::JsonSize;

use super::jsonpath_cost;

/// The values that the query selects. `size` is the size of the data.
pub(super) fn query<'a>(data: &'a Value, size: JsonSize, query: &str) -> Result<Vec<&'a Value>, String> {
    jsonpath_cost::check(query, size)?;
    let path = JsonPath::parse(query).map_err(|error| {
        format!(
            "the query is not JSONPath (RFC 9535): {}, at character {}",
            error.message(),
            error.position() + 1
        )
    })?;
    Ok(path.query(data).all())
}
