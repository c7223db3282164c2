//! What the stories share.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::mpsc;
use toolgate_agents::llm::{
    Api, Arguments, ChatRequest, Delta, LlmError, Message, Provider, ToolCall, ToolSchema, Turn,
};

use crate::host::Host;
pub(crate) use crate::world::{KEY, NoWait, config, model, opened, outside};

pub(crate) const APIS: [Api; 4] = [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini];

pub(crate) fn provider(api: Api, host: &Host) -> Arc<dyn Provider> {
    opened(&config(api, host)).0
}

/// Asks with a stream, and returns the pieces that came.
pub(crate) async fn streamed(
    provider: &Arc<dyn Provider>,
    request: &ChatRequest,
) -> (Result<Turn, LlmError>, Vec<Delta>) {
    let (sender, mut receiver) = mpsc::channel(1_000);
    let collect = async {
        let mut deltas = Vec::new();
        while let Some(delta) = receiver.recv().await {
            deltas.push(delta);
        }
        deltas
    };
    tokio::join!(provider.chat(request, Some(sender)), collect)
}

/// The text that the pieces make.
pub(crate) fn said(deltas: &[Delta]) -> String {
    let texts = deltas
        .iter()
        .filter_map(|delta| if let Delta::Text(text) = delta { Some(text.as_str()) } else { None });
    texts.collect()
}

pub(crate) fn hello(api: Api) -> ChatRequest {
    ChatRequest {
        model: model(api).into(),
        messages: vec![Message::User("hello".into())],
        ..ChatRequest::default()
    }
}

/// A conversation with everything in it: parallel calls, one malformed, one failed, and tools in no order, one with a name that few
/// providers accept.
pub(crate) fn conversation(api: Api) -> ChatRequest {
    let call = |id: &str, name: &str, arguments| ToolCall { id: id.into(), name: name.into(), arguments };
    let result = |id: &str, name: &str, content: &str, is_error| Message::Tool {
        id: id.into(),
        name: name.into(),
        content: content.into(),
        is_error,
    };
    ChatRequest {
        model: model(api).into(),
        system: Some("You are terse.".into()),
        messages: vec![
            Message::User("Weather in Bern, and who is Zoë?".into()),
            Message::Assistant {
                text: Some("One moment.".into()),
                tool_calls: vec![
                    call("call_1", "get_weather", Arguments::Json(json!({"city": "Bern", "days": 1}))),
                    call("call 2/odd", "crm.find", Arguments::Malformed("{\"query\": ".into())),
                ],
            },
            result("call_1", "get_weather", r#"{"sky": "rain"}"#, false),
            result("call 2/odd", "crm.find", "VALIDATION_ERROR: the arguments are not JSON", true),
            Message::User("And tomorrow?".into()),
        ],
        tools: tools(),
        ..ChatRequest::default()
    }
}

pub(crate) fn tools() -> Vec<ToolSchema> {
    let tool = |name: &str, description: &str, input_schema| ToolSchema {
        name: name.into(),
        description: description.into(),
        input_schema,
    };
    vec![
        tool(
            "ping",
            "Says pong.",
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
        ),
        tool(
            "get_weather",
            "The weather of a place.",
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "properties": {
                    "city": {"type": "string", "minLength": 1, "description": "Name of the place"},
                    "days": {"type": "integer", "minimum": 1, "exclusiveMaximum": 15, "default": 1},
                },
                "required": ["city", "days"],
                "additionalProperties": false,
            }),
        ),
        tool(
            "crm.find",
            "Finds people.",
            json!({
                "type": "object",
                "properties": {
                    "query": {"type": "string"},
                    "kind": {"enum": ["person", "company", null]},
                    "near": {"$ref": "#/$defs/place"},
                    "tags": {"type": "array", "items": {"type": "string", "format": "uuid"}, "uniqueItems": true},
                },
                "required": ["query"],
                "$defs": {"place": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"lat": {"type": "number"}}}]}},
            }),
        ),
    ]
}
