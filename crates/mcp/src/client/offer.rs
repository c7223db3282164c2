//! A tool as an upstream describes it.

use rmcp::model::{JsonObject, Tool};
use serde_json::Value;
use toolgate_domain::{governance::UpstreamTool, tool::Annotations};

pub(super) fn read(tool: Tool) -> UpstreamTool {
    let annotations = tool.annotations.unwrap_or_default();
    let schema = |schema: std::sync::Arc<JsonObject>| {
        Value::Object(std::sync::Arc::try_unwrap(schema).unwrap_or_else(|shared| (*shared).clone()))
    };
    UpstreamTool {
        name: tool.name.into_owned(),
        title: tool.title.or(annotations.title),
        description: tool.description.map(std::borrow::Cow::into_owned),
        input_schema: schema(tool.input_schema),
        output_schema: tool.output_schema.map(schema),
        annotations: Annotations {
            read_only_hint: annotations.read_only_hint,
            destructive_hint: annotations.destructive_hint,
            idempotent_hint: annotations.idempotent_hint,
            open_world_hint: annotations.open_world_hint,
        },
    }
}
