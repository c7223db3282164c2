//! From bytes to a bundle and back. Whoever wrote the file may mean no good: it is bounded, and its digest is checked.

use serde_json::Value;
use toolgate_domain::json::{canonical_bytes, parse, sha256_hex};

use super::format::{Bundle, FORMAT};

/// Bytes of a file.
pub const MAX_BUNDLE_BYTES: usize = 64 * 1024 * 1024;
/// Outputs nest up to 100 deep, and stand a little deeper here.
const MAX_DEPTH: usize = 118;
/// Turns and calls of one run, whatever the server allowed.
const MAX_TURNS: usize = 10_000;
const MAX_CALLS: usize = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("it has {0} bytes; at most {MAX_BUNDLE_BYTES} are read")]
    TooBig(usize),
    #[error("it is no JSON that can be read: {0}")]
    Json(String),
    #[error("it is no bundle of a run: {0}")]
    Form(String),
    /// What is in it is not what was written.
    #[error("its digest is {found}, and it says {said}: it was changed after it was exported")]
    Tampered { said: String, found: String },
}

/// Reads a bundle. With `trusting`, its digest is not looked at.
pub fn read(bytes: &[u8], trusting: bool) -> Result<Bundle, ReadError> {
    if bytes.len() > MAX_BUNDLE_BYTES {
        return Err(ReadError::TooBig(bytes.len()));
    }
    let value = parse(bytes, MAX_DEPTH).map_err(|error| ReadError::Json(error.to_string()))?;
    let form = |message: String| ReadError::Form(message);
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(other) => {
            let shown: String = other.chars().take(60).collect();
            return Err(form(format!("its format is `{shown}`, and this program reads `{FORMAT}`")));
        }
        None => return Err(form(format!("it has no `format`, which is `{FORMAT}`"))),
    }
    let found = digest(&value)?;
    let bundle: Bundle = serde_json::from_value(value).map_err(|error| form(error.to_string()))?;
    if !trusting && bundle.digest != found {
        return Err(ReadError::Tampered { said: bundle.digest, found });
    }
    check(&bundle)?;
    Ok(bundle)
}

/// What follows from how runs are made; a replay counts on it.
fn check(bundle: &Bundle) -> Result<(), ReadError> {
    if bundle.turns.len() > MAX_TURNS || bundle.calls.len() > MAX_CALLS {
        let message = format!("a run has at most {MAX_TURNS} turns and {MAX_CALLS} calls");
        return Err(ReadError::Form(message));
    }
    if !bundle.calls.is_sorted_by(|a, b| a.place < b.place) {
        return Err(ReadError::Form("its calls are not in the order of their places".to_owned()));
    }
    Ok(())
}

/// The file of a bundle: its digest is made here. The same bundle is always the same file.
pub fn write(bundle: &Bundle) -> Result<Vec<u8>, ReadError> {
    let json = |error: &dyn std::fmt::Display| ReadError::Json(error.to_string());
    let mut value = serde_json::to_value(bundle).map_err(|error| json(&error))?;
    value["digest"] = digest(&value)?.into();
    let mut text = serde_json::to_vec_pretty(&value).map_err(|error| json(&error))?;
    text.push(b'\n');
    Ok(text)
}

fn digest(value: &Value) -> Result<String, ReadError> {
    let mut rest = value.clone();
    if let Value::Object(fields) = &mut rest {
        fields.remove("digest");
    }
    let bytes = canonical_bytes(&rest).map_err(|error| ReadError::Json(error.to_string()))?;
    Ok(sha256_hex(&bytes))
}
