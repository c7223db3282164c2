//! A call that is the run of an agent. It makes its calls as the agent, within the bounds of the run, and keeps what it does step by
//! step: a run that begins again finds what it did, and does only the rest.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, ErrorCode, Limits, RunId, RunStep, StepId, StepKind, Timestamp, ToolError,
    governance::AgentStatus,
};
use toolgate_policy::RunBounds;
use toolgate_store::StoreError;

use super::{Invoker, inner::Outer};

/// Steps that are read at a time.
const PAGE: usize = 100;

/// What a turn of a run may count on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnAllowance {
    /// From 1.
    pub iteration: u64,
    /// What the models of the run have cost so far.
    pub spent: f64,
}

impl Invoker {
    /// The run that the outer call is.
    pub fn own_run(&self) -> RunId {
        RunId::from_uuid(self.outer.id.uuid())
    }

    /// Makes calls as an agent, in the run that the outer call is: with what the agent may do, and within the bounds of the run.
    pub async fn as_agent(&self, agent: AgentId) -> Result<Self, ToolError> {
        let tenant = self.caller()?.tenant_id;
        let rules = self.engine.rules.snapshot(tenant).await.map_err(unreadable)?;
        let found = rules.agents.get(&agent).filter(|standing| standing.agent.status == AgentStatus::Active);
        let Some(standing) = found else {
            return Err(inactive());
        };
        self.introduce(agent, &standing.agent.handle);
        let caller = self.engine.agent_caller(tenant, agent).await.map_err(unreadable)?;
        let outer = Outer {
            run_id: Some(self.own_run()),
            agent_id: Some(agent),
            caller,
            ..Outer::clone(&self.outer)
        };
        Ok(Self { engine: Arc::clone(&self.engine), outer: Arc::new(outer) })
    }

    /// The same in one turn of the run, whose step its calls name.
    #[must_use]
    pub fn in_turn(&self, step: StepId, allowance: TurnAllowance) -> Self {
        let TurnAllowance { iteration, spent } = allowance;
        let outer = Outer { step_id: Some(step), iteration, spent, ..Outer::clone(&self.outer) };
        Self { engine: Arc::clone(&self.engine), outer: Arc::new(outer) }
    }

    /// The present moment, as the house has it.
    pub fn now(&self) -> Timestamp {
        self.engine.clock.now()
    }

    /// The bounds of the server.
    pub fn limits(&self) -> &Limits {
        &self.engine.limits
    }

    /// The version of the tenant's policy that is in force.
    pub async fn policy_version(&self) -> Result<Option<String>, ToolError> {
        let rules = self.engine.rules.snapshot(self.caller()?.tenant_id).await.map_err(unreadable)?;
        Ok(rules.policy.as_ref().map(|policy| policy.version().to_owned()))
    }

    /// Whether the run may ask its model once more.
    pub async fn may_go_on(&self, allowance: TurnAllowance) -> Result<(), ToolError> {
        let started_at = self.now();
        let allowed = self.judge_turn(allowance).await;
        self.trace_turn(allowance, started_at, &allowed);
        allowed
    }

    async fn judge_turn(&self, allowance: TurnAllowance) -> Result<(), ToolError> {
        let tenant = self.caller()?.tenant_id;
        let rules = self.engine.rules.snapshot(tenant).await.map_err(unreadable)?;
        let standing = self.outer.agent_id.and_then(|agent| rules.agents.get(&agent));
        if !standing.is_some_and(|standing| standing.agent.status == AgentStatus::Active) {
            return Err(inactive());
        }
        let guards = std::iter::once(&rules.settings.guard).chain(standing.map(|s| &s.agent.guard));
        let bounds = RunBounds::new(&self.engine.limits, guards);
        if allowance.iteration > bounds.max_iterations {
            let message = format!("the run has had {} turns, the most it may have", bounds.max_iterations);
            return Err(stopped("guard.max_iterations", message));
        }
        let Some(budget) = bounds.max_budget else { return Ok(()) };
        let tools = self.engine.spent_by(tenant, self.own_run()).await.map_err(unreadable)?;
        let spent = tools + allowance.spent;
        if spent >= budget {
            return Err(stopped("guard.max_budget", format!("the run has spent {spent} of {budget}")));
        }
        Ok(())
    }

    /// What the run has done, from its first step on.
    pub async fn steps(&self) -> Result<Vec<RunStep>, ToolError> {
        let tenant = self.caller()?.tenant_id;
        let mut steps: Vec<RunStep> = Vec::new();
        loop {
            let from = steps.last().map_or(0, |step| step.seq + 1);
            let page = self
                .engine
                .stores
                .steps
                .steps(tenant, self.own_run(), from, PAGE)
                .await
                .map_err(unreadable)?;
            let is_last = page.len() < PAGE;
            steps.extend(page);
            if is_last {
                return Ok(steps);
            }
        }
    }

    /// Keeps a step in its place, and answers with the one that is there: another process may have been faster.
    pub async fn keep_step(
        &self,
        seq: u64,
        kind: StepKind,
        title: impl Into<String>,
        body: Value,
    ) -> Result<RunStep, ToolError> {
        self.be_on_record().await?;
        let engine = &self.engine;
        let step = RunStep {
            id: StepId::generate(&*engine.ids),
            tenant_id: self.caller()?.tenant_id,
            run_id: self.own_run(),
            seq,
            kind,
            title: title.into(),
            body,
            created_at: engine.clock.now(),
        };
        if engine.stores.steps.add_step(&step).await.map_err(unreadable)? {
            return Ok(step);
        }
        self.step_at(seq).await
    }

    /// The step of the run in this place.
    pub(super) async fn step_at(&self, seq: u64) -> Result<RunStep, ToolError> {
        let (tenant, steps) = (self.caller()?.tenant_id, &self.engine.stores.steps);
        let mut found = steps.steps(tenant, self.own_run(), seq, 1).await.map_err(unreadable)?;
        found.pop().ok_or_else(|| ToolError::new(ErrorCode::Unknown, "a step of the run is gone"))
    }
}

fn inactive() -> ToolError {
    let message = "the agent is not active, and takes no work";
    ToolError::denied(message).with_details(json!({"reason": "agent_inactive"}))
}

fn unreadable(error: StoreError) -> ToolError {
    tracing::error!(%error, "a run cannot be read or written");
    ToolError::new(ErrorCode::Unknown, "what the run did cannot be read or written")
}

fn stopped(rule: &str, message: String) -> ToolError {
    ToolError::denied(message).with_details(json!({"reason": rule}))
}
