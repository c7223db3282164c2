//! Google's Gemini: `generateContent`, and `streamGenerateContent` as server-sent events.

use std::sync::Arc;

use reqwest::header::HeaderName;
use serde_json::{Map, Value, json};
use toolgate_domain::ErrorCode;

use super::{
    Arguments, ChatRequest, Delta, Dialect, LlmError, Message, NameRule, StopReason, ToolCall, ToolChoice,
    ToolSchema, Turn, Usage,
    arguments::{parse_arguments, read_arguments, sent_arguments},
    assemble::{Calls, cut_off, event},
    failure::broken,
    legal::Legal,
    schema::{described, translate},
    wire::{
        Assembler, Outgoing, Structured, Wire, some_text, sorted, structured, system_prompt, text_at, tokens,
        told,
    },
};

/// From version 3 on, a call in the history must carry the signature of the thought behind it. The neutral contract has no place for
/// it; the API documents this word for histories that come from elsewhere.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) struct Gemini;

impl Wire for Gemini {
    fn name_rule(&self) -> NameRule {
        NameRule::Gemini
    }

    /// A header, not the query: addresses are logged.
    fn key(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-goog-api-key"), key.to_owned())
    }

    fn outgoing(&self, request: &ChatRequest, legal: &Legal, stream: bool) -> Result<Outgoing, LlmError> {
        let model = path_of(&request.model)?;
        let mut body = Map::new();
        let mut generation = Map::new();
        let mut told_words = None;
        let asked = request.output_schema.as_ref().map(|schema| match request.tools.is_empty() {
            true => structured(Dialect::Gemini, schema),
            // Most models refuse a schema for the answer beside tools.
            false => told(schema),
        });
        match asked {
            None => {}
            Some(Structured::Told(words)) => told_words = Some(words),
            Some(Structured::Native(made)) => {
                generation.insert("responseMimeType".into(), "application/json".into());
                generation.insert("responseSchema".into(), made.schema);
            }
        }
        if let Some(system) = system_prompt(request.system.as_deref(), told_words.as_deref()) {
            body.insert("systemInstruction".into(), json!({"parts": [{"text": system}]}));
        }
        body.insert("contents".into(), contents(request, legal));
        if !request.tools.is_empty() {
            let tools = sorted(&request.tools).into_iter().map(|tool| declaration(tool, legal));
            body.insert("tools".into(), json!([{"functionDeclarations": tools.collect::<Vec<Value>>()}]));
            let config = choice(&request.tool_choice, legal);
            body.insert("toolConfig".into(), json!({"functionCallingConfig": config}));
        }
        if let Some(most) = request.max_output_tokens {
            generation.insert("maxOutputTokens".into(), most.into());
        }
        if let Some(temperature) = request.temperature {
            generation.insert("temperature".into(), temperature.into());
        }
        if !generation.is_empty() {
            body.insert("generationConfig".into(), generation.into());
        }
        let method = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
        Ok(Outgoing { path: format!("{model}:{method}"), body: body.into() })
    }

    fn turn(&self, raw: Value, legal: &Legal) -> Result<Turn, LlmError> {
        let candidate = raw.pointer("/candidates/0").unwrap_or(&Value::Null);
        let is_blocked = raw.pointer("/promptFeedback/blockReason").is_some_and(Value::is_string);
        if candidate.is_null() && !is_blocked {
            return Err(broken("the answer has no candidate"));
        }
        let mut ids = legal.new_ids();
        let (mut said, mut tool_calls) = (String::new(), Vec::new());
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            if let Some(call) = part.get("functionCall") {
                tool_calls.push(ToolCall {
                    id: ids.claim(text_at(call, "/id")),
                    name: legal.names.original(text_at(call, "/name")).to_owned(),
                    arguments: read_arguments(call.get("args").unwrap_or(&Value::Null)),
                });
            } else if !is_thought(part) {
                said.push_str(text_at(part, "/text"));
            }
        }
        let stop = match text_at(candidate, "/finishReason") {
            _ if is_blocked => StopReason::Refused,
            "MAX_TOKENS" => StopReason::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "MODEL_ARMOR"
            | "IMAGE_SAFETY" => StopReason::Refused,
            _ if !tool_calls.is_empty() => StopReason::ToolCalls,
            "STOP" | "" => StopReason::End,
            other => StopReason::Other(other.to_owned()),
        };
        // Thoughts are counted beside the answer here, and tools beside the prompt.
        let thoughts = tokens(&raw, "/usageMetadata/thoughtsTokenCount");
        let usage = Usage {
            input_tokens: tokens(&raw, "/usageMetadata/promptTokenCount")
                .saturating_add(tokens(&raw, "/usageMetadata/toolUsePromptTokenCount")),
            cached_input_tokens: tokens(&raw, "/usageMetadata/cachedContentTokenCount"),
            output_tokens: tokens(&raw, "/usageMetadata/candidatesTokenCount").saturating_add(thoughts),
            reasoning_tokens: thoughts,
            ..Usage::default()
        };
        let model = text_at(&raw, "/modelVersion").to_owned();
        Ok(Turn { text: some_text(said), tool_calls, stop, usage, model, raw })
    }

    fn assembler(&self, legal: &Arc<Legal>) -> Box<dyn Assembler> {
        Box::new(Chunks {
            calls: Calls::new(legal),
            whole: Map::new(),
            candidate: Map::new(),
            parts: Vec::new(),
        })
    }
}

