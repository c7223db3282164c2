//! The persons behind a call that waits, found by following calls and keys all the way up.

use toolgate_domain::{
    AgentId, Caller, Credential, Invocation, Principal, Scope, Surface, TenantId, UserId,
    governance::UserStatus,
};
use toolgate_store::StoreError;

use crate::{Engine, RUN_TOOL};

const DECIDE: &str = "approvals.tenant.decide";

/// Where a call comes from.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// The persons who made the call themselves; nobody where a model decided to make it.
    pub(super) made_by: Vec<UserId>,
    /// The persons whom it is made for: who started the run, who holds the client's key.
    pub(super) made_for: Vec<UserId>,
    /// What a model holds that made the call.
    pub(super) credentials: Vec<Credential>,
}

impl Engine {
    pub(super) async fn call_origin(&self, row: &Invocation) -> Result<Origin, StoreError> {
        let mut origin = Origin::default();
        let mut by_model = false;
        let mut next = Some(row.clone());
        for depth in 0..=self.limits.max_call_depth {
            let Some(call) = next.take() else { break };
            if call.surface == Surface::Mcp {
                by_model = true;
            }
            if depth == 0 || call.surface == Surface::Mcp {
                origin.credentials.extend(call.decision.credential);
            }
            origin.made_for.extend(self.person_of(call.tenant_id, &call.caller).await?);
            if let Some(parent) = call.parent_id {
                next = self.stores.invocations.get(call.tenant_id, parent).await?;
                // What a run calls, its model decided.
                by_model |= next.as_ref().is_some_and(|parent| parent.tool_name == RUN_TOOL);
            }
        }
        origin.made_for.sort();
        origin.made_for.dedup();
        if !by_model {
            origin.made_by.clone_from(&origin.made_for);
        }
        Ok(origin)
    }

    /// The person whose name a principal bears, or who made the unbound key that it is.
    async fn person_of(&self, tenant: TenantId, principal: &str) -> Result<Option<UserId>, StoreError> {
        match Principal::parse(principal) {
            Some(Principal::User(id)) => Ok(Some(id)),
            Some(Principal::Key(id)) => self.keys.person_behind(tenant, id).await,
            _ => Ok(None),
        }
    }

    /// Whether a person has a part in the call that an independent approver has not.
    pub(super) async fn is_involved(
        &self,
        caller: &Caller,
        person: UserId,
        origin: &Origin,
        agent: Option<AgentId>,
    ) -> Result<bool, StoreError> {
        if origin.made_for.contains(&person) {
            return Ok(true);
        }
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        let Some(standing) = agent.and_then(|id| rules.agents.get(&id)) else { return Ok(false) };
        let manages = caller.may(Scope::AgentsWrite) && caller.is_in(standing.agent.workspace_id);
        Ok(standing.agent.owner == Some(person) || manages)
    }

    /// Whether a person owns the agent.
    pub(super) async fn owns(
        &self,
        tenant: TenantId,
        person: UserId,
        agent: AgentId,
    ) -> Result<bool, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        Ok(rules.agents.get(&agent).is_some_and(|standing| standing.agent.owner == Some(person)))
    }

    /// Whether nobody else in the tenant may decide.
    pub(super) async fn decides_alone(&self, tenant: TenantId, person: UserId) -> Result<bool, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        let others = rules.users.values().filter(|user| user.id != person);
        Ok(!others.into_iter().any(|user| rules.permissions_of(user).contains(DECIDE)))
    }

    /// Whether a person may decide now.
    pub(super) async fn may_still_decide(
        &self,
        tenant: TenantId,
        person: UserId,
    ) -> Result<bool, StoreError> {
        let rules = self.rules.snapshot(tenant).await?;
        let user = rules.users.get(&person).filter(|user| user.status == UserStatus::Active);
        Ok(user.is_some_and(|user| rules.permissions_of(user).contains(DECIDE)))
    }
}
