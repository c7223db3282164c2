//! `run_python`: a script from the caller, in the sandbox.

use semver::Version;
use serde_json::{Value, json};
use toolgate_domain::{
    ErrorCode, ToolSpec,
    tool::{Annotations, Example, Execution, OutputSection, Risk, SectionType},
};

use super::PythonLimits;

const DESCRIPTION: &str = "Runs a Python script in a sandbox and returns the value of its last expression, with what \
    it printed. Use it for calculations, for reshaping data, and for logic that needs loops or functions. The script \
    has no files, no network and no environment; the tools that you may call are functions in it, by their names: \
    `calculate(expression='1+1')['result']`. `inputs` are variables of the script. Modules such as json, math, re, \
    datetime, decimal, collections, itertools and random are there; packages are not. Do not use it for plain \
    arithmetic: calculate is faster.";

/// Milliseconds; above what a script may compute, so that the sandbox's own error comes first.
const TIMEOUT_MS: u64 = 60_000;

#[expect(clippy::expect_used, reason = "the name is a literal, and a test builds the definition")]
pub(super) fn spec(limits: &PythonLimits) -> ToolSpec {
    let example = |name: &str, input: Value, output: Option<Value>, error| Example {
        name: Some(name.to_owned()),
        input,
        output,
        error,
    };
    let input_schema = json!({
        "type": "object",
        "properties": {
            "code": {
                "type": "string",
                "minLength": 1,
                "maxLength": limits.max_code_bytes,
                "description": "The script. The value of its last expression is the result.",
            },
            "inputs": {
                "type": "object",
                "description": "Variables of the script, by name. The dict `input` has them all.",
            },
        },
        "required": ["code"],
        "additionalProperties": false,
    });
    ToolSpec {
        category: "code".to_owned(),
        icon: Some("square-code".to_owned()),
        output_schema: Some(json!({
            "type": "object",
            "properties": {
                "result": {"description": "The value of the last expression; null when there is none."},
                "stdout": {"type": "string", "description": "What the script printed."},
            },
            "required": ["result", "stdout"],
            "additionalProperties": false,
        })),
        risk: Risk::Medium,
        annotations: Annotations {
            read_only_hint: Some(true),
            destructive_hint: Some(false),
            idempotent_hint: Some(false),
            open_world_hint: Some(false),
        },
        timeout_ms: Some(TIMEOUT_MS),
        output_sections: vec![OutputSection {
            key: "result".to_owned(),
            label: "Result".to_owned(),
            kind: SectionType::Custom,
            config: None,
        }],
        examples: vec![
            example(
                "sums with an input",
                json!({"code": "sum(n * n for n in numbers)", "inputs": {"numbers": [1, 2, 3]}}),
                Some(json!({"result": 14, "stdout": ""})),
                None,
            ),
            example(
                "prints",
                json!({"code": "print('working')\n{'done': True}"}),
                Some(json!({"result": {"done": true}, "stdout": "working\n"})),
                None,
            ),
            example("fails", json!({"code": "1 / 0"}), None, Some(ErrorCode::SandboxError)),
        ],
        ..ToolSpec::new(
            "run_python".parse().expect("a literal tool name"),
            Version::new(1, 0, 0),
            DESCRIPTION,
            input_schema,
            Execution::new("python", [("source", "input")]),
        )
    }
}
