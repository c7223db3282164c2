//! OpenAI's chat completions, and the many servers that speak them: Ollama, vLLM, llama.cpp.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    ChatRequest, Delta, Dialect, LlmError, Message, StopReason, ToolCall, ToolChoice, ToolSchema, Turn,
    Usage,
    arguments::{read_arguments, sent_arguments},
    assemble::{Calls, arguments, cut_off, event, text},
    failure::broken,
    legal::Legal,
    schema::{described, translate},
    wire::{
        Assembler, Outgoing, Structured, Wire, some_text, sorted, structured, system_prompt, text_at, tokens,
    },
};

pub(super) struct OpenAiChat {
    /// OpenAI itself: it knows `max_completion_tokens`, which its reasoning models insist on. Others know `max_tokens`.
    pub(super) is_openai: bool,
}

impl Wire for OpenAiChat {
    fn outgoing(&self, request: &ChatRequest, legal: &Legal, stream: bool) -> Result<Outgoing, LlmError> {
        let mut body = Map::new();
        body.insert("model".into(), request.model.as_str().into());
        let mut told = None;
        match request.output_schema.as_ref().map(|schema| structured(Dialect::OpenAi, schema)) {
            None => {}
            Some(Structured::Told(words)) => told = Some(words),
            Some(Structured::Native(made)) => {
                let schema = json!({"name": "answer", "schema": made.schema, "strict": made.strict});
                body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": schema}));
            }
        }
        let system = system_prompt(request.system.as_deref(), told.as_deref());
        let system = system.map(|content| json!({"role": "system", "content": content}));
        let messages = request.messages.iter().map(|message| sent(message, legal));
        body.insert("messages".into(), system.into_iter().chain(messages).collect());
        if !request.tools.is_empty() {
            let tools = sorted(&request.tools).into_iter().map(|tool| sent_tool(tool, legal));
            body.insert("tools".into(), tools.collect());
            body.insert("tool_choice".into(), choice(&request.tool_choice, legal));
        }
        if let Some(most) = request.max_output_tokens {
            let name = if self.is_openai { "max_completion_tokens" } else { "max_tokens" };
            body.insert(name.into(), most.into());
        }
        if let Some(temperature) = request.temperature {
            body.insert("temperature".into(), temperature.into());
        }
        if stream {
            body.insert("stream".into(), true.into());
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
        Ok(Outgoing { path: "chat/completions".into(), body: body.into() })
    }

    fn turn(&self, raw: Value, legal: &Legal) -> Result<Turn, LlmError> {
        let choice = raw.pointer("/choices/0").ok_or_else(|| broken("the answer has no choice"))?;
        let mut ids = legal.new_ids();
        let calls = choice.pointer("/message/tool_calls").and_then(Value::as_array).into_iter().flatten();
        let tool_calls: Vec<ToolCall> = calls
            .map(|call| ToolCall {
                id: ids.claim(text_at(call, "/id")),
                name: legal.names.original(text_at(call, "/function/name")).to_owned(),
                arguments: read_arguments(call.pointer("/function/arguments").unwrap_or(&Value::Null)),
            })
            .collect();
        let refusal = text_at(choice, "/message/refusal");
        let said = content(choice.pointer("/message/content").unwrap_or(&Value::Null));
        let stop = match text_at(choice, "/finish_reason") {
            "length" => StopReason::Length,
            "content_filter" => StopReason::Refused,
            _ if !refusal.is_empty() => StopReason::Refused,
            // Not every server says so when it calls.
            _ if !tool_calls.is_empty() => StopReason::ToolCalls,
            "stop" | "" | "tool_calls" | "function_call" => StopReason::End,
            other => StopReason::Other(other.to_owned()),
        };
        let usage = Usage {
            input_tokens: tokens(&raw, "/usage/prompt_tokens"),
            cached_input_tokens: tokens(&raw, "/usage/prompt_tokens_details/cached_tokens"),
            output_tokens: tokens(&raw, "/usage/completion_tokens"),
            reasoning_tokens: tokens(&raw, "/usage/completion_tokens_details/reasoning_tokens"),
            ..Usage::default()
        };
        let model = text_at(&raw, "/model").to_owned();
        Ok(Turn { text: some_text(said + refusal), tool_calls, stop, usage, model, raw })
    }

    fn assembler(&self, legal: &Arc<Legal>) -> Box<dyn Assembler> {
        Box::new(Chunks {
            calls: Calls::new(legal),
            head: Map::new(),
            content: String::new(),
            refusal: String::new(),
            begun: Vec::new(),
            finish_reason: Value::Null,
            usage: Value::Null,
            is_done: false,
        })
    }
}

fn sent(message: &Message, legal: &Legal) -> Value {
    match message {
        Message::User(content) => json!({"role": "user", "content": content}),
        Message::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            json!({"role": "assistant", "content": text.as_deref().unwrap_or_default()})
        }
        Message::Assistant { text, tool_calls } => {
            let calls: Vec<Value> = tool_calls
                .iter()
                .map(|call| {
                    let arguments = sent_arguments(&call.arguments).to_string();
                    let function = json!({"name": legal.names.wire(&call.name), "arguments": arguments});
                    json!({"id": legal.ids.wire(&call.id), "type": "function", "function": function})
                })
                .collect();
            json!({"role": "assistant", "content": text, "tool_calls": calls})
        }
        Message::Tool { id, content, .. } => {
            json!({"role": "tool", "tool_call_id": legal.ids.wire(id), "content": content})
        }
    }
}

