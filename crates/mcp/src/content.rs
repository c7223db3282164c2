//! Tools whose results are blocks of content, as another server made them.

use std::sync::LazyLock;

use serde_json::Value;
use toolgate_domain::{Tool, governance::content_blocks};

static CONTENT_BLOCKS: LazyLock<Value> = LazyLock::new(content_blocks);

/// Whether the tool was imported from a server that does not say what it answers: it was given a schema that says so.
pub(crate) fn hands_on_content(tool: &Tool) -> bool {
    tool.spec.execution.kind == "mcp" && tool.spec.output_schema.as_ref() == Some(&*CONTENT_BLOCKS)
}
