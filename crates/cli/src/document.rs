//! A document that a person wrote: YAML or JSON.

use std::{io::Read, path::Path};

use anyhow::Context;
use serde_json::Value;
use toolgate_domain::json::parse;

use crate::exit::Failure;

const MAX_DEPTH: usize = 64;

/// What stands in a file of at most this many bytes.
pub(crate) fn read_text(file: &Path, max_bytes: usize) -> anyhow::Result<String> {
    let shown = file.display();
    let mut text = String::new();
    let opened = std::fs::File::open(file).with_context(|| format!("{shown} cannot be read"))?;
    // One byte more than is allowed tells that there is too much.
    let bound = max_bytes as u64 + 1;
    opened.take(bound).read_to_string(&mut text).with_context(|| format!("{shown} cannot be read"))?;
    if text.len() > max_bytes {
        return Err(Failure::invalid(format!("{shown} has more than {max_bytes} bytes")).into());
    }
    Ok(text)
}

/// The document in a file's text.
pub(crate) fn parse_text(file: &Path, text: &str) -> anyhow::Result<Value> {
    let shown = file.display();
    if text.trim_start().starts_with('{') {
        return parse(text.as_bytes(), MAX_DEPTH)
            .map_err(|error| Failure::invalid(format!("{shown} is not JSON: {error}")).into());
    }
    serde_saphyr::from_str(text)
        .map_err(|error| Failure::invalid(format!("{shown} is not YAML: {error}")).into())
}
