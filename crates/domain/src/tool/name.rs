//! Names of tools, and references to them: `name`, `name@1.2.0`, `name@^1`.

use std::{fmt, str::FromStr};

use semver::{Version, VersionReq};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error(
        "`{0}` is not a tool name: it starts with a letter and holds up to 64 letters, digits, `_` and `-`"
    )]
    Name(String),
    #[error("`{0}` is not a version or a range of versions: write `name`, `name@1.2.0` or `name@^1`")]
    Version(String),
}

/// `[a-zA-Z][a-zA-Z0-9_-]{0,63}`, as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[a-zA-Z][a-zA-Z0-9_-]{0,63}$", example = "calculate"))]
pub struct ToolName(String);

impl ToolName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name follows neither convention: `camelCase` nor `snake_case`. Such a name works, with a warning.
    pub fn is_unconventional(&self) -> bool {
        let starts_lower = self.0.starts_with(|c: char| c.is_ascii_lowercase());
        let has_upper = self.0.contains(|c: char| c.is_ascii_uppercase());
        let (has_underscore, has_dash) = (self.0.contains('_'), self.0.contains('-'));
        !starts_lower || has_dash || (has_upper && has_underscore)
    }
}

impl FromStr for ToolName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let mut chars = text.chars();
        let fits = text.len() <= 64
            && chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        if fits { Ok(Self(text.to_owned())) } else { Err(NameError::Name(text.chars().take(80).collect())) }
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ToolName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Which versions of a tool a caller accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Newest,
    Exact(Version),
    Range(VersionReq),
}

/// A tool as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRef {
    pub name: ToolName,
    pub wanted: Wanted,
}

impl ToolRef {
    pub fn newest(name: ToolName) -> Self {
        Self { name, wanted: Wanted::Newest }
    }

    /// Pre-releases match only when they are named exactly.
    pub fn accepts(&self, version: &Version) -> bool {
        match &self.wanted {
            Wanted::Newest => version.pre.is_empty(),
            Wanted::Exact(exact) => exact == version,
            Wanted::Range(range) => range.matches(version),
        }
    }
}

impl FromStr for ToolRef {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let Some((name, version)) = text.split_once('@') else {
            return Ok(Self::newest(text.parse()?));
        };
        let bad = || NameError::Version(version.chars().take(80).collect());
        let wanted = match Version::parse(version) {
            Ok(exact) => Wanted::Exact(exact),
            Err(_) => Wanted::Range(VersionReq::parse(version).map_err(|_| bad())?),
        };
        Ok(Self { name: name.parse()?, wanted })
    }
}

impl fmt::Display for ToolRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            Wanted::Newest => self.name.fmt(f),
            Wanted::Exact(version) => write!(f, "{}@{version}", self.name),
            Wanted::Range(range) => write!(f, "{}@{range}", self.name),
        }
    }
}

impl<'de> Deserialize<'de> for ToolRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("calculate", true)]
    #[case("a", true)]
    #[case("x-1_Y", true)]
    #[case("", false)]
    #[case("1st", false)]
    #[case("has space", false)]
    #[case("ünï", false)]
    fn names(#[case] text: &str, #[case] fits: bool) {
        assert_eq!(text.parse::<ToolName>().is_ok(), fits);
    }

    #[test]
    fn a_name_has_at_most_64_characters() {
        assert!("a".repeat(64).parse::<ToolName>().is_ok());
        assert!("a".repeat(65).parse::<ToolName>().is_err());
    }

    #[rstest]
    #[case("calculateRoi", false)]
    #[case("get_time", false)]
    #[case("GetTime", true)]
    #[case("get-time", true)]
    #[case("get_Time", true)]
    fn conventions(#[case] text: &str, #[case] unconventional: bool) {
        assert_eq!(text.parse::<ToolName>().unwrap().is_unconventional(), unconventional);
    }

    #[rstest]
    #[case("t", "1.0.0", true)]
    #[case("t", "2.0.0-beta", false)]
    #[case("t@1.2.0", "1.2.0", true)]
    #[case("t@1.2.0", "1.2.1", false)]
    #[case("t@^1", "1.9.3", true)]
    #[case("t@^1", "2.0.0", false)]
    #[case("t@2.0.0-beta", "2.0.0-beta", true)]
    fn references(#[case] reference: &str, #[case] version: &str, #[case] accepted: bool) {
        let reference: ToolRef = reference.parse().unwrap();
        assert_eq!(reference.accepts(&Version::parse(version).unwrap()), accepted);
    }
}
