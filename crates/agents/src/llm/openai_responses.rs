//! OpenAI's responses. Nothing is kept there (`store: false`): the conversation is ours, and is sent whole.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    ChatRequest, Delta, Dialect, LlmError, Message, StopReason, ToolCall, ToolChoice, ToolSchema, Turn,
    Usage,
    arguments::{read_arguments, sent_arguments},
    assemble::{Calls, cut_off, event},
    failure::broken,
    legal::Legal,
    schema::{described, translate},
    wire::{
        Assembler, Outgoing, Structured, Wire, some_text, sorted, structured, system_prompt, text_at, tokens,
    },
};

pub(super) struct OpenAiResponses;

impl Wire for OpenAiResponses {
    fn outgoing(&self, request: &ChatRequest, legal: &Legal, stream: bool) -> Result<Outgoing, LlmError> {
        let mut body = Map::new();
        body.insert("model".into(), request.model.as_str().into());
        body.insert("store".into(), false.into());
        let mut told = None;
        match request.output_schema.as_ref().map(|schema| structured(Dialect::OpenAi, schema)) {
            None => {}
            Some(Structured::Told(words)) => told = Some(words),
            Some(Structured::Native(made)) => {
                let format = json!({
                    "type": "json_schema", "name": "answer", "schema": made.schema, "strict": made.strict,
                });
                body.insert("text".into(), json!({"format": format}));
            }
        }
        if let Some(system) = system_prompt(request.system.as_deref(), told.as_deref()) {
            body.insert("instructions".into(), system.into());
        }
        let input = request.messages.iter().flat_map(|message| items(message, legal));
        body.insert("input".into(), input.collect());
        if !request.tools.is_empty() {
            let tools = sorted(&request.tools).into_iter().map(|tool| sent_tool(tool, legal));
            body.insert("tools".into(), tools.collect());
            body.insert("tool_choice".into(), choice(&request.tool_choice, legal));
        }
        if let Some(most) = request.max_output_tokens {
            body.insert("max_output_tokens".into(), most.into());
        }
        if let Some(temperature) = request.temperature {
            body.insert("temperature".into(), temperature.into());
        }
        if stream {
            body.insert("stream".into(), true.into());
        }
        Ok(Outgoing { path: "responses".into(), body: body.into() })
    }

    fn turn(&self, raw: Value, legal: &Legal) -> Result<Turn, LlmError> {
        let output = raw.get("output").and_then(Value::as_array);
        let output = output.ok_or_else(|| broken("the answer has no output"))?;
        let mut ids = legal.new_ids();
        let (mut said, mut is_refusal, mut tool_calls) = (String::new(), false, Vec::new());
        for item in output {
            match text_at(item, "/type") {
                "message" => {
                    for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                        said.push_str(text_at(part, "/text"));
                        said.push_str(text_at(part, "/refusal"));
                        is_refusal |= text_at(part, "/type") == "refusal";
                    }
                }
                "function_call" => tool_calls.push(ToolCall {
                    id: ids.claim(text_at(item, "/call_id")),
                    name: legal.names.original(text_at(item, "/name")).to_owned(),
                    arguments: read_arguments(item.get("arguments").unwrap_or(&Value::Null)),
                }),
                // What it thought, and the tools of the provider's own, which we never offer.
                _ => {}
            }
        }
        let stop = match (text_at(&raw, "/status"), text_at(&raw, "/incomplete_details/reason")) {
            ("incomplete", "max_output_tokens") => StopReason::Length,
            ("incomplete", "content_filter") => StopReason::Refused,
            ("incomplete", other) => StopReason::Other(other.to_owned()),
            _ if is_refusal => StopReason::Refused,
            _ if !tool_calls.is_empty() => StopReason::ToolCalls,
            ("completed" | "", _) => StopReason::End,
            (other, _) => StopReason::Other(other.to_owned()),
        };
        let usage = Usage {
            input_tokens: tokens(&raw, "/usage/input_tokens"),
            cached_input_tokens: tokens(&raw, "/usage/input_tokens_details/cached_tokens"),
            output_tokens: tokens(&raw, "/usage/output_tokens"),
            reasoning_tokens: tokens(&raw, "/usage/output_tokens_details/reasoning_tokens"),
            ..Usage::default()
        };
        let model = text_at(&raw, "/model").to_owned();
        Ok(Turn { text: some_text(said), tool_calls, stop, usage, model, raw })
    }

    fn assembler(&self, legal: &Arc<Legal>) -> Box<dyn Assembler> {
        Box::new(Events { calls: Calls::new(legal), begun: Vec::new(), items: Vec::new(), whole: None })
    }
}

