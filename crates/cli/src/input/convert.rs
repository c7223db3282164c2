//! Text into the type that a schema asks for.

use serde_json::Value;
use toolgate_domain::json::parse;

use super::schema::{Kind, Schema};
use crate::exit::Failure;

const MAX_DEPTH: usize = 64;

/// What one key was given, once or several times, as a value.
pub(super) fn convert(key: &str, texts: &[&str], schema: Schema<'_>) -> Result<Value, Failure> {
    let kinds = schema.kinds();
    match texts {
        [text] => one(key, text, schema, &kinds),
        _ if kinds.is_empty() || kinds.contains(&Kind::Array) => items(key, texts, schema),
        _ => Err(Failure::invalid(format!(
            "`{key}` is given {} times, but takes one {}",
            texts.len(),
            schema.shape()
        ))),
    }
}

fn one(key: &str, text: &str, schema: Schema<'_>, kinds: &[Kind]) -> Result<Value, Failure> {
    if let Some(choices) = schema.choices() {
        return choose(key, text, choices);
    }
    if kinds.is_empty() {
        return Ok(json(text).unwrap_or_else(|| Value::from(text)));
    }
    let wrong = |why: &str| Failure::invalid(format!("`{key}` takes {}: {why}", schema.shape()));
    for kind in kinds {
        let value = match kind {
            Kind::Null => (text == "null").then_some(Value::Null),
            Kind::Boolean => boolean(text),
            Kind::Integer => integer(text),
            Kind::Number => number(text),
            Kind::Object => json(text).filter(Value::is_object),
            Kind::Array if text.trim_start().starts_with('[') => json(text).filter(Value::is_array),
            // Commas make an array only of what has no commas itself, and not where a text would do.
            Kind::Array if kinds.contains(&Kind::String) => None,
            Kind::Array => return list(key, text, schema),
            // Where a number or the like would do too, quotes say that a text is meant.
            Kind::String if kinds.len() > 1 => {
                Some(json(text).filter(Value::is_string).unwrap_or_else(|| Value::from(text)))
            }
            Kind::String => Some(Value::from(text)),
        };
        if let Some(value) = value {
            return Ok(value);
        }
    }
    if kinds.contains(&Kind::Object) || kinds.contains(&Kind::Array) {
        return Err(wrong(&format!("`{text}` is no such JSON")));
    }
    Err(wrong(&format!("`{text}` is none")))
}

/// `1,2,3`, where the items are scalars.
fn list(key: &str, text: &str, schema: Schema<'_>) -> Result<Value, Failure> {
    if text.trim().is_empty() {
        return Ok(Value::Array(Vec::new()));
    }
    let item_kinds = schema.items().map(Schema::kinds).unwrap_or_default();
    if item_kinds.iter().any(|kind| !kind.is_scalar()) {
        return items(key, &[text], schema);
    }
    items(key, &text.split(',').map(str::trim).collect::<Vec<_>>(), schema)
}

fn items(key: &str, texts: &[&str], schema: Schema<'_>) -> Result<Value, Failure> {
    let any = Value::Bool(true);
    let items = schema.items().unwrap_or_else(|| Schema::new(&any));
    let values = texts
        .iter()
        .enumerate()
        .map(|(index, text)| one(&format!("{key}[{index}]"), text, items, &items.kinds()));
    values.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn choose(key: &str, text: &str, choices: Vec<Value>) -> Result<Value, Failure> {
    let named =
        |choice: &Value| choice.as_str() == Some(text) || json(text).is_some_and(|value| value == *choice);
    if let Some(found) = choices.iter().find(|choice| named(choice)) {
        return Ok(found.clone());
    }
    let shown: Vec<_> = choices
        .iter()
        .map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned))
        .collect();
    let near = nearest(text, shown.iter().map(String::as_str))
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    Err(Failure::invalid(format!("`{key}` is one of {}, not `{text}`{near}", shown.join(", "))))
}

