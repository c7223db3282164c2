//! `search_tools`: the tools that the caller could call, by what is written about them. A run with too many tools brings a search of
//! the same name and meaning itself.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{Lifecycle, SEARCH_TOOLS, Tool, ToolError, ToolSpec};
use toolgate_engine::RunContext;

use super::{
    definition::{Definition, Manner, limit, list_of, open, said, text},
    input::{number, word},
    runtime::Service,
};

const DEFAULT_FOUND: u64 = 8;
const MAX_FOUND: u64 = 25;
/// A name may have several versions, of which one is shown.
const VERSIONS: usize = 8;

pub(super) struct SearchTools;

#[async_trait]
impl Service for SearchTools {
    fn spec(&self) -> ToolSpec {
        let tool = json!({
            "type": "object",
            "properties": {
                "name": said("The tool's name."),
                "version": said("The version that a call by name gets."),
                "description": said("What it does, and when to use it."),
                "category": said("Its category."),
                "egress_class": said("What it touches outside: none, read_only or write."),
                "input_schema": open("What it takes."),
            },
        });
        Definition {
            name: SEARCH_TOOLS,
            category: "search",
            icon: "search",
            description: "Finds tools that the caller could call, by words for what the tool should do. Answers with names, descriptions \
                and input schemas, the best first.",
            manner: Manner::Reads,
            input: (
                json!({
                    "query": text(500, "Words for what the tool should do."),
                    "limit": limit(MAX_FOUND, DEFAULT_FOUND, "How many."),
                }),
                &["query"],
            ),
            output: (json!({"items": list_of(tool, "The tools, the best first.")}), &["items"]),
        }
        .into_spec()
    }

    async fn run(&self, input: Value, context: &RunContext) -> Result<Value, ToolError> {
        let most = number(&input, "limit", usize::try_from(DEFAULT_FOUND).unwrap_or(usize::MAX));
        let active = |tool: &Tool| tool.lifecycle == Lifecycle::Active;
        let found = context
            .invoker
            .search_tools(word(&input, "query"), most.saturating_mul(VERSIONS), active)
            .await?;
        let house = context.invoker.house()?;
        let (mut names, mut items) = (BTreeSet::new(), Vec::new());
        for tool in found {
            if items.len() >= most || names.contains(&tool.spec.name) {
                continue;
            }
            // Only the version that a call by the name would get.
            if house.tool(tool.spec.name.as_str()).await.is_ok_and(|newest| newest.id == tool.id) {
                names.insert(tool.spec.name.clone());
                items.push(shown(&tool));
            }
        }
        Ok(json!({"items": items}))
    }
}

fn shown(tool: &Tool) -> Value {
    let spec = &tool.spec;
    json!({
        "name": spec.name, "version": spec.version.to_string(), "description": spec.description,
        "category": spec.category, "egress_class": spec.egress_class, "input_schema": spec.input_schema,
    })
}
