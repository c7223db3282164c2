//! `run_agent`: the tool whose calls are runs.

use semver::Version;
use serde::Deserialize;
use serde_json::{Value, json};
use toolgate_domain::{
    EgressClass, ToolSpec,
    tool::{Annotations, Execution},
};

use crate::llm::Message;

pub(super) const KIND: &str = "agent";

const DESCRIPTION: &str = "Gives an agent a message and answers with what it found. The agent calls its own tools, each with a \
    receipt under this call; a tool that asks a person makes the whole run wait. Use it to hand over work that needs several \
    steps.";

/// Milliseconds that a run may compute between two waits.
const TIMEOUT_MS: u64 = 600_000;
/// The longest message, in characters.
const MAX_MESSAGE: u64 = 100_000;
/// Earlier messages of a conversation.
const MAX_HISTORY: u64 = 500;

/// What a run is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) agent: String,
    pub(super) message: String,
    #[serde(default)]
    history: Vec<Said>,
    pub(super) deadline_s: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    role: Role,
    content: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    User,
    Assistant,
}

impl Asked {
    /// What was said before.
    pub(super) fn history(&mut self) -> Vec<Message> {
        let history = std::mem::take(&mut self.history).into_iter();
        let message = |said: Said| match said.role {
            Role::User => Message::User(said.content),
            Role::Assistant => Message::Assistant { text: Some(said.content), tool_calls: Vec::new() },
        };
        history.map(message).collect()
    }
}

#[expect(clippy::expect_used, reason = "the name is a literal, and a test builds the definition")]
pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        icon: Some("bot".to_owned()),
        // A group of its own: nobody hands out agents who call agents by giving a group of useful things.
        category: "agents".to_owned(),
        // The message leaves the house for the model's provider.
        egress_class: EgressClass::ReadOnly,
        timeout_ms: Some(TIMEOUT_MS),
        output_schema: Some(output_schema()),
        // What a run does is what its tools do.
        annotations: Annotations {
            read_only_hint: Some(false),
            destructive_hint: Some(true),
            idempotent_hint: Some(false),
            open_world_hint: Some(true),
        },
        ..ToolSpec::new(
            "run_agent".parse().expect("a literal tool name"),
            Version::new(1, 0, 0),
            DESCRIPTION,
            input_schema(),
            Execution { kind: KIND.to_owned(), config: serde_json::Map::new() },
        )
    }
}

fn input_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "agent": {"type": "string", "minLength": 1, "maxLength": 128, "description": "The agent, by handle or id."},
            "message": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_MESSAGE,
                "description": "What it is asked to do.",
            },
            "history": {
                "type": "array",
                "maxItems": MAX_HISTORY,
                "description": "What was said before, oldest first.",
                "items": {
                    "type": "object",
                    "properties": {
                        "role": {"type": "string", "enum": ["user", "assistant"]},
                        "content": {"type": "string", "maxLength": MAX_MESSAGE},
                    },
                    "required": ["role", "content"],
                    "additionalProperties": false,
                },
            },
            "deadline_s": {
                "type": "integer",
                "minimum": 1,
                "description": "Seconds until the run ends, whatever it waits for. The server has a bound of its own.",
            },
        },
        "required": ["agent", "message"],
        "additionalProperties": false,
    })
}

fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "response": {"type": "string", "description": "What the agent answered in the end."},
            "tools_by_id": {
                "type": "object",
                "additionalProperties": {"type": "object"},
                "description": "The receipt of every call that it made, by call_id.",
            },
            "tool_order": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The call_ids in the order of the calls.",
            },
            "last_tool": {
                "type": ["object", "null"],
                "description": "The receipt of the last call that ended well.",
            },
            "traces_url": {"type": ["string", "null"], "description": "Where its trace can be seen."},
        },
        "required": ["response", "tools_by_id", "tool_order", "last_tool", "traces_url"],
    })
}
