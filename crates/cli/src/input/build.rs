//! Fields, one by one, into one object.

use serde_json::{Map, Value};

use super::{
    convert::{convert, nearest},
    schema::{Others, Schema},
};
use crate::exit::Failure;

/// Adds fields to an input. A key that the schema does not know is an error that names the nearest.
pub(crate) fn build(
    schema: Schema<'_>,
    mut input: Map<String, Value>,
    fields: &[(String, String)],
) -> Result<Map<String, Value>, Failure> {
    let mut grouped: Vec<(&str, Vec<&str>)> = Vec::new();
    for (key, text) in fields {
        match grouped.iter_mut().find(|(known, _)| known == key) {
            Some((_, texts)) => texts.push(text),
            None => grouped.push((key, vec![text])),
        }
    }
    let any = Value::Bool(true);
    for (key, texts) in grouped {
        let (path, place) = locate(schema, key, &any)?;
        let value = convert(key, &texts, place)?;
        put(&mut input, key, &path, value)?;
    }
    Ok(input)
}

/// Where a dotted key leads. A name that has a dot in it is taken as it stands.
fn locate<'s>(
    schema: Schema<'s>,
    key: &'s str,
    any: &'s Value,
) -> Result<(Vec<&'s str>, Schema<'s>), Failure> {
    let (mut path, mut rest, mut place) = (Vec::new(), key, schema);
    loop {
        if let Some(found) = place.property(rest) {
            path.push(rest);
            return Ok((path, found));
        }
        let (head, tail) = rest.split_once('.').map_or((rest, None), |(head, tail)| (head, Some(tail)));
        let found = match (place.property(head), place.others()) {
            (Some(found), _) => found,
            (None, Others::Welcome(others)) => others.unwrap_or_else(|| Schema::new(any)),
            (None, Others::Refused) => return Err(unknown(key, &path, head, place)),
        };
        path.push(head);
        match tail {
            None => return Ok((path, found)),
            Some(tail) => (rest, place) = (tail, found),
        }
    }
}

fn unknown(key: &str, path: &[&str], head: &str, place: Schema<'_>) -> Failure {
    let dotted = |name: &str| path.iter().copied().chain([name]).collect::<Vec<_>>().join(".");
    let names = place.properties();
    let near = nearest(head, names.iter().copied())
        .map(|near| format!("; did you mean `{}`?", dotted(near)))
        .unwrap_or_default();
    let known: Vec<_> = names.into_iter().map(dotted).collect();
    Failure::invalid(format!("there is no field `{key}`{near}"))
        .hint(format!("the fields are {}", known.join(", ")))
}

fn put(input: &mut Map<String, Value>, key: &str, path: &[&str], value: Value) -> Result<(), Failure> {
    match path {
        [] => Ok(()),
        [last] => {
            input.insert((*last).to_owned(), value);
            Ok(())
        }
        [head, tail @ ..] => match input.entry(*head).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(inner) => put(inner, key, tail, value),
            _ => Err(Failure::invalid(format!(
                "`{key}` cannot be set: `{head}` is given as something that has no fields"
            ))),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn made(schema: &Value, pairs: &[(&str, &str)]) -> Result<Value, Failure> {
        build(Schema::new(schema), Map::new(), &fields(pairs)).map(Value::Object)
    }

    #[test]
    fn dotted_keys_reach_into_objects() {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "object", "properties": {"b": {"type": "integer"}, "c": {"type": "array", "items": {"type": "boolean"}}}},
            "x.y": {"type": "boolean"}, "free": {"type": "object"}}});
        let input = made(
            &schema,
            &[("a.b", "1"), ("a.c", "true"), ("a.c", "false"), ("x.y", "true"), ("free.p.q", "text")],
        )
        .unwrap();
        assert_eq!(
            input,
            json!({"a": {"b": 1, "c": [true, false]}, "x.y": true, "free": {"p": {"q": "text"}}})
        );
    }

    #[test]
    fn an_unknown_key_is_answered_with_the_nearest() {
        let schema = json!({"type": "object", "properties": {"expression": {}, "a": {"type": "object", "properties": {"format": {}}}}});
        assert!(
            made(&schema, &[("expresion", "1")]).unwrap_err().message.contains("did you mean `expression`?")
        );
        assert!(
            made(&schema, &[("a.fromat", "1")]).unwrap_err().message.contains("did you mean `a.format`?")
        );
    }

    #[test]
    fn other_keys_are_taken_where_the_schema_welcomes_them() {
        let schema =
            json!({"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}});
        assert_eq!(made(&schema, &[("b", "2")]).unwrap(), json!({"b": 2}));
        assert_eq!(made(&json!({"type": "object"}), &[("b", "text")]).unwrap(), json!({"b": "text"}));
    }

    #[test]
    fn a_value_cannot_be_a_scalar_and_an_object_at_once() {
        let failure = made(&json!({"type": "object"}), &[("a", "1"), ("a.b", "2")]).unwrap_err();
        assert!(failure.message.contains("`a` is given"), "{failure}");
    }
}
