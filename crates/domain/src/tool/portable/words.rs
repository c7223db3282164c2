//! What cannot be said in a schema that everyone reads is told in its description.

use serde_json::{Map, Value};

/// Characters of one remark.
const MAX_REMARK_CHARS: usize = 240;
/// Characters that the remarks add to a description.
const MAX_REMARKS_CHARS: usize = 800;

/// Adds the remarks to the schema's description.
pub(super) fn remark(schema: &mut Map<String, Value>, remarks: &[String]) {
    if remarks.is_empty() {
        return;
    }
    let mut said =
        schema.get("description").and_then(Value::as_str).unwrap_or_default().trim_end().to_owned();
    let mut left = MAX_REMARKS_CHARS;
    for remark in remarks {
        let remark = shortened(remark, MAX_REMARK_CHARS.min(left));
        if remark.is_empty() || said.contains(&remark) {
            continue;
        }
        left = left.saturating_sub(remark.chars().count());
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&remark);
    }
    if !said.is_empty() {
        schema.insert("description".into(), said.into());
    }
}

pub(super) fn shortened(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars.saturating_sub(1)).chain(['…']).collect()
}
