use axum::extract::State;

use super::invocations::InvocationResponse;
use crate::{
    AppState, Json, Problem,
    auth::{self, Needs},
    page::parsed,
    path::Path,
    problem::ProblemDocument,
};

/// Cancel a call
///
/// The runtime is told, and the row ends `cancelled`. A call that is over stays as it ended: the answer shows it.
/// A caller cancels the calls that they made, those of their agents, and those of runs that they started; calls of others take
/// `invocations:cancel` as well.
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
    let row = state.engine.cancel_for(&caller, parsed("id", &id)?).await?;
    Ok(Json(InvocationResponse::new(row, &state)))
}
