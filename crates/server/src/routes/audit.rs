use axum::extract::State;
use serde::Deserialize;
use toolgate_domain::{AuditEvent, AuditId, Page};
use toolgate_store::AuditFilter;

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListAuditParams {
    /// What was done, or how it begins: `key.` finds every change of a key.
    action: Option<String>,
    /// Who did it: `key_…`, `usr_…`, `system`.
    actor: Option<String>,
    /// The id or name of what it was done to.
    target: Option<String>,
    /// From this moment on (RFC 3339).
    since: Option<String>,
    /// Before this moment (RFC 3339).
    until: Option<String>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List the audit trail
///
/// Who changed what, and how it was before. Newest first.
#[utoipa::path(
    get, path = "/api/audit", tag = "audit", operation_id = "list_audit_events", params(ListAuditParams),
    security(("key" = ["audit:read"])),
    responses((status = 200, description = "Done", body = Page<AuditEvent>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AuditRead>,
    Params(params): Params<ListAuditParams>,
) -> Result<Json<Page<AuditEvent>>, Problem> {
    let limit = page_size(params.limit, &state)?;
    let filter = AuditFilter {
        action: params.action,
        actor: params.actor,
        target: params.target,
        since: parsed_option("since", params.since.as_deref())?,
        until: parsed_option("until", params.until.as_deref())?,
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: limit + 1,
    };
    let events = state.engine.stores().audit.events(caller.tenant_id, &filter).await?;
    Ok(Json(Page::from_overfetch(events, limit, |last| last.id.to_string())))
}

/// Get an event of the audit trail
#[utoipa::path(
    get, path = "/api/audit/{id}", tag = "audit", operation_id = "get_audit_event",
    params(("id" = String, Path, description = "`aud_…`")),
    security(("key" = ["audit:read"])),
    responses((status = 200, description = "Done", body = AuditEvent), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AuditRead>,
    Path(id): Path<String>,
) -> Result<Json<AuditEvent>, Problem> {
    let id: AuditId = parsed("id", &id)?;
    let found = state.engine.stores().audit.events_by_id(caller.tenant_id, &[id]).await?;
    let event = found.into_iter().next();
    event.map(Json).ok_or_else(|| Problem::new(ApiCode::NotFound, format!("there is no audit event {id}")))
}
