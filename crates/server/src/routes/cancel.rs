use axum::{
    Json,
    extract::{Path, State},
};
use toolgate_domain::{Caller, Invocation, Scope};
use toolgate_engine::CancelError;

use super::invocations::InvocationResponse;
use crate::{
    AppState, Problem,
    auth::{self, Needs},
    page::parsed,
    problem::ProblemDocument,
};

/// Cancel a call
///
/// The runtime is told, and the row ends `cancelled`. A call that is over stays as it ended: the answer shows it.
#[utoipa::path(
    post, path = "/api/invocations/{id}/cancel", tag = "calls", operation_id = "cancel_invocation",
    params(("id" = String, Path, description = "`inv_…`")),
    security(("key" = ["tools:execute"])),
    responses((status = 200, description = "Done", body = InvocationResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn cancel(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::ToolsExecute>,
    Path(id): Path<String>,
) -> Result<Json<InvocationResponse>, Problem> {
    let id = parsed("id", &id)?;
    let row = state.engine.stores().invocations.get(caller.tenant_id, id).await?;
    if row.is_some_and(|row| !may_cancel(&caller, &row)) {
        return Err(CancelError::NotFound.into());
    }
    let row = state.engine.cancel(caller.tenant_id, id).await?;
    Ok(Json(InvocationResponse::new(row, &state)))
}

/// One's own calls; those of others are for people who may read them, because the answer shows them.
pub(super) fn may_cancel(caller: &Caller, row: &Invocation) -> bool {
    row.caller == caller.principal.to_string()
        || (caller.agent_id.is_none() && caller.may(Scope::InvocationsRead))
}
