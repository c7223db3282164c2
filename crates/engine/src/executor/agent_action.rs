//! A call that is an action of an agent: its place in the agent's day, what it did before it began again, and what is told of it.

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, AuditEvent, AuditId, ErrorCode, ToolError,
    governance::{ActionCaps, Agent},
};
use toolgate_store::{ActionPlace, Admission, StoreError};

use super::{Inner, Invoker};

impl Invoker {
    /// Whether the caller may have this agent act: its owner, whoever may change agents, and the agent itself.
    pub fn may_act_for(&self, agent: &Agent) -> Result<(), ToolError> {
        let caller = self.caller()?;
        let may = match caller.agent_id {
            Some(itself) => itself == agent.id,
            None => {
                caller.has("agents.tenant.update")
                    || (agent.owner.is_some() && agent.owner == caller.user_id())
            }
        };
        if may {
            return Ok(());
        }
        let message = "only its owner, somebody who may change agents, and the agent itself have it act";
        Err(ToolError::denied(message).with_details(json!({"reason": "forbidden", "code": "FORBIDDEN"})))
    }

    /// What the outer call's `place`-th inner call came to, where it was made before the outer call began again.
    pub async fn made_before(&self, place: u64) -> Result<Option<Inner>, ToolError> {
        if !self.outer.replaying {
            return Ok(None);
        }
        let tenant = self.caller()?.tenant_id;
        let most = usize::try_from(self.engine.limits.max_inner_calls).unwrap_or(usize::MAX);
        let made = self.engine.stores.suspensions.children(tenant, self.outer.id, most).await;
        let made = made.map_err(|error| unkept(&error))?;
        let own_key = format!("{}/{place}", self.outer.id);
        let found = made.into_iter().find(|row| row.idempotency_key.as_ref() == Some(&own_key));
        Ok(found.map(|row| match row.envelope() {
            Some(envelope) => Inner::Done(Box::new(envelope)),
            None => Inner::Waiting(row.id),
        }))
    }

    /// Takes the outer call's place in the agent's day.
    pub async fn take_place(
        &self,
        agent: AgentId,
        kind: &str,
        caps: ActionCaps,
    ) -> Result<Admission, ToolError> {
        // A place that belongs to no call would be counted for ever.
        self.be_on_record().await?;
        let place = ActionPlace {
            tenant_id: self.caller()?.tenant_id,
            invocation_id: self.outer.id,
            agent_id: agent,
            kind: kind.to_owned(),
            taken_at: self.now(),
        };
        self.engine.stores.actions.take_place(&place, caps).await.map_err(|error| unkept(&error))
    }

    /// Gives it back: the action did not succeed. Where that fails the place stays counted, which errs on the side of the quota.
    pub async fn give_place_back(&self) {
        let Ok(tenant) = self.caller().map(|caller| caller.tenant_id) else { return };
        if let Err(error) = self.engine.stores.actions.give_place_back(tenant, self.outer.id).await {
            tracing::error!(%error, invocation = %self.outer.id, "an action keeps a place that it does not need");
        }
    }

    /// Tells the audit trail what the outer call did, once, however often it begins again: the event has the id of the call.
    pub async fn tell(&self, action: &str, target: impl ToString, what: Value) -> Result<(), ToolError> {
        let (engine, caller) = (&self.engine, self.caller()?);
        let id = AuditId::from_uuid(self.outer.id.uuid());
        let audit = &engine.stores.audit;
        let told = audit.events_by_id(caller.tenant_id, &[id]).await.map_err(|error| unkept(&error))?;
        if !told.is_empty() {
            return Ok(());
        }
        let event = AuditEvent { id, ..AuditEvent::by(caller, &*engine.ids, &*engine.clock, action, target) };
        audit.append(caller.tenant_id, &[event.to(what)]).await.map_err(|error| unkept(&error))
    }
}

fn unkept(error: &StoreError) -> ToolError {
    tracing::error!(%error, "an action of an agent cannot be read or written");
    ToolError::new(ErrorCode::Unknown, "what the agent did cannot be read or written")
}
