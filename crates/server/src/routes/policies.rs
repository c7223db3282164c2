use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{PolicyId, Timestamp};
use toolgate_engine::{PolicyDocument, PolicyVersion};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    problem::ProblemDocument,
};

/// One version of the policy.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct PolicyResponse {
    id: PolicyId,
    /// SHA-256 of the document: what decisions are recorded with.
    version: String,
    in_force: bool,
    created_by: String,
    created_at: Timestamp,
    #[schema(value_type = Object)]
    document: Value,
}

impl PolicyResponse {
    fn new(policy: PolicyVersion, in_force: bool) -> Self {
        Self {
            id: policy.id,
            version: policy.version,
            in_force,
            created_by: policy.created_by,
            created_at: policy.created_at,
            document: json!(policy.document),
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListPoliciesResponse {
    items: Vec<PolicyResponse>,
}

/// List the versions of the tenant's policy
///
/// Newest first; the first is in force.
#[utoipa::path(
    get, path = "/api/policies", tag = "policies", operation_id = "list_policies", security(("key" = ["policies:read"])),
    responses((status = 200, description = "Done", body = ListPoliciesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PoliciesRead>,
) -> Result<Json<ListPoliciesResponse>, Problem> {
    let all = state.engine.rules().policies(&caller).await?;
    let items = all.into_iter().enumerate().map(|(place, policy)| PolicyResponse::new(policy, place == 0));
    Ok(Json(ListPoliciesResponse { items: items.collect() }))
}

fn document(value: Value) -> Result<PolicyDocument, Problem> {
    serde_json::from_value(value).map_err(|e| Problem::new(ApiCode::Invalid, e.to_string()))
}

/// Put a policy in force
///
/// The document is `{"rules": […]}`. It must compile, and every example must hold; otherwise nothing changes.
#[utoipa::path(
    post, path = "/api/policies", tag = "policies", operation_id = "put_policy", request_body = Object, security(("key" = ["policies:write"])),
    responses((status = 201, description = "Made", body = PolicyResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn put(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PoliciesWrite>,
    StrictJson(body): StrictJson<Value>,
) -> Result<(StatusCode, Json<PolicyResponse>), Problem> {
    let policy = state.engine.rules().put_policy(&caller, document(body)?).await?;
    Ok((StatusCode::CREATED, Json(PolicyResponse::new(policy, true))))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayParams {
    /// The candidate: `{"rules": […]}`.
    #[schema(value_type = Object)]
    policy: Value,
    /// How many of the newest calls are judged; 1 to 10000, 1000 when it is not said.
    last: Option<usize>,
}

/// Judge past calls by another policy
///
/// Every recorded decision that would have been another one. Nothing is executed, nothing changes.
#[utoipa::path(
    post, path = "/api/policies/replay", tag = "policies", operation_id = "replay_policy", request_body = ReplayParams, security(("key" = ["policies:read"])),
    responses((status = 200, description = "Done", body = Object), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn replay(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::PoliciesRead>,
    StrictJson(params): StrictJson<ReplayParams>,
) -> Result<Json<Value>, Problem> {
    let last = params.last.unwrap_or(1_000);
    if !(1..=10_000).contains(&last) {
        return Err(Problem::new(ApiCode::Invalid, "`last` is 1 to 10000 calls"));
    }
    let replay = state.engine.replay(&caller, &document(params.policy)?, last).await?;
    Ok(Json(json!(replay)))
}
