use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use futures::stream;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use toolgate_engine::{ExportError, Verification};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    problem::ProblemDocument,
};

/// Pieces of an export that wait for a slow reader.
const QUEUE: usize = 4;

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct VerifyAuditResponse {
    /// Whether everything is as it was recorded.
    ok: bool,
    /// How much was looked at, up to the finding.
    links: u64,
    receipts: u64,
    events: u64,
    signed_heads: u64,
    /// Ed25519, hexadecimal: what the server's signatures are held against. Keep it elsewhere.
    public_key: Option<String>,
    /// `server`: the key is the server's own.
    #[schema(value_type = String)]
    key_source: toolgate_engine::KeySource,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<FindingResponse>,
}

/// The first thing that is not as it should be.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct FindingResponse {
    /// `changed`, `removed`, `inserted`, `broken_link`, `bad_signature` or `truncated`.
    #[schema(value_type = String)]
    kind: toolgate_engine::FindingKind,
    /// `inv_…`, `aud_…`, `link 17` or `head 17`.
    record: String,
    explanation: String,
}

impl From<Verification> for VerifyAuditResponse {
    fn from(found: Verification) -> Self {
        Self {
            ok: found.ok,
            links: found.totals.links,
            receipts: found.totals.receipts,
            events: found.totals.events,
            signed_heads: found.totals.signed_heads,
            public_key: found.public_key,
            key_source: found.key_source,
            finding: found.finding.map(|finding| FindingResponse {
                kind: finding.kind,
                record: finding.record,
                explanation: finding.explanation,
            }),
        }
    }
}

/// Verify the audit trail
///
/// Every receipt and every audit event is held against the chain, and the chain against the server's signatures. A finding
/// names the first record that was changed, removed or inserted; it is an answer, not an error.
#[utoipa::path(
    get, path = "/api/audit/verify", tag = "audit", operation_id = "verify_audit", security(("key" = ["audit:read"])),
    responses((status = 200, description = "Done", body = VerifyAuditResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn verify(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AuditRead>,
) -> Result<Json<VerifyAuditResponse>, Problem> {
    let _place = place(&state)?;
    let found = state.engine.verify_audit(caller.tenant_id).await?;
    if let Some(finding) = &found.finding {
        tracing::error!(tenant = %caller.tenant_id, record = finding.record, "the audit trail was tampered with");
    }
    Ok(Json(found.into()))
}

/// Export the audit trail
///
/// JSON lines: a header, then every record, link and signature in the order of the chain, then a signed end.
/// `toolgate audit verify --file` checks it without a server; docs/guides/audit.md tells how to check it without Toolgate.
#[utoipa::path(
    get, path = "/api/audit/export", tag = "audit", operation_id = "export_audit", security(("key" = ["audit:read"])),
    responses(
        (status = 200, description = "Done", content_type = "application/jsonl", body = String),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn export(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::AuditRead>,
) -> Result<Response, Problem> {
    let place = place(&state)?;
    let (sender, mut pieces) = mpsc::channel::<Bytes>(QUEUE);
    let engine = Arc::clone(&state.engine);
    let mut writing = tokio::spawn(async move { engine.export_audit(caller.tenant_id, sender).await });
    // The first piece is awaited: a store that does not answer is a problem, not half a file.
    let Some(first) = pieces.recv().await else {
        return Err(match (&mut writing).await {
            Ok(Err(ExportError::Store(error))) => error.into(),
            _ => Problem::new(ApiCode::Internal, "the export could not be begun; the server's log says why"),
        });
    };
    let rest = stream::unfold((pieces, Some(writing), place), |(mut pieces, writing, place)| async move {
        if let Some(piece) = pieces.recv().await {
            return Some((Ok(piece), (pieces, writing, place)));
        }
        // Everything was said; or the writer broke off, and the client must not take that for the end.
        match writing?.await {
            Ok(Ok(())) => None,
            broken => {
                tracing::error!(?broken, "an export ends early");
                Some((Err(std::io::Error::other("the export ends early")), (pieces, None, place)))
            }
        }
    });
    let body = Body::from_stream(futures::StreamExt::chain(stream::iter([Ok(first)]), rest));
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], body).into_response())
}

/// Reading a whole chain is work: only so many at once, as for streams.
fn place(state: &AppState) -> Result<OwnedSemaphorePermit, Problem> {
    Arc::clone(&state.streams).try_acquire_owned().map_err(|_| {
        state.engine.metrics().shed.inc();
        Problem::new(ApiCode::Overloaded, "too many streams are open: try again in a moment")
    })
}
