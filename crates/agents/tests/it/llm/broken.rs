//! Servers that break their own wire format.

use std::{sync::Arc, time::Duration};

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_agents::llm::{Api, Arguments, Delta, StopReason, open};
use toolgate_domain::ErrorCode;
use toolgate_engine::SecretValue;

use crate::llm::{
    host::{Host, OPEN_STREAM, Reply, json as json_reply, respond, sse, sse_in_pieces},
    support::{KEY, NoWait, config, hello, opened, outside, provider, said, streamed},
};

/// A stream that says `hel` and then would go on.
fn beginning(api: Api) -> String {
    let events: Vec<Value> = match api {
        Api::OpenAiChat => vec![json!({"choices": [{"index": 0, "delta": {"content": "hel"}}]})],
        Api::OpenAiResponses => {
            vec![json!({"type": "response.output_text.delta", "output_index": 0, "delta": "hel"})]
        }
        Api::Anthropic => vec![
            json!({"type": "message_start", "message": {"content": [], "stop_reason": null}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hel"}}),
        ],
        _ => vec![json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "hel"}]}}]})],
    };
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// An answer with two calls of one id, the second with arguments that are not JSON where the format can say so.
fn twins(api: Api) -> Value {
    let bad = "{\"city\": \"Be";
    match api {
        Api::OpenAiChat => {
            json!({"model": "m", "choices": [{"finish_reason": "stop", "message": {"tool_calls": [
                {"id": "same", "function": {"name": "get_weather", "arguments": "{\"city\":\"Bern\"}"}},
                {"id": "same", "function": {"name": "no_such_tool", "arguments": bad}},
            ]}}]})
        }
        Api::OpenAiResponses => json!({"model": "m", "status": "completed", "output": [
            {"type": "function_call", "call_id": "same", "name": "get_weather", "arguments": "{\"city\":\"Bern\"}"},
            {"type": "function_call", "call_id": "same", "name": "no_such_tool", "arguments": bad},
        ]}),
        Api::Anthropic => json!({"model": "m", "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": "same", "name": "get_weather", "input": {"city": "Bern"}},
            {"type": "tool_use", "id": "same", "name": "no_such_tool", "input": bad},
        ]}),
        _ => json!({"modelVersion": "m", "candidates": [{"finishReason": "STOP", "content": {"parts": [
            {"functionCall": {"id": "same", "name": "get_weather", "args": {"city": "Bern"}}},
            {"functionCall": {"id": "same", "name": "no_such_tool", "args": bad}},
        ]}}]}),
    }
}

#[rstest]
#[tokio::test]
async fn a_stream_that_ends_early_is_an_error_and_is_not_begun_again_once_something_was_said(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let body = beginning(api);
    let host = Host::start(move |_| sse(&body)).await;
    let (provider, pace) = opened(&config(api, &host));
    let (turn, deltas) = streamed(&provider, &hello(api)).await;
    let error = turn.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, true), "{error}");
    assert_eq!(said(&deltas), "hel");
    assert_eq!((host.asked().len(), pace.0.lock().unwrap().len()), (1, 0));
}

#[rstest]
#[tokio::test]
async fn a_stream_that_says_nothing_at_all_is_asked_for_again(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let host = Host::start(|_| sse("")).await;
    let error = streamed(&provider(api, &host), &hello(api)).await.0.unwrap_err();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert_eq!(host.asked().len(), 3);
}

#[rstest]
#[tokio::test]
async fn a_connection_that_is_cut_in_the_middle_is_a_broken_answer(
    #[values(Api::OpenAiChat, Api::Gemini)] api: Api,
) {
    let host = Host::start(|_| {
        Reply::Bytes(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"a\""
                .to_vec(),
        )
    })
    .await;
    let error = provider(api, &host).chat(&hello(api), None).await.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, true));
    assert_eq!(host.asked().len(), 3);
}

#[rstest]
#[tokio::test]
async fn twins_get_ids_of_their_own_and_malformed_arguments_are_data(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
    #[values(false, true)] is_stream: bool,
) {
    let body = twins(api);
    let host = Host::start(move |_| json_reply(200, &body)).await;
    let provider = provider(api, &host);
    // A server that answers whole although a stream was asked for is understood.
    let (turn, deltas) = if is_stream {
        streamed(&provider, &hello(api)).await
    } else {
        (provider.chat(&hello(api), None).await, Vec::new())
    };
    let turn = turn.unwrap();
    let ids: Vec<&str> = turn.tool_calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["same", "same_2"]);
    assert_eq!(turn.tool_calls[0].arguments, Arguments::Json(json!({"city": "Bern"})));
    assert_eq!(turn.tool_calls[1].arguments, Arguments::Malformed("{\"city\": \"Be".into()));
    assert_eq!(turn.tool_calls[1].name, "no_such_tool");
    assert_eq!(turn.stop, StopReason::ToolCalls);
    if is_stream {
        let second = Delta::ToolCall { index: 1, id: "same_2".into(), name: "no_such_tool".into() };
        assert!(deltas.contains(&second), "{deltas:?}");
    }
}

