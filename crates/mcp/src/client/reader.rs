//! Runs the tools that read what upstreams have besides tools. Reading it is a call like any other: permitted, limited, recorded, redacted.

use std::sync::Arc;

use async_trait::async_trait;
use semver::Version;
use serde_json::{Value, json};
use toolgate_domain::{
    EgressClass, InvocationId, Tool, ToolError, ToolSpec,
    json::check_value,
    tool::{Annotations, Execution},
};
use toolgate_engine::{Compiled, Halt, Output, Redactor, RunContext, Runtime};

use super::{McpRuntime, connect::redactor, failure::provider, reading::Reads, runtime::Calls};

pub(crate) const KIND: &str = "mcp_read";
/// How deep an answer may nest; a call's output may not nest deeper either.
const MAX_DEPTH: usize = 100;

/// The tools by name.
pub const GET_PROMPT: &str = "get_upstream_prompt";
pub const READ_RESOURCE: &str = "read_upstream_resource";
pub const COMPLETE_ARGUMENT: &str = "complete_upstream_argument";

/// The runtime of kind `mcp_read`.
pub struct McpReader {
    mcp: Arc<McpRuntime>,
}

impl McpReader {
    pub fn new(mcp: Arc<McpRuntime>) -> Self {
        Self { mcp }
    }

    /// The tools that it brings.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![prompt(), resource(), completion()]
    }

    async fn read(
        &self,
        reads: Reads,
        tool: &Tool,
        input: Value,
        context: &mut RunContext,
    ) -> Result<Output, Halt> {
        let (server, what) = reads.asked(input)?;
        let upstream = context.invoker.upstream(&server).await?;
        // Which secrets it takes is known only now; nobody else keeps them out of what is said.
        context.secrets = context.invoker.upstream_secrets(&upstream).await?;
        let redactor = redactor(&context.secrets)?;
        let timeout_ms = upstream.timeout_ms.unwrap_or(u64::MAX).min(context.timeout_ms);
        // What the upstream says meanwhile is left aside: it would have to be redacted piece by piece.
        let call = Calls::new(tool, &server, what, context, 0);
        let answer = self.mcp.within(context, timeout_ms, self.mcp.ask_upstream(call)).await;
        let output = match answer {
            Ok(answer) => reads.output(answer),
            Err(Halt::Failed(error)) => Err(error),
            Err(waiting) => return Err(waiting),
        };
        match output {
            Ok(mut value) => {
                redact(&redactor, &mut value)?;
                Ok(value.into())
            }
            Err(mut error) => {
                error.message = redactor.redact_text(&error.message).into_owned();
                if let Some(details) = &mut error.details {
                    redact(&redactor, details)?;
                }
                Err(error.into())
            }
        }
    }
}

fn redact(redactor: &Redactor, value: &mut Value) -> Result<(), ToolError> {
    if redactor.is_empty() {
        return Ok(());
    }
    check_value(value, MAX_DEPTH).map_err(|error| provider("contract", error.to_string()))?;
    redactor.redact_value(value);
    Ok(())
}

#[async_trait]
impl Runtime for McpReader {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Reads::parse(execution).map(Compiled::new)
    }

    /// An upstream is outside: whatever it is asked, it is told.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::ReadOnly
    }

    fn forget(&self, invocation: InvocationId) {
        self.mcp.forget(invocation);
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, mut context: RunContext) -> Result<Output, Halt> {
        let reads = *context.plan::<Reads>()?;
        self.read(reads, &tool, input, &mut context).await
    }
}

fn server() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": 32, "description": "The MCP server, by the name that it was registered with."})
}

fn prompt() -> ToolSpec {
    spec(
        GET_PROMPT,
        "Gets a prompt of another MCP server that is registered here, filled in with arguments. Answers with the messages of the prompt.",
        Reads::Prompt,
        json!({
            "type": "object",
            "properties": {
                "server": server(),
                "name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The prompt, by the server's own name."},
                "arguments": {
                    "type": "object",
                    "additionalProperties": {"type": "string"},
                    "description": "The values of the prompt's arguments, by name.",
                },
            },
            "required": ["server", "name"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {
                "description": {"type": "string"},
                "messages": {"type": "array", "items": {"type": "object"}},
            },
            "required": ["messages"],
        }),
    )
}

fn resource() -> ToolSpec {
    spec(
        READ_RESOURCE,
        "Reads a resource of another MCP server that is registered here: a file, a record, whatever the server shares. Answers with its \
         contents, as text or as base64.",
        Reads::Resource,
        json!({
            "type": "object",
            "properties": {
                "server": server(),
                "uri": {"type": "string", "minLength": 1, "maxLength": 2048, "description": "The address of the resource."},
            },
            "required": ["server", "uri"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {"contents": {"type": "array", "items": {"type": "object"}}},
            "required": ["contents"],
        }),
    )
}

fn completion() -> ToolSpec {
    let text = |most: usize, description: &str| json!({"type": "string", "maxLength": most, "description": description});
    spec(
        COMPLETE_ARGUMENT,
        "Asks another MCP server that is registered here for values that complete an argument of one of its prompts or templates of \
         resources.",
        Reads::Completion,
        json!({
            "type": "object",
            "properties": {
                "server": server(),
                "ref": {
                    "type": "object",
                    "description": "What the argument belongs to.",
                    "properties": {
                        "type": {"type": "string", "enum": ["ref/prompt", "ref/resource"]},
                        "name": text(200, "The prompt, for `ref/prompt`."),
                        "uri": text(2_048, "The template of resources, for `ref/resource`."),
                    },
                    "required": ["type"],
                    "additionalProperties": false,
                },
                "argument": {
                    "type": "object",
                    "description": "What was typed so far.",
                    "properties": {"name": text(200, "The argument."), "value": text(2_048, "Its beginning.")},
                    "required": ["name", "value"],
                    "additionalProperties": false,
                },
                "context": {
                    "type": "object",
                    "description": "What is known besides.",
                    "properties": {
                        "arguments": {
                            "type": "object",
                            "additionalProperties": {"type": "string"},
                            "description": "The values of other arguments, by name.",
                        },
                    },
                    "additionalProperties": false,
                },
            },
            "required": ["server", "ref", "argument"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {
                "values": {"type": "array", "items": {"type": "string"}},
                "total": {"type": "integer"},
                "hasMore": {"type": "boolean"},
            },
            "required": ["values"],
        }),
    )
}

#[expect(clippy::expect_used, reason = "the names are literals, and a test builds the definitions")]
fn spec(name: &str, description: &str, reads: Reads, input: Value, output: Value) -> ToolSpec {
    ToolSpec {
        category: "mcp".to_owned(),
        output_schema: Some(output),
        egress_class: EgressClass::ReadOnly,
        annotations: Annotations {
            read_only_hint: Some(true),
            destructive_hint: Some(false),
            idempotent_hint: Some(true),
            open_world_hint: Some(true),
        },
        ..ToolSpec::new(
            name.parse().expect("a literal tool name"),
            Version::new(1, 0, 0),
            description,
            input,
            reads.execution(KIND),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_has_an_execution_that_can_be_compiled() {
        let kinds = [prompt(), resource(), completion()].map(|spec| Reads::parse(&spec.execution).unwrap());
        assert_eq!(kinds, [Reads::Prompt, Reads::Resource, Reads::Completion]);
    }
}
