//! The Model Context Protocol. Its own room answers; this one sees to it that only those are heard who may be.

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};

use crate::{AppState, auth::Auth};

/// Whatever a client of the protocol asks: `POST`, `GET` for a stream, `DELETE` to end a session.
pub(crate) async fn mcp(State(state): State<AppState>, Auth(caller): Auth, mut request: Request) -> Response {
    request.extensions_mut().insert(caller);
    state.mcp.handle(request).await.map(Body::new).into_response()
}
