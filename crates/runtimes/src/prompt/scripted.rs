//! A model that answers from a file: for tests, and to try prompt tools without a provider.
//!
//! ```json
//! {"rules": [
//!   {"contains": "weather", "replies": [{"text": "sunny"}, {"error": {"code": "RATE_LIMIT", "message": "slow down"}}]},
//!   {"matches": "^add \\d+", "replies": [{"json": {"sum": 3}, "cost_estimate": 0.01}]},
//!   {"replies": [{"text": "anything else"}]}
//! ]}
//! ```
//!
//! The first rule that fits the last message answers, with its replies one after the other; the last one stays.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_engine::{Model, ModelReply, ModelRequest};

const MAX_RULES: usize = 1_000;
const MAX_REPLIES: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    rules: Vec<RuleSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSpec {
    /// Stands in the last message.
    #[serde(default)]
    contains: Option<String>,
    /// A regular expression that fits the last message.
    #[serde(default)]
    matches: Option<String>,
    /// Stands in the system prompt.
    #[serde(default)]
    system_contains: Option<String>,
    /// The model that is asked for.
    #[serde(default)]
    model: Option<String>,
    replies: Vec<Reply>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    json: Option<Value>,
    /// The pieces in which the text comes; without them it comes whole.
    #[serde(default)]
    deltas: Vec<String>,
    #[serde(default)]
    error: Option<ToolError>,
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    #[serde(default)]
    cost_estimate: Option<f64>,
}

struct Rule {
    spec: RuleSpec,
    pattern: Option<Regex>,
    asked: AtomicUsize,
}

/// Answers from a script.
pub struct ScriptedModel {
    rules: Vec<Rule>,
}

impl ScriptedModel {
    /// Reads a script; the error says what is wrong with it.
    pub fn parse(script: &str) -> Result<Self, String> {
        let script: Script = serde_json::from_str(script).map_err(|e| e.to_string())?;
        if script.rules.is_empty() || script.rules.len() > MAX_RULES {
            return Err(format!("a script has 1 to {MAX_RULES} rules"));
        }
        let rules = script.rules.into_iter().enumerate().map(|(index, spec)| {
            if spec.replies.is_empty() || spec.replies.len() > MAX_REPLIES {
                return Err(format!("rule {index} has 1 to {MAX_REPLIES} replies"));
            }
            let is_one = |reply: &Reply| {
                let text = reply.text.is_some() || !reply.deltas.is_empty();
                usize::from(text) + usize::from(reply.json.is_some()) + usize::from(reply.error.is_some())
                    == 1
            };
            if !spec.replies.iter().all(is_one) {
                return Err(format!(
                    "each reply of rule {index} has `text` (or `deltas`), `json` or `error`"
                ));
            }
            let pattern = spec.matches.as_deref().map(Regex::new).transpose();
            let pattern = pattern.map_err(|e| format!("`matches` of rule {index}: {e}"))?;
            Ok(Rule { spec, pattern, asked: AtomicUsize::new(0) })
        });
        Ok(Self { rules: rules.collect::<Result<_, _>>()? })
    }
}

impl Rule {
    fn fits(&self, request: &ModelRequest) -> bool {
        let last = request.messages.last().map(|message| message.content.as_str()).unwrap_or_default();
        let system = request.system.as_deref().unwrap_or_default();
        self.spec.contains.as_deref().is_none_or(|part| last.contains(part))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(last))
            && self.spec.system_contains.as_deref().is_none_or(|part| system.contains(part))
            && self.spec.model.as_ref().is_none_or(|model| request.model.as_ref() == Some(model))
    }

    fn reply(&self) -> Option<Reply> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.spec.replies.get(asked).or(self.spec.replies.last()).cloned()
    }
}

#[async_trait]
impl Model for ScriptedModel {
    async fn complete(
        &self,
        request: ModelRequest,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<ModelReply, ToolError> {
        let reply = self.rules.iter().find(|rule| rule.fits(&request)).and_then(Rule::reply);
        let Some(reply) = reply else {
            return Err(ToolError::new(ErrorCode::ProviderError, "the script has no reply to this"));
        };
        if let Some(error) = reply.error {
            return Err(error);
        }
        let text = match (reply.text, reply.json) {
            (Some(text), _) => text,
            (None, Some(value)) => value.to_string(),
            (None, None) => reply.deltas.concat(),
        };
        if let Some(deltas) = deltas {
            let pieces = if reply.deltas.is_empty() { vec![text.clone()] } else { reply.deltas };
            for piece in pieces {
                // Who does not listen any more gets the whole in the end.
                let _ = deltas.send(piece).await;
            }
        }
        Ok(ModelReply {
            text,
            input_tokens: reply.input_tokens,
            output_tokens: reply.output_tokens,
            cost_estimate: reply.cost_estimate,
        })
    }
}