/// The model as a part of the path. It is checked, because an address is made of it.
fn path_of(model: &str) -> Result<String, LlmError> {
    let is_segment = |segment: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'@');
        !segment.is_empty() && !segment.starts_with('.') && segment.bytes().all(is_plain)
    };
    if !model.split('/').all(is_segment) {
        return Err(LlmError::new(
            ErrorCode::ValidationError,
            "the name of the model is not one of Gemini's",
        ));
    }
    Ok(if model.contains('/') { model.to_owned() } else { format!("models/{model}") })
}

fn wants_signatures(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let version = name.strip_prefix("gemini-").map(|rest| rest.split(['.', '-']).next().unwrap_or_default());
    version.and_then(|version| version.parse::<u32>().ok()).is_some_and(|version| version >= 3)
}

fn is_thought(part: &Value) -> bool {
    part.get("thought").and_then(Value::as_bool).unwrap_or(false)
}

fn contents(request: &ChatRequest, legal: &Legal) -> Value {
    let mut sent: Vec<Value> = Vec::new();
    let mut in_results = false;
    for message in &request.messages {
        let is_result = matches!(message, Message::Tool { .. });
        match message {
            Message::User(text) => sent.push(json!({"role": "user", "parts": [{"text": text}]})),
            Message::Assistant { text, tool_calls } => {
                let said = text.iter().filter(|text| !text.is_empty()).map(|text| json!({"text": text}));
                let calls = tool_calls.iter().enumerate().map(|(index, call)| {
                    let mut part = json!({"functionCall": {
                        "id": legal.ids.wire(&call.id),
                        "name": legal.names.wire(&call.name),
                        "args": sent_arguments(&call.arguments),
                    }});
                    // The first of the calls that are made at once is the one that carries it.
                    if index == 0 && wants_signatures(&request.model) {
                        part["thoughtSignature"] = NO_SIGNATURE.into();
                    }
                    part
                });
                let parts: Vec<Value> = said.chain(calls).collect();
                if !parts.is_empty() {
                    sent.push(json!({"role": "model", "parts": parts}));
                }
            }
            Message::Tool { id, name, content, is_error } => {
                let value = match parse_arguments(content) {
                    Arguments::Json(value) if !content.trim().is_empty() => value,
                    _ => content.as_str().into(),
                };
                let response = if *is_error { json!({"error": value}) } else { json!({"output": value}) };
                let (id, name) = (legal.ids.wire(id), legal.names.wire(name));
                let part = json!({"functionResponse": {"id": id, "name": name, "response": response}});
                // The results of a turn's calls belong into one message.
                let kept = sent.last_mut().filter(|_| in_results);
                match kept.and_then(|last| last["parts"].as_array_mut()) {
                    Some(parts) => parts.push(part),
                    None => sent.push(json!({"role": "user", "parts": [part]})),
                }
            }
        }
        in_results = is_result;
    }
    sent.into()
}

