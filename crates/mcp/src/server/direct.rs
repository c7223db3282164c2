//! The most frequent request, answered directly: a call of a tool in the newest revision, by a client that wants to hear its answer only.
//!
//! The SDK makes a transport, tasks and channels for every request, and reads its text more than once: more work than the governed call
//! itself. What is here knows only requests that are plain, and right in every respect. Whatever else comes is the SDK's to judge, from the
//! same bytes: no rule of the protocol is written down twice.

use std::{borrow::Cow, convert::Infallible, sync::Arc};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, ClientCapabilities, ErrorCode, JsonRpcVersion2_0,
        ProtocolVersion, RequestId, ServerJsonRpcMessage, ServerResult,
    },
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};
use tokio_util::sync::CancellationToken;
use toolgate_domain::{Caller, SpanRef, json};
use toolgate_engine::Finish;

use super::{
    Gateway,
    asker::{Asker, audience},
};

const METHOD: &str = "tools/call";
/// What an answer is written into; most fit.
const ANSWER_BYTES: usize = 1_024;

/// Whether a request says, before its body is read, that it is such a call.
pub(super) fn may_be_plain(head: &Parts, max_bytes: u64) -> bool {
    let headers = &head.headers;
    let says = |name: &str, test: fn(&str) -> bool| only(headers, name).is_some_and(test);
    head.method == http::Method::POST
        && says("mcp-method", |method| method == METHOD)
        && says("mcp-protocol-version", |version| version == ProtocolVersion::V_2026_07_28.as_str())
        && says("content-type", |kind| kind.starts_with("application/json"))
        && says("accept", |kinds| kinds.contains("application/json") && kinds.contains("text/event-stream"))
        && only(headers, "content-length")
            .and_then(|length| length.parse::<u64>().ok())
            .is_some_and(|length| length <= max_bytes)
}

/// The text of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

/// A call that the SDK would find nothing wrong with.
pub(super) struct Plain {
    id: RequestId,
    request: CallToolRequestParams,
    can: ClientCapabilities,
    traceparent: Option<SpanRef>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    #[serde(rename = "jsonrpc")]
    _jsonrpc: JsonRpcVersion2_0,
    id: RequestId,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params<'a> {
    name: String,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Meta<'a>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Cow<'a, str>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    can: ClientCapabilities,
    #[serde(borrow)]
    traceparent: Option<Cow<'a, str>>,
    #[serde(rename = "progressToken")]
    progress: Option<IgnoredAny>,
    #[serde(rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<IgnoredAny>,
}

impl Plain {
    pub(super) fn read(head: &Parts, body: &[u8], max_depth: usize) -> Option<Self> {
        let mut reader = serde_json::Deserializer::from_slice(body);
        let Message { id, method, params, .. } = Message::deserialize(&mut reader).ok()?;
        reader.end().ok()?;
        let meta = &params.meta;
        let wants_to_hear = meta.progress.is_some() || meta.log_level.is_some();
        let agrees = method == METHOD
            && meta.version == ProtocolVersion::V_2026_07_28.as_str()
            && only(&head.headers, "mcp-name") == Some(params.name.as_str());
        if wants_to_hear || !agrees {
            return None;
        }
        let span = meta.traceparent.as_deref().or_else(|| head.headers.get("traceparent")?.to_str().ok());
        let traceparent = span.and_then(SpanRef::from_traceparent);
        let mut request = CallToolRequestParams::new(params.name);
        if let Some(arguments) = params.arguments {
            let Ok(Value::Object(arguments)) = json::parse(arguments.get().as_bytes(), max_depth) else {
                return None;
            };
            request.arguments = Some(arguments);
        }
        Some(Self { id, request, can: params.meta.can, traceparent })
    }

    /// Makes the call. A client that hangs up takes it back.
    pub(super) async fn answer(
        self,
        gateway: Arc<Gateway>,
        caller: Caller,
        stopping: &CancellationToken,
    ) -> Response<BoxBody<Bytes, Infallible>> {
        let gone = stopping.child_token();
        let hung_up = gone.clone().drop_guard();
        let asker = Asker {
            newest: true,
            audience: audience(&self.can),
            knows_tasks: self.can.supports_tasks(),
            progress: None,
            log_level: None,
            traceparent: self.traceparent,
            gone,
            peer: None,
        };
        let request = self.request;
        // It goes on without us where the client hangs up: a call that is taken back has an end as well.
        let call = Finish::new(async move { gateway.call(caller, request, &asker).await });
        let answered = call.await;
        hung_up.disarm();
        response(self.id, answered)
    }
}

