//! `toolgate policy check`: the file is read, its rules compiled, its examples tried. No server is needed.

use std::{path::Path, process::ExitCode};

use serde_json::json;
use toolgate_policy::rules::{PolicyDocument, PolicyError, PolicySet, limits::MAX_DOCUMENT_BYTES};

use crate::{
    document::{parse_text, read_text},
    exit::{Exit, Failure},
    output::Output,
};

/// YAML has comments and layout: it may be longer than the document it stands for.
const MAX_FILE_BYTES: usize = MAX_DOCUMENT_BYTES * 4;

/// A policy that is as it should be.
pub(super) struct Checked {
    pub(super) document: PolicyDocument,
    pub(super) set: PolicySet,
}

pub(super) fn run(file: &Path, output: &Output) -> anyhow::Result<ExitCode> {
    let Checked { document, set } = load(file)?;
    let examples: usize =
        document.rules.iter().map(|rule| rule.examples.matching.len() + rule.examples.no_match.len()).sum();
    output.answer(&json!({"rules": set.len(), "examples": examples, "version": set.version()}), || {
        output.line(format!("{} rules, {examples} examples: all as they should be", set.len()));
        output.note(&format!("version {}", set.version()));
    });
    Ok(ExitCode::SUCCESS)
}

/// Reads, compiles and tries; what is wrong is said rule by rule.
pub(super) fn load(file: &Path) -> anyhow::Result<Checked> {
    let document = read(file)?.map_err(|error| refusal(file, &[error]))?;
    let set = PolicySet::compile(&document).map_err(|errors| refusal(file, &errors))?;
    Ok(Checked { document, set })
}

/// JSON as it is, YAML by way of JSON: both meet the same strict reader.
fn read(file: &Path) -> anyhow::Result<Result<PolicyDocument, PolicyError>> {
    let text = read_text(file, MAX_FILE_BYTES)?;
    if text.trim_start().starts_with('{') {
        return Ok(PolicyDocument::from_json(text.as_bytes()));
    }
    Ok(PolicyDocument::from_json(parse_text(file, &text)?.to_string().as_bytes()))
}

fn refusal(file: &Path, errors: &[PolicyError]) -> anyhow::Error {
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    let message = format!("{} is not a valid policy:\n  {}", file.display(), lines.join("\n  "));
    Failure::new(Exit::Invalid, message)
        .document(json!({"code": "VALIDATION_ERROR", "errors": errors}))
        .into()
}
