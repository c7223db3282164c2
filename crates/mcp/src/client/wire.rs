//! Streamable HTTP as it is spoken from here: by a client that stands behind the wall, and reads no more than it may.

use std::{collections::HashMap, sync::Arc};

use bytes::{Bytes, BytesMut};
use futures::{StreamExt, stream::BoxStream};
use reqwest::{
    RequestBuilder, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE},
};
use rmcp::{
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorData, GetExtensions, GetMeta, ServerJsonRpcMessage,
        ServerNotification,
    },
    transport::streamable_http_client::{
        AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
        StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::{Sse, SseStream};

use super::{auth::Hush, listening::Listening, notices::Ear, sse};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: &str = "mcp-session-id";
const LAST_EVENT: &str = "last-event-id";
const TRACEPARENT: &str = "traceparent";
/// Bytes of the body of a refusal that are read.
const MAX_REFUSAL_BYTES: usize = 64 * 1024;
const MAX_CHALLENGE_BYTES: usize = 8 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum WireError {
    #[error("the upstream cannot be talked to: {why}")]
    Send { why: String, is_connect: bool },
    #[error("the upstream answers with more than {max_bytes} bytes")]
    TooLarge { max_bytes: usize },
    #[error("the upstream leads to another address, where nobody follows")]
    Redirect,
    #[error("the upstream names a session that no header can hold")]
    Header,
}

impl From<reqwest::Error> for WireError {
    /// The address is left out: its query may hold a secret.
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let is_connect = error.is_connect();
        let mut cause: &dyn std::error::Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let why = cause.to_string().chars().filter(|c| !c.is_control()).take(300).collect();
        Self::Send { why, is_connect }
    }
}

type Failed = StreamableHttpError<WireError>;
type Headers = HashMap<HeaderName, HeaderValue>;

fn failed(error: impl Into<WireError>) -> Failed {
    StreamableHttpError::Client(error.into())
}

/// The HTTP client of the protocol.
#[derive(Clone)]
pub struct Wire {
    http: reqwest::Client,
    max_bytes: usize,
    /// Takes tokens out of what comes back, at the one place that everything passes.
    hush: Option<Arc<Hush>>,
    listening: Listening,
}

impl Wire {
    /// `max_bytes`: of one message that is read.
    pub fn new(http: reqwest::Client, max_bytes: usize) -> Self {
        Self { http, max_bytes, hush: None, listening: Listening::default() }
    }

    pub fn with_hush(mut self, hush: Arc<Hush>) -> Self {
        self.hush = Some(hush);
        self
    }
}

impl Wire {
    async fn send(
        &self,
        mut request: RequestBuilder,
        session: Option<&str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Response, Failed> {
        if let Some(token) = token {
            if let Some(hush) = &self.hush {
                hush.sends(&token);
            }
            request = request.bearer_auth(token);
        }
        if let Some(session) = session {
            let session = HeaderValue::from_str(session).map_err(|_| failed(WireError::Header))?;
            request = request.header(SESSION, session);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(failed)?;
        match response.status() {
            StatusCode::UNAUTHORIZED => {
                Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge(&response))))
            }
            StatusCode::FORBIDDEN => {
                let challenge = challenge(&response);
                Err(StreamableHttpError::InsufficientScope(InsufficientScopeError::new(challenge, None)))
            }
            status if status.is_redirection() => Err(failed(WireError::Redirect)),
            StatusCode::TOO_MANY_REQUESTS => Err(status_error(&response).into()),
            _ => Ok(response),
        }
    }

    /// Reads until the bound, and no byte further.
    async fn read(&self, mut response: Response, max_bytes: usize) -> Result<Bytes, Failed> {
        let too_large = || failed(WireError::TooLarge { max_bytes });
        if response.content_length().is_some_and(|length| length > max_bytes as u64) {
            return Err(too_large());
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > max_bytes {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        let redacted = self.hush.as_ref().zip(std::str::from_utf8(&body).ok());
        let redacted = redacted.and_then(|(hush, text)| hush.redacted(text));
        Ok(redacted.map_or_else(|| body.freeze(), Bytes::from))
    }

    /// What is not a success may still be an answer in the protocol's words.
    async fn refusal(
        &self,
        response: Response,
        message: &ClientJsonRpcMessage,
        in_session: bool,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let (status, is_json) = (response.status(), is(&response, JSON));
        let status_error = status_error(&response);
        let session = session_of(&response);
        let body = if is_json || status.is_client_error() {
            self.read(response, MAX_REFUSAL_BYTES).await.unwrap_or_default()
        } else {
            Bytes::new()
        };
        let said = match message_of(&body) {
            Some(ServerJsonRpcMessage::Error(error)) => Some(error),
            _ => None,
        };
        if let Some(id) = discovery(message)
            && !in_session
            && status.is_client_error()
        {
            // A server of an older revision refuses what it does not know: the SDK then greets it the old way.
            let error = said.map_or_else(
                || ErrorData::invalid_request(format!("discovery is refused ({status})"), None),
                |said| said.error,
            );
            return Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(error, Some(id)), None));
        }
        match said {
            Some(error) if is_json => {
                Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Error(error), session))
            }
            _ if status.is_server_error() => Err(status_error.into()),
            _ => Err(StreamableHttpError::UnexpectedServerResponse(format!("HTTP {status}").into())),
        }
    }
}

