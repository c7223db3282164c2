//! Anthropic's messages.

use std::sync::Arc;

use reqwest::header::HeaderName;
use serde_json::{Map, Value, json};

use super::{
    Arguments, ChatRequest, Delta, Dialect, LlmError, Message, StopReason, ToolCall, ToolChoice, ToolSchema,
    Turn, Usage,
    arguments::{parse_arguments, read_arguments, sent_arguments},
    assemble::{Calls, arguments, cut_off, event},
    failure::broken,
    legal::Legal,
    schema::{described, translate},
    wire::{
        Assembler, Outgoing, Structured, Wire, some_text, sorted, structured, system_prompt, text_at, tokens,
    },
};

/// A bound is required; every model allows this one.
const DEFAULT_MAX_TOKENS: u64 = 4_096;

pub(super) struct Anthropic;

impl Wire for Anthropic {
    fn key(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn outgoing(&self, request: &ChatRequest, legal: &Legal, stream: bool) -> Result<Outgoing, LlmError> {
        let mut body = Map::new();
        body.insert("model".into(), request.model.as_str().into());
        body.insert("max_tokens".into(), request.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS).into());
        let mut told = None;
        match request.output_schema.as_ref().map(|schema| structured(Dialect::Anthropic, schema)) {
            None => {}
            Some(Structured::Told(words)) => told = Some(words),
            Some(Structured::Native(made)) => {
                let format = json!({"type": "json_schema", "schema": made.schema});
                body.insert("output_config".into(), json!({"format": format}));
            }
        }
        if let Some(system) = system_prompt(request.system.as_deref(), told.as_deref()) {
            body.insert("system".into(), json!([cached(json!({"type": "text", "text": system}))]));
        }
        body.insert("messages".into(), messages(&request.messages, legal));
        if !request.tools.is_empty() {
            let mut tools: Vec<Value> =
                sorted(&request.tools).into_iter().map(|tool| sent_tool(tool, legal)).collect();
            // Tools come first in the prompt: the mark on the last one keeps them all.
            if let Some(last) = tools.pop() {
                tools.push(cached(last));
            }
            body.insert("tools".into(), tools.into());
            body.insert("tool_choice".into(), choice(&request.tool_choice, legal));
        }
        if let Some(temperature) = request.temperature {
            // Others go up to 2; more than 1 is refused here.
            body.insert("temperature".into(), temperature.min(1.0).into());
        }
        if stream {
            body.insert("stream".into(), true.into());
        }
        Ok(Outgoing { path: "messages".into(), body: body.into() })
    }

    fn turn(&self, raw: Value, legal: &Legal) -> Result<Turn, LlmError> {
        let content = raw.get("content").and_then(Value::as_array);
        let content = content.ok_or_else(|| broken("the answer has no content"))?;
        let mut ids = legal.new_ids();
        let (mut said, mut tool_calls) = (String::new(), Vec::new());
        for block in content {
            match text_at(block, "/type") {
                "text" => said.push_str(text_at(block, "/text")),
                "tool_use" => tool_calls.push(ToolCall {
                    id: ids.claim(text_at(block, "/id")),
                    name: legal.names.original(text_at(block, "/name")).to_owned(),
                    arguments: read_arguments(block.get("input").unwrap_or(&Value::Null)),
                }),
                _ => {}
            }
        }
        let stop = match text_at(&raw, "/stop_reason") {
            "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
            "refusal" => StopReason::Refused,
            _ if !tool_calls.is_empty() => StopReason::ToolCalls,
            "end_turn" | "stop_sequence" | "tool_use" | "" => StopReason::End,
            other => StopReason::Other(other.to_owned()),
        };
        // What was read from the cache or written to it is not in `input_tokens` here.
        let cached_input_tokens = tokens(&raw, "/usage/cache_read_input_tokens");
        let cache_write_tokens = tokens(&raw, "/usage/cache_creation_input_tokens");
        let usage = Usage {
            input_tokens: tokens(&raw, "/usage/input_tokens")
                .saturating_add(cached_input_tokens)
                .saturating_add(cache_write_tokens),
            cached_input_tokens,
            cache_write_tokens,
            output_tokens: tokens(&raw, "/usage/output_tokens"),
            reasoning_tokens: 0,
        };
        let model = text_at(&raw, "/model").to_owned();
        Ok(Turn { text: some_text(said), tool_calls, stop, usage, model, raw })
    }

    fn assembler(&self, legal: &Arc<Legal>) -> Box<dyn Assembler> {
        Box::new(Events { calls: Calls::new(legal), message: Map::new(), blocks: Vec::new(), is_over: false })
    }
}

fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

/// The messages, with neighbours of one role as one: the results of a turn's calls belong together, before anything else.
fn messages(messages: &[Message], legal: &Legal) -> Value {
    let mut sent: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message {
            Message::User(text) => ("user", text_block(text)),
            Message::Assistant { text, tool_calls } => {
                let mut blocks = text_block(text.as_deref().unwrap_or_default());
                blocks.extend(tool_calls.iter().map(|call| {
                    json!({
                        "type": "tool_use",
                        "id": legal.ids.wire(&call.id),
                        "name": legal.names.wire(&call.name),
                        "input": sent_arguments(&call.arguments),
                    })
                }));
                ("assistant", blocks)
            }
            Message::Tool { id, content, is_error, .. } => {
                let id = legal.ids.wire(id);
                let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
                if *is_error {
                    block["is_error"] = true.into();
                }
                ("user", vec![block])
            }
        };
        match sent.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, kept)) if *last == role => kept.extend(blocks),
            _ => sent.push((role, blocks)),
        }
    }
    sent.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// Blocks without text are refused.
