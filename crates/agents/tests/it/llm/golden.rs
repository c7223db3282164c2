//! Golden files of each wire format: request out, answer in, stream in, error in. `*.in.*` are written by hand, after the references
//! of the providers; the rest is what we make of them (`UPDATE_SNAPSHOTS=1` writes it anew: look at the difference).

use std::path::PathBuf;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_agents::llm::{Api, ChatRequest, Message, ToolChoice};

use crate::llm::{
    host::{Asked, Host, json as json_reply, respond, sse},
    support::{APIS, KEY, config, conversation, hello, opened, provider, streamed},
};

fn folder(api: Api) -> PathBuf {
    let name = serde_json::to_value(api).unwrap();
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/llm/fixtures").join(name.as_str().unwrap())
}

fn given(api: Api, name: &str) -> String {
    std::fs::read_to_string(folder(api).join(name)).unwrap()
}

fn is_golden(api: Api, name: &str, made: &Value) {
    let made = serde_json::to_string_pretty(made).unwrap() + "\n";
    let path = folder(api).join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, made, "{}: run this test with UPDATE_SNAPSHOTS=1", path.display());
}

/// The request without what the connection adds.
fn shown(asked: &Asked) -> Value {
    let ours =
        ["authorization", "x-api-key", "x-goog-api-key", "anthropic-version", "content-type", "x-team"];
    let headers: serde_json::Map<String, Value> = asked
        .headers
        .iter()
        .filter(|(name, _)| ours.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    json!({"line": asked.line, "headers": headers, "body": asked.json()})
}

async fn sent(api: Api, request: &ChatRequest, is_stream: bool) -> Value {
    let host = Host::start(move |_| respond(500, &[], "")).await;
    let mut config = config(api, &host);
    config.max_retries = 0;
    config.headers.0.insert("x-team".into(), "blue".into());
    let (provider, _) = opened(&config);
    if is_stream {
        streamed(&provider, request).await.0.unwrap_err();
    } else {
        provider.chat(request, None).await.unwrap_err();
    }
    shown(&host.last())
}

#[rstest]
#[tokio::test]
async fn requests_go_out_as_the_provider_wants_them(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    is_golden(api, "request.json", &sent(api, &conversation(api), false).await);
    is_golden(api, "request_stream.json", &sent(api, &hello(api), true).await);
    let structured = ChatRequest {
        system: Some("You are terse.".into()),
        output_schema: Some(json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 40},
                "age": {"type": ["integer", "null"], "minimum": 0},
                "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 3},
            },
            "required": ["name", "age", "tags"],
        })),
        max_output_tokens: Some(500),
        temperature: Some(0.5),
        ..hello(api)
    };
    is_golden(api, "request_structured.json", &sent(api, &structured, false).await);
}

#[rstest]
#[tokio::test]
async fn answers_come_in_as_turns(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let answer = given(api, "answer.in.json");
    let raw: Value = serde_json::from_str(&answer).unwrap();
    let host = Host::start(move |_| json_reply(200, &answer)).await;
    let turn = provider(api, &host).chat(&conversation(api), None).await.unwrap();
    assert_eq!(turn.raw, raw, "raw is the answer itself");
    let mut made = serde_json::to_value(&turn).unwrap();
    made.as_object_mut().unwrap().remove("raw");
    is_golden(api, "answer.turn.json", &made);
}

#[rstest]
#[tokio::test]
async fn streams_come_in_as_deltas_and_one_turn(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let stream = given(api, "stream.in.sse");
    let host = Host::start(move |_| sse(&stream)).await;
    let provider = provider(api, &host);
    let (turn, deltas) = streamed(&provider, &conversation(api)).await;
    let turn = turn.unwrap();
    is_golden(api, "stream.turn.json", &json!({"deltas": deltas, "turn": turn}));

    // What was assembled is an answer like any other: without a stream it would have made the same turn.
    let whole = turn.raw.to_string();
    let host = Host::start(move |_| json_reply(200, &whole)).await;
    let again = crate::llm::support::provider(api, &host).chat(&conversation(api), None).await.unwrap();
    assert_eq!(again, turn);
}

#[rstest]
#[case(Api::OpenAiChat, 429)]
#[case(Api::OpenAiResponses, 401)]
#[case(Api::Anthropic, 529)]
#[case(Api::Gemini, 429)]
#[tokio::test]
async fn errors_come_in_with_their_code(#[case] api: Api, #[case] status: u16) {
    let body = given(api, "error.in.json");
    let host = Host::start(move |_| json_reply(status, &body)).await;
    let mut config = config(api, &host);
    config.max_retries = 0;
    let error = opened(&config).0.chat(&hello(api), None).await.unwrap_err();
    is_golden(api, "error.out.json", &serde_json::to_value(&error).unwrap());
}

