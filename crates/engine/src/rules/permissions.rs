//! The three tiers per agent and tool, replaced whole, and what people approved for good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolgate_domain::{
    AgentId, AuditEvent, Caller, InvocationId,
    governance::{AgentTools, PermissionStatus, StandingOverride, ToolPermission},
};
use toolgate_store::{Kind, RecordWrite};

use super::{
    RuleError, Rules,
    document::{Document, Told},
};

/// One line of an agent's permissions, as the sources spell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionEntry {
    pub tool_name: String,
    pub permission_status: PermissionStatus,
    #[serde(default)]
    pub provider_key: Option<String>,
}

impl Rules {
    async fn agent_tools(
        &self,
        caller: &Caller,
        agent: AgentId,
    ) -> Result<Option<Document<AgentTools>>, RuleError> {
        self.own_agent(caller, agent).await?;
        Ok(self.read(caller.tenant_id, Kind::Permission, agent.uuid()).await?)
    }

    /// What is configured, by the tool's name, and the overrides beside it.
    pub async fn permissions(
        &self,
        caller: &Caller,
        agent: AgentId,
    ) -> Result<(Vec<PermissionEntry>, BTreeMap<String, StandingOverride>), RuleError> {
        let tools = self.agent_tools(caller, agent).await?.map(|document| document.value).unwrap_or_default();
        let entry = |(tool_name, permission): (String, ToolPermission)| PermissionEntry {
            tool_name,
            permission_status: permission.status,
            provider_key: permission.provider_key,
        };
        Ok((tools.tools.into_iter().map(entry).collect(), tools.overrides))
    }

    /// Replaces the whole configuration. Overrides for tools that are no longer configured as `needs_approval` end with it.
    pub async fn set_permissions(
        &self,
        caller: &Caller,
        agent: AgentId,
        entries: Vec<PermissionEntry>,
    ) -> Result<(), RuleError> {
        let old = self.agent_tools(caller, agent).await?;
        let mut tools = BTreeMap::new();
        for entry in entries {
            let permission =
                ToolPermission { status: entry.permission_status, provider_key: entry.provider_key };
            if tools.insert(entry.tool_name.clone(), permission).is_some() {
                return Err(RuleError::Invalid(format!("{} is named twice", entry.tool_name)));
            }
        }
        let mut overrides = old.as_ref().map(|old| old.value.overrides.clone()).unwrap_or_default();
        overrides
            .retain(|tool, _| tools.get(tool).is_some_and(|p| p.status == PermissionStatus::NeedsApproval));
        let tools = AgentTools { tools, overrides };
        self.refuse_circles(caller, agent, |standing| standing.tools = tools.clone()).await?;
        self.write_tools(caller, agent, old, &tools, "permissions.replace").await
    }

    /// A person said "always" to a call of this agent.
    pub(crate) async fn approve_always(
        &self,
        caller: &Caller,
        agent: AgentId,
        tool: &str,
        invocation_id: InvocationId,
    ) -> Result<(), RuleError> {
        let old = self.agent_tools(caller, agent).await?;
        let mut tools = old.as_ref().map(|old| old.value.clone()).unwrap_or_default();
        let by = caller.principal.to_string();
        tools.overrides.insert(tool.to_owned(), StandingOverride { by, at: self.clock.now(), invocation_id });
        self.write_tools(caller, agent, old, &tools, "override.create").await
    }

    /// What it takes to take back what was said about a tool that the agent loses. What was refused stays refused.
    pub(super) async fn withdrawing(
        &self,
        caller: &Caller,
        agent: AgentId,
        tool: &str,
    ) -> Result<Option<(RecordWrite, AuditEvent)>, RuleError> {
        let Some(old) = self.agent_tools(caller, agent).await? else { return Ok(None) };
        let mut tools = old.value.clone();
        if !withdraw(&mut tools, tool) {
            return Ok(None);
        }
        let told = Told { action: "permissions.withdraw", target: agent.to_string() };
        self.replacing(caller, old, &agent.uuid().to_string(), &tools, &told).map(Some)
    }

    /// From now on the agent asks again.
    pub async fn revoke_override(
        &self,
        caller: &Caller,
        agent: AgentId,
        tool: &str,
    ) -> Result<(), RuleError> {
        let old = self.agent_tools(caller, agent).await?;
        let mut tools = old.as_ref().map(|old| old.value.clone()).unwrap_or_default();
        if tools.overrides.remove(tool).is_none() {
            return Err(RuleError::NotFound(format!("nobody approved {tool} for good for {agent}")));
        }
        self.write_tools(caller, agent, old, &tools, "override.revoke").await
    }

    async fn write_tools(
        &self,
        caller: &Caller,
        agent: AgentId,
        old: Option<Document<AgentTools>>,
        tools: &AgentTools,
        action: &str,
    ) -> Result<(), RuleError> {
        let told = Told { action, target: agent.to_string() };
        let name = agent.uuid().to_string();
        match old {
            Some(old) => self.replace(caller, old, &name, tools, told).await,
            None => {
                let taken = || "somebody else set it at the same moment: look at it again".to_owned();
                self.add(caller, Kind::Permission, (agent.uuid(), &name), tools, told, taken).await
            }
        }
    }
}

/// Whether there was anything to take back.
pub(super) fn withdraw(tools: &mut AgentTools, tool: &str) -> bool {
    let was_approved = tools.overrides.remove(tool).is_some();
    let is_given = tools.tools.get(tool).is_some_and(|given| given.status != PermissionStatus::Blocked);
    if is_given {
        tools.tools.remove(tool);
    }
    was_approved || is_given
}
