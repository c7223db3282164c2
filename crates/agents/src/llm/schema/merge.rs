//! Alternatives of objects as one object, where a provider takes no alternatives.

use serde_json::{Map, Value, json};

/// The object's own properties with those of `allOf`, `anyOf` and `oneOf`. What every alternative requires stays required; the keywords
/// that were merged are returned.
pub(super) fn merged(
    mut schema: Map<String, Value>,
    keywords: &[&'static str],
) -> (Map<String, Value>, Vec<&'static str>) {
    let mut done = Vec::new();
    for keyword in keywords {
        let Some(Value::Array(branches)) = schema.remove(*keyword) else { continue };
        done.push(*keyword);
        let branches: Vec<Map<String, Value>> = branches.into_iter().map(flattened).collect();
        let required = required_of(&branches, *keyword == "allOf");
        for branch in branches {
            add(&mut schema, branch);
        }
        let mut all = strings(schema.get("required"));
        all.extend(required);
        all.sort();
        all.dedup();
        if !all.is_empty() {
            schema.insert("required".into(), all.into());
        }
    }
    (schema, done)
}

/// A branch with the branches inside it.
fn flattened(branch: Value) -> Map<String, Value> {
    match branch {
        Value::Object(fields) => merged(fields, &["allOf", "anyOf", "oneOf"]).0,
        _ => Map::new(),
    }
}

fn required_of(branches: &[Map<String, Value>], of_any: bool) -> Vec<String> {
    let lists: Vec<Vec<String>> = branches.iter().map(|branch| strings(branch.get("required"))).collect();
    let all = lists.iter().flatten().cloned();
    if of_any {
        all.collect()
    } else {
        all.filter(|name| lists.iter().all(|list| list.contains(name))).collect()
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What the branch says and the schema does not yet. Two meanings of one property become alternatives.
fn add(schema: &mut Map<String, Value>, branch: Map<String, Value>) {
    for (keyword, value) in branch {
        match (keyword.as_str(), value) {
            ("required", _) => {}
            ("properties", Value::Object(properties)) => {
                let kept = schema.entry("properties").or_insert_with(|| json!({}));
                let Some(kept) = kept.as_object_mut() else { continue };
                for (name, property) in properties {
                    let both = match kept.get(&name) {
                        Some(known) if *known != property => json!({"anyOf": [known, property]}),
                        _ => property,
                    };
                    kept.insert(name, both);
                }
            }
            (_, value) => {
                schema.entry(keyword).or_insert(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_become_one_object_that_takes_them_all() {
        let Value::Object(schema) = json!({"type": "object", "oneOf": [
            {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind", "x"]},
            {"properties": {"kind": {"const": "b"}, "y": {"type": "string"}}, "required": ["kind", "y"]},
        ]}) else {
            panic!("it is an object")
        };
        let (made, done) = merged(schema, &["oneOf"]);
        assert_eq!(done, ["oneOf"]);
        let properties = json!({
            "kind": {"anyOf": [{"const": "a"}, {"const": "b"}]}, "x": {"type": "string"}, "y": {"type": "string"},
        });
        assert_eq!(
            Value::from(made),
            json!({"type": "object", "properties": properties, "required": ["kind"]})
        );
    }
}
