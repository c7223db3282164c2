//! A model as each provider would stream it, and what the provider was told in return.

use serde_json::{Value, json};
use toolgate_agents::llm::Api;

/// A call that the model asks for: its id, its tool, its arguments as the model wrote them.
#[derive(Clone)]
pub struct Asks(pub String, pub String, pub String);

pub fn asks(id: &str, name: &str, arguments: impl ToString) -> Asks {
    Asks(id.to_owned(), name.to_owned(), arguments.to_string())
}

/// The stream of a turn that says this and asks for these calls.
pub fn turn(api: Api, text: &str, calls: &[Asks]) -> String {
    lines(&whole(api, text, calls))
}

/// The same, without its end.
pub fn cut_short(api: Api, text: &str) -> String {
    let mut events = whole(api, text, &[]);
    let ends = if api == Api::Anthropic { 2 } else { 1 };
    events.truncate(events.len() - ends);
    if api == Api::Gemini {
        events = vec![json!({"candidates": [{"content": {"parts": [{"text": text}]}}]})];
    }
    lines(&events)
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

fn whole(api: Api, text: &str, calls: &[Asks]) -> Vec<Value> {
    match api {
        Api::OpenAiChat | Api::OpenAiCompatible => openai_chat(text, calls),
        Api::OpenAiResponses => openai_responses(text, calls),
        Api::Anthropic => anthropic(text, calls),
        Api::Gemini => gemini(text, calls),
        Api::Scripted => Vec::new(),
    }
}

fn openai_chat(text: &str, calls: &[Asks]) -> Vec<Value> {
    let chunk = |delta: Value| json!({"model": "m", "choices": [{"index": 0, "delta": delta}]});
    let mut events = Vec::new();
    if !text.is_empty() {
        events.push(chunk(json!({"content": text})));
    }
    for (index, Asks(id, name, arguments)) in calls.iter().enumerate() {
        let begun = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        events.push(chunk(json!({"tool_calls": [begun]})));
        let more = json!({"index": index, "function": {"arguments": arguments}});
        events.push(chunk(json!({"tool_calls": [more]})));
    }
    let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    events.push(json!({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    events
}

fn openai_responses(text: &str, calls: &[Asks]) -> Vec<Value> {
    let (mut events, mut output) = (Vec::new(), Vec::new());
    if !text.is_empty() {
        events.push(json!({"type": "response.output_text.delta", "output_index": 0, "delta": text}));
        let content = json!([{"type": "output_text", "text": text}]);
        output.push(json!({"type": "message", "role": "assistant", "content": content}));
    }
    for Asks(id, name, arguments) in calls {
        let place = output.len();
        let begun = json!({"type": "function_call", "call_id": id, "name": name, "arguments": ""});
        events.push(json!({"type": "response.output_item.added", "output_index": place, "item": begun}));
        let kind = "response.function_call_arguments.delta";
        events.push(json!({"type": kind, "output_index": place, "delta": arguments}));
        output.push(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}));
    }
    let response = json!({"model": "m", "status": "completed", "output": output});
    events.push(json!({"type": "response.completed", "response": response}));
    events
}

fn anthropic(text: &str, calls: &[Asks]) -> Vec<Value> {
    let begun = json!({"model": "m", "content": [], "stop_reason": null});
    let mut events = vec![json!({"type": "message_start", "message": begun})];
    let mut block = |block: Value, delta: Value| {
        let index = events.len();
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    };
    if !text.is_empty() {
        block(json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}));
    }
    for Asks(id, name, arguments) in calls {
        block(
            json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": arguments}),
        );
    }
    let reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}}));
    events.push(json!({"type": "message_stop"}));
    events
}

fn gemini(text: &str, calls: &[Asks]) -> Vec<Value> {
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(json!({"text": text}));
    }
    for Asks(id, name, arguments) in calls {
        // Arguments are a value here; what is none stays text.
        let args: Value = serde_json::from_str(arguments).unwrap_or_else(|_| arguments.as_str().into());
        parts.push(json!({"functionCall": {"id": id, "name": name, "args": args}}));
    }
    let candidate = json!({"content": {"role": "model", "parts": parts}, "finishReason": "STOP"});
    vec![json!({"modelVersion": "m", "candidates": [candidate]})]
}

/// What a request tells the model of the calls that it asked for: the id that each answer belongs to, and the answer.
pub fn answers(api: Api, body: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let items = |pointer: &str| body.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    let parts = |pointer: &str, inner: &str| -> Vec<Value> {
        items(pointer).iter().flat_map(|m| m[inner].as_array().cloned().unwrap_or_default()).collect()
    };
    let found: Vec<(Value, Value)> = match api {
        Api::OpenAiChat => items("/messages")
            .iter()
            .filter(|message| message["role"] == "tool")
            .map(|message| (message["tool_call_id"].clone(), message["content"].clone()))
            .collect(),
        Api::OpenAiResponses => items("/input")
            .iter()
            .filter(|item| item["type"] == "function_call_output")
            .map(|item| (item["call_id"].clone(), item["output"].clone()))
            .collect(),
        Api::Anthropic => parts("/messages", "content")
            .iter()
            .filter(|block| block["type"] == "tool_result")
            .map(|block| (block["tool_use_id"].clone(), block["content"].clone()))
            .collect(),
        _ => parts("/contents", "parts")
            .iter()
            .filter_map(|part| part.get("functionResponse"))
            .map(|answer| (answer["id"].clone(), answer["response"].clone()))
            .collect(),
    };
    found.iter().map(|(id, answer)| (text(id), text(answer))).collect()
}
