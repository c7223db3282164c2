//! Asks over HTTP: build, send, read, and ask again where it is of use.
//!
//! 1. The adapter makes the request, once for all attempts.
//! 2. An attempt sends it and reads the answer, whole or as a stream, within its time and its size.
//! 3. A failure that may pass is tried again after a pause, as long as nothing was handed out yet.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, pin_mut};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::ErrorCode;
use toolgate_engine::SecretValue;
use url::Url;

use super::{
    Arguments, ChatRequest, Delta, LlmError, Outside, Turn,
    failure::{broken, of_body, of_status},
    legal::Legal,
    retry::{retry_after_s, wait_after},
    sse::{Bounds, beginning, events, whole},
    wire::Wire,
};

/// Bytes of an error's body that are read.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// Keys of fewer bytes are words that stand for none (`ollama`), and words belong to answers.
const MIN_KEY_BYTES: usize = 16;

pub(super) struct Client {
    pub(super) outside: Outside,
    /// Without a slash at its end.
    pub(super) base_url: Url,
    pub(super) headers: HeaderMap,
    pub(super) key: Option<SecretValue>,
    pub(super) bounds: Bounds,
    pub(super) max_retries: u32,
}

/// One request, ready to be sent any number of times.
struct Prepared {
    url: Url,
    body: Bytes,
    headers: HeaderMap,
    legal: Arc<Legal>,
}

