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

/// The document is part of the page, and the page may speak to this server alone.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    // A script ends at the first `</script`, wherever it stands.
    include_str!("docs.html").replace("{{ document }}", &DOCUMENT.replace("</", "<\\/"))
});
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; \
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
    Ok(([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(PAGE.as_str())).into_response())
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

/// As everywhere, and the browser is told how it can ask its user for a key.
async fn browser_auth(state: &AppState, request: Request) -> Result<(), Problem> {
    let known = reader(request.headers(), state).await;
    known.map(drop).map_err(|problem| problem.with_challenge(CHALLENGE))
}
