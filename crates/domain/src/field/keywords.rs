//! The keywords of one schema: each is understood or refused.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{FieldError, read::escaped};

pub(super) struct Keywords<'a> {
    schema: &'a Map<String, Value>,
    place: String,
    understood: BTreeSet<&'static str>,
}

impl<'a> Keywords<'a> {
    pub(super) fn of(schema: &'a Value, place: &str) -> Result<Self, FieldError> {
        match schema {
            Value::Object(schema) => {
                Ok(Self { schema, place: place.to_owned(), understood: ["$comment", "examples"].into() })
            }
            _ => Err(FieldError::at(place, "a field needs a schema that says what it holds")),
        }
    }

    pub(super) fn all(&self) -> &'a Map<String, Value> {
        self.schema
    }

    pub(super) fn pointer(&self, keyword: &str) -> String {
        format!("{}/{}", self.place, escaped(keyword))
    }

    pub(super) fn no<T>(&self, keyword: &str, message: impl Into<String>) -> Result<T, FieldError> {
        Err(FieldError::at(self.pointer(keyword), message))
    }

    pub(super) fn take(&mut self, keyword: &'static str) -> Option<&'a Value> {
        self.understood.insert(keyword);
        self.schema.get(keyword)
    }

    pub(super) fn text(&mut self, keyword: &'static str) -> Result<Option<String>, FieldError> {
        match self.take(keyword) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => self.no(keyword, "is a text"),
        }
    }

    pub(super) fn number(&mut self, keyword: &'static str) -> Result<Option<f64>, FieldError> {
        match self.take(keyword) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => self.no(keyword, "is a number"),
            },
        }
    }

    pub(super) fn size(&mut self, keyword: &'static str) -> Result<Option<u64>, FieldError> {
        match self.take(keyword) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(size) => Ok(Some(size)),
                None => self.no(keyword, "is a whole number from zero"),
            },
        }
    }

    pub(super) fn strings(&mut self, keyword: &'static str) -> Result<Option<Vec<&'a str>>, FieldError> {
        match self.take(keyword) {
            None => Ok(None),
            Some(value) => {
                let texts = value.as_array().and_then(|all| all.iter().map(Value::as_str).collect());
                texts.map_or_else(|| self.no(keyword, "is a list of names"), |texts| Ok(Some(texts)))
            }
        }
    }

    pub(super) fn items(&mut self) -> Result<Keywords<'a>, FieldError> {
        match self.take("items") {
            Some(items) => Keywords::of(items, &self.pointer("items")),
            None => self.no("items", "an array says of what"),
        }
    }

    pub(super) fn expect_type(&mut self, types: &[&str]) -> Result<(), FieldError> {
        match self.take("type").and_then(Value::as_str) {
            Some(found) if types.contains(&found) => Ok(()),
            _ => self.no("type", format!("is `{}` here", types.join("` or `"))),
        }
    }

    pub(super) fn expect_format(&mut self, format: &str) -> Result<(), FieldError> {
        self.expect_type(&["string"])?;
        match self.take("format").and_then(Value::as_str) {
            Some(found) if found == format => Ok(()),
            _ => self.no("format", format!("is `{format}` here")),
        }
    }

    /// Refuses the first keyword that nobody understood.
    pub(super) fn finish(&self) -> Result<(), FieldError> {
        match self.schema.keys().find(|keyword| !self.understood.contains(keyword.as_str())) {
            None => Ok(()),
            Some(keyword) => self.no(keyword, "a form cannot express this keyword here"),
        }
    }

    /// Why no type of field is like this schema.
    pub(super) fn inexpressible(&self) -> FieldError {
        let combined = ["$ref", "oneOf", "anyOf", "allOf", "not", "if"];
        let known = combined.into_iter().find(|keyword| self.schema.contains_key(*keyword));
        match (known, self.schema.get("format"), self.schema.get("type")) {
            (Some(keyword), ..) => FieldError::at(self.pointer(keyword), "a form cannot express this"),
            (_, Some(_), _) => FieldError::at(self.pointer("format"), "no type of field has this format"),
            (_, _, Some(_)) => FieldError::at(self.pointer("type"), "no type of field is of this type"),
            _ => FieldError::at(&self.place, "the schema says no `type`, so no field can hold it"),
        }
    }
}
