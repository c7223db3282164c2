//! From files to a pack.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use toolgate_domain::{
    Limits, ToolName,
    json::{canonical_bytes, sha256_hex},
    pack::PackManifest,
};

use super::{
    PackError, PackProblem,
    manifest::{self, FILE},
};
use crate::{Definition, parse_tool_md};

const TOOL_FILE: &str = "TOOL.md";
const MAX_PATH_BYTES: usize = 200;

/// The files of a pack, as somebody sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The text of `pack.yaml`.
    pub manifest: String,
    /// Path within the pack → text: `calculateRoi/TOOL.md`.
    pub files: BTreeMap<String, String>,
}

/// A pack that has been read: every definition parsed, nothing asked of any tenant yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack {
    pub manifest: PackManifest,
    /// In the order of the manifest.
    pub tools: Vec<Definition>,
    /// SHA-256 of the manifest and the files.
    pub checksum: String,
}

impl Pack {
    /// Reads a bundle within its bounds. All that is wrong is told at once.
    pub fn read(bundle: &Bundle, limits: &Limits) -> Result<Self, PackError> {
        let invalid = |problem| PackError::Invalid(vec![problem]);
        check_size(bundle, limits).map_err(invalid)?;
        let manifest = manifest::read(&bundle.manifest).map_err(invalid)?;
        let mut problems: Vec<_> =
            bundle.files.keys().filter_map(|path| complaint(path, &manifest.tools)).collect();
        let mut tools = Vec::with_capacity(manifest.tools.len());
        for name in &manifest.tools {
            match read_tool(name, bundle) {
                Ok(spec) => tools.push(spec),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(PackError::Invalid(problems));
        }
        let content = json!({"manifest": bundle.manifest, "files": bundle.files});
        let bytes = canonical_bytes(&content).map_err(|e| invalid(PackProblem::at(FILE, e)))?;
        Ok(Self { manifest, tools, checksum: sha256_hex(&bytes) })
    }
}

fn check_size(bundle: &Bundle, limits: &Limits) -> Result<(), PackProblem> {
    // The manifest is a file too.
    if bundle.files.len() as u64 + 1 > limits.max_pack_files {
        return Err(PackProblem::at(FILE, format!("a pack has at most {} files", limits.max_pack_files)));
    }
    let bytes: usize = bundle.files.iter().map(|(path, text)| path.len() + text.len()).sum();
    if (bytes + bundle.manifest.len()) as u64 > limits.max_pack_bytes {
        return Err(PackProblem::at(FILE, format!("a pack has at most {} bytes", limits.max_pack_bytes)));
    }
    Ok(())
}

/// A pack is data: prose and definitions, each in the place that the manifest gives it.
fn complaint(path: &str, tools: &[ToolName]) -> Option<PackProblem> {
    let parts: Vec<_> = path.split('/').collect();
    let plain = |part: &&str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let shown: String = path.chars().take(MAX_PATH_BYTES).collect();
    if path.len() > MAX_PATH_BYTES || parts.len() > 2 || !parts.iter().all(plain) {
        return Some(PackProblem::at(
            shown,
            "is no path in a pack: a file, or a folder and a file, of letters, digits, `_`, `-` and `.`",
        ));
    }
    match parts.as_slice() {
        [folder, _] if !tools.iter().any(|tool| tool.as_str() == *folder) => {
            Some(PackProblem::at(shown, format!("`tools` in the manifest does not name {folder}")))
        }
        [file] if *file == FILE || *file == TOOL_FILE => {
            Some(PackProblem::at(shown, "the manifest is sent on its own, and a tool has a folder"))
        }
        _ if !path.ends_with(".md") => Some(PackProblem::at(shown, "a pack holds Markdown files")),
        _ => None,
    }
}

fn read_tool(name: &ToolName, bundle: &Bundle) -> Result<Definition, PackProblem> {
    let path = format!("{name}/{TOOL_FILE}");
    let text = bundle
        .files
        .get(&path)
        .ok_or_else(|| PackProblem::at(&path, "is missing, and `tools` in the manifest names it"))?;
    let spec = parse_tool_md(text).map_err(|e| PackProblem::at(&path, e))?;
    if spec.name != *name {
        return Err(PackProblem::at(&path, format!("the tool in this folder is named `{}`", spec.name)));
    }
    Ok(spec)
}
