//! Reads the keys of one object, and says where what is wrong stands.

use serde_json::{Map, Value};
use toolgate_domain::tool::reject_unknown_keys;

/// One object of the execution block.
pub(super) struct Fields<'a> {
    at: String,
    fields: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// `at` is empty for the execution block itself.
    pub(super) fn new(at: &str, fields: &'a Map<String, Value>, known: &[&str]) -> Result<Self, String> {
        reject_unknown_keys(fields, known)
            .map_err(|error| if at.is_empty() { error.to_string() } else { format!("`{at}`: {error}") })?;
        Ok(Self { at: at.to_owned(), fields })
    }

    /// An object below this one.
    pub(super) fn inner(&self, key: &str, known: &[&str]) -> Result<Option<Fields<'a>>, String> {
        match self.fields.get(key) {
            None => Ok(None),
            Some(Value::Object(fields)) => Fields::new(&self.place(key), fields, known).map(Some),
            Some(_) => Err(self.bad(key, "is an object")),
        }
    }

    pub(super) fn place(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    pub(super) fn bad(&self, key: &str, what: impl std::fmt::Display) -> String {
        format!("`{}` {what}", self.place(key))
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.fields.get(key)
    }

    pub(super) fn object(&self, key: &str) -> Result<Option<&'a Map<String, Value>>, String> {
        match self.fields.get(key) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(_) => Err(self.bad(key, "is an object")),
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, String> {
        match self.fields.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(_) => Err(self.bad(key, "is a text that is not empty")),
        }
    }

    pub(super) fn required_text(&self, key: &str) -> Result<&'a str, String> {
        self.text(key)?.ok_or_else(|| self.bad(key, "is missing"))
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, String> {
        match self.fields.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.bad(key, "is true or false")),
        }
    }

    pub(super) fn number(&self, key: &str, min: u64, max: u64) -> Result<Option<u64>, String> {
        match self.fields.get(key) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| (min..=max).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(self.bad(key, format!("is a whole number from {min} to {max}"))),
            },
        }
    }

    pub(super) fn list(&self, key: &str, max: usize) -> Result<&'a [Value], String> {
        match self.fields.get(key) {
            None => Ok(&[]),
            Some(Value::Array(items)) if items.len() <= max => Ok(items),
            Some(_) => Err(self.bad(key, format!("is a list of at most {max}"))),
        }
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<T>, String> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.map(Some).ok_or_else(|| {
            let known: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.bad(key, format!("is one of {}", known.join(", ")))
        })
    }
}
