//! `pack.yaml`.

use serde_json::Value;
use toolgate_domain::{
    json::check_value,
    pack::{PackManifest, is_pack_name},
    tool::reject_unknown_keys,
};

use super::PackProblem;

pub(super) const FILE: &str = "pack.yaml";
/// Nesting that a manifest may have before it is looked at any further.
const MAX_DEPTH: usize = 8;
const MAX_TITLE_CHARS: usize = 100;
const MAX_DESCRIPTION_CHARS: usize = 2_000;
const MAX_LICENSE_CHARS: usize = 100;

/// Reads a manifest. An unknown key is an error that names the nearest known one.
pub(super) fn read(text: &str) -> Result<PackManifest, PackProblem> {
    let wrong = |message: String| PackProblem::at(FILE, message);
    let value: Value =
        serde_saphyr::from_str(text).map_err(|e| wrong(format!("the manifest is not YAML: {e}")))?;
    check_value(&value, MAX_DEPTH).map_err(|e| wrong(e.to_string()))?;
    let fields = value.as_object().ok_or_else(|| wrong("a manifest is an object".to_owned()))?;
    reject_unknown_keys(fields, PackManifest::KEYS).map_err(|e| wrong(e.to_string()))?;
    let manifest: PackManifest = serde_json::from_value(value).map_err(|e| wrong(e.to_string()))?;
    if !is_pack_name(&manifest.name) {
        return Err(wrong(
            "`name` starts with a lower-case letter and holds up to 64 lower-case letters, digits and `-`"
                .to_owned(),
        ));
    }
    for (key, text, most) in [
        ("title", &manifest.title, MAX_TITLE_CHARS),
        ("description", &manifest.description, MAX_DESCRIPTION_CHARS),
        ("license", &manifest.license, MAX_LICENSE_CHARS),
    ] {
        if text.trim().is_empty() || text.chars().count() > most {
            return Err(wrong(format!("`{key}` has 1 to {most} characters")));
        }
    }
    if manifest.tools.is_empty() {
        return Err(wrong("`tools` names at least one tool".to_owned()));
    }
    let mut names = manifest.tools.clone();
    names.sort();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(wrong(format!("`tools` names {} twice", pair[0]))),
        None => Ok(manifest),
    }
}