fn sent_tool(tool: &ToolSchema, legal: &Legal) -> Value {
    let made = translate(Dialect::OpenAi, &tool.input_schema);
    let mut function = json!({
        "name": legal.names.wire(&tool.name),
        "description": described(Dialect::OpenAi, &tool.description),
        "parameters": made.schema,
    });
    // Not strict unless said, so it is said where it is meant: not every server knows the word.
    if made.strict {
        function["strict"] = true.into();
    }
    json!({"type": "function", "function": function})
}

fn choice(choice: &ToolChoice, legal: &Legal) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Named(name) => json!({"type": "function", "function": {"name": legal.names.wire(name)}}),
    }
}

/// Text, or parts of text.
fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text_at(part, "/text")).collect(),
        _ => String::new(),
    }
}

struct Chunks {
    calls: Calls,
    /// `id`, `created`, `model`.
    head: Map<String, Value>,
    content: String,
    refusal: String,
    begun: Vec<BegunCall>,
    finish_reason: Value,
    usage: Value,
    is_done: bool,
}

struct BegunCall {
    /// As the server counts them; some do not, and some always say 0.
    wire_index: Option<u64>,
    index: usize,
    id: String,
    name: String,
    arguments: String,
}

impl Assembler for Chunks {
    fn take(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<bool, LlmError> {
        if data.trim() == "[DONE]" {
            self.is_done = true;
            return Ok(true);
        }
        let chunk = event(data)?;
        for name in ["id", "created", "model"] {
            if let Some(value) = chunk.get(name).filter(|value| !value.is_null()) {
                self.head.insert(name.into(), value.clone());
            }
        }
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            self.usage = usage.clone();
        }
        let Some(choice) = chunk.pointer("/choices/0") else { return Ok(false) };
        text(&mut self.content, &content(choice.pointer("/delta/content").unwrap_or(&Value::Null)), deltas);
        text(&mut self.refusal, text_at(choice, "/delta/refusal"), deltas);
        for call in choice.pointer("/delta/tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.take_call(call, deltas);
        }
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            self.finish_reason = reason.clone();
        }
        Ok(false)
    }

    fn finish(self: Box<Self>) -> Result<Value, LlmError> {
        if !self.is_done && self.finish_reason.is_null() {
            return Err(cut_off());
        }
        let calls: Vec<Value> = self
            .begun
            .into_iter()
            .map(|call| {
                let function = json!({"name": call.name, "arguments": call.arguments});
                json!({"id": call.id, "type": "function", "function": function})
            })
            .collect();
        let mut message = json!({"role": "assistant", "content": some_text(self.content)});
        if let Some(refusal) = some_text(self.refusal) {
            message["refusal"] = refusal.into();
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let mut whole = self.head;
        whole.insert("object".into(), "chat.completion".into());
        let choice = json!({"index": 0, "message": message, "finish_reason": self.finish_reason});
        whole.insert("choices".into(), json!([choice]));
        whole.insert("usage".into(), self.usage);
        Ok(whole.into())
    }
}

impl Chunks {
    fn take_call(&mut self, part: &Value, deltas: &mut Vec<Delta>) {
        let (id, name) = (text_at(part, "/id"), text_at(part, "/function/name"));
        let wire_index = part.get("index").and_then(Value::as_u64);
        let known = match wire_index {
            Some(_) => self.begun.iter().rposition(|call| call.wire_index == wire_index),
            None => self.begun.len().checked_sub(1),
        };
        // A name together with another id is another call, whatever its index says.
        let known = known.filter(|at| {
            let is_another = wire_index.is_none() || (!id.is_empty() && self.begun[*at].id != id);
            name.is_empty() || !is_another
        });
        let at = known.unwrap_or_else(|| {
            let index = self.calls.begin(id, name, deltas);
            let (id, name) = (id.to_owned(), name.to_owned());
            self.begun.push(BegunCall { wire_index, index, id, name, arguments: String::new() });
            self.begun.len() - 1
        });
        let call = &mut self.begun[at];
        match part.pointer("/function/arguments") {
            Some(Value::String(more)) => arguments(&mut call.arguments, call.index, more, deltas),
            // Some servers send the arguments as an object, whole.
            Some(whole @ Value::Object(_)) => {
                arguments(&mut call.arguments, call.index, &whole.to_string(), deltas);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OpenAI's reasoning models refuse `max_tokens`; other servers do not know the new name.
    #[test]
    fn the_bound_of_an_answer_goes_by_the_servers_own_name() {
        let request = ChatRequest { model: "m".into(), max_output_tokens: Some(5), ..ChatRequest::default() };
        let legal = Legal::of(crate::llm::NameRule::Plain, &request);
        for (is_openai, name, other) in
            [(true, "max_completion_tokens", "max_tokens"), (false, "max_tokens", "max_completion_tokens")]
        {
            let body = OpenAiChat { is_openai }.outgoing(&request, &legal, false).unwrap().body;
            assert_eq!((body.get(name), body.get(other)), (Some(&json!(5)), None));
        }
    }
}