impl Wire {
    /// The events of a response, each within the bound. What is logged on the stream of a call's answer belongs to that call.
    fn events(&self, response: Response, ear: Option<Ear>) -> BoxStream<'static, Result<Sse, SseError>> {
        let hush = self.hush.clone();
        let outgrown = ear.clone();
        let too_large = move || outgrown.iter().for_each(Ear::outgrown);
        let bytes = sse::bounded(response.bytes_stream(), self.max_bytes, too_large);
        let stream = SseStream::from_bytes_stream(bytes);
        let heard = move |event: Sse| {
            let event = match &hush {
                Some(hush) => quiet(event, hush),
                None => event,
            };
            match &ear {
                Some(ear) => not_logged(event, ear),
                None => Some(event),
            }
        };
        let passed = move |event: Result<Sse, SseError>| event.map(&heard).transpose();
        stream.filter_map(move |event| futures::future::ready(passed(event))).boxed()
    }
}

impl StreamableHttpClient for Wire {
    type Error = WireError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        self.listening.ready(&message, session_id.as_ref()).await;
        let body = serde_json::to_vec(&message)?;
        let mut request = self
            .http
            .post(uri.as_ref())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, JSON)
            .body(body);
        // The protocol has it in the message. What stands between here and the upstream reads headers only.
        if let ClientJsonRpcMessage::Request(sent) = &message
            && let Some(span) = sent.request.get_meta().get_traceparent()
            && !custom_headers.contains_key(TRACEPARENT)
        {
            request = request.header(TRACEPARENT, span);
        }
        let response = self.send(request, session_id.as_deref(), auth_header, custom_headers).await?;
        let status = response.status();
        let expects_answer = matches!(message, ClientJsonRpcMessage::Request(_));
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refusal(response, &message, session_id.is_some()).await;
        }
        let session = session_of(&response);
        if is(&response, EVENTS) {
            let ear = match &message {
                ClientJsonRpcMessage::Request(sent) => sent.request.extensions().get::<Ear>().cloned(),
                _ => None,
            };
            let stream = self.events(response, ear);
            return Ok(StreamableHttpPostResponse::Sse(stream, session));
        }
        if !expects_answer {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if !is(&response, JSON) {
            return Err(StreamableHttpError::UnexpectedContentType(None));
        }
        let body = self.read(response, self.max_bytes).await?;
        match message_of(&body) {
            Some(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
            None => Err(StreamableHttpError::UnexpectedServerResponse("its answer is no message".into())),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Failed> {
        let request = self.http.delete(uri.as_ref());
        // Whatever it says: the session is not used any more.
        self.send(request, Some(&session_id), auth_header, custom_headers).await.map(drop)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        let mut request = self.http.get(uri.as_ref()).header(ACCEPT, EVENTS);
        if let Some(last) = last_event_id {
            let last = HeaderValue::from_str(&last).map_err(|_| failed(WireError::Header))?;
            request = request.header(LAST_EVENT, last);
        }
        let opened = self.send(request, session_id.as_deref(), auth_header, custom_headers).await;
        // Whoever is refused for the token may come again with another one.
        if !matches!(opened, Err(StreamableHttpError::AuthRequired(_))) {
            self.listening.opened(session_id.as_ref());
        }
        let response = opened?;
        match response.status() {
            status if status.is_success() && is(&response, EVENTS) => Ok(self.events(response, None)),
            status if status.is_server_error() => Err(status_error(&response).into()),
            // Nothing is said outside answers, then.
            _ => Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
    }
}

fn quiet(mut event: Sse, hush: &Hush) -> Sse {
    if let Some(redacted) = event.data.as_deref().and_then(|data| hush.redacted(data)) {
        event.data = Some(redacted);
    }
    event
}

fn not_logged(event: Sse, ear: &Ear) -> Option<Sse> {
    let data = event.data.as_deref().unwrap_or_default();
    if data.contains("notifications/message")
        && let Some(ServerJsonRpcMessage::Notification(told)) = message_of(data.as_bytes())
        && let ServerNotification::LoggingMessageNotification(log) = told.notification
    {
        ear.log(log.params);
        // Its id still counts: whoever resumes the stream resumes after it.
        return event.id.is_some().then_some(Sse { data: None, ..event });
    }
    Some(event)
}

fn message_of(bytes: &[u8]) -> Option<ServerJsonRpcMessage> {
    serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()
}

fn discovery(message: &ClientJsonRpcMessage) -> Option<rmcp::model::RequestId> {
    match message {
        ClientJsonRpcMessage::Request(sent) if matches!(sent.request, ClientRequest::DiscoverRequest(_)) => {
            Some(sent.id.clone())
        }
        _ => None,
    }
}

fn is(response: &Response, media: &str) -> bool {
    let said = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    said.len() >= media.len() && said[..media.len()].eq_ignore_ascii_case(media.as_bytes())
}

fn session_of(response: &Response) -> Option<String> {
    response.headers().get(SESSION)?.to_str().ok().map(str::to_owned)
}

fn challenge(response: &Response) -> String {
    let said = response.headers().get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
    said.filter(|text| text.len() <= MAX_CHALLENGE_BYTES).unwrap_or_default().to_owned()
}

fn status_error(response: &Response) -> HttpStatusError {
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    HttpStatusError::new(response.status().as_u16(), retry_after.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_of_log_on_the_stream_of_an_answer_goes_to_its_call_and_the_rest_passes() {
        let (ear, mut heard, _) = Ear::new(1_000);
        let event = |data: serde_json::Value| Sse::default().data(data.to_string());
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
        assert!(not_logged(event(log), &ear).is_none());
        assert_eq!(heard.try_recv().unwrap(), json!({"type": "log", "level": "info", "data": 1}));
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}});
        assert!(not_logged(event(answer), &ear).is_some());
    }
}
