use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    AppState, Problem,
    auth::{self, Needs},
    problem::ProblemDocument,
};

/// Metrics of this process
///
/// Callers of the installation's own tenant read everything; callers of any other tenant read the series of their own calls.
#[utoipa::path(
    get, path = "/metrics", tag = "operations", operation_id = "metrics", security(("key" = ["metrics:read"])),
    responses(
        (status = 200, description = "Done", content_type = "application/openmetrics-text", body = String),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn metrics(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::MetricsRead>,
) -> Result<Response, Problem> {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], state.engine.metrics().render(caller.tenant_id)).into_response())
}
