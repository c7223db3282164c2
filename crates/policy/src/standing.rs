//! How one agent stands towards the tools: what it was assigned, what people said about each tool.

use std::{collections::HashMap, sync::Arc};

use toolgate_domain::{
    Tool,
    governance::{Agent, AgentStatus, AgentTools, PermissionStatus, Profile},
};

/// A tool that was bound to the agent, or kept from it.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub allowed: bool,
    pub profile: Option<Arc<Profile>>,
}

/// One agent, with everything that was decided about it.
#[derive(Clone, Debug)]
pub struct Standing {
    pub agent: Agent,
    pub tools: AgentTools,
    /// By the tool's name.
    pub assignments: HashMap<String, Assigned>,
}

enum Unreached {
    Denied,
    Unassigned,
}

impl Standing {
    /// Whether the agent may call the tool at all, and under which profile; otherwise why not.
    pub fn assigned(&self, tool: &Tool) -> Result<Option<&Arc<Profile>>, String> {
        let (name, handle) = (&tool.spec.name, &self.agent.handle);
        self.reach(tool).map_err(|known| match known {
            Unreached::Denied => format!("{name} is assigned to the agent {handle} as denied"),
            Unreached::Unassigned => {
                format!("{name} is not assigned to the agent {handle}; an operator can assign it")
            }
        })
    }

    /// The same without the words: a list asks this of every tool there is.
    fn reach(&self, tool: &Tool) -> Result<Option<&Arc<Profile>>, Unreached> {
        let name = tool.spec.name.as_str();
        match self.assignments.get(name) {
            Some(assigned) if assigned.allowed => Ok(assigned.profile.as_ref()),
            Some(_) => Err(Unreached::Denied),
            None if self.is_equipped_with(tool) || self.tools.tools.contains_key(name) => Ok(None),
            None => Err(Unreached::Unassigned),
        }
    }

    /// Whether the agent is shown the tool, and may go on with a call of it.
    pub fn offers(&self, tool: &Tool) -> bool {
        self.agent.status == AgentStatus::Active && self.may_reach(tool)
    }

    /// Whether nothing keeps the tool from the agent, when the agent is active.
    pub fn may_reach(&self, tool: &Tool) -> bool {
        self.reach(tool).is_ok() && self.status(tool) != PermissionStatus::Blocked
    }

    /// What people said about this tool: the stricter of nothing (`needs_approval`) and what is configured, unless somebody
    /// approved it for good.
    pub fn status(&self, tool: &Tool) -> PermissionStatus {
        let name = tool.spec.name.as_str();
        let configured = self.tools.tools.get(name).map(|permission| permission.status).unwrap_or_default();
        if configured == PermissionStatus::NeedsApproval && self.tools.overrides.contains_key(name) {
            return PermissionStatus::AlwaysAllow;
        }
        configured
    }

    fn is_equipped_with(&self, tool: &Tool) -> bool {
        self.agent.custom_tools.iter().any(|name| name == tool.spec.name.as_str())
            || self.agent.tool_groups.contains(&tool.spec.category)
    }
}
