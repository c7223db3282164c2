use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use toolgate_domain::Scope;

use crate::{AppState, Problem, auth::Auth, problem::ProblemDocument};

/// Metrics of this process
#[utoipa::path(
    get, path = "/metrics", tag = "operations", operation_id = "metrics", security(("key" = ["metrics:read"])),
    responses(
        (status = 200, content_type = "application/openmetrics-text", body = String),
        (status = "4XX", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn metrics(State(state): State<AppState>, auth: Auth) -> Result<Response, Problem> {
    auth.require(Scope::MetricsRead)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], state.engine.metrics().render()).into_response())
}
