use std::sync::LazyLock;

use axum::{
    extract::{Request, State},
    http::header,
    response::{Html, IntoResponse, Response},
};

use crate::{
    ApiCode, AppState, Problem,
    auth::{CHALLENGE, reader},
    problem::ProblemDocument,
    web,
};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| crate::openapi().to_json().unwrap_or_default());

/// The page loads its scripts and holds none, so that no text in it can run.
const PAGE: &str = include_str!("docs.html");
/// The document is part of the script that shows it, so that the page asks for nothing else.
static START: LazyLock<String> =
    LazyLock::new(|| include_str!("docs.js").replace("{{ document }}", &DOCUMENT));
/// The page may speak to this server alone. Styles may stand in the page, because the reference puts its own there.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
    img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The OpenAPI document
#[utoipa::path(
    get, path = "/openapi.json", tag = "operations", operation_id = "openapi", security(("key" = [])),
    responses((status = 200, description = "Done", body = Object), (status = 401, description = "No valid key", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn openapi_json(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, Problem> {
    browser_auth(&state, request).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str()).into_response())
}

/// This document as a page
///
/// A browser asks for a name and a password: any name, and a key as the password.
#[utoipa::path(
    get, path = "/docs", tag = "operations", operation_id = "docs", security(("key" = [])),
    responses((status = 200, description = "Done", content_type = "text/html", body = String), (status = 401, description = "No valid key", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn docs(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    browser_auth(&state, request).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(PAGE)).into_response())
}

/// The script of that page
#[utoipa::path(
    get, path = "/docs/api-reference.js", tag = "operations", operation_id = "docs_script", security(("key" = [])),
    responses((status = 200, description = "Done", content_type = "text/javascript", body = String), (status = 401, description = "No valid key", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn docs_script(
    State(state): State<AppState>,
    request: Request,
) -> Result<Response, Problem> {
    let headers = request.headers().clone();
    browser_auth(&state, request).await?;
    web::file("api-reference.js", &headers).ok_or_else(|| {
        Problem::new(
            ApiCode::NotFound,
            "this program was built without the page's script: build it with `make build`",
        )
    })
}

/// The start of that page
///
/// It has the script show this document.
#[utoipa::path(
    get, path = "/docs/start.js", tag = "operations", operation_id = "docs_start", security(("key" = [])),
    responses((status = 200, description = "Done", content_type = "text/javascript", body = String), (status = 401, description = "No valid key", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn docs_start(State(state): State<AppState>, request: Request) -> Result<Response, Problem> {
    browser_auth(&state, request).await?;
    Ok(([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], START.as_str()).into_response())
}

/// As everywhere, and the browser is told how it can ask its user for a key.
async fn browser_auth(state: &AppState, request: Request) -> Result<(), Problem> {
    let known = reader(request.headers(), state).await;
    known.map(drop).map_err(|problem| problem.with_challenge(CHALLENGE))
}
