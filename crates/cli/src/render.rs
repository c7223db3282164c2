//! JSON for people.

use serde_json::Value;

use crate::output::Output;

/// A value as a word: text without quotes, nothing for null.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A moment to the second.
pub(crate) fn time(value: &Value) -> String {
    let precise = text(value);
    match precise.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => precise,
    }
}

/// A list of words.
pub(crate) fn texts(list: &Value) -> String {
    list.as_array().map(|items| items.iter().map(text).collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

/// `name  value`, aligned.
pub(crate) fn facts(output: &Output, facts: Vec<(&str, String)>) {
    let facts: Vec<_> = facts.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in facts {
        output.line(format!("{name:width$}  {value}"));
    }
}

/// What a tool took or answered: text as it is, plain fields one per line, everything else as JSON.
pub(crate) fn value(output: &Output, value: &Value) {
    match value {
        Value::String(text) => output.line(text),
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if text.contains('\n') => {
                        output.line(format!("{name}:"));
                        text.lines().for_each(|line| output.line(format!("  {line}")));
                    }
                    Value::Object(_) => output.line(format!("{name}: {field:#}")),
                    // Rows, as many a tool answers: one per line.
                    Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                        output.line(format!("{name}:"));
                        items.iter().for_each(|item| output.line(format!("  {item}")));
                    }
                    Value::Null => output.line(format!("{name}: null")),
                    other => output.line(format!("{name}: {}", text(other))),
                }
            }
        }
        other => output.line(format!("{other:#}")),
    }
}

/// Where the rest of a large output is.
pub(crate) fn attachments(output: &Output, envelope: &Value) {
    if envelope["truncated"] == true {
        output.note("the output is too large to be shown whole");
    }
    for attachment in envelope["attachments"].as_array().into_iter().flatten() {
        let bytes = attachment["bytes"].as_u64().map(|bytes| format!(" ({bytes} bytes)")).unwrap_or_default();
        output.note(&format!("{}: {}{bytes}", text(&attachment["kind"]), text(&attachment["url"])));
    }
}
