use axum::extract::State;
use serde::{Deserialize, Serialize};
use toolgate_domain::{AgentId, Lifecycle, Surface, Timestamp};
use toolgate_engine::UsageLine;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UsageParams {
    /// Calls since this moment; the last 30 days when absent.
    since: Option<String>,
}

/// Who calls a version of a tool, and how.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ToolUsage {
    name: String,
    version: String,
    lifecycle: Lifecycle,
    /// The name that was called, where it was not the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<String>,
    caller: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<AgentId>,
    surface: Surface,
    calls: u64,
    last_call: Timestamp,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UsageResponse {
    /// Whoever called last comes first; at most 1000.
    items: Vec<ToolUsage>,
}

/// Report who calls a tool
///
/// By version, alias, caller, agent and surface. Test runs do not count.
#[utoipa::path(
    get, path = "/api/tools/{name}/usage", tag = "tools", operation_id = "get_tool_usage",
    params(("name" = String, Path, description = "The tool's name"), UsageParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = UsageResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn of_tool(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(name): Path<String>,
    Params(params): Params<UsageParams>,
) -> Result<Json<UsageResponse>, Problem> {
    let since = parsed_option("since", params.since.as_deref())?;
    Ok(Json(state.engine.registry().usage(&caller, &name, since).await?.into()))
}

/// Report who still calls what is going away
///
/// Tools that are deprecated or blocked, and names that are aliases.
#[utoipa::path(
    get, path = "/api/usage/deprecated", tag = "tools", operation_id = "get_deprecated_usage", params(UsageParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = UsageResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn of_deprecated(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Params(params): Params<UsageParams>,
) -> Result<Json<UsageResponse>, Problem> {
    let since = parsed_option("since", params.since.as_deref())?;
    Ok(Json(state.engine.registry().usage_of_deprecated(&caller, since).await?.into()))
}

impl From<Vec<UsageLine>> for UsageResponse {
    fn from(lines: Vec<UsageLine>) -> Self {
        let item = |UsageLine { usage, lifecycle, alias }: UsageLine| ToolUsage {
            name: usage.tool_name,
            version: usage.tool_version,
            lifecycle,
            alias,
            caller: usage.caller,
            agent_id: usage.agent_id,
            surface: usage.surface,
            calls: usage.calls,
            last_call: usage.last_call,
        };
        Self { items: lines.into_iter().map(item).collect() }
    }
}
