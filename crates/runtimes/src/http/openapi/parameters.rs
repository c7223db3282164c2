//! The parameters of an operation become properties of the tool's input, and places of its request.

use serde_json::{Map, Value, json};

use super::{
    keywords::{self, allows},
    names::Taken,
    notes::{Notes, short},
    path, query,
    refs::Document,
    schema::{Schemas, Way},
};
use crate::http::config::check_name;

/// More than this is no operation that somebody can use.
const MAX_PARAMETERS: usize = 100;
/// Headers that OpenAPI describes elsewhere.
const DESCRIBED_ELSEWHERE: [&str; 3] = ["accept", "authorization", "content-type"];
/// What a cookie's value may hold: nothing that could begin another cookie.
const COOKIE_PATTERN: &str = "^[^;,\"\\\\\\s]*$";

/// What is asked for, and where it goes.
#[derive(Default)]
pub(super) struct Request {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    /// The path, with the names of properties in its placeholders.
    pub(super) path: String,
    pub(super) query: Map<String, Value>,
    pub(super) headers: Map<String, Value>,
    pub(super) body: Option<Value>,
    pub(super) form: Option<Map<String, Value>>,
}

impl Request {
    pub(super) fn ask(&mut self, name: &str, schema: Value, is_required: bool) {
        if is_required {
            self.required.push(name.to_owned());
        }
        self.properties.insert(name.to_owned(), schema);
    }

    /// The schema of the tool's input.
    pub(super) fn input_schema(&self) -> Value {
        let mut schema =
            json!({"type": "object", "properties": self.properties, "additionalProperties": false});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema
    }
}

/// One parameter, with its references resolved.
pub(super) struct Parameter<'a> {
    pub(super) name: &'a str,
    place: &'a str,
    value: &'a Value,
}

/// Those of the path, and those of the operation, which replace them.
pub(super) fn collect<'a>(
    document: Document<'a>,
    holders: [&'a Value; 2],
) -> Result<Vec<Parameter<'a>>, String> {
    let mut found: Vec<Parameter<'a>> = Vec::new();
    for holder in holders {
        let listed =
            holder.get("parameters").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if listed.len() > MAX_PARAMETERS {
            return Err(format!("it has more than {MAX_PARAMETERS} parameters"));
        }
        for parameter in listed {
            let value = document.resolve(parameter)?;
            let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
            let (Some(name), Some(place)) = (text("name"), text("in")) else {
                return Err("it has a parameter without `name` or `in`".to_owned());
            };
            found.retain(|other| (other.name, other.place) != (name, place));
            found.push(Parameter { name, place, value });
        }
    }
    Ok(found)
}