fn response(
    id: RequestId,
    answered: Result<CallToolResponse, ErrorData>,
) -> Response<BoxBody<Bytes, Infallible>> {
    let (status, message) = match answered {
        Ok(answer) => (StatusCode::OK, ServerJsonRpcMessage::response(ServerResult::from(answer), id)),
        Err(error) => {
            let lacks = error.code == ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
            let status = if lacks { StatusCode::BAD_REQUEST } else { StatusCode::OK };
            (status, ServerJsonRpcMessage::error(error, Some(id)))
        }
    };
    let mut text = Vec::with_capacity(ANSWER_BYTES);
    if let Err(error) = serde_json::to_writer(&mut text, &message) {
        tracing::error!(%error, "an answer cannot be written");
        return told(StatusCode::INTERNAL_SERVER_ERROR, "the answer cannot be written");
    }
    let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An answer outside of the protocol.
pub(super) fn told(status: StatusCode, words: &'static str) -> Response<BoxBody<Bytes, Infallible>> {
    let mut response = Response::new(Full::new(Bytes::from_static(words.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use http::Request;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    const BODY: &str = r#"{"jsonrpc":"2.0","id":"a-1","method":"tools/call","params":{"name":"echo","arguments":{"n":[1]},"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},
        "io.modelcontextprotocol/clientCapabilities":{"roots":{}},
        "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","theirs/own":1}}}"#;

    fn head(change: (&'static str, &'static str)) -> Parts {
        let plain = [
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json; charset=utf-8"),
            ("content-length", "64"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "echo"),
        ];
        let mut request = Request::post("/mcp").body(()).unwrap();
        for (name, value) in plain.into_iter().filter(|(name, _)| *name != change.0).chain([change]) {
            for value in value.split('|').filter(|value| !value.is_empty()) {
                request.headers_mut().append(name, HeaderValue::from_static(value));
            }
        }
        request.into_parts().0
    }

    fn is_plain(head: &Parts, body: &str) -> bool {
        may_be_plain(head, 64) && Plain::read(head, body.as_bytes(), 8).is_some()
    }

    #[test]
    fn a_plain_call_is_read_as_it_was_written() {
        let head = head(("x-other", "1"));
        assert!(may_be_plain(&head, 64));
        let plain = Plain::read(&head, BODY.as_bytes(), 8).unwrap();
        assert_eq!(plain.id, RequestId::String("a-1".into()));
        assert_eq!(plain.request.name, "echo");
        assert_eq!(json!(plain.request.arguments), json!({"n": [1]}));
        assert!(audience(&plain.can).roots);
        let span = SpanRef::from_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        assert_eq!(plain.traceparent, span);
        assert!(span.is_some());
    }

    #[rstest]
    #[case::another_method(("mcp-method", "tools/list"))]
    #[case::no_method(("mcp-method", ""))]
    #[case::another_name(("mcp-name", "other"))]
    #[case::an_encoded_name(("mcp-name", "=?base64?ZWNobw==?="))]
    #[case::two_names(("mcp-name", "echo|other"))]
    #[case::another_revision(("mcp-protocol-version", "2025-11-25"))]
    #[case::a_revision_to_come(("mcp-protocol-version", "2027-01-01"))]
    #[case::two_revisions(("mcp-protocol-version", "2026-07-28|2025-11-25"))]
    #[case::no_streams(("accept", "application/json"))]
    #[case::another_content(("content-type", "text/plain"))]
    #[case::no_length(("content-length", ""))]
    #[case::too_long(("content-length", "65"))]
    fn what_the_headers_say_otherwise_is_the_sdks(#[case] change: (&'static str, &'static str)) {
        assert!(!is_plain(&head(change), BODY));
    }

    #[rstest]
    #[case::no_json("\"2.0\"", "\"2.0")]
    #[case::more_behind("}}}", "}}} {}")]
    #[case::another_jsonrpc("\"2.0\"", "\"1.0\"")]
    #[case::a_notification("\"id\":\"a-1\",", "")]
    #[case::an_odd_id("\"a-1\"", "null")]
    #[case::another_method("tools/call", "tools/list")]
    #[case::a_member_that_is_not_known("\"id\"", "\"odd\":1,\"id\"")]
    #[case::a_parameter_that_is_not_known("\"name\":\"echo\"", "\"name\":\"echo\",\"odd\":1")]
    #[case::a_state("\"name\":\"echo\"", "\"name\":\"echo\",\"requestState\":\"s\"")]
    #[case::two_names("\"name\":\"echo\"", "\"name\":\"echo\",\"name\":\"other\"")]
    #[case::no_object("{\"n\":[1]}", "[1]")]
    #[case::a_key_twice("{\"n\":[1]}", "{\"n\":1,\"n\":2}")]
    #[case::too_deep("[1]", "[[[[[[[[1]]]]]]]]")]
    #[case::another_revision("2026-07-28", "2025-11-25")]
    #[case::no_capabilities("clientCapabilities", "other")]
    #[case::odd_capabilities("{\"roots\":{}}", "7")]
    #[case::wants_progress("\"theirs/own\"", "\"progressToken\"")]
    #[case::wants_logs("\"theirs/own\":1", "\"io.modelcontextprotocol/logLevel\":\"info\"")]
    fn what_the_body_says_otherwise_is_the_sdks(#[case] from: &str, #[case] to: &str) {
        assert!(BODY.contains(from));
        assert!(!is_plain(&head(("x-other", "1")), &BODY.replacen(from, to, 1)));
    }
}
