//! What a running call may ask about other calls: for those who approve, and for those who want to know what became of a call.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, Invocation, InvocationId, Page, Principal, RunId, Scope, Status, Tool, ToolError, ToolId,
    governance::Agent,
};
use toolgate_policy::is_visible;
use toolgate_store::{InvocationFilter, StoreError};

use super::{Call, CancelError, Explanation, House, Refused};
use crate::{AgentRunEvents, DecideError, RegistryError, RuleError, Ruling, runs::RunEventFilter};

/// Which calls that wait to list; newest first.
#[derive(Clone, Debug, Default)]
pub struct PendingFilter {
    /// A tool's name.
    pub tool: Option<String>,
    pub agent_id: Option<AgentId>,
    /// Calls older than this one.
    pub before: Option<InvocationId>,
    pub limit: usize,
}

impl House<'_> {
    /// The tool that an id or a reference stands for, on the surface of the call.
    pub async fn find_tool(&self, reference: &str) -> Result<Arc<Tool>, RegistryError> {
        let Ok(id) = reference.parse::<ToolId>() else {
            return self.tool(reference).await;
        };
        let tenant = self.caller.tenant_id;
        let snapshot = self.engine.registry.snapshot(tenant).await?;
        let rules = self.engine.rules.snapshot(tenant).await?;
        let seen = |tool: &Tool| {
            tool.lifecycle.runs() && is_visible(self.caller, self.surface, tool, rules.switches())
        };
        let found = snapshot.all_versions().map(|live| &live.tool).find(|tool| tool.id == id && seen(tool));
        found.cloned().ok_or_else(|| RegistryError::NotFound(format!("there is no tool `{reference}`")))
    }

    /// A call that the caller made; with `invocations:read`, any call of the tenant. No agent reads another's.
    pub async fn invocation(&self, id: InvocationId) -> Result<Option<Invocation>, StoreError> {
        let row = self.engine.stores.invocations.get(self.caller.tenant_id, id).await?;
        let reads_all = self.caller.agent_id.is_none() && self.caller.may(Scope::InvocationsRead);
        Ok(row.filter(|row| reads_all || row.caller == self.caller.principal.to_string()))
    }

    /// What a call waits for, beside a person.
    pub async fn waits_for(&self, row: &Invocation) -> Result<Vec<String>, StoreError> {
        self.engine.waits_for(row).await
    }

    /// Calls of the tenant that wait for a person, newest first; for those who may decide.
    pub async fn pending(&self, filter: PendingFilter) -> Result<Page<Invocation>, DecideError> {
        self.must_decide()?;
        let PendingFilter { tool, agent_id, before, limit } = filter;
        let status = Some(Status::Pending);
        let filter =
            InvocationFilter { status, tool, agent_id, before, limit, ..InvocationFilter::default() };
        Ok(self.engine.stores.invocations.list(self.caller.tenant_id, &filter).await?)
    }

    /// Who has said yes to a call so far.
    pub async fn votes(&self, row: &Invocation) -> Result<Vec<String>, StoreError> {
        self.engine.votes(row).await
    }

    /// See [`Engine::decide`](crate::Engine::decide).
    pub async fn decide(
        &self,
        id: InvocationId,
        digest: Option<&str>,
        ruling: Ruling,
    ) -> Result<Invocation, DecideError> {
        self.must_decide()?;
        self.engine.decide(self.caller, id, digest, ruling).await
    }

    /// No agent decides, whatever its key may do.
    fn must_decide(&self) -> Result<(), DecideError> {
        if self.caller.agent_id.is_some() {
            return Err(DecideError::ByAgent);
        }
        if self.caller.may(Scope::ApprovalsDecide) {
            return Ok(());
        }
        Err(RuleError::Forbidden("deciding needs approvals:decide".to_owned()).into())
    }

    /// What a call would meet at the door: the caller's own, or that of an agent.
    pub async fn explain(
        &self,
        tool: &str,
        input: Value,
        agent: Option<AgentId>,
    ) -> Result<Explanation, Refused> {
        let mut caller = self.caller.clone();
        if let Some(id) = agent {
            let principal = Principal::Agent(id);
            caller = toolgate_domain::Caller::with_scopes(
                caller.tenant_id,
                &caller.tenant_slug,
                principal,
                &[Scope::ToolsExecute],
            );
        }
        self.engine.explain(Call::new(caller, self.surface, tool, input)).await
    }

    /// What happened in the runs of an agent, the newest first.
    pub async fn run_events(
        &self,
        agent: &Agent,
        filter: &RunEventFilter,
    ) -> Result<AgentRunEvents, StoreError> {
        self.engine.agent_run_events(self.caller.tenant_id, agent, filter).await
    }

    /// Ends a run of an agent for the caller, by the rule that holds for every call ([`Engine::cancel_for`](crate::Engine::cancel_for)); one that is over stays as
    /// it ended. Nothing when the agent has no such run, or the caller may not see it.
    pub async fn cancel_run(&self, agent: &Agent, run: RunId) -> Result<Option<Invocation>, ToolError> {
        let tenant = self.caller.tenant_id;
        let found = self.engine.run_of_agent(tenant, agent, run).await.map_err(|error| unread(&error))?;
        let Some(row) = found else { return Ok(None) };
        match self.engine.cancel_for(self.caller, row.id).await {
            Ok(row) => Ok(Some(row)),
            Err(CancelError::NotFound) => Ok(None),
            Err(refused @ CancelError::Forbidden(_)) => Err(ToolError::denied(refused.to_string())
                .with_details(json!({"reason": "forbidden", "code": "FORBIDDEN"}))),
            Err(CancelError::Store(error)) => Err(unread(&error)),
        }
    }
}

fn unread(error: &StoreError) -> ToolError {
    tracing::error!(%error, "a run cannot be read or written");
    ToolError::new(toolgate_domain::ErrorCode::Unknown, "the run cannot be read or written")
}
