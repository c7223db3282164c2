//! The Model Context Protocol. Its own room answers; this one sees to it that only those are heard who may be.

use axum::{
    body::Body,
    extract::{FromRequestParts, Request, State},
    response::{IntoResponse, Response},
};

use toolgate_domain::{Caller, Scope};

use crate::{
    ApiCode, AppState, Problem, access,
    auth::Auth,
    cors::{self, Page},
    origin,
};

/// Whatever a client of the protocol asks: `POST`, `GET` for a stream, `DELETE` to end a session.
pub(crate) async fn mcp(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    // First of all: a page of another site learns nothing, not even how one signs in.
    origin::check(request.uri(), request.headers(), &state)?;
    let page = Page::of(request.headers(), &state);
    if cors::is_preflight(request.method(), request.headers())
        && let Some(page) = page
    {
        return Ok(page.preflight(request.headers()));
    }
    let answer = answer(state, request).await;
    match page {
        // A page must be able to read how it is refused: that is how it learns to log in.
        Some(page) => Ok(page.reads(answer.into_response())),
        None => answer,
    }
}

async fn answer(state: AppState, request: Request) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let known = Auth::from_request_parts(&mut parts, &state).await.and_then(one_who_uses_tools);
    let caller = known.map_err(|problem| access::mcp_challenge(problem, &state))?;
    let answer = state.mcp.handle(caller, Request::from_parts(parts, body)).await;
    let answer = answer.map_err(|full| Problem::new(ApiCode::Overloaded, full.to_string()))?;
    Ok(answer.map(Body::new).into_response())
}

/// One who may do none of what the protocol is for is told so at once, and a client can ask its issuer for more.
fn one_who_uses_tools(auth: Auth) -> Result<Caller, Problem> {
    let some = [Scope::ToolsRead, Scope::ToolsExecute, Scope::ApprovalsDecide];
    if some.into_iter().any(|scope| auth.0.may(scope)) { Ok(auth.0) } else { auth.require(Scope::ToolsRead) }
}
