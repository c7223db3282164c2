//! Local references, put in place of themselves.

use serde_json::{Map, Value};

/// References inside references.
const MAX_DEPTH: usize = 32;
/// Values of the schema that is made: references that fan out grow without end otherwise.
const MAX_VALUES: usize = 10_000;

/// The schema without `$ref`, `$defs` and `definitions`. The error says which reference cannot be put in place.
pub(super) fn inlined(root: &Value) -> Result<Value, String> {
    let mut work = Work { root, values: 0 };
    work.value(root, 0, true)
}

struct Work<'a> {
    root: &'a Value,
    values: usize,
}

impl Work<'_> {
    /// `is_schema`: whether keywords stand here, not the names of properties or data.
    fn value(&mut self, value: &Value, depth: usize, is_schema: bool) -> Result<Value, String> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(format!("it has more than {MAX_VALUES} values with its references in place"));
        }
        match value {
            Value::Array(items) => {
                let items: Result<Vec<Value>, String> =
                    items.iter().map(|item| self.value(item, depth, is_schema)).collect();
                Ok(items?.into())
            }
            Value::Object(fields) if is_schema => self.schema(fields, depth),
            Value::Object(fields) => {
                let fields: Result<Map<String, Value>, String> = fields
                    .iter()
                    .map(|(name, field)| Ok((name.clone(), self.value(field, depth, true)?)))
                    .collect();
                Ok(fields?.into())
            }
            plain => Ok(plain.clone()),
        }
    }

    fn schema(&mut self, fields: &Map<String, Value>, depth: usize) -> Result<Value, String> {
        let mut made = Map::new();
        for (name, field) in fields {
            match name.as_str() {
                "$ref" | "$defs" | "definitions" | "$schema" | "$id" | "$anchor" | "$comment" => {}
                // Data, whatever it looks like.
                "enum" | "const" | "default" | "examples" | "example" => {
                    made.insert(name.clone(), field.clone());
                }
                "properties" | "patternProperties" | "dependentSchemas" => {
                    made.insert(name.clone(), self.value(field, depth, false)?);
                }
                _ => {
                    made.insert(name.clone(), self.value(field, depth, true)?);
                }
            }
        }
        let Some(reference) = fields.get("$ref") else { return Ok(made.into()) };
        let reference = reference.as_str().unwrap_or_default();
        if depth >= MAX_DEPTH {
            return Err(format!("`{reference}` leads back to itself"));
        }
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let target = target.ok_or_else(|| format!("`{reference}` leads nowhere"))?.clone();
        let Value::Object(target) = self.value(&target, depth + 1, true)? else { return Ok(made.into()) };
        // What stands beside the reference is nearer.
        for (name, field) in target {
            made.entry(name).or_insert(field);
        }
        Ok(made.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_put_in_place() {
        let schema = json!({
            "properties": {"$ref": {"$ref": "#/$defs/name", "description": "a property of that name"}},
            "$defs": {"name": {"type": "string", "description": "far"}},
        });
        let made =
            json!({"properties": {"$ref": {"type": "string", "description": "a property of that name"}}});
        assert_eq!(inlined(&schema).unwrap(), made);
    }

    #[test]
    fn what_has_no_end_is_said() {
        let circle = json!({"properties": {"child": {"$ref": "#"}}});
        assert!(inlined(&circle).unwrap_err().contains("leads back to itself"));
        assert!(inlined(&json!({"$ref": "https://example.com/x"})).unwrap_err().contains("leads nowhere"));
        let double =
            |n: usize| json!({"allOf": [{"$ref": format!("#/$defs/{n}")}, {"$ref": format!("#/$defs/{n}")}]});
        let mut defs: Map<String, Value> = (0..30).map(|n| (n.to_string(), double(n + 1))).collect();
        defs.insert("30".into(), json!({"type": "string"}));
        let bomb = json!({"$ref": "#/$defs/0", "$defs": defs});
        assert!(inlined(&bomb).unwrap_err().contains("values"));
    }
}
