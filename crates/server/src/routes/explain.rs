use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolgate_domain::{Caller, Decision, Principal, Scope, Surface, ToolError};
use toolgate_engine::Call;

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainParams {
    /// `name`, `name@1.2.0` or `name@^1`
    tool: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    input: Map<String, Value>,
    /// What if this agent called: `agt_…` or a handle. Needs `agents:read`.
    agent: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ExplainResponse {
    /// `name@version`; null when this caller sees no such tool.
    tool: Option<String>,
    /// Whether the call would run at once.
    would_run: bool,
    /// What the guard would decide, and by which rules.
    decision: Decision,
    /// Why the call could not run, whoever agreed.
    error: Option<ToolError>,
    warnings: Vec<String>,
}

/// Explain a decision
///
/// What would happen if this caller made this call now. Nothing is recorded and nothing runs.
#[utoipa::path(
    post, path = "/api/decisions/explain", tag = "approvals", operation_id = "explain_decision",
    request_body = ExplainParams, security(("key" = ["tools:read"])),
    responses((status = 200, description = "Done", body = ExplainResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn explain(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsRead>,
    StrictJson(params): StrictJson<ExplainParams>,
) -> Result<Json<ExplainResponse>, Problem> {
    let caller = match &params.agent {
        Some(reference) => as_agent(&state, caller, reference).await?,
        None => caller,
    };
    let call = Call::new(caller, Surface::Rest, params.tool, Value::Object(params.input));
    let explanation = state.engine.explain(call).await?;
    Ok(Json(ExplainResponse {
        would_run: explanation.would_run(),
        tool: explanation.tool,
        decision: explanation.decision,
        error: explanation.error,
        warnings: explanation.warnings,
    }))
}

/// The agent, as if it called with a key that may call.
async fn as_agent(state: &AppState, caller: Caller, reference: &str) -> Result<Caller, Problem> {
    if !caller.may(Scope::AgentsRead) {
        return Err(Problem::new(ApiCode::Forbidden, "asking for an agent needs agents:read"));
    }
    let agent = state.engine.rules().find_agent(&caller, reference).await?;
    let principal = Principal::Agent(agent.id);
    Ok(Caller::with_scopes(caller.tenant_id, &caller.tenant_slug, principal, &[Scope::ToolsExecute]))
}
