//! References within the document.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::notes::short;

/// A reference that leads to a reference, and so on.
const MAX_HOPS: usize = 16;

/// A document, and what its references stand for.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) root: &'a Value,
}

impl<'a> Document<'a> {
    /// What stands at `#/…`.
    pub(super) fn at(self, reference: &str) -> Result<&'a Value, String> {
        let shown = short(reference);
        let Some(fragment) = reference.strip_prefix('#') else {
            return Err(format!("`{shown}` points out of the document: bundle it into one file first"));
        };
        let pointer = percent_decode_str(fragment).decode_utf8_lossy();
        self.root.pointer(&pointer).ok_or_else(|| format!("`{shown}` points at nothing in the document"))
    }

    /// Follows references until something else comes.
    pub(super) fn resolve(self, mut value: &'a Value) -> Result<&'a Value, String> {
        for _ in 0..MAX_HOPS {
            match value.get("$ref").and_then(Value::as_str) {
                None => return Ok(value),
                Some(reference) => value = self.at(reference)?,
            }
        }
        Err(format!("a reference leads on and on, past {MAX_HOPS} others"))
    }
}
