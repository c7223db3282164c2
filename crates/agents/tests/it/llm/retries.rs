//! When it is asked again, and how long that waits.

use std::time::Duration;

use rstest::rstest;
use serde_json::json;
use toolgate_agents::llm::{Api, Delta};
use toolgate_domain::ErrorCode;

use crate::llm::{
    host::{Host, Reply, json as json_reply, respond, sse},
    support::{config, hello, opened, streamed},
};

fn good() -> Reply {
    json_reply(
        200,
        json!({"model": "m", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}),
    )
}

#[rstest]
#[case("3", 3)]
#[case("Sat, 01 Jan 2000 00:00:00 GMT", 10)]
#[case("0", 0)]
#[tokio::test]
async fn too_many_then_success_waits_as_long_as_it_was_told(
    #[case] header: &'static str,
    #[case] seconds: u64,
) {
    let host = Host::start(move |number| match number {
        0 => respond(429, &[("retry-after", header)], ""),
        _ => good(),
    })
    .await;
    let (provider, pace) = opened(&config(Api::OpenAiChat, &host));
    let turn = provider.chat(&hello(Api::OpenAiChat), None).await.unwrap();
    assert_eq!(turn.text.as_deref(), Some("hi"));
    assert_eq!(host.asked().len(), 2);
    assert_eq!(host.asked()[0].body, host.asked()[1].body);
    // Never sooner than after the pause that a failure costs anyway.
    let waited = Duration::from_secs(seconds).max(Duration::from_millis(250));
    assert_eq!(*pace.0.lock().unwrap(), [waited]);
}

#[tokio::test]
async fn who_is_told_to_wait_too_long_is_told_so_at_once() {
    let host = Host::start(|_| respond(429, &[("retry-after", "3600")], "")).await;
    let (provider, pace) = opened(&config(Api::OpenAiChat, &host));
    let error = provider.chat(&hello(Api::OpenAiChat), None).await.unwrap_err();
    assert_eq!(
        (error.code, error.retry_after_s, error.status),
        (ErrorCode::RateLimit, Some(3600), Some(429))
    );
    assert_eq!((host.asked().len(), pace.0.lock().unwrap().len()), (1, 0));
}

#[rstest]
#[tokio::test]
async fn failures_for_ever_end(
    #[values(500, 502, 529)] status: u16,
    #[values(false, true)] is_stream: bool,
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let host = Host::start(move |_| respond(status, &[], "oh no")).await;
    let mut config = config(api, &host);
    config.max_retries = 3;
    let (provider, pace) = opened(&config);
    let error = if is_stream {
        streamed(&provider, &hello(api)).await.0.unwrap_err()
    } else {
        provider.chat(&hello(api), None).await.unwrap_err()
    };
    assert_eq!(
        (error.code, error.is_retryable, error.status),
        (ErrorCode::ProviderError, true, Some(status))
    );
    assert_eq!(host.asked().len(), 4);
    let waits: Vec<u128> = pace.0.lock().unwrap().iter().map(Duration::as_millis).collect();
    assert_eq!(waits, [250, 500, 1000]);
}

#[rstest]
#[case(400, ErrorCode::ProviderError)]
#[case(401, ErrorCode::AuthRequired)]
#[case(403, ErrorCode::AuthRequired)]
#[case(404, ErrorCode::ProviderError)]
#[tokio::test]
async fn what_would_fail_again_is_not_tried_again(#[case] status: u16, #[case] code: ErrorCode) {
    let host = Host::start(move |_| respond(status, &[], "no")).await;
    let (provider, _) = opened(&config(Api::Anthropic, &host));
    let error = provider.chat(&hello(Api::Anthropic), None).await.unwrap_err();
    assert_eq!((error.code, error.is_retryable, host.asked().len()), (code, false, 1));
}

#[tokio::test]
async fn a_stream_is_begun_again_as_long_as_nothing_was_said() {
    let whole = "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let host = Host::start(move |number| match number {
        // A first event that says nothing, and then the end.
        0 => sse("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"),
        1 => sse("data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n"),
        _ => sse(whole),
    })
    .await;
    let (provider, _) = opened(&config(Api::OpenAiChat, &host));
    let (turn, deltas) = streamed(&provider, &hello(Api::OpenAiChat)).await;
    assert_eq!(turn.unwrap().text.as_deref(), Some("hi"));
    assert_eq!(deltas, [Delta::Text("hi".into())]);
    assert_eq!(host.asked().len(), 3);
}
