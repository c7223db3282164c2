use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use toolgate_agents::bundle::{self, ExportError};
use toolgate_domain::RunId;

use crate::{
    ApiCode, AppState, Problem,
    auth::{self, Needs},
    page::parsed,
    path::Path,
    problem::ProblemDocument,
};

/// Export a run
///
/// The replay bundle (`toolgate.run/1`): what the run was given, what its model said and what its tools answered, without secrets.
/// `toolgate run replay` goes through it again, offline.
#[utoipa::path(
    get, path = "/api/runs/{id}/bundle", tag = "receipts", operation_id = "export_run",
    params(("id" = String, Path, description = "`run_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Object), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn export(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let run: RunId = parsed("id", &id)?;
    let unreadable = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, %run, "a run cannot be exported");
        Problem::new(ApiCode::Unavailable, "the run cannot be exported now; the server's log says why")
    };
    let bundle = match bundle::export(&state.engine, caller.tenant_id, run).await {
        Ok(bundle) => bundle,
        Err(error @ ExportError::NotFound(_)) => {
            return Err(Problem::new(ApiCode::NotFound, error.to_string()));
        }
        Err(error) => return Err(unreadable(&error)),
    };
    let file = bundle::write(&bundle).map_err(|error| unreadable(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], file).into_response())
}