#[rstest]
#[case(json!({"error": {"type": "rate_limit_error", "message": "slow"}}), ErrorCode::RateLimit, 3)]
#[case(json!({"error": {"message": "boom", "type": "server_error"}}), ErrorCode::ProviderError, 3)]
#[case(json!({"error": {"message": "no such model"}}), ErrorCode::ProviderError, 1)]
#[case(json!({"error": {"code": 401, "message": "no"}}), ErrorCode::AuthRequired, 1)]
#[case(json!({"nothing": "of the kind"}), ErrorCode::ProviderError, 3)]
#[case(json!([1, 2]), ErrorCode::ProviderError, 3)]
#[tokio::test]
async fn a_200_is_no_success_by_itself(
    #[case] body: Value,
    #[case] code: ErrorCode,
    #[case] asked: usize,
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
    #[values(false, true)] is_stream: bool,
) {
    let host = Host::start(
        move |_| if is_stream { sse(format!("data: {body}\n\n")) } else { json_reply(200, &body) },
    )
    .await;
    let provider = provider(api, &host);
    let error = if is_stream {
        streamed(&provider, &hello(api)).await.0.unwrap_err()
    } else {
        provider.chat(&hello(api), None).await.unwrap_err()
    };
    assert_eq!((error.code, host.asked().len()), (code, asked), "{error}");
}

#[rstest]
#[case("<html>not JSON</html>")]
#[case("")]
#[case("{\"choices\": [")]
#[tokio::test]
async fn an_answer_that_is_not_json_is_retried(#[case] body: &'static str) {
    let host = Host::start(move |_| json_reply(200, body)).await;
    let error = provider(Api::OpenAiChat, &host).chat(&hello(Api::OpenAiChat), None).await.unwrap_err();
    assert_eq!((error.code, error.is_retryable, host.asked().len()), (ErrorCode::ProviderError, true, 3));
}

#[tokio::test]
async fn an_event_that_is_not_json_breaks_the_stream() {
    let host = Host::start(|_| sse("data: {\"choices\": [\n\n")).await;
    let error = streamed(&provider(Api::OpenAiChat, &host), &hello(Api::OpenAiChat)).await.0.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, true));
}

#[rstest]
#[tokio::test]
async fn silence_in_a_stream_is_a_timeout(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let bytes = [OPEN_STREAM, beginning(api).as_bytes()].concat();
    let host = Host::start(move |_| Reply::Hang(bytes.clone())).await;
    let mut config = config(api, &host);
    config.idle_timeout_ms = 30;
    let (turn, deltas) = streamed(&opened(&config).0, &hello(api)).await;
    let error = turn.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::Timeout, true), "{error}");
    assert_eq!(said(&deltas), "hel");
}

#[rstest]
#[tokio::test]
async fn an_answer_has_its_time_altogether(#[values(false, true)] is_stream: bool) {
    let host = Host::start(|_| Reply::Hang(Vec::new())).await;
    let mut config = config(Api::OpenAiChat, &host);
    config.timeout_ms = 30;
    let provider = opened(&config).0;
    let request = hello(Api::OpenAiChat);
    let error = if is_stream {
        streamed(&provider, &request).await.0.unwrap_err()
    } else {
        provider.chat(&request, None).await.unwrap_err()
    };
    assert_eq!((error.code, error.is_retryable), (ErrorCode::Timeout, false));
    assert_eq!(host.asked().len(), 1, "what took all its time once would take it twice");
}

#[rstest]
#[case(10, 1_000_000, "more than 10 events")]
#[case(1_000_000, 10_000, "more than 10000 bytes")]
#[tokio::test]
async fn an_endless_stream_is_left(#[case] max_events: u64, #[case] max_bytes: u64, #[case] said: &str) {
    let event = b"data: {\"choices\": [{\"delta\": {\"content\": \"more \"}}]}\n\n".to_vec();
    let host = Host::start(move |_| Reply::Endless(OPEN_STREAM.to_vec(), event.clone())).await;
    let mut config = config(Api::OpenAiChat, &host);
    (config.max_stream_events, config.max_answer_bytes) = (max_events, max_bytes);
    let error = streamed(&opened(&config).0, &hello(Api::OpenAiChat)).await.0.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, false));
    assert!(error.message.contains(said), "{error}");
}

