use axum::{Json, extract::State};
use serde::Deserialize;
use toolgate_domain::{AuditEvent, Page};
use toolgate_store::AuditFilter;

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    page::{Params, page_size, parsed_option},
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
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: limit + 1,
    };
    let events = state.engine.stores().audit.events(caller.tenant_id, &filter).await?;
    Ok(Json(Page::from_overfetch(events, limit, |last| last.id.to_string())))
}
