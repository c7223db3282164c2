//! Load is shed, not queued: a request beyond the bound is told at once to come back.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{ApiCode, AppState, Problem};

pub(crate) async fn shed(State(state): State<AppState>, request: Request, next: Next) -> Response {
    // Those who watch over the server must reach it when it is busy, above all.
    if matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics") {
        return next.run(request).await;
    }
    let Ok(_place) = Arc::clone(&state.requests).try_acquire_owned() else {
        state.engine.metrics().shed.inc();
        return Problem::new(ApiCode::Overloaded, "too many requests are under way: try again in a moment")
            .into_response();
    };
    next.run(request).await
}
