//! JSON from the parent becomes Python values.

use monty_types::MontyObject;
use serde_json::{Map, Value};

/// Depth is bounded by the frame's reader.
pub(crate) fn to_python(value: &Value) -> MontyObject {
    match value {
        Value::Null => MontyObject::none(),
        Value::Bool(flag) => MontyObject::bool(*flag),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => MontyObject::int(integer),
            (None, Some(float)) => MontyObject::float(float),
            (None, None) => MontyObject::none(),
        },
        Value::String(text) => MontyObject::string(text.clone()),
        Value::Array(items) => MontyObject::list(items.iter().map(to_python)),
        Value::Object(fields) => dict(fields),
    }
}

fn dict(fields: &Map<String, Value>) -> MontyObject {
    MontyObject::dict(fields.iter().map(|(key, value)| (MontyObject::string(key.clone()), to_python(value))))
}

/// The script's variables: the functions, the dict `input`, and each input whose key is a plain identifier.
/// A function wins over an input of its name; the input stays reachable in `input`.
pub(crate) fn variables(
    inputs: &Map<String, Value>,
    functions: &[String],
) -> (Vec<String>, Vec<MontyObject>) {
    let mut names = Vec::with_capacity(functions.len() + inputs.len() + 1);
    let mut values = Vec::with_capacity(names.capacity());
    for name in functions.iter().filter(|name| is_variable(name)) {
        if !names.contains(name) {
            names.push(name.clone());
            values.push(MontyObject::function(name.clone(), None));
        }
    }
    names.push("input".to_owned());
    values.push(dict(inputs));
    for (key, value) in inputs {
        if is_variable(key) && key != "input" && !functions.contains(key) {
            names.push(key.clone());
            values.push(to_python(value));
        }
    }
    (names, values)
}

fn is_variable(name: &str) -> bool {
    monty_types::is_identifier(name) && !name.starts_with("__")
}
