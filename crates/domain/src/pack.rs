//! Packs: folders of tools that a tenant installs as one.

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::{ids::PackId, time::Timestamp, tool::ToolName};

/// `[a-z][a-z0-9-]{0,63}`
pub fn is_pack_name(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// What `pack.yaml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PackManifest {
    /// A lower-case letter, then up to 63 lower-case letters, digits and `-`.
    pub name: String,
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1.0.0"))]
    pub version: Version,
    pub title: String,
    pub description: String,
    /// An SPDX expression.
    pub license: String,
    /// The tools, by name. Each is the folder of its `TOOL.md`.
    pub tools: Vec<ToolName>,
}

impl PackManifest {
    pub const KEYS: &'static [&'static str] =
        &["name", "version", "title", "description", "license", "tools"];
}

/// One version of a tool that a pack published.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PackTool {
    pub name: ToolName,
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1.0.0"))]
    pub version: Version,
}

impl PackTool {
    /// `name@version`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PackState {
    /// Begun. Where it stays so, a process died on the way: installing or removing again finishes it.
    Installing,
    Installed,
    /// Its tools are blocked. The document stays, because the tools do: it says whose they were.
    Removed,
}

/// A pack in a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InstalledPack {
    pub id: PackId,
    pub name: String,
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1.0.0"))]
    pub version: Version,
    pub title: String,
    pub description: String,
    pub license: String,
    pub state: PackState,
    /// What the pack offers now.
    pub tools: Vec<PackTool>,
    /// Tools of the pack that are for other tenants.
    pub skipped: Vec<ToolName>,
    /// Every version that the pack ever published here.
    pub published: Vec<PackTool>,
    /// SHA-256 of the manifest and the files.
    pub checksum: String,
    pub installed_at: Timestamp,
    /// The principal, as text.
    pub installed_by: String,
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("analysis", true)]
    #[case("a-2", true)]
    #[case("", false)]
    #[case("Analysis", false)]
    #[case("2a", false)]
    #[case("../up", false)]
    #[case("ünï", false)]
    fn names(#[case] text: &str, #[case] fits: bool) {
        assert_eq!(is_pack_name(text), fits);
    }
}