impl Client {
    pub(super) async fn ask(
        &self,
        wire: &dyn Wire,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError> {
        let prepared = self.prepare(wire, request, deltas.is_some())?;
        let mut out = Out { sender: deltas, handed_out: false };
        let mut attempt = 0;
        loop {
            let tried =
                tokio::time::timeout(self.bounds.total, Box::pin(self.attempt(wire, &prepared, &mut out)));
            let error = match tried.await {
                Ok(Ok(turn)) => return Ok(turn),
                Ok(Err(error)) => error,
                // Not tried again: what took all its time once would take it twice.
                Err(_) => LlmError::new(
                    ErrorCode::Timeout,
                    format!("no answer within {} ms", self.bounds.total.as_millis()),
                ),
            };
            let error = LlmError { message: self.scrubbed(error.message), ..error };
            let wait = wait_after(&error, attempt, self.max_retries, self.outside.pace.jitter());
            // What was handed out cannot be taken back: a second answer would begin with other words.
            let Some(wait) = wait.filter(|_| !out.handed_out) else { return Err(error) };
            tracing::debug!(code = %error.code, attempt, wait_ms = wait.as_millis(), "asking the model again");
            self.outside.pace.sleep(wait).await;
            attempt += 1;
        }
    }

    fn prepare(&self, wire: &dyn Wire, request: &ChatRequest, stream: bool) -> Result<Prepared, LlmError> {
        let legal = Arc::new(Legal::of(wire.name_rule(), request));
        let outgoing = wire.outgoing(request, &legal, stream)?;
        let internal = |what: &str| LlmError::new(ErrorCode::Unknown, format!("the request has no {what}"));
        let base = self.base_url.as_str().trim_end_matches('/');
        let url = Url::parse(&format!("{base}/{}", outgoing.path)).map_err(|_| internal("address"))?;
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in wire.headers() {
            headers.entry(*name).or_insert(HeaderValue::from_static(value));
        }
        if let Some(key) = &self.key {
            let (name, value) = wire.key(key.expose());
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                LlmError::new(ErrorCode::AuthRequired, "the key holds characters that no header may have")
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let body = serde_json::to_vec(&outgoing.body).map_err(|_| internal("JSON form"))?;
        Ok(Prepared { url, body: body.into(), headers, legal })
    }

    async fn attempt(&self, wire: &dyn Wire, prepared: &Prepared, out: &mut Out) -> Result<Turn, LlmError> {
        let sent = self
            .outside
            .http()?
            .post(prepared.url.clone())
            .headers(prepared.headers.clone())
            .body(prepared.body.clone());
        let response = sent.send().await.map_err(|error| unreachable_host(&error))?;
        let status = response.status();
        if !status.is_success() {
            let retry_after_s = retry_after_s(response.headers(), self.outside.clock.now());
            let body = beginning(response, MAX_ERROR_BYTES).await;
            return Err(of_status(status.as_u16(), &String::from_utf8_lossy(&body), retry_after_s));
        }
        // A server that cannot stream answers whole; so do many when they fail.
        if out.sender.is_some() && is_event_stream(&response) {
            return self.stream(wire, prepared, response, out).await;
        }
        let body = whole(response, self.bounds.max_answer_bytes).await?;
        let text = String::from_utf8(body).map_err(|_| broken("the answer is not UTF-8"))?;
        let turn = self.read(wire, prepared, text)?;
        out.send_whole(&turn).await;
        Ok(turn)
    }

    async fn stream(
        &self,
        wire: &dyn Wire,
        prepared: &Prepared,
        response: Response,
        out: &mut Out,
    ) -> Result<Turn, LlmError> {
        let mut assembler = wire.assembler(&prepared.legal);
        let events = events(response, self.bounds);
        pin_mut!(events);
        let mut deltas = Vec::new();
        // Bounded by the number of events.
        while let Some(event) = events.next().await {
            let is_over = assembler.take(&self.answer(event?), &mut deltas)?;
            for delta in deltas.drain(..) {
                out.send(delta).await;
            }
            if is_over {
                break;
            }
        }
        wire.turn(assembler.finish()?, &prepared.legal)
    }

    fn read(&self, wire: &dyn Wire, prepared: &Prepared, text: String) -> Result<Turn, LlmError> {
        // Not the strict reader of the domain: an answer may hold numbers that nobody reads. The arguments of calls are held against
        // the strict rules one by one.
        let raw: Value =
            serde_json::from_str(&self.answer(text)).map_err(|_| broken("the answer is not JSON"))?;
        match of_body(&raw) {
            Some(error) => Err(error),
            None => wire.turn(raw, &prepared.legal),
        }
    }

    /// An answer is kept: a key that a server repeats in it is not.
    fn answer(&self, text: String) -> String {
        let is_key = self.key.as_ref().is_some_and(|key| key.expose().len() >= MIN_KEY_BYTES);
        if is_key { self.scrubbed(text) } else { text }
    }

    /// The text without the key, should a server repeat it.
    fn scrubbed(&self, text: String) -> String {
        match &self.key {
            Some(key) if text.contains(key.expose()) => text.replace(key.expose(), "[redacted]"),
            _ => text,
        }
    }
}

/// Where the pieces go.
struct Out {
    sender: Option<mpsc::Sender<Delta>>,
    handed_out: bool,
}

impl Out {
    async fn send(&mut self, delta: Delta) {
        if let Some(sender) = &self.sender {
            self.handed_out = true;
            // Who does not listen any more gets the whole in the end.
            let _ = sender.send(delta).await;
        }
    }

    /// An answer that came whole, in the pieces that it has.
    async fn send_whole(&mut self, turn: &Turn) {
        if self.sender.is_none() {
            return;
        }
        if let Some(text) = &turn.text {
            self.send(Delta::Text(text.clone())).await;
        }
        for (index, call) in turn.tool_calls.iter().enumerate() {
            self.send(Delta::ToolCall { index, id: call.id.clone(), name: call.name.clone() }).await;
            let part = match &call.arguments {
                Arguments::Json(value) => value.to_string(),
                Arguments::Malformed(text) => text.clone(),
            };
            self.send(Delta::Arguments { index, part }).await;
        }
    }
}

fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("text/event-stream"))
}

/// What reqwest says of its own holds the address; the address is the operator's business.
fn unreachable_host(error: &reqwest::Error) -> LlmError {
    let what = if error.is_connect() && error.is_timeout() {
        "the connection was not made in time"
    } else if error.is_connect() {
        "no connection to the provider"
    } else {
        "the connection to the provider broke"
    };
    LlmError::new(ErrorCode::NetworkError, what).retryable()
}
