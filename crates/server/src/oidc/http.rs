//! The only place here that talks to the provider: no redirects, ten seconds, one megabyte, strict JSON.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, RequestBuilder, Response, StatusCode, redirect};
use serde_json::Value;
use toolgate_domain::json;

use super::{Asked, OidcError};

pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Discovery documents and key sets are flat; claims may nest, but not like this.
const MAX_DEPTH: usize = 16;

/// A redirect would carry the client's secret, or our trust, to an address that nobody configured. reqwest decides
/// that per client and not per request, so the client is finished here and not by the caller.
pub(super) fn client(builder: ClientBuilder) -> Result<Client, OidcError> {
    builder
        .redirect(redirect::Policy::none())
        .timeout(TIMEOUT)
        .connect_timeout(TIMEOUT)
        .build()
        .map_err(OidcError::HttpClient)
}

pub(super) struct Answer {
    pub(super) status: StatusCode,
    body: Vec<u8>,
}

/// The whole answer, whatever its status, unless it is a redirect or too large.
pub(super) async fn ask(asked: Asked, request: RequestBuilder) -> Result<Answer, OidcError> {
    let response =
        request.header("accept", "application/json").send().await.map_err(|e| unreachable(asked, e))?;
    let status = response.status();
    if status.is_redirection() {
        return Err(OidcError::Redirected { asked });
    }
    Ok(Answer { status, body: read(asked, response).await? })
}

/// The JSON object of an answer that must be a success.
pub(super) async fn ask_for_object(asked: Asked, request: RequestBuilder) -> Result<Value, OidcError> {
    let answer = ask(asked, request).await?;
    if !answer.status.is_success() {
        return Err(OidcError::Status { asked, status: answer.status.as_u16() });
    }
    answer.object().ok_or(OidcError::Malformed { asked, problem: "the answer is not a JSON object" })
}

impl Answer {
    /// Why it does not parse is not said: the parser's message may quote the answer, and a token is in it.
    pub(super) fn object(&self) -> Option<Value> {
        object(&self.body)
    }
}

pub(super) fn object(bytes: &[u8]) -> Option<Value> {
    json::parse(bytes, MAX_DEPTH).ok().filter(Value::is_object)
}

/// Counts what arrives instead of believing the length that was announced.
async fn read(asked: Asked, mut response: Response) -> Result<Vec<u8>, OidcError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|e| unreachable(asked, e))? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(OidcError::TooLarge { asked, max_bytes: MAX_ANSWER_BYTES });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn unreachable(asked: Asked, error: reqwest::Error) -> OidcError {
    if error.is_timeout() {
        return slow(asked);
    }
    OidcError::Unreachable { asked, source: error.without_url() }
}

pub(super) fn slow(asked: Asked) -> OidcError {
    OidcError::Slow { asked, timeout_ms: u64::try_from(TIMEOUT.as_millis()).unwrap_or(u64::MAX) }
}