fn text_block(text: &str) -> Vec<Value> {
    if text.trim().is_empty() { Vec::new() } else { vec![json!({"type": "text", "text": text})] }
}

fn sent_tool(tool: &ToolSchema, legal: &Legal) -> Value {
    json!({
        "name": legal.names.wire(&tool.name),
        "description": described(Dialect::Anthropic, &tool.description),
        "input_schema": translate(Dialect::Anthropic, &tool.input_schema).schema,
    })
}

fn choice(choice: &ToolChoice, legal: &Legal) -> Value {
    match choice {
        ToolChoice::Auto => json!({"type": "auto"}),
        ToolChoice::None => json!({"type": "none"}),
        ToolChoice::Required => json!({"type": "any"}),
        ToolChoice::Named(name) => json!({"type": "tool", "name": legal.names.wire(name)}),
    }
}

struct Events {
    calls: Calls,
    message: Map<String, Value>,
    blocks: Vec<Block>,
    is_over: bool,
}

struct Block {
    wire_index: u64,
    /// Among the calls, for a call.
    call: Option<usize>,
    value: Value,
    /// The arguments of a call, as far as they have come.
    input: String,
}

impl Assembler for Events {
    fn take(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<bool, LlmError> {
        let happened = event(data)?;
        let wire_index = happened.get("index").and_then(Value::as_u64).unwrap_or(0);
        match text_at(&happened, "/type") {
            "message_start" => {
                if let Some(Value::Object(message)) = happened.get("message") {
                    self.message.clone_from(message);
                }
            }
            "content_block_start" => {
                let value = happened.get("content_block").cloned().unwrap_or_default();
                let call = (text_at(&value, "/type") == "tool_use")
                    .then(|| self.calls.begin(text_at(&value, "/id"), text_at(&value, "/name"), deltas));
                if text_at(&value, "/type") == "text" && !text_at(&value, "/text").is_empty() {
                    deltas.push(Delta::Text(text_at(&value, "/text").to_owned()));
                }
                self.blocks.push(Block { wire_index, call, value, input: String::new() });
            }
            "content_block_delta" => {
                if let Some(block) = self.blocks.iter_mut().rev().find(|block| block.wire_index == wire_index)
                {
                    block.take(happened.get("delta").unwrap_or(&Value::Null), deltas);
                }
            }
            "message_delta" => {
                for (name, value) in happened.get("delta").and_then(Value::as_object).into_iter().flatten() {
                    self.message.insert(name.clone(), value.clone());
                }
                // The counts of the beginning, with those of the end over them.
                let mut usage = self.message.get("usage").cloned().unwrap_or_else(|| json!({}));
                for (name, value) in happened.get("usage").and_then(Value::as_object).into_iter().flatten() {
                    if !value.is_null() && usage.is_object() {
                        usage[name] = value.clone();
                    }
                }
                self.message.insert("usage".into(), usage);
            }
            "message_stop" => {
                self.is_over = true;
                return Ok(true);
            }
            // `ping`, the ends of blocks, and what is still to be invented.
            _ => {}
        }
        Ok(false)
    }

    fn finish(self: Box<Self>) -> Result<Value, LlmError> {
        let mut message = self.message;
        let has_stopped = message.get("stop_reason").is_some_and(Value::is_string);
        if !self.is_over && !has_stopped {
            return Err(cut_off());
        }
        let content: Vec<Value> = self.blocks.into_iter().map(Block::whole).collect();
        message.insert("content".into(), content.into());
        Ok(message.into())
    }
}

impl Block {
    fn take(&mut self, delta: &Value, deltas: &mut Vec<Delta>) {
        match (text_at(delta, "/type"), self.call) {
            ("input_json_delta", Some(index)) => {
                arguments(&mut self.input, index, text_at(delta, "/partial_json"), deltas);
            }
            ("text_delta", _) => {
                let part = text_at(delta, "/text");
                self.append("text", part);
                if !part.is_empty() {
                    deltas.push(Delta::Text(part.to_owned()));
                }
            }
            ("thinking_delta", _) => self.append("thinking", text_at(delta, "/thinking")),
            ("signature_delta", _) => self.append("signature", text_at(delta, "/signature")),
            _ => {}
        }
    }

    fn append(&mut self, name: &str, part: &str) {
        if let Some(block) = self.value.as_object_mut() {
            match block.get_mut(name) {
                Some(Value::String(text)) => text.push_str(part),
                _ => {
                    block.insert(name.to_owned(), part.into());
                }
            }
        }
    }

    fn whole(mut self) -> Value {
        if !self.input.is_empty() && self.value.is_object() {
            self.value["input"] = match parse_arguments(&self.input) {
                Arguments::Json(value) => value,
                // Kept as the text that it is, and read as such.
                Arguments::Malformed(text) => text.into(),
            };
        }
        self.value
    }
}
