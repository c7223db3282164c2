//! The pages behind the links in letters. The link itself is the credential, so there is no key; it is good for one answer to one
//! question. Looking decides nothing: mail scanners and chat programs open every link they see.

use std::sync::LazyLock;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};
use toolgate_domain::{Phase, Status};
use toolgate_engine::{DecideError, LinkAction, LinkError, Question};

use crate::{AppState, body, path::Path};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
    pre{background:#f3f3f3;padding:1rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}dt{color:#666}\
    dd{margin:0 0 .75rem}textarea{width:100%;box-sizing:border-box}button{font:inherit;padding:.4rem 1.2rem;margin-top:1rem}";

/// No script, no picture, no frame; one style, named by its hash; a form that goes nowhere but back.
static POLICY: LazyLock<Option<HeaderValue>> = LazyLock::new(|| {
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).ok()
});

/// Look at the question behind a link
///
/// A page with what is asked and a button. Looking decides nothing.
#[utoipa::path(
    get, path = "/api/approvals/links/{token}", tag = "approvals", operation_id = "show_approval_link",
    params(("token" = String, Path, description = "Out of a letter to a webhook; no key is needed")),
    responses(
        (status = 200, description = "The question", content_type = "text/html", body = String),
        (status = 404, description = "Not a link of ours", content_type = "text/html", body = String),
        (status = 409, description = "Answered already", content_type = "text/html", body = String),
        (status = 410, description = "Expired", content_type = "text/html", body = String)
    )
)]
pub(crate) async fn show(State(state): State<AppState>, Path(token): Path<String>) -> Response {
    match state.engine.read_link(&token).await {
        Ok(question) => page(StatusCode::OK, "A call waits for your answer", &asked(&question)),
        Err(error) => refusal(&error),
    }
}

/// Answer the question behind a link
///
/// A form: `reason` says why not, where the link rejects. A link answers once.
#[utoipa::path(
    post, path = "/api/approvals/links/{token}", tag = "approvals", operation_id = "answer_approval_link",
    params(("token" = String, Path, description = "Out of a letter to a webhook; no key is needed")),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "Answered", content_type = "text/html", body = String),
        (status = 404, description = "Not a link of ours", content_type = "text/html", body = String),
        (status = 409, description = "Answered already, or the question changed", content_type = "text/html", body = String),
        (status = 410, description = "Expired", content_type = "text/html", body = String),
        (status = 422, description = "A rejection needs a reason", content_type = "text/html", body = String)
    )
)]
pub(crate) async fn answer(
    State(state): State<AppState>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    let form = match body::read(request.into_body(), state.engine.limits()).await {
        Ok(form) => form,
        Err(problem) => return problem.into_response(),
    };
    let mut fields = url::form_urlencoded::parse(&form);
    let reason = fields.find(|(name, _)| name == "reason").map(|(_, reason)| reason.into_owned());
    match state.engine.answer_link(&token, reason).await {
        Ok((_, row)) if row.phase == Phase::Pending => {
            let said = "<p>Your yes is kept. Others must agree as well before the call runs.</p>";
            page(StatusCode::OK, "Thank you", said)
        }
        Ok((_, row)) => {
            let said = if row.status() == Status::Rejected { "is rejected" } else { "is approved and runs" };
            page(StatusCode::OK, "Thank you", &format!("<p>The call {} {said}.</p>", row.id))
        }
        Err(error) => refusal(&error),
    }
}

fn asked(question: &Question) -> String {
    let Question { row, action } = question;
    let input = serde_json::to_string_pretty(row.effective_input()).unwrap_or_default();
    let because: Vec<_> = row.decision.deciding().map(|evidence| evidence.because.as_str()).collect();
    let mut facts =
        vec![("Tool", format!("{}@{}", row.tool_name, row.tool_version)), ("Asked by", row.caller.clone())];
    facts.extend(row.agent_id.map(|agent| ("For the agent", agent.to_string())));
    facts.push(("Why a person is asked", because.join("; ")));
    facts.extend(row.approval_expires_at.map(|at| ("Counts as rejected after", at.to_string())));
    facts.push(("Digest", row.approval_digest()));
    let facts: String =
        facts.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", escaped(value))).collect();
    let form = match action {
        LinkAction::Approve => "<button>Approve this call</button>",
        LinkAction::Reject => {
            "<label>Why not? The caller is told.<textarea name=\"reason\" rows=\"3\" maxlength=\"2000\" required></textarea></label>\
             <button>Reject this call</button>"
        }
    };
    format!(
        "<dl>{facts}</dl><p>With exactly this input:</p><pre>{}</pre><form method=\"post\">{form}</form>",
        escaped(&input)
    )
}

fn refusal(error: &LinkError) -> Response {
    let status = match error {
        LinkError::Unknown | LinkError::Decide(DecideError::NotFound) => StatusCode::NOT_FOUND,
        LinkError::Expired | LinkError::Decide(DecideError::Expired) => StatusCode::GONE,
        LinkError::Decide(DecideError::OwnCall | DecideError::ByAgent) => StatusCode::FORBIDDEN,
        LinkError::Decide(DecideError::Reason) => StatusCode::UNPROCESSABLE_ENTITY,
        LinkError::Decide(DecideError::Store(_) | DecideError::Rules(_)) => {
            tracing::error!(%error, "an answer by link could not be taken");
            let said = "<p>The server cannot take your answer now: try the same link again in a moment.</p>";
            return page(StatusCode::SERVICE_UNAVAILABLE, "Not now", said);
        }
        LinkError::Used | LinkError::Decide(_) => StatusCode::CONFLICT,
    };
    page(status, "This link cannot answer", &format!("<p>{}.</p>", escaped(&error.to_string())))
}

fn page(status: StatusCode, title: &str, content: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title} – Toolgate</title>\
         <style>{STYLE}</style></head><body><h1>{title}</h1>{content}</body></html>"
    );
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    if let Some(policy) = POLICY.clone() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    // The address is the credential: it must neither stay in caches nor travel on.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
