//! `toolgate policy check`: the file is read, its rules compiled, its examples tried. No server is needed.

use std::{io::Read, path::Path, process::ExitCode};

use anyhow::Context;
use serde_json::{Value, json};
use toolgate_policy::rules::{PolicyDocument, PolicyError, PolicySet, limits::MAX_DOCUMENT_BYTES};

use crate::{
    exit::{Exit, Failure},
    output::Output,
};

pub(super) fn run(file: &Path, output: &Output) -> anyhow::Result<ExitCode> {
    let document = match read(file)? {
        Ok(document) => document,
        Err(error) => return Err(refusal(file, &[error])),
    };
    let examples: usize =
        document.rules.iter().map(|rule| rule.examples.matching.len() + rule.examples.no_match.len()).sum();
    let set = PolicySet::compile(&document).map_err(|errors| refusal(file, &errors))?;
    if output.is_json() {
        output.json(&json!({"rules": set.len(), "examples": examples, "version": set.version()}));
    } else {
        output.line(format!("{} rules, {examples} examples: all as they should be", set.len()));
        output.note(&format!("version {}", set.version()));
    }
    Ok(ExitCode::SUCCESS)
}

/// JSON as it is, YAML by way of JSON: both meet the same strict reader.
fn read(file: &Path) -> anyhow::Result<Result<PolicyDocument, PolicyError>> {
    let shown = file.display();
    let mut text = String::new();
    let opened = std::fs::File::open(file).with_context(|| format!("{shown} cannot be read"))?;
    // One byte more than is allowed tells that there is too much.
    let bound = MAX_DOCUMENT_BYTES as u64 * 4 + 1;
    opened.take(bound).read_to_string(&mut text).with_context(|| format!("{shown} cannot be read"))?;
    if text.len() as u64 >= bound {
        return Err(Failure::invalid(format!("{shown} is too big for a policy")).into());
    }
    if text.trim_start().starts_with('{') {
        return Ok(PolicyDocument::from_json(text.as_bytes()));
    }
    let value: Value = serde_saphyr::from_str(&text)
        .map_err(|error| Failure::invalid(format!("{shown} is not YAML: {error}")))?;
    Ok(PolicyDocument::from_json(value.to_string().as_bytes()))
}

fn refusal(file: &Path, errors: &[PolicyError]) -> anyhow::Error {
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    let message = format!("{} is not a valid policy:\n  {}", file.display(), lines.join("\n  "));
    Failure::new(Exit::Invalid, message)
        .document(json!({"code": "VALIDATION_ERROR", "errors": errors}))
        .into()
}
