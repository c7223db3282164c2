use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{AuditEvent, InvocationId, Page, Timestamp};
use toolgate_store::AuditFilter;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, page_size, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

/// What the audit trail calls an action.
const ACTION: &str = "agent.action";

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListActionsParams {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// What an agent did on its own, and what came of it.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AgentAction {
    /// The call of `run_agent_action`.
    id: InvocationId,
    at: Timestamp,
    /// Who had it act.
    actor: String,
    /// What it was to do.
    action: String,
    context_type: Option<String>,
    context_id: Option<String>,
    /// `success`, `blocked_by_policy`, `throttled` or `failed`.
    result: String,
    /// Why it was blocked or throttled.
    reason: Option<String>,
    /// How it failed.
    error: Option<String>,
    /// The call of the tool, where one was made.
    invocation_id: Option<String>,
}

/// List the actions of an agent
///
/// What the agent did on its own (`run_agent_action`) and what came of it, newest first. An action that waits for a person is not
/// here yet.
#[utoipa::path(
    get, path = "/api/agents/{id}/actions", tag = "agents", operation_id = "list_agent_actions",
    params(("id" = String, Path, description = "`agt_…` or a handle"), ListActionsParams), security(("key" = ["agents:read"])),
    responses((status = 200, description = "Done", body = Page<AgentAction>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AgentsRead>,
    Path(id): Path<String>,
    Params(params): Params<ListActionsParams>,
) -> Result<Json<Page<AgentAction>>, Problem> {
    let agent = state.engine.rules().find_agent(&caller, &id).await?;
    let limit = page_size(params.limit, &state)?;
    let filter = AuditFilter {
        action: Some(ACTION.to_owned()),
        target: Some(agent.id.to_string()),
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: limit + 1,
        ..AuditFilter::default()
    };
    let events = state.engine.stores().audit.events(caller.tenant_id, &filter).await?;
    let page = Page::from_overfetch(events, limit, |last| last.id.to_string());
    let items = page.items.into_iter().map(AgentAction::from).collect();
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

impl From<AuditEvent> for AgentAction {
    fn from(event: AuditEvent) -> Self {
        let told = event.after.unwrap_or_default();
        let text = |key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            // The event has the id of the call that it tells of.
            id: InvocationId::from_uuid(event.id.uuid()),
            at: event.at,
            actor: event.actor,
            action: text("action").unwrap_or_default(),
            context_type: text("context_type"),
            context_id: text("context_id"),
            result: text("result").unwrap_or_default(),
            reason: text("reason"),
            error: text("error"),
            invocation_id: text("invocation_id"),
        }
    }
}
