//! Streams as servers really send them: in odd pieces, with odd line ends, in odd dialects.

use rstest::rstest;
use serde_json::json;
use toolgate_agents::llm::{Api, Arguments, Delta, StopReason};

use crate::llm::{
    host::{Host, OPEN_STREAM, Reply, sse, sse_in_pieces},
    support::{APIS, conversation, hello, provider, said, streamed},
};

fn fixture(api: Api) -> String {
    let name = serde_json::to_value(api).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/llm/fixtures");
    std::fs::read_to_string(format!("{folder}/{}/stream.in.sse", name.as_str().unwrap())).unwrap()
}

#[rstest]
#[tokio::test]
async fn pieces_of_any_size_make_the_same_turn(#[values(1, 2, 3, 7, 64, 1_000)] size: usize) {
    for api in APIS {
        let body = fixture(api);
        let whole = Host::start({
            let body = body.clone();
            move |_| sse(&body)
        })
        .await;
        let host = Host::start(move |_| sse_in_pieces(body.as_bytes(), size)).await;
        let request = conversation(api);
        let one = streamed(&provider(api, &whole), &request).await;
        let other = streamed(&provider(api, &host), &request).await;
        assert_eq!(one, other);
        assert_eq!(said(&other.1), "Let me look: Zürich…");
    }
}

#[rstest]
#[tokio::test]
async fn line_ends_of_any_kind_make_the_same_turn(
    #[values("\r\n", "\r")] end: &'static str,
    #[values(1, 5, 10_000)] size: usize,
) {
    for api in APIS {
        let body = fixture(api).replace('\n', end);
        let host = Host::start(move |_| sse_in_pieces(body.as_bytes(), size)).await;
        let (turn, deltas) = streamed(&provider(api, &host), &conversation(api)).await;
        assert_eq!(said(&deltas), "Let me look: Zürich…");
        assert_eq!(turn.unwrap().tool_calls.len(), 2);
    }
}

#[rstest]
#[tokio::test]
async fn data_over_several_lines_is_one_event(#[values("\n", "\r\n")] end: &'static str) {
    let body = [
        ": a comment",
        "data: {\"model\": \"m\",",
        "data:  \"choices\": [{\"delta\": {\"content\": \"hi\"},",
        "data:  \"finish_reason\": \"stop\"}]}",
        "",
        "data:[DONE]",
        "",
        "",
    ]
    .join(end);
    for size in [1, 4, 1_000] {
        let body = body.clone();
        let host = Host::start(move |_| sse_in_pieces(body.as_bytes(), size)).await;
        let (turn, _) = streamed(&provider(Api::OpenAiChat, &host), &hello(Api::OpenAiChat)).await;
        let turn = turn.unwrap();
        assert_eq!((turn.text.as_deref(), turn.stop), (Some("hi"), StopReason::End));
    }
}

/// Some servers give every call the index 0, or none, and some send the arguments as an object.
#[rstest]
#[case(json!([{"index": 0, "id": "a", "function": {"name": "one", "arguments": "{}"}}]),
       json!([{"index": 0, "id": "b", "function": {"name": "two", "arguments": "{\"x\":1}"}}]))]
#[case(json!([{"id": "a", "function": {"name": "one", "arguments": "{}"}}]),
       json!([{"id": "b", "function": {"name": "two", "arguments": {"x": 1}}}]))]
#[case(json!([{"id": "a", "function": {"name": "one", "arguments": ""}}, {"id": "a", "function": {"name": "two", "arguments": "{\"x\""}}]),
       json!([{"function": {"arguments": ":1}"}}]))]
#[tokio::test]
async fn calls_are_told_apart_whatever_a_server_counts(
    #[case] first: serde_json::Value,
    #[case] second: serde_json::Value,
) {
    let event = |calls: &serde_json::Value| {
        format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": calls}}]}))
    };
    let body = format!("{}{}data: [DONE]\n\n", event(&first), event(&second));
    let host = Host::start(move |_| sse(&body)).await;
    let (turn, deltas) = streamed(&provider(Api::OpenAiChat, &host), &hello(Api::OpenAiChat)).await;
    let turn = turn.unwrap();
    let calls: Vec<(&str, &Arguments)> =
        turn.tool_calls.iter().map(|call| (call.name.as_str(), &call.arguments)).collect();
    assert_eq!(calls, [("one", &Arguments::Json(json!({}))), ("two", &Arguments::Json(json!({"x": 1})))]);
    assert_eq!(turn.stop, StopReason::ToolCalls);
    let begun: Vec<(usize, &str)> = deltas
        .iter()
        .filter_map(|delta| {
            if let Delta::ToolCall { index, id, .. } = delta { Some((*index, id.as_str())) } else { None }
        })
        .collect();
    let ids: Vec<(usize, &str)> = turn.tool_calls.iter().map(|call| call.id.as_str()).enumerate().collect();
    assert_eq!(begun, ids, "the pieces name the calls as the turn does");
}