fn boolean(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "on" => Some(Value::Bool(true)),
        "false" | "no" | "n" | "off" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn integer(text: &str) -> Option<Value> {
    let text = text.trim();
    let signed = text.parse::<i64>().ok().map(Value::from);
    // 1.0 and 1e3 are integers to JSON Schema.
    signed
        .or_else(|| text.parse::<u64>().ok().map(Value::from))
        .or_else(|| number(text).filter(|n| n.as_f64().is_some_and(|n| n.fract() == 0.0)))
}

fn number(text: &str) -> Option<Value> {
    json(text.trim()).or_else(|| json(text.trim().strip_prefix('+')?)).filter(Value::is_number)
}

fn json(text: &str) -> Option<Value> {
    parse(text.as_bytes(), MAX_DEPTH).ok()
}

/// The nearest of some names, where one is near.
pub(super) fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const CLOSE_ENOUGH: f64 = 0.75;
    names
        .map(|name| (strsim::jaro_winkler(&text.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= CLOSE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::integer(json!({"type": "integer"}), &["42"], json!(42))]
    #[case::whole(json!({"type": "integer"}), &["1e3"], json!(1000.0))]
    #[case::number(json!({"type": "number"}), &["-2.5"], json!(-2.5))]
    #[case::boolean(json!({"type": "boolean"}), &["yes"], json!(true))]
    #[case::text_that_looks_like_a_number(json!({"type": "string"}), &["42"], json!("42"))]
    #[case::text_with_commas(json!({"type": "string"}), &["a,b"], json!("a,b"))]
    #[case::null(json!({"type": ["string", "null"]}), &["null"], json!(null))]
    #[case::union(json!({"type": ["integer", "string"]}), &["7"], json!(7))]
    #[case::quoted_in_a_union(json!({"type": ["integer", "string"]}), &["\"7\""], json!("7"))]
    #[case::commas(json!({"type": "array", "items": {"type": "number"}}), &["1, 2.5,3"], json!([1, 2.5, 3]))]
    #[case::repeated(json!({"type": "array", "items": {"type": "string"}}), &["a,b", "c"], json!(["a,b", "c"]))]
    #[case::array_as_json(json!({"type": "array", "items": {"type": "string"}}), &["[\"a,b\"]"], json!(["a,b"]))]
    #[case::array_of_objects(json!({"type": "array", "items": {"type": "object"}}), &["{\"a\": 1}", "{}"], json!([{"a": 1}, {}]))]
    #[case::empty_array(json!({"type": "array"}), &[""], json!([]))]
    #[case::object(json!({"type": "object"}), &["{\"a\": [1]}"], json!({"a": [1]}))]
    #[case::anything(json!({}), &["{\"a\": 1}"], json!({"a": 1}))]
    #[case::anything_else(json!({}), &["plain"], json!("plain"))]
    #[case::choice(json!({"enum": ["a", 2]}), &["2"], json!(2))]
    #[case::branches(json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/n"}], "$defs": {"n": {"type": "integer"}}}), &["5"], json!(5))]
    fn text_becomes_what_the_schema_asks_for(
        #[case] schema: Value,
        #[case] texts: &[&str],
        #[case] expected: Value,
    ) {
        assert_eq!(convert("k", texts, Schema::new(&schema)).unwrap(), expected);
    }

    #[rstest]
    #[case(json!({"type": "integer"}), &["1.5"], "`k` takes integer")]
    #[case(json!({"type": "integer"}), &["12", "13"], "`k` is given 2 times")]
    #[case(json!({"type": "boolean"}), &["perhaps"], "`perhaps` is none")]
    #[case(json!({"type": "object"}), &["{"], "no such JSON")]
    #[case(json!({"enum": ["sha256", "md5"]}), &["sha265"], "did you mean `sha256`?")]
    #[case(json!({"type": "array", "items": {"type": "number"}}), &["1,x"], "`k[1]` takes number")]
    fn what_does_not_fit_is_told(#[case] schema: Value, #[case] texts: &[&str], #[case] says: &str) {
        let failure = convert("k", texts, Schema::new(&schema)).unwrap_err();
        assert!(failure.message.contains(says), "{failure}");
    }
}
