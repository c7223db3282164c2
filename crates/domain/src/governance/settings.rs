use serde::{Deserialize, Serialize};

use super::{ApprovalTerms, Guard};
use crate::rate::RateLimit;

/// Money, in the currency of the tools' cost estimates. Absent means no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Budget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daily: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
}

/// What a tenant decides for itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TenantSettings {
    /// Bounds of every run; they lower the server's and never raise them.
    pub guard: Guard,
    /// Calls of the whole tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// Calls of each agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_rate_limit: Option<RateLimit>,
    /// Calls of each person or key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_rate_limit: Option<RateLimit>,
    /// Calls that each agent may make of its own accord in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_daily_calls: Option<u64>,
    pub budget: Budget,
    pub agent_budget: Budget,
}

/// What a tenant decides about one tool, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolSettings {
    /// A system tool needs `true`; any other tool is there unless this is `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalTerms>,
}
