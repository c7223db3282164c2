//! The world may have changed while the person thought: what was approved must still be allowed, and what was changed must be valid.

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, Caller, ErrorCode, Invocation, InvocationId, Principal, Scope, TenantId, ToolError, Verdict,
    json::check_value,
};
use toolgate_policy::is_visible;
use toolgate_store::StoreError;

use super::decide::DecideError;
use crate::{Engine, registry::LiveTool};

impl Engine {
    /// Why a call that waited may not begin or go on any more; nothing when it may.
    pub(crate) async fn objection(
        &self,
        row: &Invocation,
        live: &LiveTool,
    ) -> Result<Option<ToolError>, StoreError> {
        let denied = |reason: &str, because: &str| {
            Some(ToolError::denied(because.to_owned()).with_details(json!({"reason": reason})))
        };
        if !live.tool.lifecycle.runs() {
            return Ok(denied("tool_gone", "the tool was blocked while its call waited"));
        }
        let Some(caller) = self.caller_of(row).await? else {
            return Ok(denied("caller_gone", "the one who made the call may not call any more"));
        };
        let rules = self.rules.snapshot(row.tenant_id).await?;
        if !is_visible(&caller, row.surface, &live.tool, rules.switches()) {
            return Ok(denied("disabled", "the tool was switched off while its call waited"));
        }
        let decision = self.judge_again(&caller, row, &live.tool).await?;
        if decision.verdict != Verdict::Deny {
            return Ok(None);
        }
        let reasons: Vec<_> = decision.deciding().map(|evidence| evidence.because.as_str()).collect();
        let error = ToolError::new(ErrorCode::PolicyDenied, reasons.join("; "));
        Ok(Some(error.with_details(crate::upstreams::denial_details(&decision))))
    }

    /// The one who made a recorded call, with what they may do now.
    pub(crate) async fn caller_of(&self, row: &Invocation) -> Result<Option<Caller>, StoreError> {
        let agreed_by = row.approval_decided_by.as_deref().and_then(Principal::parse);
        let caller = self.somebody(row.tenant_id, &row.caller).await?;
        Ok(caller.map(|caller| Caller { agreed_by, ..caller }))
    }

    /// The one who agreed to a call, with what they may do now; nobody when nobody was asked.
    pub(crate) async fn approver_of(
        &self,
        tenant: TenantId,
        id: InvocationId,
    ) -> Result<Option<Caller>, StoreError> {
        let row = self.stores.invocations.get(tenant, id).await?;
        match row.and_then(|row| row.approval_decided_by) {
            Some(by) => self.somebody(tenant, &by).await,
            None => Ok(None),
        }
    }

    /// An agent, as the one who calls.
    pub(crate) async fn agent_caller(
        &self,
        tenant: TenantId,
        agent: AgentId,
    ) -> Result<Option<Caller>, StoreError> {
        self.somebody(tenant, &Principal::Agent(agent).to_string()).await
    }

    /// Whom a record names, with what they may do now.
    pub(crate) async fn somebody(
        &self,
        tenant: TenantId,
        principal: &str,
    ) -> Result<Option<Caller>, StoreError> {
        let Some(tenant) = self.stores.tenants.get(tenant).await?.filter(|t| t.archived_at.is_none()) else {
            return Ok(None);
        };
        Ok(match Principal::parse(principal) {
            Some(Principal::System) => Some(Caller::system(tenant.id, &tenant.slug)),
            Some(Principal::Agent(id)) => {
                let scopes = [Scope::ToolsExecute];
                Some(Caller::with_scopes(tenant.id, &tenant.slug, Principal::Agent(id), &scopes))
            }
            Some(Principal::User(id)) => {
                let rules = self.rules.snapshot(tenant.id).await?;
                rules.users.get(&id).map(|user| rules.caller(user, &tenant.slug, tenant.id))
            }
            Some(Principal::Key(id)) => {
                let keys = self.stores.keys.list(tenant.id).await?;
                match keys.iter().find(|key| key.id == id) {
                    Some(key) => self.keys.caller_of(key).await?,
                    None => None,
                }
            }
            // Who holds a link answers questions, and makes no calls.
            Some(Principal::Webhook(_)) | None => None,
        })
    }

    /// A person changed the input: it must be one that the tool takes.
    pub(super) async fn check_edited(&self, row: &Invocation, input: &Value) -> Result<(), DecideError> {
        let refused = |error| DecideError::BadInput(Box::new(error));
        let max_depth = usize::try_from(self.limits.max_json_depth).unwrap_or(usize::MAX);
        check_value(input, max_depth).map_err(|e| refused(ToolError::validation(e.to_string())))?;
        let Some(live) = self.tool_of(row).await? else {
            return Err(refused(ToolError::validation("the tool is gone")));
        };
        self.check_input(&live, input).map_err(refused)?;
        let Some(caller) = self.caller_of(row).await? else {
            return Ok(());
        };
        match self.shows_secret(&caller, &live.tool, input).await {
            Ok(None) => Ok(()),
            Ok(Some(error)) => Err(refused(error)),
            Err(error) => Err(StoreError::Unavailable(error.to_string()).into()),
        }
    }
}
