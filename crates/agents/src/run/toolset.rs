//! What the model of a run is given to call: its tools, or, where they are too many, a search and one call for all of them.

use serde_json::{Value, json};
use toolgate_domain::{CALL_TOOL, SEARCH_TOOLS, Tool};
use toolgate_engine::Toolset;

use super::{Begin, GivenTool};
use crate::llm::ToolSchema;

/// Tools that a search answers with when it does not say.
pub(super) const FOUND: u64 = 8;
/// The most that it answers with.
pub(super) const MAX_FOUND: u64 = 25;

impl GivenTool {
    pub(super) fn of(tool: &Tool) -> Self {
        Self {
            description: tool.spec.description.clone(),
            input_schema: tool.spec.input_schema.clone(),
            ..Self::named(tool)
        }
    }

    /// Without what a search tells: ten thousand schemas would make a step that nobody wants to read.
    fn named(tool: &Tool) -> Self {
        Self {
            name: tool.spec.name.to_string(),
            version: tool.spec.version.to_string(),
            description: String::new(),
            input_schema: Value::Null,
        }
    }

    pub(super) fn is(&self, tool: &Tool) -> bool {
        self.name == tool.spec.name.as_str() && self.version == tool.spec.version.to_string()
    }
}

/// The tools as the first step keeps them, sorted by name, and whether they are searched.
pub(super) fn given(toolset: Toolset) -> (Vec<GivenTool>, bool) {
    let keep = if toolset.by_search { GivenTool::named } else { GivenTool::of };
    let mut tools: Vec<_> = toolset.tools.iter().map(|tool| keep(tool)).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    (tools, toolset.by_search)
}

/// The tools as the model is shown them.
pub(super) fn shown(begin: &Begin) -> Vec<ToolSchema> {
    if begin.by_search {
        return vec![call_tool(), search_tools(begin.tools.len())];
    }
    let schema = |tool: &GivenTool| ToolSchema {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
    };
    begin.tools.iter().map(schema).collect()
}

fn search_tools(count: usize) -> ToolSchema {
    let description = format!(
        "Searches the {count} tools that you can call, in their names, descriptions and parameters. Answers with names, descriptions \
         and input schemas, the best first. Call what you found with {CALL_TOOL}."
    );
    let input_schema = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words for what the tool should do, such as `send mail` or `exchange rate`."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_FOUND,
                "description": format!("The most tools to answer with; {FOUND} when left out."),
            },
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    ToolSchema { name: SEARCH_TOOLS.to_owned(), description, input_schema }
}

fn call_tool() -> ToolSchema {
    let description = format!(
        "Calls a tool by its name. Find it with {SEARCH_TOOLS} first: it tells which arguments the tool takes."
    );
    let input_schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The name of the tool, as the search told it."},
            "arguments": {"type": "object", "description": "The arguments, as the tool's input schema wants them."},
        },
        "required": ["name", "arguments"],
        "additionalProperties": false,
    });
    ToolSchema { name: CALL_TOOL.to_owned(), description, input_schema }
}
