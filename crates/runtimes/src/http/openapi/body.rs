//! What a request carries. It stands in the property `body` of the tool's input, whatever it is.

use serde_json::{Map, Value, json};

use super::{
    keywords::allows,
    notes::{Notes, short},
    parameters::Request,
    query,
    refs::Document,
    schema::{Schemas, Way},
};

/// The property that holds it.
pub(super) const BODY: &str = "body";
const FORM: &str = "application/x-www-form-urlencoded";

pub(super) fn is_json(media: &str) -> bool {
    let media = essence(media);
    media == "application/json" || media == "text/json" || media.ends_with("+json")
}

fn essence(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub(super) fn add<'a>(
    document: Document<'a>,
    method: &str,
    operation: &'a Value,
    request: &mut Request,
    notes: &mut Notes,
) -> Result<(), String> {
    let Some(stated) = operation.get("requestBody") else { return Ok(()) };
    if matches!(method, "GET" | "HEAD") {
        notes.add(format!("a {method} carries no body: the one described is left out"));
        return Ok(());
    }
    let stated = document.resolve(stated)?;
    let is_required = stated.get("required") == Some(&Value::Bool(true));
    let none = Map::new();
    let content = stated.get("content").and_then(Value::as_object).unwrap_or(&none);
    let wanted: [fn(&str) -> bool; 4] = [
        |media| essence(media) == "application/json",
        is_json,
        |media| essence(media) == FORM,
        |media| essence(media) == "text/plain",
    ];
    let chosen = wanted.iter().find_map(|fits| content.iter().find(|(media, _)| fits(media)));
    let Some((media, described)) = chosen else {
        let offered: Vec<_> = content.keys().take(3).map(|media| short(media)).collect();
        if is_required {
            return Err(format!("its body is {}, which cannot be sent", offered.join(" or ")));
        }
        notes.add(format!("a body of {} cannot be sent: it is left out", offered.join(" or ")));
        return Ok(());
    };
    let mut schema = match described.get("schema") {
        Some(schema) => Schemas::new(document, Way::In, notes).convert(schema)?,
        None => json!({}),
    };
    if let (Some(text), true) = (stated.get("description").and_then(Value::as_str), schema.is_object())
        && schema.get("description").is_none()
    {
        schema["description"] = json!(text.chars().take(1_000).collect::<String>());
    }
    if essence(media) == FORM {
        if !allows(&schema, "object") {
            return Err("its body is a form whose fields are not described".to_owned());
        }
        let (fields, names) = query::members(schema, notes);
        let field = |name: String| (name.clone(), json!(format!("$input.{BODY}.{name}")));
        request.form = Some(names.into_iter().map(field).collect());
        schema = fields;
    } else if is_json(media) {
        request.body = Some(json!(format!("$input.{BODY}")));
        if essence(media) != "application/json" {
            request.headers.insert("Content-Type".to_owned(), json!(media));
        }
    } else {
        // Within braces it is a text, not JSON.
        request.body = Some(json!(format!("{{$input.{BODY}}}")));
        schema = json!({"type": "string"});
    }
    let is_text =
        request.body.as_ref().is_some_and(|body| body.as_str().is_some_and(|text| text.starts_with('{')));
    request.ask(BODY, schema, is_required || is_text);
    Ok(())
}
