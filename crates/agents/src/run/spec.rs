//! `run_agent`: the tool whose calls are runs.

use semver::Version;
use serde_json::json;
use toolgate_domain::{EgressClass, ToolSpec, tool::Execution};

pub(super) const KIND: &str = "agent";

const DESCRIPTION: &str = "Gives an agent a message and answers with what it found. The agent calls its own tools, each with a \
    receipt under this call; a tool that asks a person makes the whole run wait. Use it to hand over work that needs several \
    steps.";

/// Milliseconds that a run may compute between two waits.
const TIMEOUT_MS: u64 = 600_000;

#[expect(clippy::expect_used, reason = "the name is a literal, and a test builds the definition")]
pub(super) fn spec() -> ToolSpec {
    let input_schema = json!({
        "type": "object",
        "properties": {
            "agent": {"type": "string", "minLength": 1, "maxLength": 128, "description": "The agent, by handle or id."},
            "message": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100_000,
                "description": "What it is asked to do.",
            },
        },
        "required": ["agent", "message"],
        "additionalProperties": false,
    });
    let output_schema = json!({
        "type": "object",
        "properties": {
            "response": {"type": "string"},
            "tools_by_id": {"type": "object", "additionalProperties": {"type": "object"}},
            "tool_order": {"type": "array", "items": {"type": "string"}},
            "last_tool": {"type": ["object", "null"]},
            "traces_url": {"type": ["string", "null"]},
        },
        "required": ["response", "tools_by_id", "tool_order"],
    });
    ToolSpec {
        icon: Some("bot".to_owned()),
        // The message leaves the house for the model's provider.
        egress_class: EgressClass::ReadOnly,
        timeout_ms: Some(TIMEOUT_MS),
        output_schema: Some(output_schema),
        ..ToolSpec::new(
            "run_agent".parse().expect("a literal tool name"),
            Version::new(1, 0, 0),
            DESCRIPTION,
            input_schema,
            Execution { kind: KIND.to_owned(), config: serde_json::Map::new() },
        )
    }
}
