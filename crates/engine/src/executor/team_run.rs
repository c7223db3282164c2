//! A workflow that an agent runs: a call of the workflow's tool, made as the agent, that bears the id of its run and outlives the call
//! that started it.

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{
    AgentId, ErrorCode, Invocation, InvocationId, RunId, TenantId, Tool, ToolError, governance::AgentStatus,
};
use toolgate_store::StoreError;

use super::{Answer, Call, Invoker, Progress, call::Parent};

/// The one call of the starting call that goes on without it.
const PLACE: u64 = 0;

impl Invoker {
    /// Starts a run and answers as soon as it is on record: it runs, or waits for a person, or was refused (then the error says why).
    /// Everything that bounds the agent holds. Whoever starts it counts as its maker when somebody is asked about it.
    pub async fn start_team_run(
        &self,
        agent: AgentId,
        workflow: &Tool,
        inputs: Value,
        asks: bool,
    ) -> Result<Invocation, ToolError> {
        let (engine, outer) = (&self.engine, &*self.outer);
        let tenant = self.caller()?.tenant_id;
        if outer.depth >= engine.limits.max_call_depth {
            return Err(ToolError::denied("calls of tools by tools stand as deep as they may"));
        }
        let rules = engine.rules.snapshot(tenant).await.map_err(|error| unreadable(&error))?;
        let active = |id| rules.agents.get(id).is_some_and(|one| one.agent.status == AgentStatus::Active);
        let caller = engine.agent_caller(tenant, agent).await.map_err(|error| unreadable(&error))?;
        let Some(caller) = caller.filter(|_| active(&agent)) else {
            let message = "the agent is not active, and takes no work";
            return Err(ToolError::denied(message).with_details(json!({"reason": "agent_inactive"})));
        };
        self.be_on_record().await?;
        let id = InvocationId::generate(&*engine.ids);
        // Only the beginning is of interest; what comes after it is in the log.
        let (watch, mut progress) = mpsc::channel(1);
        let call = Call {
            id: Some(id),
            run_id: Some(RunId::from_uuid(id.uuid())),
            agent_id: Some(agent),
            seq: PLACE,
            idempotency_key: Some(format!("{}/{PLACE}", outer.id)),
            parent: Some(Parent { id: outer.id, depth: outer.depth + 1, replaying: outer.replaying }),
            is_test: outer.is_test,
            asks,
            progress: Some(watch),
            ..Call::new(caller, outer.surface, workflow.spec.id(), inputs)
        };
        let door = std::sync::Arc::clone(engine);
        let answering = tokio::spawn(async move { door.invoke(call).await });
        if let Some(Progress::Started { invocation_id, .. }) = progress.recv().await {
            return self.team_run(tenant, invocation_id).await;
        }
        match answering.await {
            Ok(Ok(Answer::Parked(row))) => Ok(*row),
            Ok(Ok(Answer::Done(envelope) | Answer::Unknown(envelope))) => match envelope.error.clone() {
                None => self.team_run(tenant, envelope.invocation_id).await,
                Some(error) => Err(error),
            },
            Ok(Err(refused)) => Err(ToolError::new(ErrorCode::Unknown, refused.to_string())),
            Err(_) => Err(ToolError::new(ErrorCode::Unknown, "the run broke off before it began")),
        }
    }

    async fn team_run(&self, tenant: TenantId, id: InvocationId) -> Result<Invocation, ToolError> {
        let row = self.engine.stores.invocations.get(tenant, id).await.map_err(|error| unreadable(&error))?;
        row.ok_or_else(|| ToolError::new(ErrorCode::Unknown, "the run has no row"))
    }
}

fn unreadable(error: &StoreError) -> ToolError {
    tracing::error!(%error, "a run cannot be read or written");
    ToolError::new(ErrorCode::Unknown, "the run cannot be read or written")
}
