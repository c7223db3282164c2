//! What a good answer looks like: the runtime's own shape around the body that the document describes.

use serde_json::{Map, Value, json};

use super::{
    body::is_json,
    notes::Notes,
    refs::Document,
    schema::{Schemas, Way},
};

/// The schema of the tool's output, and the media type to ask for.
pub(super) struct Answer {
    pub(super) schema: Value,
    pub(super) accept: Option<String>,
}

pub(super) fn of<'a>(
    document: Document<'a>,
    method: &str,
    operation: &'a Value,
    notes: &mut Notes,
) -> Result<Answer, String> {
    let none = Map::new();
    let responses = operation.get("responses").and_then(Value::as_object).unwrap_or(&none);
    let mut good: Vec<(&String, &Value)> =
        responses.iter().filter(|(status, _)| status.starts_with('2')).collect();
    good.sort_by_key(|(status, _)| *status);
    let mut found = None;
    for (_, response) in &good {
        let response = document.resolve(response)?;
        let content = response.get("content").and_then(Value::as_object);
        let json = content.and_then(|content| content.iter().find(|(media, _)| is_json(media)));
        if let Some((media, described)) = json {
            found = Some((media, described.get("schema")));
            break;
        }
    }
    let body = match found {
        Some((_, Some(schema))) if method != "HEAD" => {
            Schemas::new(document, Way::Out, notes).convert(schema)?
        }
        _ => json!({}),
    };
    // Another good answer may have another body, or none.
    let body = if good.len() > 1 && body != json!({}) { json!({"anyOf": [body, {}]}) } else { body };
    let schema = json!({
        "type": "object",
        "properties": {
            "status": {"type": "integer"},
            "headers": {"type": "object"},
            "url": {"type": "string"},
            "body": body,
            "truncated": {"type": "boolean"},
        },
        "required": ["status", "headers", "url", "body"],
    });
    Ok(Answer { schema, accept: found.map(|(media, _)| media.clone()) })
}
