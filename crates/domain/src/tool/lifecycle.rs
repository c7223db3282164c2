//! `active → deprecated → blocked`, and back.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Lifecycle {
    /// Listed and callable.
    #[default]
    Active,
    /// Callable with a warning; listed only on demand.
    Deprecated,
    /// Neither listed nor callable.
    Blocked,
}

impl Lifecycle {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Blocked => "blocked",
        }
    }
}

impl std::str::FromStr for Lifecycle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Active, Self::Deprecated, Self::Blocked]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("`{text}` is not a lifecycle state: active, deprecated or blocked"))
    }
}
