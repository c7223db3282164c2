use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ActionRules;
use crate::{
    ids::{AgentId, UserId, WorkspaceId},
    time::Timestamp,
    tool::EgressClass,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AgentStatus {
    #[default]
    Active,
    /// Its calls are denied until someone sets it active again.
    Paused,
    /// Hidden from lists; cannot call or start anything; its history stays.
    Archived,
}

/// What bounds one run of an agent. Absent means: as the server says. A bound above the server's is cut down to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Guard {
    /// The only tools that a run may call; absent means every tool that the agent may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled_tools: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u64>,
    /// In the currency of the tools' cost estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_budget: Option<f64>,
    /// The highest egress class that a run may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side_effects: Option<EgressClass>,
}

/// How its model is asked. Absent means: as the provider does it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
}

/// An AI persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Agent {
    pub id: AgentId,
    /// Unique in the tenant.
    pub handle: String,
    pub display_name: String,
    pub owner: Option<UserId>,
    pub workspace_id: Option<WorkspaceId>,
    /// `provider/model`.
    pub model: Option<String>,
    #[serde(default)]
    pub model_parameters: ModelParameters,
    pub persona: Option<String>,
    pub bio: Option<String>,
    /// A picture: an address that begins with `https://` or `http://`.
    pub avatar_url: Option<String>,
    /// Categories of tools that count as assigned.
    pub tool_groups: Vec<String>,
    /// Tools that count as assigned.
    pub custom_tools: Vec<String>,
    pub guard: Guard,
    /// What it may do on its own, and how often a day.
    #[serde(default)]
    pub actions: ActionRules,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub metadata: Value,
    pub status: AgentStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}