/// The input items of a message. Calls go without the ids of their items: those would have to come with what was thought.
fn items(message: &Message, legal: &Legal) -> Vec<Value> {
    match message {
        Message::User(content) => vec![json!({"role": "user", "content": content})],
        Message::Assistant { text, tool_calls } => {
            let said = text.iter().filter(|text| !text.is_empty());
            let said = said.map(|text| json!({"role": "assistant", "content": text}));
            let calls = tool_calls.iter().map(|call| {
                json!({
                    "type": "function_call",
                    "call_id": legal.ids.wire(&call.id),
                    "name": legal.names.wire(&call.name),
                    "arguments": sent_arguments(&call.arguments).to_string(),
                })
            });
            said.chain(calls).collect()
        }
        Message::Tool { id, content, .. } => {
            vec![json!({"type": "function_call_output", "call_id": legal.ids.wire(id), "output": content})]
        }
    }
}

fn sent_tool(tool: &ToolSchema, legal: &Legal) -> Value {
    let made = translate(Dialect::OpenAi, &tool.input_schema);
    json!({
        "type": "function",
        "name": legal.names.wire(&tool.name),
        "description": described(Dialect::OpenAi, &tool.description),
        "parameters": made.schema,
        // Strict unless said otherwise, so it is always said.
        "strict": made.strict,
    })
}

fn choice(choice: &ToolChoice, legal: &Legal) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Named(name) => json!({"type": "function", "name": legal.names.wire(name)}),
    }
}

struct Events {
    calls: Calls,
    /// The calls that have begun: their place in the output, and their index.
    begun: Vec<(u64, usize)>,
    /// Items that are done, for servers whose last event leaves them out.
    items: Vec<Value>,
    whole: Option<Value>,
}

impl Assembler for Events {
    fn take(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<bool, LlmError> {
        if data.trim() == "[DONE]" {
            return Ok(true);
        }
        let happened = event(data)?;
        let place = happened.get("output_index").and_then(Value::as_u64).unwrap_or(0);
        match text_at(&happened, "/type") {
            "response.output_text.delta" | "response.refusal.delta" => {
                let part = text_at(&happened, "/delta");
                if !part.is_empty() {
                    deltas.push(Delta::Text(part.to_owned()));
                }
            }
            "response.output_item.added" if text_at(&happened, "/item/type") == "function_call" => {
                let (id, name) = (text_at(&happened, "/item/call_id"), text_at(&happened, "/item/name"));
                let index = self.calls.begin(id, name, deltas);
                self.begun.push((place, index));
            }
            "response.function_call_arguments.delta" => {
                let part = text_at(&happened, "/delta");
                if let Some((_, index)) = self.begun.iter().rev().find(|(begun, _)| *begun == place)
                    && !part.is_empty()
                {
                    deltas.push(Delta::Arguments { index: *index, part: part.to_owned() });
                }
            }
            "response.output_item.done" => {
                self.items.extend(happened.get("item").cloned());
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let whole = happened.get("response").cloned().unwrap_or_default();
                // A failure stands in the response, not in the event.
                if let Some(error) = super::failure::of_body(&whole) {
                    return Err(error);
                }
                self.whole = Some(whole);
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    fn finish(self: Box<Self>) -> Result<Value, LlmError> {
        let mut whole = self.whole.filter(Value::is_object).ok_or_else(cut_off)?;
        let is_empty = whole.get("output").and_then(Value::as_array).is_none_or(Vec::is_empty);
        if is_empty {
            whole["output"] = self.items.into();
        }
        Ok(whole)
    }
}