#[rstest]
#[case(Api::OpenAiChat, json!({"choices": [{"delta": {"content": "x"}, "finish_reason": "length"}]}), StopReason::Length)]
#[case(Api::OpenAiChat, json!({"choices": [{"delta": {"content": "x"}, "finish_reason": "content_filter"}]}), StopReason::Refused)]
#[case(Api::OpenAiChat, json!({"choices": [{"delta": {"refusal": "x"}, "finish_reason": "stop"}]}), StopReason::Refused)]
#[case(Api::OpenAiChat, json!({"choices": [{"delta": {"content": "x"}, "finish_reason": "eos"}]}), StopReason::Other("eos".into()))]
#[case(Api::OpenAiResponses, json!({"type": "response.incomplete", "response": {"status": "incomplete",
    "incomplete_details": {"reason": "max_output_tokens"},
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]}}), StopReason::Length)]
#[case(Api::OpenAiResponses, json!({"type": "response.completed", "response": {"status": "completed",
    "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "x"}]}]}}), StopReason::Refused)]
#[case(Api::Gemini, json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "MAX_TOKENS"}]}), StopReason::Length)]
#[case(Api::Gemini, json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "SAFETY"}]}), StopReason::Refused)]
#[case(Api::Gemini, json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "MALFORMED_FUNCTION_CALL"}]}),
    StopReason::Other("MALFORMED_FUNCTION_CALL".into()))]
#[tokio::test]
async fn why_it_stopped_is_said_in_one_tongue(
    #[case] api: Api,
    #[case] event: serde_json::Value,
    #[case] stop: StopReason,
) {
    let host = Host::start(move |_| sse(format!("data: {event}\n\n"))).await;
    let turn = streamed(&provider(api, &host), &hello(api)).await.0.unwrap();
    assert_eq!((turn.text.as_deref(), turn.stop), (Some("x"), stop));
}

#[tokio::test]
async fn a_prompt_that_gemini_blocks_is_refused_without_a_word() {
    let host = Host::start(|_| sse("data: {\"promptFeedback\": {\"blockReason\": \"SAFETY\"}}\n\n")).await;
    let turn = streamed(&provider(Api::Gemini, &host), &hello(Api::Gemini)).await.0.unwrap();
    assert_eq!((turn.text, turn.stop), (None, StopReason::Refused));
}

#[rstest]
#[case("max_tokens", StopReason::Length)]
#[case("refusal", StopReason::Refused)]
#[case("end_turn", StopReason::End)]
#[case("pause_turn", StopReason::Other("pause_turn".into()))]
#[tokio::test]
async fn anthropic_says_it_beside_the_usage(#[case] reason: &'static str, #[case] stop: StopReason) {
    let body = fixture(Api::Anthropic)
        .replace("\"stop_reason\":\"tool_use\"", &format!("\"stop_reason\":\"{reason}\""));
    // Without the calls, which would be the reason otherwise.
    let body = body.replace("tool_use", "server_tool_use");
    let host = Host::start(move |_| sse(&body)).await;
    let turn = streamed(&provider(Api::Anthropic, &host), &hello(Api::Anthropic)).await.0.unwrap();
    assert_eq!((turn.stop, turn.usage.output_tokens), (stop, 89));
}

#[tokio::test]
async fn who_stops_listening_gets_the_whole_all_the_same() {
    let body = fixture(Api::OpenAiChat);
    let host = Host::start(move |_| sse(&body)).await;
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    drop(receiver);
    let turn = provider(Api::OpenAiChat, &host).chat(&hello(Api::OpenAiChat), Some(sender)).await.unwrap();
    assert_eq!(turn.text.as_deref(), Some("Let me look: Zürich…"));
}

#[tokio::test]
async fn a_question_that_is_dropped_hangs_up() {
    let first = "data: {\"choices\":[{\"delta\":{\"content\":\"hel\"}}]}\n\n";
    let host = Host::start(move |_| Reply::Hang([OPEN_STREAM, first.as_bytes()].concat())).await;
    let provider = provider(Api::OpenAiChat, &host);
    let (sender, mut deltas) = tokio::sync::mpsc::channel(1);
    let asking = tokio::spawn(async move { provider.chat(&hello(Api::OpenAiChat), Some(sender)).await });
    assert_eq!(deltas.recv().await, Some(Delta::Text("hel".into())));
    asking.abort();
    host.hung_up.notified().await;
    assert!(asking.await.unwrap_err().is_cancelled());
}
