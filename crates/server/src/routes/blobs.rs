use axum::{
    body::Body,
    extract::{FromRequestParts, Request, State},
    http::header,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use toolgate_domain::BlobId;

use crate::{
    ApiCode, AppState, Problem,
    auth::{self, Needs},
    page::{Params, parsed},
    path::Path,
    problem::ProblemDocument,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReadBlobParams {
    /// Unix seconds; part of a signed address.
    expires: Option<i64>,
    signature: Option<String>,
}

/// Read a blob
///
/// By a signed address out of an envelope, which needs no key until it expires; or with a key.
#[utoipa::path(
    get, path = "/api/blobs/{id}", tag = "receipts", operation_id = "read_blob",
    params(("id" = String, Path, description = "`blb_…`"), ReadBlobParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Vec<u8>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn read(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Params(params): Params<ReadBlobParams>,
    request: Request,
) -> Result<Response, Problem> {
    let missing = || Problem::new(ApiCode::NotFound, "there is no such blob");
    let tenant = match (params.expires, params.signature) {
        (Some(expires), Some(signature)) => {
            let id: BlobId = parsed("id", &id)?;
            if !state.engine.signer().is_valid(id, expires, &signature, state.engine.clock().now()) {
                return Err(Problem::new(
                    ApiCode::Forbidden,
                    "the address is not valid or has expired: ask for the envelope again",
                ));
            }
            None
        }
        _ => {
            let caller =
                Needs::<auth::InvocationsRead>::from_request_parts(&mut request.into_parts().0, &state)
                    .await?
                    .0;
            Some(caller.tenant_id)
        }
    };
    let record = state.engine.stores().blob_index.find(parsed("id", &id)?).await?.ok_or_else(missing)?;
    if tenant.is_some_and(|tenant| tenant != record.tenant_id) {
        return Err(missing());
    }
    let blob = state.engine.stores().blobs.read(record.tenant_id, record.id).await?.ok_or_else(missing)?;
    let headers = [
        (header::CONTENT_TYPE, record.content_type),
        (header::CONTENT_LENGTH, blob.bytes.to_string()),
        // What a tool made is shown as data, never as a page of ours.
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", record.id)),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox".to_owned()),
        (header::CACHE_CONTROL, "private, max-age=300".to_owned()),
    ];
    Ok((headers, Body::from_stream(blob.stream)).into_response())
}
