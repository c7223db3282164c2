//! A definition out of a file: TOOL.md, or JSON.

use std::{io::Read, path::Path};

use anyhow::Context;
use toolgate_domain::json::parse;
use toolgate_engine::{Definition, DefinitionError, definition_from_json, parse_tool_md};

/// Far more than the server takes: a file that is larger is no definition.
const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;
const MAX_DEPTH: usize = 64;

/// The definition, or what is wrong with it. The outer error is a file that cannot be read.
pub(super) fn read(path: &Path) -> anyhow::Result<Result<Definition, DefinitionError>> {
    let cannot = || format!("{} cannot be read", path.display());
    let file = std::fs::File::open(path).with_context(cannot)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    let wrong = |message: String| DefinitionError { pointer: String::new(), message };
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Ok(Err(wrong(format!("the file has more than {MAX_FILE_BYTES} bytes"))));
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return Ok(parse(&bytes, MAX_DEPTH)
            .map_err(|error| wrong(error.to_string()))
            .and_then(definition_from_json));
    }
    Ok(match std::str::from_utf8(&bytes) {
        Ok(text) => parse_tool_md(text),
        Err(error) => Err(wrong(format!("the file is not UTF-8: {error}"))),
    })
}
