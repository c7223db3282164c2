use serde::{Deserialize, Serialize};

use crate::{
    ids::{ProfileId, UserId},
    rate::RateLimit,
};

/// How many people must agree, and which. The stricter of two terms wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApprovalTerms {
    pub quorum: u32,
    /// The person who made the call may be one of them, unless they set this themselves.
    pub allow_self: bool,
    /// None of them made the call, owns or manages its agent, or is the person whom the agent works for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub independent: bool,
    /// The person who set `allow_self`: the server keeps it, whatever is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub allow_self_by: Option<UserId>,
}

impl Default for ApprovalTerms {
    fn default() -> Self {
        Self { quorum: 1, allow_self: false, independent: false, allow_self_by: None }
    }
}

impl ApprovalTerms {
    pub fn stricter(self, other: Self) -> Self {
        Self {
            quorum: self.quorum.max(other.quorum),
            allow_self: self.allow_self && other.allow_self,
            independent: self.independent || other.independent,
            // Two people set it: neither of them is let through by the other's word alone.
            allow_self_by: self.allow_self_by.filter(|by| other.allow_self_by == Some(*by)),
        }
    }

    /// Whether the person may agree to a call of their own.
    pub fn lets_agree(&self, person: UserId) -> bool {
        self.allow_self && self.allow_self_by.is_some_and(|by| by != person)
    }

    /// The terms as `by` sets them in place of `old`.
    pub fn set_by(self, by: Option<UserId>, old: Option<Self>) -> Self {
        let kept = old.filter(|old| old.allow_self).and_then(|old| old.allow_self_by);
        Self { allow_self_by: kept.or(by).filter(|_| self.allow_self), ..self }
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