#[rstest]
#[tokio::test]
async fn one_line_without_an_end_is_left_too(#[values(true, false)] is_stream: bool) {
    let head = if is_stream {
        OPEN_STREAM.to_vec()
    } else {
        b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec()
    };
    let host = Host::start(move |_| Reply::Endless(head.clone(), vec![b'x'; 4096])).await;
    let mut config = config(Api::OpenAiChat, &host);
    config.max_answer_bytes = 100_000;
    let provider = opened(&config).0;
    let request = hello(Api::OpenAiChat);
    let error = if is_stream {
        streamed(&provider, &request).await.0.unwrap_err()
    } else {
        provider.chat(&request, None).await.unwrap_err()
    };
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, false), "{error}");
    assert_eq!(host.asked().len(), 1);
}

#[rstest]
#[case(401)]
#[case(500)]
#[case(200)]
#[tokio::test]
async fn a_server_that_repeats_the_key_is_not_repeated(#[case] status: u16) {
    let body = json!({"error": {"message": format!("bad key {KEY}")}, "id": KEY});
    let host = Host::start(move |_| json_reply(status, &body)).await;
    let error = provider(Api::OpenAiChat, &host).chat(&hello(Api::OpenAiChat), None).await.unwrap_err();
    assert!(error.message.contains("bad key [redacted]"), "{error}");
    assert!(!format!("{error:?}").contains(KEY));
}

#[tokio::test]
async fn the_key_is_not_in_what_is_kept_of_an_answer() {
    let body = json!({"model": KEY, "choices": [{"message": {"content": format!("you sent {KEY}")}}]});
    let host = Host::start(move |_| json_reply(200, &body)).await;
    let turn = provider(Api::OpenAiChat, &host).chat(&hello(Api::OpenAiChat), None).await.unwrap();
    assert!(!format!("{turn:?}").contains(KEY));
}

#[tokio::test]
async fn a_word_that_stands_for_no_key_stays_in_answers() {
    let body = json!({"model": "m", "choices": [{"message": {"content": "ollama runs models"}}]});
    let host = Host::start(move |_| json_reply(200, &body)).await;
    let key = SecretValue::new("ollama".into()).unwrap();
    let outside = outside(&Arc::new(NoWait::default()));
    let provider = open(&config(Api::OpenAiChat, &host), Some(key), &outside).unwrap();
    let turn = provider.chat(&hello(Api::OpenAiChat), None).await.unwrap();
    assert_eq!(turn.text.as_deref(), Some("ollama runs models"));
}

/// One event of a megabyte, a few bytes at a time: each piece must not cost what all before it cost.
#[tokio::test]
async fn a_long_line_in_small_pieces_is_read_once() {
    let text = "x".repeat(1 << 20);
    let event = json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]});
    let body = format!("data: {event}\n\n");
    let host = Host::start(move |_| sse_in_pieces(body.as_bytes(), 16)).await;
    let mut config = config(Api::OpenAiChat, &host);
    config.timeout_ms = 20_000;
    let (turn, _) = streamed(&opened(&config).0, &hello(Api::OpenAiChat)).await;
    assert_eq!(turn.unwrap().text.unwrap().len(), 1 << 20);
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_key() {
    let there = Host::start(|_| json_reply(200, json!({}))).await;
    let to = format!("http://{}/v1/chat/completions", there.address);
    let host = Host::start(move |_| respond(307, &[("location", &to)], "")).await;
    let error = provider(Api::OpenAiChat, &host).chat(&hello(Api::OpenAiChat), None).await.unwrap_err();
    assert_eq!((error.code, error.status, there.asked().len()), (ErrorCode::ProviderError, Some(307), 0));
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_a_network_error() {
    let host = Host::start(|_| json_reply(200, json!({}))).await;
    let config = config(Api::OpenAiChat, &host);
    drop(host);
    // The listener is gone when its task is; until then it would take the connection.
    while tokio::net::TcpStream::connect(
        config.base_url.as_deref().unwrap().trim_start_matches("http://").trim_end_matches("/v1"),
    )
    .await
    .is_ok()
    {
        tokio::task::yield_now().await;
    }
    let (provider, pace) = opened(&config);
    let error = provider.chat(&hello(Api::OpenAiChat), None).await.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::NetworkError, true));
    assert_eq!(*pace.0.lock().unwrap(), [Duration::from_millis(250), Duration::from_millis(500)]);
}
