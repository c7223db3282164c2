//! Which required fields an input lacks.

use serde_json::{Map, Value};

use super::schema::Schema;

const MAX_DEPTH: usize = 8;

/// A required field that is not there.
pub(crate) struct Missing<'a> {
    pub(crate) path: Vec<&'a str>,
    pub(crate) schema: Option<Schema<'a>>,
}

impl Missing<'_> {
    pub(crate) fn key(&self) -> String {
        self.path.join(".")
    }
}

/// The required fields that are missing, in the order in which the schema names them. An object of which something must
/// be known is missed by its fields.
pub(crate) fn missing<'a>(schema: Schema<'a>, input: &Map<String, Value>) -> Vec<Missing<'a>> {
    let mut found = Vec::new();
    collect(schema, Some(input), &mut Vec::new(), &mut found);
    found
}

fn collect<'a>(
    schema: Schema<'a>,
    input: Option<&Map<String, Value>>,
    path: &mut Vec<&'a str>,
    found: &mut Vec<Missing<'a>>,
) {
    for name in schema.required() {
        let (place, given) = (schema.property(name), input.and_then(|input| input.get(name)));
        path.push(name);
        match (given, place) {
            (Some(Value::Object(inner)), Some(place)) if path.len() < MAX_DEPTH => {
                collect(place, Some(inner), path, found)
            }
            (Some(_), _) => {}
            (None, Some(place)) if path.len() < MAX_DEPTH && !place.required().is_empty() => {
                collect(place, None, path, found)
            }
            (None, schema) => found.push(Missing { path: path.clone(), schema }),
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn required_fields_are_missed_at_every_level() {
        let schema = json!({"type": "object", "required": ["b", "a", "c"], "properties": {
            "a": {"type": "object", "required": ["x", "y"], "properties": {"x": {}, "y": {}}}, "b": {}, "c": {}}});
        let keys = |input: Value| {
            let input = input.as_object().cloned().unwrap();
            missing(Schema::new(&schema), &input).iter().map(Missing::key).collect::<Vec<_>>()
        };
        assert_eq!(keys(json!({})), ["b", "a.x", "a.y", "c"]);
        assert_eq!(keys(json!({"a": {"x": 1}, "b": null})), ["a.y", "c"]);
        assert_eq!(keys(json!({"a": {"x": 1, "y": 2}, "b": 1, "c": 1})), [""; 0]);
    }
}
