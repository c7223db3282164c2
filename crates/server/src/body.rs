//! Bodies are bounded, must arrive in time, and are parsed strictly.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{FromRequest, Request},
};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolgate_domain::{Limits, json::parse};

use crate::{ApiCode, AppState, Problem};

/// A body that is too large is read on for a while and thrown away: a client that is still sending would see a broken
/// connection instead of the answer.
const DRAIN_FACTOR: u64 = 16;

/// Reads a body of at most `max_input_bytes`.
pub(crate) async fn read(body: Body, limits: &Limits) -> Result<Bytes, Problem> {
    let patience = Duration::from_millis(limits.request_read_timeout_ms);
    tokio::time::timeout(patience, read_all(body, limits.max_input_bytes)).await.unwrap_or_else(|_| {
        Err(Problem::new(
            ApiCode::ReadTimeout,
            format!("the body did not arrive within {} ms", patience.as_millis()),
        ))
    })
}

async fn read_all(body: Body, max_bytes: u64) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let mut kept = BytesMut::new();
    let mut seen = 0_u64;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| Problem::new(ApiCode::Malformed, "the body broke off"))?;
        seen += chunk.len() as u64;
        if seen <= max_bytes {
            kept.extend_from_slice(&chunk);
        } else if seen > max_bytes.saturating_mul(DRAIN_FACTOR) {
            break;
        }
    }
    if seen > max_bytes {
        return Err(Problem::new(ApiCode::TooLarge, format!("the body has more than {max_bytes} bytes")));
    }
    Ok(kept.freeze())
}

pub(crate) fn parse_json(bytes: &[u8], limits: &Limits) -> Result<Value, Problem> {
    let max_depth = usize::try_from(limits.max_json_depth).unwrap_or(usize::MAX);
    parse(bytes, max_depth).map_err(|e| Problem::new(ApiCode::Malformed, e.to_string()))
}

/// A strictly parsed JSON body, whatever the client calls it.
pub(crate) struct StrictJson<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for StrictJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let limits = state.engine.limits();
        let bytes = read(request.into_body(), limits).await?;
        let value = parse_json(&bytes, limits)?;
        serde_json::from_value(value).map(Self).map_err(|e| Problem::new(ApiCode::Invalid, e.to_string()))
    }
}
