//! `run_agent_action`: the tool whose calls are actions.

use semver::Version;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgate_domain::{
    ToolSpec,
    governance::MAX_ACTION_CHARS,
    tool::{Annotations, Execution},
};

pub(super) const KIND: &str = "agent_action";

/// The tool's name.
pub const TOOL: &str = "run_agent_action";

const DESCRIPTION: &str = "Has an agent do one thing on its own: call a tool that it may call, or run. Its policy and its daily \
    quota are checked first. Answers with one of four results: success, blocked_by_policy, throttled, failed. A tool that asks a \
    person makes the action wait.";

/// A little more than a run may compute: what the action does ends first, and says how.
const TIMEOUT_MS: u64 = 660_000;

/// With or without the prefix of its kind.
const ID: &str =
    "^([a-z]{2,8}_)?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/// What is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) agent_id: String,
    pub(super) action_type: String,
    pub(super) context_type: Option<String>,
    pub(super) context_id: Option<String>,
    #[serde(default)]
    pub(super) metadata: Map<String, Value>,
}

#[expect(clippy::expect_used, reason = "the name is a literal, and a test builds the definition")]
pub(super) fn spec() -> ToolSpec {
    ToolSpec {
        icon: Some("zap".to_owned()),
        timeout_ms: Some(TIMEOUT_MS),
        output_schema: Some(output_schema()),
        // What an action does is what its tool does.
        annotations: Annotations {
            read_only_hint: Some(false),
            destructive_hint: Some(true),
            idempotent_hint: Some(false),
            open_world_hint: Some(true),
        },
        ..ToolSpec::new(
            TOOL.parse().expect("a literal tool name"),
            Version::new(1, 0, 0),
            DESCRIPTION,
            input_schema(),
            Execution { kind: KIND.to_owned(), config: Map::new() },
        )
    }
}

fn input_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "agent_id": {"type": "string", "minLength": 1, "maxLength": 128, "description": "The agent, by id or handle."},
            "action_type": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_ACTION_CHARS,
                "description": "What it does: the name of a tool that the agent may call, or `run`.",
            },
            "context_type": {
                "type": "string",
                "maxLength": 64,
                "description": "The kind of thing that the action is about.",
            },
            "context_id": {"type": "string", "pattern": ID, "description": "The id of that thing."},
            "metadata": {
                "type": "object",
                "default": {},
                "description": "The tool's input; for `run`, `message` is what the agent is asked.",
            },
        },
        "required": ["agent_id", "action_type"],
        "additionalProperties": false,
    })
}

fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "result": {"type": "string", "enum": ["success", "blocked_by_policy", "throttled", "failed"]},
            "action": {"type": "string", "description": "What was done, as it was asked for."},
            "agent_id": {"type": "string"},
            "output": {"description": "What the tool answered."},
            "reason": {"type": "string", "description": "Why it was blocked or throttled."},
            "error": {"type": "string", "description": "How it failed, in words."},
            "code": {"type": "string", "description": "How it failed: one of the nine codes."},
            "message": {"type": "string", "description": "The reason, in words."},
            "retry_after_s": {"type": "integer", "description": "When to come back."},
            "truncated": {"type": "boolean", "description": "The receipt of the call has more than `output`."},
            "call_id": {"type": "string", "description": "The call of the tool, where one was made."},
            "invocation_id": {"type": "string", "description": "The record of that call."},
        },
        "required": ["result"],
    })
}
