use axum::extract::State;
use serde::Serialize;

use crate::{AppState, Json, Problem, problem::ProblemDocument};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct HealthResponse {
    status: &'static str,
    version: &'static str,
}

const OK: HealthResponse = HealthResponse { status: "ok", version: env!("CARGO_PKG_VERSION") };

/// Is the process alive?
#[utoipa::path(get, path = "/healthz", tag = "operations", operation_id = "healthz", responses((status = 200, description = "Done", body = HealthResponse)))]
pub(crate) async fn healthz() -> Json<HealthResponse> {
    Json(OK)
}

/// Can it take calls?
///
/// The database answers and can be written.
#[utoipa::path(
    get, path = "/readyz", tag = "operations", operation_id = "readyz",
    responses((status = 200, description = "Done", body = HealthResponse), (status = 503, description = "Not now", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn readyz(State(state): State<AppState>) -> Result<Json<HealthResponse>, Problem> {
    if state.stopping.is_cancelled() {
        return Err(Problem::new(crate::ApiCode::Unavailable, "the server is stopping"));
    }
    state.engine.stores().settings.ready().await?;
    Ok(Json(OK))
}
