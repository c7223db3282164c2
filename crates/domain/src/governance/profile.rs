use serde::{Deserialize, Serialize};

use crate::{ids::ProfileId, rate::RateLimit};

/// How many people must agree, and whether the one who asks may be one of them. The stricter of two terms wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApprovalTerms {
    pub quorum: u32,
    pub allow_self: bool,
}

impl Default for ApprovalTerms {
    fn default() -> Self {
        Self { quorum: 1, allow_self: false }
    }
}

impl ApprovalTerms {
    pub fn stricter(self, other: Self) -> Self {
        Self { quorum: self.quorum.max(other.quorum), allow_self: self.allow_self && other.allow_self }
    }
}

/// A reusable bundle of overrides. It can only tighten what the tool itself demands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Profile {
    pub id: ProfileId,
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// `true` makes every call ask; `false` changes nothing.
    #[serde(default)]
    pub requires_approval: bool,
    #[serde(default)]
    pub approval: Option<ApprovalTerms>,
    /// The most that the agent may spend with the tool in a day.
    #[serde(default)]
    pub cost_limit: Option<f64>,
    #[serde(default)]
    pub rate_limit: Option<RateLimit>,
    #[serde(default)]
    pub timeout_ms: Option<u64>,
}
