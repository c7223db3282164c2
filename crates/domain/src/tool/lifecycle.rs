//! `active → deprecated → blocked`, and back. Beside these: a draft that is only tried, and what was deleted.

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
    /// Never published: it exists so that the receipts of test runs name something. Only a test run can call it.
    Draft,
    /// Deleted: it does not exist for callers. Its receipts and its definition stay, and it can be restored.
    Archived,
}

impl Lifecycle {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Blocked => "blocked",
            Self::Draft => "draft",
            Self::Archived => "archived",
        }
    }

    /// Whether a call that got this far may begin.
    pub fn runs(self) -> bool {
        matches!(self, Self::Active | Self::Deprecated | Self::Draft)
    }
}

impl std::str::FromStr for Lifecycle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Active, Self::Deprecated, Self::Blocked, Self::Draft, Self::Archived]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| {
                format!("`{text}` is not a lifecycle state: active, deprecated, blocked, draft or archived")
            })
    }
}
