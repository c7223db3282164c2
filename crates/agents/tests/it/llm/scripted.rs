//! The provider that plays a script.

use std::sync::Arc;

use rstest::rstest;
use serde_json::json;
use toolgate_agents::llm::{
    Arguments, ChatRequest, Delta, Message, Provider, Scripted, StopReason, ToolCall, Usage,
};
use toolgate_domain::ErrorCode;

use crate::llm::support::streamed;

fn play(script: &str) -> Arc<dyn Provider> {
    Arc::new(Scripted::parse(script).unwrap())
}

fn asked(messages: Vec<Message>) -> ChatRequest {
    ChatRequest { model: "scripted".into(), messages, ..ChatRequest::default() }
}

fn user(text: &str) -> ChatRequest {
    asked(vec![Message::User(text.into())])
}

fn after(tool: &str, content: &str) -> ChatRequest {
    let call = ToolCall { id: "call_1_1".into(), name: tool.into(), arguments: Arguments::Json(json!({})) };
    asked(vec![
        Message::User("go".into()),
        Message::Assistant { text: None, tool_calls: vec![call] },
        Message::Tool { id: "call_1_1".into(), name: tool.into(), content: content.into(), is_error: false },
    ])
}

const TURNS: &str = "
turns:
  - text: One moment.
    tool_calls:
      - {name: get_weather, arguments: {city: Bern}}
      - {name: get_weather, arguments: '{\"city\": ', id: mine}
    usage: {input_tokens: 10, cached_input_tokens: 4, output_tokens: 2}
  - deltas: ['It ', rains.]
";

#[tokio::test]
async fn turns_are_played_in_the_order_of_the_conversation() {
    let provider = play(TURNS);
    // Twice: nothing is kept, so a conversation that begins again gets the same.
    for _ in 0..2 {
        let (turn, deltas) = streamed(&provider, &user("weather?")).await;
        let turn = turn.unwrap();
        let call = |id: &str, arguments| ToolCall { id: id.into(), name: "get_weather".into(), arguments };
        assert_eq!(
            turn.tool_calls,
            [
                call("call_1_1", Arguments::Json(json!({"city": "Bern"}))),
                call("mine", Arguments::Malformed("{\"city\": ".into())),
            ]
        );
        assert_eq!((turn.text.as_deref(), turn.stop), (Some("One moment."), StopReason::ToolCalls));
        assert_eq!(
            turn.usage,
            Usage { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, ..Usage::default() }
        );
        assert_eq!((turn.model.as_str(), turn.raw), ("scripted", json!({"scripted": true, "turn": 1})));
        assert_eq!(deltas.len(), 5);
        assert_eq!(
            deltas[1],
            Delta::ToolCall { index: 0, id: "call_1_1".into(), name: "get_weather".into() }
        );
        assert_eq!(deltas[2], Delta::Arguments { index: 0, part: "{\"city\":\"Bern\"}".into() });

        let (turn, deltas) = streamed(&provider, &after("get_weather", "rain")).await;
        assert_eq!(turn.unwrap().text.as_deref(), Some("It rains."));
        assert_eq!(deltas, [Delta::Text("It ".into()), Delta::Text("rains.".into())]);
    }
}

#[tokio::test]
async fn a_script_that_is_over_says_so() {
    let mut request = after("get_weather", "rain");
    request.messages.push(Message::Assistant { text: Some("It rains.".into()), tool_calls: Vec::new() });
    let error = play(TURNS).chat(&request, None).await.unwrap_err();
    assert_eq!((error.code, error.is_retryable), (ErrorCode::ProviderError, false));
}

const RULES: &str = "
rules:
  - {after_tool: find, result_contains: nobody, replies: [{text: nobody there}]}
  - {after_tool: find, replies: [{text: found}]}
  - {turn: 2, replies: [{text: second}]}
  - {contains: weather, system_contains: terse, replies: [{text: rain}]}
  - {matches: '^add \\d+', replies: [{json: {sum: 3}, cost_estimate: 0.01, usage: {input_tokens: 7}}]}
  - {model: other, replies: [{text: cut, stop: length}]}
  - {replies: [{error: {code: RATE_LIMIT, message: slow, retry_after_s: 3, is_retryable: true}}, {text: first}, {text: last}]}