#[rstest]
#[case(ToolChoice::Auto, json!(["auto", "auto", {"type": "auto"}, {"mode": "AUTO"}]))]
#[case(ToolChoice::None, json!(["none", "none", {"type": "none"}, {"mode": "NONE"}]))]
#[case(ToolChoice::Required, json!(["required", "required", {"type": "any"}, {"mode": "ANY"}]))]
#[case(ToolChoice::Named("crm.find".into()), json!([
    {"type": "function", "function": {"name": "crm_find"}},
    {"type": "function", "name": "crm_find"},
    {"type": "tool", "name": "crm_find"},
    {"mode": "ANY", "allowedFunctionNames": ["crm.find"]},
]))]
#[tokio::test]
async fn the_choice_of_tools_is_said_in_each_tongue(#[case] choice: ToolChoice, #[case] expected: Value) {
    let mut made = Vec::new();
    for api in APIS {
        let request = ChatRequest { tool_choice: choice.clone(), ..conversation(api) };
        let sent = sent(api, &request, false).await;
        let place =
            if api == Api::Gemini { "/body/toolConfig/functionCallingConfig" } else { "/body/tool_choice" };
        made.push(sent.pointer(place).cloned().unwrap_or_default());
    }
    assert_eq!(Value::from(made), expected);
}

#[rstest]
#[tokio::test]
async fn the_key_stands_in_one_header_and_nowhere_else(
    #[values(Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini)] api: Api,
) {
    let sent = sent(api, &hello(api), true).await;
    assert!(!sent["line"].to_string().contains(KEY) && !sent["body"].to_string().contains(KEY));
    let carriers =
        sent["headers"].as_object().unwrap().values().filter(|value| value.to_string().contains(KEY));
    assert_eq!(carriers.count(), 1);
}

#[tokio::test]
async fn the_same_tools_in_any_order_make_the_same_prompt() {
    for api in APIS {
        let request = conversation(api);
        let mut turned = request.clone();
        turned.tools.reverse();
        // A longer history renames nothing either.
        turned.messages.push(Message::User("more".into()));
        let (one, two) = (sent(api, &request, false).await, sent(api, &turned, false).await);
        assert_eq!(one["body"]["tools"], two["body"]["tools"]);
    }
}

/// Where a provider cannot be held to a schema, the model is told.
#[rstest]
#[case(Api::OpenAiChat, json!({"type": "array", "items": {"type": "string"}}), "/body/messages/0/content", "/body/response_format")]
#[case(Api::OpenAiResponses, json!({"type": "object"}), "/body/instructions", "/body/text")]
#[case(Api::Anthropic, json!({"type": "object"}), "/body/system/0/text", "/body/output_config")]
#[case(Api::Gemini, json!({"type": "object"}), "/body/systemInstruction/parts/0/text", "/body/generationConfig")]
#[tokio::test]
async fn a_schema_that_cannot_be_enforced_is_told(
    #[case] api: Api,
    #[case] schema: Value,
    #[case] system: &str,
    #[case] native: &str,
) {
    let request =
        ChatRequest { output_schema: Some(schema.clone()), system: Some("Be terse.".into()), ..hello(api) };
    let sent = sent(api, &request, false).await;
    let told = sent.pointer(system).and_then(Value::as_str).unwrap();
    assert!(told.starts_with("Be terse.") && told.ends_with(&schema.to_string()), "{told}");
    assert_eq!(sent.pointer(native), None);
}

/// Most models of Gemini refuse a schema for the answer beside functions.
#[tokio::test]
async fn gemini_is_told_of_a_schema_beside_tools() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let request = ChatRequest { output_schema: Some(schema), ..conversation(Api::Gemini) };
    let sent = sent(Api::Gemini, &request, false).await;
    assert_eq!(sent.pointer("/body/generationConfig"), None);
    assert!(sent["body"]["systemInstruction"].to_string().contains("JSON Schema"));
}

#[rstest]
#[case("gemini-2.5-pro", None)]
#[case("gemini-3-pro-preview", Some("skip_thought_signature_validator"))]
#[tokio::test]
async fn calls_of_a_history_carry_a_signature_where_it_is_asked_for(
    #[case] model: &str,
    #[case] signature: Option<&str>,
) {
    let request = ChatRequest { model: model.into(), ..conversation(Api::Gemini) };
    let sent = sent(Api::Gemini, &request, false).await;
    let part = |index: usize| {
        sent.pointer(&format!("/body/contents/1/parts/{index}/thoughtSignature")).and_then(Value::as_str)
    };
    assert_eq!([part(1), part(2)], [signature, None], "the first call of a turn carries it");
}
