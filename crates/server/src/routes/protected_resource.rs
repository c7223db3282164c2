//! What a program that was refused at `/mcp` reads next (RFC 9728): who issues tokens for it, and for which scopes to ask.

use axum::{
    extract::State,
    http::{HeaderMap, Uri},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{ApiCode, AppState, Json, Problem, access, cors::Page, origin, problem::ProblemDocument};

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ProtectedResourceResponse {
    /// What a token must be made for: its audience.
    resource: String,
    authorization_servers: Vec<String>,
    scopes_supported: Vec<String>,
    /// `header`: a token is sent as `Authorization: Bearer …`, and nowhere else.
    bearer_methods_supported: [&'static str; 1],
    resource_name: &'static str,
    resource_documentation: String,
}

/// Who issues tokens
///
/// The metadata of `/mcp` as a protected resource (RFC 9728). Nothing is here while no issuer is trusted.
#[utoipa::path(
    get, path = "/.well-known/oauth-protected-resource", tag = "sign-in", operation_id = "get_protected_resource",
    responses((status = 200, description = "Done", body = ProtectedResourceResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    described(&state, &uri, &headers)
}

/// Who issues tokens for `/mcp`
///
/// The same document, at the address that clients make of the resource's own.
#[utoipa::path(
    get, path = "/.well-known/oauth-protected-resource/mcp", tag = "sign-in", operation_id = "get_protected_resource_mcp",
    responses((status = 200, description = "Done", body = ProtectedResourceResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get_mcp(
    State(state): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    described(&state, &uri, &headers)
}

fn described(state: &AppState, uri: &Uri, headers: &HeaderMap) -> Result<Response, Problem> {
    origin::check(uri, headers, state)?;
    let missing = "this server takes keys only: start it with --oauth-issuer, or with [oauth] in toolgate.toml, to take access tokens";
    let tokens = state.options.access.as_ref().ok_or_else(|| Problem::new(ApiCode::NotFound, missing))?;
    let answer = Json(ProtectedResourceResponse {
        resource: tokens.resource().to_owned(),
        authorization_servers: tokens.issuers().map(str::to_owned).collect(),
        scopes_supported: tokens.asked_scopes().to_vec(),
        bearer_methods_supported: ["header"],
        resource_name: "Toolgate",
        resource_documentation: format!("{}/docs", access::base(tokens.resource())),
    });
    let answer = answer.into_response();
    Ok(match Page::of(headers, state) {
        Some(page) => page.reads(answer),
        None => answer,
    })
}