/// Puts every parameter into the request. `credential` is the place and name that the tool's own secret has.
pub(super) fn add(
    document: Document<'_>,
    path: &str,
    parameters: &[Parameter<'_>],
    credential: Option<(&str, &str)>,
    taken: &mut Taken,
    request: &mut Request,
    notes: &mut Notes,
) -> Result<(), String> {
    let mut path = path::Path::parse(path)?;
    let mut cookies = Vec::new();
    for parameter in parameters {
        let (name, place) = (parameter.name, parameter.place);
        if credential.is_some_and(|(at, own)| at == place && own.eq_ignore_ascii_case(name)) {
            notes.add(format!(
                "the {place} `{}` comes from the tool's secret, not from its input",
                short(name)
            ));
            continue;
        }
        match place {
            "path" if !path.has(name) => {
                notes.add(format!(
                    "the path has no place for its parameter `{}`: it is left out",
                    short(name)
                ));
            }
            "path" => {
                let schema = one_value(parameter.schema(document, notes)?, name, notes);
                let property = taken.property(name, place);
                path.name(name, &property);
                request.ask(&property, schema, true);
            }
            "query" => {
                let schema = parameter.schema(document, notes)?;
                let schema =
                    if parameter.is_joined(&schema) { one_value(schema, name, notes) } else { schema };
                let property = taken.property(name, place);
                let schema = query::place(parameter, &property, schema, request, notes);
                request.ask(&property, schema, parameter.is_required());
            }
            "header" if DESCRIBED_ELSEWHERE.contains(&name.to_ascii_lowercase().as_str()) => {}
            "header" => match check_name(name) {
                Err(error) => notes.add(format!("{error}: it is left out")),
                Ok(_) => {
                    let schema = one_value(parameter.schema(document, notes)?, name, notes);
                    let property = taken.property(name, place);
                    request.headers.insert(name.to_owned(), json!(format!("$input.{property}")));
                    request.ask(&property, schema, parameter.is_required());
                }
            },
            // All cookies are one header, in which nothing can be left out.
            "cookie" if parameter.is_required() && is_cookie_name(name) => {
                let schema = one_value(parameter.schema(document, notes)?, name, notes);
                let property = taken.property(name, place);
                cookies.push(format!("{name}={{$input.{property}}}"));
                request.ask(&property, json!({"allOf": [schema, {"pattern": COOKIE_PATTERN}]}), true);
            }
            "cookie" => notes.add(format!("the cookie `{}` need not be sent: it is left out", short(name))),
            other => {
                return Err(format!("a parameter stands in `{}`, which is no place for one", short(other)));
            }
        }
    }
    for name in path.unnamed() {
        notes
            .add(format!("no parameter describes `{{{}}}` of the path: it is taken as a text", short(&name)));
        let property = taken.property(&name, "path");
        path.name(&name, &property);
        request.ask(&property, json!({"type": "string", "minLength": 1}), true);
    }
    if !cookies.is_empty() {
        request.headers.insert("Cookie".to_owned(), json!(cookies.join("; ")));
    }
    request.path = path.render();
    Ok(())
}

fn is_cookie_name(name: &str) -> bool {
    name.len() <= 128 && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// Where one value has room, a list or an object comes as the text that the host reads.
fn one_value(schema: Value, name: &str, notes: &mut Notes) -> Value {
    if !allows(&schema, "array") && !allows(&schema, "object") {
        return schema;
    }
    let name = short(name);
    notes.add(format!("`{name}` is sent as one text: several values are written with commas between them"));
    let mut text = json!({"type": "string"});
    let said = schema.get("description").and_then(Value::as_str).map(|said| format!("{said} "));
    text["description"] =
        json!(format!("{}Several values are written with commas between them.", said.unwrap_or_default()));
    text
}

impl<'a> Parameter<'a> {
    pub(super) fn is_required(&self) -> bool {
        self.place == "path" || self.value.get("required") == Some(&Value::Bool(true))
    }

    fn style(&self) -> &'a str {
        self.value.get("style").and_then(Value::as_str).unwrap_or("form")
    }

    /// `name[key]=value`, one for each member of an object.
    pub(super) fn is_deep_object(&self) -> bool {
        self.style() == "deepObject"
    }

    /// A list in one text. Objects have a spelling of their own.
    fn is_joined(&self, schema: &Value) -> bool {
        let is_exploded =
            self.value.get("explode").and_then(Value::as_bool).unwrap_or(self.style() == "form");
        !self.is_deep_object() && !is_exploded && (allows(schema, "array") || allows(schema, "object"))
    }

    fn schema(&self, document: Document<'a>, notes: &mut Notes) -> Result<Value, String> {
        let mut schema = if self.value.get("content").is_some() {
            notes.add(format!("`{}` is sent as the text that the caller writes", short(self.name)));
            json!({"type": "string"})
        } else {
            let stated = self.value.get("schema");
            let made =
                stated.map(|stated| Schemas::new(document, Way::In, notes).convert(stated)).transpose()?;
            made.filter(Value::is_object).unwrap_or_else(|| json!({"type": "string"}))
        };
        // The parameter's own texts say more than those of a schema that others share.
        for key in ["description", "example", "examples"] {
            let stated = self.value.get(key).map(|value| keywords::plain(key, value));
            if let Some(Ok(Some((key, text)))) = stated {
                schema[key] = text;
            }
        }
        Ok(schema)
    }
}
