//! `wait`: the one built-in that takes time on purpose.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec};
use toolgate_engine::RunContext;

use super::definition::{Definition, answers, refuses};

pub(super) const NAME: &str = "wait";

pub(super) fn spec() -> ToolSpec {
    let mut spec = Definition {
        name: NAME,
        category: "utility",
        icon: "hourglass",
        description: "Waits for a number of milliseconds, at most 60,000, and then answers. Use it to leave time before you \
            look at something again; do not use it to schedule work for later. With `every_ms` it streams its progress.",
        input_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["ms"],
            "properties": {
                "ms": {"type": "integer", "minimum": 0, "maximum": 60_000, "description": "How long to wait, in milliseconds."},
                "every_ms": {"type": "integer", "minimum": 10, "maximum": 60_000, "description": "Stream the time waited so far, this often."},
            },
        }),
        output_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["waited_ms"],
            "properties": {"waited_ms": {"type": "integer", "minimum": 0}},
        }),
        examples: vec![
            answers("a blink", json!({"ms": 5}), json!({"waited_ms": 5})),
            refuses("too long", json!({"ms": 60_001})),
        ],
        output_sections: vec![],
        repeatable: true,
    }
    .into_spec();
    spec.timeout_ms = Some(65_000);
    spec
}

pub(super) async fn run(input: &Value, context: &RunContext) -> Result<Value, ToolError> {
    let total_ms = input["ms"].as_u64().unwrap_or(0);
    let every_ms = input["every_ms"].as_u64().unwrap_or(total_ms).max(1);
    let mut waited_ms = 0;
    while waited_ms < total_ms {
        let step_ms = every_ms.min(total_ms - waited_ms);
        tokio::time::sleep(Duration::from_millis(step_ms)).await;
        waited_ms += step_ms;
        if input["every_ms"].is_u64() {
            context.emit(json!({"waited_ms": waited_ms})).await;
        }
    }
    Ok(json!({"waited_ms": waited_ms}))
}