fn declaration(tool: &ToolSchema, legal: &Legal) -> Value {
    let mut made = json!({
        "name": legal.names.wire(&tool.name),
        "description": described(Dialect::Gemini, &tool.description),
    });
    // An object without properties is refused; without parameters the function takes none.
    let schema = translate(Dialect::Gemini, &tool.input_schema).schema;
    if schema.get("properties").is_some() {
        made["parameters"] = schema;
    }
    made
}

fn choice(choice: &ToolChoice, legal: &Legal) -> Value {
    match choice {
        ToolChoice::Auto => json!({"mode": "AUTO"}),
        ToolChoice::None => json!({"mode": "NONE"}),
        ToolChoice::Required => json!({"mode": "ANY"}),
        ToolChoice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [legal.names.wire(name)]}),
    }
}

struct Chunks {
    calls: Calls,
    /// `usageMetadata`, `modelVersion`, `responseId`, `promptFeedback`: the last of each.
    whole: Map<String, Value>,
    candidate: Map<String, Value>,
    parts: Vec<Value>,
}

impl Assembler for Chunks {
    fn take(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<bool, LlmError> {
        let Value::Object(chunk) = event(data)? else {
            return Err(broken("an event of the stream is no object"));
        };
        for (name, value) in chunk {
            if name != "candidates" {
                self.whole.insert(name, value);
                continue;
            }
            let Some(Value::Object(candidate)) = value.get(0) else { continue };
            for (name, value) in candidate {
                if name != "content" {
                    self.candidate.insert(name.clone(), value.clone());
                    continue;
                }
                for part in value.get("parts").and_then(Value::as_array).into_iter().flatten() {
                    self.take_part(part, deltas);
                }
            }
        }
        // Nothing says that it was the last one; the body just ends.
        Ok(false)
    }

    fn finish(self: Box<Self>) -> Result<Value, LlmError> {
        let is_blocked =
            self.whole.get("promptFeedback").is_some_and(|feedback| feedback["blockReason"].is_string());
        let has_finished = self.candidate.get("finishReason").is_some_and(Value::is_string);
        if !is_blocked && !has_finished {
            return Err(cut_off());
        }
        let mut whole = self.whole;
        if has_finished {
            let mut candidate = self.candidate;
            candidate.insert("content".into(), json!({"role": "model", "parts": self.parts}));
            whole.insert("candidates".into(), json!([candidate]));
        }
        Ok(whole.into())
    }
}

impl Chunks {
    fn take_part(&mut self, part: &Value, deltas: &mut Vec<Delta>) {
        if let Some(call) = part.get("functionCall") {
            let index = self.calls.begin(text_at(call, "/id"), text_at(call, "/name"), deltas);
            let whole = call.get("args").map_or_else(|| "{}".to_owned(), Value::to_string);
            deltas.push(Delta::Arguments { index, part: whole });
            self.parts.push(part.clone());
            return;
        }
        let text = text_at(part, "/text");
        if !text.is_empty() && !is_thought(part) {
            deltas.push(Delta::Text(text.to_owned()));
        }
        // Text that goes on is one part, as it would be without a stream.
        match self.parts.last_mut() {
            Some(last)
                if is_plain_text(last) && is_plain_text(part) && is_thought(last) == is_thought(part) =>
            {
                if let Some(Value::String(kept)) = last.get_mut("text") {
                    kept.push_str(text);
                }
            }
            _ => self.parts.push(part.clone()),
        }
    }
}

fn is_plain_text(part: &Value) -> bool {
    part.get("text").is_some_and(Value::is_string) && part.get("thoughtSignature").is_none()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("gemini-2.5-flash", Some("models/gemini-2.5-flash"))]
    #[case("tunedModels/mine", Some("tunedModels/mine"))]
    #[case("../v1/other", None)]
    #[case("a?key=b", None)]
    #[case("", None)]
    fn a_model_is_a_part_of_the_path_and_nothing_else(#[case] model: &str, #[case] path: Option<&str>) {
        assert_eq!(path_of(model).ok().as_deref(), path);
    }

    #[rstest]
    #[case("gemini-2.5-pro", false)]
    #[case("gemini-3-pro-preview", true)]
    #[case("models/gemini-3.1-flash", true)]
    #[case("gemma-3", false)]
    fn signatures_are_asked_for_from_version_3_on(#[case] model: &str, #[case] wants: bool) {
        assert_eq!(wants_signatures(model), wants);
    }
}
