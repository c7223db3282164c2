//! Two published schemas as one: both of them hold, or either. The result never takes less than they do.

use serde_json::{Map, Value};

use super::keyword::{ANNOTATIONS, Fields, list};

/// What fits both, and perhaps more. Where the two contradict each other, the first is kept.
pub(super) fn both(mut first: Fields, second: Fields) -> Fields {
    if is_union(&first) && !is_union(&second) && second.contains_key("type") {
        // Types that are listed as alternatives, held against one of them.
        return narrowed(first, second);
    }
    if is_union(&second) && !is_union(&first) && first.contains_key("type") {
        return narrowed(second, first);
    }
    for (keyword, value) in second {
        let Some(own) = first.get_mut(&keyword) else {
            first.insert(keyword, value);
            continue;
        };
        match (keyword.as_str(), &mut *own, value) {
            ("type", own, Value::String(other)) if own == "number" && other == "integer" => {
                *own = other.into();
            }
            ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", own, other)
                if other.as_f64() > own.as_f64() =>
            {
                *own = other;
            }
            ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", own, other)
                if other.as_f64() < own.as_f64() =>
            {
                *own = other;
            }
            ("uniqueItems", own, Value::Bool(true)) => *own = true.into(),
            ("enum", Value::Array(own), Value::Array(other)) => {
                let shared: Vec<Value> = own.iter().filter(|value| other.contains(value)).cloned().collect();
                if !shared.is_empty() {
                    *own = shared;
                }
            }
            ("required", Value::Array(own), Value::Array(other)) => {
                for name in other {
                    if !own.contains(&name) {
                        own.push(name);
                    }
                }
            }
            ("properties" | "patternProperties", Value::Object(own), Value::Object(other)) => {
                for (name, property) in other {
                    let merged = match (own.remove(&name), property) {
                        (Some(Value::Object(a)), Value::Object(b)) => both(a, b).into(),
                        (_, property) => property,
                    };
                    own.insert(name, merged);
                }
            }
            ("items", own @ Value::Object(_), Value::Object(other)) => {
                if let Value::Object(mine) = own.take() {
                    *own = both(mine, other).into();
                }
            }
            // Open says nothing, so the other is the news; closed is the strictest.
            ("additionalProperties", own, other) if *own == true || other == false => *own = other,
            _ => {}
        }
    }
    close_again(&mut first);
    first
}

/// An object that names properties, and is said to be open only because one half of it named none.
fn close_again(made: &mut Fields) {
    let is_open = made.get("additionalProperties").is_some_and(|others| *others == true);
    let names = made.get("properties").and_then(Value::as_object).is_some_and(|names| !names.is_empty());
    if is_open && names {
        made.remove("additionalProperties");
    }
}

/// The alternatives that agree with `other` on the type.
fn narrowed(mut union: Fields, other: Fields) -> Fields {
    let kind = other.get("type").cloned();
    let fits = |branch: &Value| match (branch.get("type"), &kind) {
        (Some(own), Some(kind)) => {
            own == kind || (own == "number" && kind == "integer") || (own == "integer" && kind == "number")
        }
        _ => true,
    };
    let branches: Vec<Fields> = list(&union, "anyOf")
        .iter()
        .filter(|branch| fits(branch))
        .filter_map(|branch| branch.as_object().cloned())
        .collect();
    match branches.len() {
        0 => other,
        1 => {
            union.remove("anyOf");
            let one = branches.into_iter().next().unwrap_or_default();
            both(both(one, other), union)
        }
        _ => {
            union.insert("anyOf".into(), branches.into());
            for (keyword, value) in other {
                union.entry(keyword).or_insert(value);
            }
            union
        }
    }
}

fn is_union(fields: &Fields) -> bool {
    fields.contains_key("anyOf") && !fields.contains_key("type")
}

/// What fits one of them at least.
pub(super) fn either(schemas: Vec<Fields>) -> Fields {
    let mut distinct: Vec<Fields> = Vec::new();
    for mut schema in schemas {
        // Alternatives of alternatives are alternatives.
        let inner = if is_only_a_union(&schema) { schema.remove("anyOf") } else { None };
        let each = match inner {
            Some(Value::Array(inner)) => inner.into_iter().filter_map(into_fields).collect(),
            _ => vec![schema],
        };
        for one in each {
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
    }
    if let Some(any) = distinct.iter().find(|one| !one.keys().any(|name| is_constraint(name))) {
        return any.clone();
    }
    if let Some(one) = as_one_list(&distinct) {
        return one;
    }
    if distinct.len() == 1 {
        return distinct.pop().unwrap_or_default();
    }
    Map::from_iter([("anyOf".to_owned(), distinct.into())])
}

fn is_only_a_union(fields: &Fields) -> bool {
    fields.len() == 1 && fields.contains_key("anyOf")
}

fn is_constraint(name: &str) -> bool {
    !ANNOTATIONS.contains(&name)
}

fn into_fields(value: Value) -> Option<Fields> {
    match value {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// Lists of values of one type are one list.
fn as_one_list(schemas: &[Fields]) -> Option<Fields> {
    let kind = schemas.first()?.get("type")?;
    if schemas.len() < 2 {
        return None;
    }
    let mut values: Vec<Value> = Vec::new();
    for schema in schemas {
        let is_list =
            schema.keys().all(|name| matches!(name.as_str(), "type" | "enum" | "title" | "description"));
        if !is_list || schema.get("type") != Some(kind) {
            return None;
        }
        for value in schema.get("enum")?.as_array()? {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    let mut made = Map::from_iter([("type".to_owned(), kind.clone()), ("enum".to_owned(), values.into())]);
    let said: Vec<&Value> = schemas.iter().filter_map(|schema| schema.get("description")).collect();
    if let Some(first) = said.first()
        && said.iter().all(|other| other == first)
    {
        made.insert("description".to_owned(), (*first).clone());
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Fields {
        into_fields(value).unwrap()
    }

    #[test]
    fn both_is_the_stricter_of_each() {
        let a = json!({"type": "number", "minimum": 1, "maximum": 9});
        let b = json!({"type": "integer", "minimum": 3, "maximum": 20});
        let made = json!({"type": "integer", "minimum": 3, "maximum": 9});
        assert_eq!(Value::from(both(fields(a), fields(b))), made);
    }

    #[test]
    fn lists_of_values_become_one_list() {
        let a = fields(json!({"type": "string", "enum": ["a"]}));
        let b = fields(json!({"type": "string", "enum": ["b", "a"]}));
        assert_eq!(Value::from(either(vec![a, b])), json!({"type": "string", "enum": ["a", "b"]}));
    }

    #[test]
    fn what_takes_anything_takes_the_rest_as_well() {
        let made = either(vec![fields(json!({"type": "string"})), fields(json!({"title": "Any"}))]);
        assert_eq!(Value::from(made), json!({"title": "Any"}));
    }
}
