//! A run as clients see it: the row of its call, with what its steps tell.

use serde::Serialize;
use serde_json::Value;
use toolgate_domain::{
    AgentId, Invocation, InvocationId, RunId, RunStep, SessionId, Status, StepKind, Timestamp, ToolError,
};

use crate::{AppState, Problem};

/// One run of an agent.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct RunResponse {
    id: RunId,
    /// The call that is the run: its receipt has everything.
    invocation_id: InvocationId,
    session_id: SessionId,
    /// The agent, as it was named.
    agent: Option<String>,
    agent_id: Option<AgentId>,
    message: Option<String>,
    status: Status,
    /// The calls that the run waits for, or itself while somebody must agree to it.
    waiting_for: Vec<String>,
    /// What the agent answered.
    response: Option<String>,
    /// `response`, `tools_by_id`, `tool_order`, `last_tool`, `traces_url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    outputs: Option<Value>,
    error: Option<ToolError>,
    /// What models and tools have cost so far, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<StepsSummary>,
    caller: String,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
}

/// What a run has done.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct StepsSummary {
    /// Answers of the model.
    turns: u64,
    /// Calls of tools.
    calls: u64,
    input_tokens: u64,
    output_tokens: u64,
    /// The last step's title.
    last: Option<String>,
    /// The run ends by then, whatever it waits for.
    deadline: Option<Timestamp>,
    /// `provider/model`, as the agent has it.
    model: Option<String>,
}

impl RunResponse {
    /// As it stands in a list.
    pub(crate) async fn brief(row: Invocation, state: &AppState) -> Result<Self, Problem> {
        let mut waiting_for = state.engine.waits_for(&row).await?;
        if row.status() == Status::Pending {
            waiting_for.push(row.id.to_string());
        }
        let text = |name: &str| row.input[name].as_str().map(str::to_owned);
        let (agent, message) = (text("agent"), text("message"));
        let agent_id = match &agent {
            Some(named) => state.engine.rules().agent_named(row.tenant_id, named).await?,
            None => None,
        };
        let response = state.engine.response_of(&row).await?;
        Ok(Self {
            id: RunId::from_uuid(row.id.uuid()),
            invocation_id: row.id,
            session_id: row.session_id,
            agent,
            agent_id,
            message,
            status: row.status(),
            waiting_for,
            response,
            outputs: None,
            error: row.outcome.error,
            cost: row.outcome.cost_estimate,
            steps: None,
            caller: row.caller,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
        })
    }

    pub(crate) async fn whole(row: Invocation, state: &AppState) -> Result<Self, Problem> {
        let (tenant, run) = (row.tenant_id, RunId::from_uuid(row.id.uuid()));
        let steps = state.engine.run_steps(tenant, run).await?;
        let totals = state.engine.stores().invocations.run_totals(tenant, run).await?;
        let outputs = row.outcome.output.clone();
        let models: f64 = turns(&steps).filter_map(|turn| turn.body["cost"].as_f64()).sum();
        let cost = (models + totals.cost > 0.0).then_some(models + totals.cost);
        let steps = Some(summary(&steps, totals.calls));
        Ok(Self { outputs, steps, cost, ..Self::brief(row, state).await? })
    }
}

fn turns(steps: &[RunStep]) -> impl Iterator<Item = &RunStep> {
    steps.iter().filter(|step| step.kind == StepKind::Turn)
}

fn summary(steps: &[RunStep], calls: u64) -> StepsSummary {
    let tokens = |name: &str| turns(steps).filter_map(|turn| turn.body["turn"]["usage"][name].as_u64()).sum();
    let begin = steps.first().map(|step| &step.body);
    let text = |name: &str| begin.and_then(|body| body[name].as_str());
    StepsSummary {
        turns: turns(steps).count() as u64,
        calls,
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        last: steps.last().map(|step| step.title.clone()),
        deadline: text("deadline").and_then(|moment| moment.parse().ok()),
        model: text("model").map(str::to_owned),
    }
}
