use axum::extract::{Request, State};
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgate_domain::{Page, Status};
use toolgate_engine::{Approval, Ruling};
use toolgate_store::InvocationFilter;

use super::invocations::InvocationResponse;
use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::{self, StrictJson},
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListApprovalsParams {
    /// A tool's name.
    tool: Option<String>,
    /// An agent's id.
    agent: Option<String>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApproveParams {
    /// `approval_digest` of the call as you saw it: the decision counts only for that.
    digest: Option<String>,
    /// Edit and approve: this runs instead of what was asked. It must be valid; both inputs are kept.
    #[schema(value_type = Option<Object>)]
    input: Option<Map<String, Value>>,
    /// The agent need not ask for this tool again. Not for tools that write outside.
    #[serde(default)]
    always: bool,
    /// Agree to a call of your own. It counts only where nobody else may decide, and the receipt says so.
    #[serde(default)]
    confirm_self: bool,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RejectParams {
    reason: String,
    /// `approval_digest` of the call as you saw it: the decision counts only for that.
    digest: Option<String>,
}

/// List calls that wait for a person
///
/// Newest first. `approval_digest` names exactly what is asked; send it with the decision.
#[utoipa::path(
    get, path = "/api/approvals", tag = "approvals", operation_id = "list_approvals", params(ListApprovalsParams),
    security(("key" = ["approvals:decide"])),
    responses((status = 200, description = "Done", body = Page<InvocationResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ApprovalsDecide>,
    Params(params): Params<ListApprovalsParams>,
) -> Result<Json<Page<InvocationResponse>>, Problem> {
    let filter = InvocationFilter {
        status: Some(Status::Pending),
        tool: params.tool,
        agent_id: parsed_option("agent", params.agent.as_deref())?,
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: page_size(params.limit, &state)?,
        ..InvocationFilter::default()
    };
    let page = state.engine.stores().invocations.list(caller.tenant_id, &filter).await?;
    Ok(Json(InvocationResponse::page(page, &state).await?))
}

/// Approve a call
///
/// It begins at once; its receipt tells how it ended. A person decides: signed in, or with a key that they made themselves. Another
/// person than the one who made the call must, unless nobody else may decide.
#[utoipa::path(
    post, path = "/api/invocations/{id}/approve", tag = "approvals", operation_id = "approve_invocation",
    params(("id" = String, Path, description = "`inv_…`")), request_body = Option<ApproveParams>,
    security(("key" = ["approvals:decide"])),
    responses((status = 200, description = "Done", body = InvocationResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn approve(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ApprovalsDecide>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<InvocationResponse>, Problem> {
    let params = read_or_default(&state, request).await?;
    let id = parsed("id", &id)?;
    let approval = Approval {
        edited_input: params.input.map(Value::Object),
        always: params.always,
        confirm_self: params.confirm_self,
    };
    let ruling = Ruling::Approve(approval);
    let row = state.engine.decide(&caller, id, params.digest.as_deref(), ruling).await?;
    Ok(Json(InvocationResponse::whole(row, &state).await?))
}

/// Reject a call
///
/// With a reason, which the caller is told.
#[utoipa::path(
    post, path = "/api/invocations/{id}/reject", tag = "approvals", operation_id = "reject_invocation",
    params(("id" = String, Path, description = "`inv_…`")), request_body = RejectParams,
    security(("key" = ["approvals:decide"])),
    responses((status = 200, description = "Done", body = InvocationResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn reject(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ApprovalsDecide>,
    Path(id): Path<String>,
    StrictJson(params): StrictJson<RejectParams>,
) -> Result<Json<InvocationResponse>, Problem> {
    let id = parsed("id", &id)?;
    let ruling = Ruling::Reject { reason: params.reason };
    let row = state.engine.decide(&caller, id, params.digest.as_deref(), ruling).await?;
    Ok(Json(InvocationResponse::whole(row, &state).await?))
}

/// Most people approve without a body.
async fn read_or_default(state: &AppState, request: Request) -> Result<ApproveParams, Problem> {
    let limits = state.engine.limits();
    let bytes = body::read(request.into_body(), limits).await?;
    if bytes.is_empty() {
        return Ok(ApproveParams::default());
    }
    serde_json::from_value::<Option<_>>(body::parse_json(&bytes, limits)?)
        .map(Option::unwrap_or_default)
        .map_err(|error| Problem::new(ApiCode::Invalid, error.to_string()))
}
