use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    ids::{AgentId, AssignmentId, InvocationId, ProfileId},
    time::Timestamp,
};

/// Agent × tool (× profile), allowed or denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Assignment {
    pub id: AssignmentId,
    pub agent_id: AgentId,
    /// The tool's name: every version of it.
    pub tool: String,
    pub profile_id: Option<ProfileId>,
    /// `false` registers the tool as known and denied.
    pub allowed: bool,
    pub created_by: String,
    pub created_at: Timestamp,
}

/// Per agent and tool. Ordered: the later, the stricter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PermissionStatus {
    AlwaysAllow,
    #[default]
    NeedsApproval,
    Blocked,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolPermission {
    pub status: PermissionStatus,
    /// Who offers the tool, in the words of the one who configured it.
    pub provider_key: Option<String>,
}

/// A person said "always" to a call; until somebody revokes it, the agent need not ask for this tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingOverride {
    pub by: String,
    pub at: Timestamp,
    /// The call that was asked about.
    pub invocation_id: InvocationId,
}

/// The three-tier permissions of one agent, by the tool's name, and what people approved for good.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentTools {
    pub tools: BTreeMap<String, ToolPermission>,
    pub overrides: BTreeMap<String, StandingOverride>,
}
