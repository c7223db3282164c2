use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use toolgate_domain::{
    DeliveryId, InvocationId, Timestamp, WebhookId,
    governance::{Delivery, DeliveryStatus, Webhook, WebhookEvent},
};
use toolgate_engine::WebhookSpec;

use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    body::StrictJson,
    page::{Params, page_size, parsed},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct WebhookResponse {
    id: WebhookId,
    name: String,
    url: String,
    events: Vec<WebhookEvent>,
    created_at: Timestamp,
}

impl From<Webhook> for WebhookResponse {
    fn from(hook: Webhook) -> Self {
        let Webhook { id, name, url, events, created_at, .. } = hook;
        Self { id, name, url, events, created_at }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListWebhooksResponse {
    items: Vec<WebhookResponse>,
}

/// List webhooks
#[utoipa::path(
    get, path = "/api/webhooks", tag = "approvals", operation_id = "list_webhooks", security(("key" = ["webhooks:write"])),
    responses((status = 200, description = "Done", body = ListWebhooksResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::WebhooksWrite>,
) -> Result<Json<ListWebhooksResponse>, Problem> {
    let hooks = state.engine.webhooks(&caller).await?;
    Ok(Json(ListWebhooksResponse { items: hooks.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateWebhookParams {
    name: String,
    /// `https://…`; `http://` for this machine alone. Private addresses and this machine are refused unless the operator allows them.
    url: String,
    /// What to tell; `needs_approval` when left out.
    #[serde(default)]
    events: Option<Vec<WebhookEvent>>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct CreateWebhookResponse {
    /// What the receiver verifies signatures with, shown this once.
    secret: String,
    #[serde(flatten)]
    about: WebhookResponse,
}

/// Create a webhook
///
/// From now on each call that comes to wait for a person is sent to it, signed, with links that answer.
#[utoipa::path(
    post, path = "/api/webhooks", tag = "approvals", operation_id = "create_webhook", request_body = CreateWebhookParams,
    security(("key" = ["webhooks:write"])),
    responses((status = 201, description = "Made", body = CreateWebhookResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn create(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::WebhooksWrite>,
    StrictJson(params): StrictJson<CreateWebhookParams>,
) -> Result<(StatusCode, Json<CreateWebhookResponse>), Problem> {
    let events = params.events.unwrap_or_else(|| vec![WebhookEvent::NeedsApproval]);
    let spec = WebhookSpec { name: params.name, url: params.url, events };
    let (hook, secret) = state.engine.create_webhook(&caller, spec).await?;
    Ok((StatusCode::CREATED, Json(CreateWebhookResponse { secret, about: hook.into() })))
}

/// Delete a webhook
///
/// It is sent nothing more, and the links that it was sent lead nowhere.
#[utoipa::path(
    delete, path = "/api/webhooks/{id}", tag = "approvals", operation_id = "delete_webhook",
    params(("id" = String, Path, description = "`whk_…`")), security(("key" = ["webhooks:write"])),
    responses((status = 204, description = "Deleted"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::WebhooksWrite>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    state.engine.delete_webhook(&caller, parsed("id", &id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct TestWebhookResponse {
    /// Whether the receiver answered with a success.
    delivered: bool,
    /// The status of its answer.
    status: Option<u16>,
    /// Set where no answer came: one text for every cause, which the server's log names.
    error: Option<String>,
}

/// Send a test letter
///
/// Once, now, of type `webhook.test`, signed like any other. While one is under way, another of the same webhook is refused.
#[utoipa::path(
    post, path = "/api/webhooks/{id}/test", tag = "approvals", operation_id = "test_webhook",
    params(("id" = String, Path, description = "`whk_…`")), security(("key" = ["webhooks:write"])),
    responses((status = 200, description = "Sent, or not; the answer says", body = TestWebhookResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn test(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::WebhooksWrite>,
    Path(id): Path<String>,
) -> Result<Json<TestWebhookResponse>, Problem> {
    let tested = state.engine.test_webhook(&caller, parsed("id", &id)?).await?;
    let delivered = tested.status.is_some_and(|status| (200..300).contains(&status));
    Ok(Json(TestWebhookResponse { delivered, status: tested.status, error: tested.error }))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListDeliveriesParams {
    limit: Option<usize>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct DeliveryResponse {
    id: DeliveryId,
    invocation_id: InvocationId,
    status: DeliveryStatus,
    attempts: u32,
    /// While pending.
    next_attempt_at: Option<Timestamp>,
    /// The status of the receiver's last answer.
    last_status: Option<u16>,
    last_error: Option<String>,
    created_at: Timestamp,
    ended_at: Option<Timestamp>,
}

impl From<Delivery> for DeliveryResponse {
    fn from(delivery: Delivery) -> Self {
        let pending = delivery.status == DeliveryStatus::Pending;
        Self {
            id: delivery.id,
            invocation_id: delivery.invocation_id,
            status: delivery.status,
            attempts: delivery.attempts,
            next_attempt_at: pending.then_some(delivery.next_attempt_at),
            last_status: delivery.last_status,
            last_error: delivery.last_error,
            created_at: delivery.created_at,
            ended_at: delivery.ended_at,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ListDeliveriesResponse {
    /// Newest first.
    items: Vec<DeliveryResponse>,
}

/// List what was sent to a webhook
///
/// With what became of it. Deliveries that ended are kept for a week at least.
#[utoipa::path(
    get, path = "/api/webhooks/{id}/deliveries", tag = "approvals", operation_id = "list_deliveries",
    params(("id" = String, Path, description = "`whk_…`"), ListDeliveriesParams), security(("key" = ["webhooks:write"])),
    responses((status = 200, description = "Done", body = ListDeliveriesResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn deliveries(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::WebhooksWrite>,
    Path(id): Path<String>,
    Params(params): Params<ListDeliveriesParams>,
) -> Result<Json<ListDeliveriesResponse>, Problem> {
    let limit = page_size(params.limit, &state)?;
    let sent = state.engine.deliveries(&caller, parsed("id", &id)?, limit).await?;
    Ok(Json(ListDeliveriesResponse { items: sent.into_iter().map(Into::into).collect() }))
}
