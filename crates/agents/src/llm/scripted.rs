//! A provider that plays a script, in YAML or JSON: for tests, demos without a key, and replays. It says what it is: the model of its
//! turns is `scripted`, and so says `raw`.
//!
//! A list of turns is played in order, per conversation. Which turn is next follows from the number of assistant messages so far, so
//! nothing is kept, and a conversation that begins again gets the same answers:
//!
//! ```yaml
//! turns:
//!   - tool_calls: [{name: get_weather, arguments: {city: Berne}}]
//!   - {text: It rains., usage: {input_tokens: 40, output_tokens: 4}}
//! ```
//!
//! Or rules, of which the first that fits answers, with its replies one after the other; the last one stays:
//!
//! ```yaml
//! rules:
//!   - {contains: weather, replies: [{text: sunny}, {error: {code: RATE_LIMIT, message: slow down}}]}
//!   - {after_tool: get_weather, result_contains: rain, replies: [{deltas: [take an, " umbrella"]}]}
//!   - {turn: 3, replies: [{json: {done: true}}]}
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::ErrorCode;

use super::{
    Arguments, ChatRequest, Delta, LlmError, Message, NameRule, Provider, StopReason, ToolCall, Turn, Usage,
    arguments::read_arguments, legal::Legal,
};

const NAME: &str = "scripted";
const MAX_RULES: usize = 1_000;
const MAX_REPLIES: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    #[serde(default)]
    rules: Vec<RuleSpec>,
    #[serde(default)]
    turns: Vec<Reply>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSpec {
    /// Stands in the last message.
    contains: Option<String>,
    /// A regular expression that fits the last message.
    matches: Option<String>,
    /// Stands in the system prompt.
    system_contains: Option<String>,
    /// The model that is asked for.
    model: Option<String>,
    /// The number of the turn: one more than the assistant messages so far.
    turn: Option<usize>,
    /// The last message is a result of this tool.
    after_tool: Option<String>,
    /// Stands in that result.
    result_contains: Option<String>,
    replies: Vec<Reply>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    text: Option<String>,
    json: Option<Value>,
    /// The pieces in which the text comes; without them it comes whole. Before an error, they are what was said until then.
    #[serde(default)]
    deltas: Vec<String>,
    #[serde(default)]
    tool_calls: Vec<ScriptedCall>,
    error: Option<ScriptedError>,
    stop: Option<StopReason>,
    #[serde(default)]
    usage: Usage,
    cost_estimate: Option<f64>,
    /// Says its pieces and then nothing more, until nobody waits.
    #[serde(default)]
    hang: bool,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedCall {
    name: String,
    /// A text stands for what the model wrote, and may be malformed.
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    id: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedError {
    code: ErrorCode,
    message: String,
    #[serde(default)]
    is_retryable: bool,
    retry_after_s: Option<u64>,
    status: Option<u16>,
    /// Accepted for older scripts; an error of a model has none.
    #[serde(rename = "details")]
    _details: Option<Value>,
}

struct Rule {
    spec: RuleSpec,
    pattern: Option<Regex>,
    asked: AtomicUsize,
}

/// Plays a script.
pub struct Scripted {
    name: String,
    rules: Vec<Rule>,
    turns: Vec<Reply>,
}

impl Scripted {
    /// Reads a script; the error says what is wrong with it.
    pub fn parse(script: &str) -> Result<Self, String> {
        // JSON is YAML but for a few escapes, so it is read as what it is.
        let script: Script = if script.trim_start().starts_with('{') {
            serde_json::from_str(script)
                .or_else(|e| serde_saphyr::from_str(script).map_err(|_| e.to_string()))?
        } else {
            serde_saphyr::from_str(script).map_err(|e| e.to_string())?
        };
        if script.rules.is_empty() == script.turns.is_empty() {
            return Err("a script has `rules` or `turns`".into());
        }
        if script.rules.len() > MAX_RULES || script.turns.len() > MAX_REPLIES {
            return Err(format!("a script has up to {MAX_RULES} rules, or up to {MAX_REPLIES} turns"));
        }
        if let Some(index) = script.turns.iter().position(|reply| !reply.is_one()) {
            return Err(format!("turn {}: {}", index + 1, Reply::FORM));
        }
        let rules = script.rules.into_iter().enumerate().map(|(index, spec)| {
            if spec.replies.is_empty() || spec.replies.len() > MAX_REPLIES {
                return Err(format!("rule {index} has 1 to {MAX_REPLIES} replies"));
            }
            if !spec.replies.iter().all(Reply::is_one) {
                return Err(format!("rule {index}: {}", Reply::FORM));
            }
            let pattern = spec.matches.as_deref().map(Regex::new).transpose();
            let pattern = pattern.map_err(|e| format!("`matches` of rule {index}: {e}"))?;
            Ok(Rule { spec, pattern, asked: AtomicUsize::new(0) })
        });
        Ok(Self { name: NAME.into(), rules: rules.collect::<Result<_, String>>()?, turns: script.turns })
    }

    /// Under another name than `scripted`, as it was configured.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    fn reply(&self, request: &ChatRequest) -> Option<(Reply, Value)> {
        let turn = turn_of(request);
        if let Some(reply) = self.turns.get(turn - 1) {
            return Some((reply.clone(), json!({"scripted": true, "turn": turn})));
        }
        let (index, rule) = self.rules.iter().enumerate().find(|(_, rule)| rule.fits(request, turn))?;
        Some((rule.reply()?, json!({"scripted": true, "turn": turn, "rule": index})))
    }
}

/// One more than the assistant messages so far.
fn turn_of(request: &ChatRequest) -> usize {
    1 + request.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count()
}

impl Reply {
    const FORM: &'static str = "a reply has `text` (or `deltas`), `json`, `tool_calls` or `error`";

    fn is_one(&self) -> bool {
        let text = usize::from(self.text.is_some() || !self.deltas.is_empty());
        let said = text + usize::from(self.json.is_some());
        let calls = !self.tool_calls.is_empty();
        match self.error {
            Some(_) => self.text.is_none() && self.json.is_none() && !calls && !self.hang,
            None => said == 1 || (said == 0 && (calls || self.hang)),
        }
    }

    fn text(&self) -> Option<String> {
        match (&self.text, &self.json) {
            (Some(text), _) => Some(text.clone()),
            (None, Some(value)) => Some(value.to_string()),
            (None, None) => (!self.deltas.is_empty()).then(|| self.deltas.concat()),
        }
    }

    fn calls(&self, request: &ChatRequest) -> Vec<ToolCall> {
        let mut ids = Legal::of(NameRule::Plain, request).new_ids();
        let turn = turn_of(request);
        let calls = self.tool_calls.iter().enumerate().map(|(index, call)| {
            let id = if call.id.is_empty() { format!("call_{turn}_{}", index + 1) } else { call.id.clone() };
            ToolCall {
                id: ids.claim(&id),
                name: call.name.clone(),
                arguments: read_arguments(&call.arguments),
            }
        });
        calls.collect()
    }
}

impl Rule {
    fn fits(&self, request: &ChatRequest, turn: usize) -> bool {
        let spec = &self.spec;
        let (last, tool) = match request.messages.last() {
            Some(Message::User(text)) => (text.as_str(), None),
            Some(Message::Assistant { text, .. }) => (text.as_deref().unwrap_or_default(), None),
            Some(Message::Tool { name, content, .. }) => (content.as_str(), Some(name.as_str())),
            None => ("", None),
        };
        let system = request.system.as_deref().unwrap_or_default();
        spec.contains.as_deref().is_none_or(|part| last.contains(part))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(last))
            && spec.system_contains.as_deref().is_none_or(|part| system.contains(part))
            && spec.model.as_ref().is_none_or(|model| request.model == *model)
            && spec.turn.is_none_or(|number| number == turn)
            && spec.after_tool.as_deref().is_none_or(|name| tool == Some(name))
            && spec.result_contains.as_deref().is_none_or(|part| tool.is_some() && last.contains(part))
    }

    fn reply(&self) -> Option<Reply> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.spec.replies.get(asked).or(self.spec.replies.last()).cloned()
    }
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    async fn chat(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError> {
        let Some((reply, mut raw)) = self.reply(request) else {
            return Err(LlmError::new(ErrorCode::ProviderError, "the script has no reply to this"));
        };
        let (text, tool_calls) = (reply.text(), reply.calls(request));
        if let Some(deltas) = deltas {
            for delta in pieces(&reply, text.as_deref(), &tool_calls) {
                // Who does not listen any more gets the whole in the end.
                let _ = deltas.send(delta).await;
            }
        }
        if reply.hang {
            std::future::pending::<()>().await;
        }
        let usage = reply.usage;
        if let Some(error) = reply.error {
            let made = LlmError::new(error.code, error.message);
            let is_retryable = error.is_retryable;
            return Err(LlmError {
                is_retryable,
                retry_after_s: error.retry_after_s,
                status: error.status,
                ..made
            });
        }
        if let Some(cost) = reply.cost_estimate {
            raw["cost_estimate"] = cost.into();
        }
        let by_itself = if tool_calls.is_empty() { StopReason::End } else { StopReason::ToolCalls };
        let stop = reply.stop.unwrap_or(by_itself);
        Ok(Turn { text, tool_calls, stop, usage, model: NAME.into(), raw })
    }
}

fn pieces(reply: &Reply, text: Option<&str>, calls: &[ToolCall]) -> Vec<Delta> {
    let mut pieces: Vec<Delta> = reply.deltas.iter().cloned().map(Delta::Text).collect();
    if pieces.is_empty() {
        pieces.extend(text.map(|text| Delta::Text(text.to_owned())));
    }
    for (index, call) in calls.iter().enumerate() {
        pieces.push(Delta::ToolCall { index, id: call.id.clone(), name: call.name.clone() });
        let part = match &call.arguments {
            Arguments::Json(value) => value.to_string(),
            Arguments::Malformed(text) => text.clone(),
        };
        pieces.push(Delta::Arguments { index, part });
    }
    pieces
}