";

#[rstest]
#[case(after("find", "nobody"), "nobody there")]
#[case(after("find", "Zoë"), "found")]
#[case(after("other", "nobody"), "second")]
#[case(ChatRequest { system: Some("be terse".into()), ..user("the weather") }, "rain")]
#[case(user("add 1 2"), "{\"sum\":3}")]
#[case(ChatRequest { model: "other".into(), ..user("x") }, "cut")]
#[tokio::test]
async fn the_first_rule_that_fits_answers(#[case] request: ChatRequest, #[case] text: &str) {
    let turn = play(RULES).chat(&request, None).await.unwrap();
    assert_eq!(turn.text.as_deref(), Some(text));
    let stop = if text == "cut" { StopReason::Length } else { StopReason::End };
    assert_eq!(turn.stop, stop);
}

#[tokio::test]
async fn replies_come_one_after_the_other_and_the_last_one_stays() {
    let provider = play(RULES);
    let error = provider.chat(&user("x"), None).await.unwrap_err();
    assert_eq!((error.code, error.retry_after_s, error.is_retryable), (ErrorCode::RateLimit, Some(3), true));
    for text in ["first", "last", "last"] {
        assert_eq!(provider.chat(&user("x"), None).await.unwrap().text.as_deref(), Some(text));
    }
}

#[tokio::test]
async fn a_stream_may_break_after_some_words() {
    let provider =
        play("turns: [{deltas: [hel], error: {code: PROVIDER_ERROR, message: broken, is_retryable: true}}]");
    let (turn, deltas) = streamed(&provider, &user("x")).await;
    assert!(turn.unwrap_err().is_retryable);
    assert_eq!(deltas, [Delta::Text("hel".into())]);
}

#[tokio::test]
async fn a_reply_that_hangs_says_its_words_and_waits_for_ever() {
    let provider = play("turns: [{deltas: [hel], hang: true}]");
    let (sender, mut deltas) = tokio::sync::mpsc::channel(8);
    let request = user("x");
    let chat = provider.chat(&request, Some(sender));
    tokio::select! {
        turn = chat => panic!("it answered: {turn:?}"),
        // The sender lives as long as the chat, so the second piece never comes.
        delta = deltas.recv() => assert_eq!(delta, Some(Delta::Text("hel".into()))),
    }
}

#[tokio::test]
async fn scripts_in_json_are_played_as_before() {
    let script = r#"{"rules": [
        {"contains": "weather", "replies": [{"text": "\ud83d\ude00 sunny"}, {"error": {"code": "RATE_LIMIT", "message": "slow", "details": {"a": 1}}}]},
        {"replies": [{"text": "anything else", "usage": {"input_tokens": 3, "output_tokens": 2}}]}
    ]}"#;
    let provider = play(script);
    assert_eq!(provider.chat(&user("weather"), None).await.unwrap().text.as_deref(), Some("😀 sunny"));
    assert_eq!(provider.chat(&user("weather"), None).await.unwrap_err().code, ErrorCode::RateLimit);
    assert_eq!(provider.chat(&user("x"), None).await.unwrap().usage.output_tokens, 2);
}

#[rstest]
#[case("rules: []", "`rules` or `turns`")]
#[case("turns: [{text: a}]\nrules: [{replies: [{text: a}]}]", "`rules` or `turns`")]
#[case("turns: [{text: a}, {}]", "turn 2: a reply has")]
#[case("turns: [{text: a, json: 1}]", "turn 1: a reply has")]
#[case("turns: [{tool_calls: [{name: a}], error: {code: UNKNOWN, message: x}}]", "turn 1: a reply has")]
#[case("rules: [{replies: []}]", "rule 0 has 1 to 1000 replies")]
#[case("rules: [{matches: '(', replies: [{text: a}]}]", "`matches` of rule 0")]
#[case("turns: [{txet: a}]", "txet")]
fn a_script_that_makes_no_sense_is_refused(#[case] script: &str, #[case] reason: &str) {
    let error = Scripted::parse(script).err().unwrap();
    assert!(error.contains(reason), "{error}");
}
