//! The tools that a caller may see, as the protocol shows them.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData,
    model::{JsonObject, ListToolsResult, MetaObject, Tool, ToolAnnotations},
};
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, Surface, ToolName,
    tool::portable::{Role, portable},
};

use super::{Gateway, results::unavailable};
use crate::{client::READER_KIND, content::hands_on_content};

impl Gateway {
    /// A page of them. The cursor is the last name of the page before.
    pub(super) async fn tools(
        &self,
        caller: &Caller,
        cursor: Option<String>,
    ) -> Result<ListToolsResult, ErrorData> {
        let after = cursor.map(|name| name.parse::<ToolName>()).transpose().map_err(|_| {
            ErrorData::invalid_params("the cursor is not one of ours: begin the list again without it", None)
        })?;
        let limit = usize::try_from(self.engine.limits().mcp_page_size).unwrap_or(usize::MAX).max(1);
        let page = self
            .engine
            .tools_at_hand(caller, Surface::Mcp, after.as_ref(), limit)
            .await
            .map_err(|error| unavailable(&error))?;
        // What reads prompts and resources of upstreams is reached by the methods for these.
        let listed = page.items.iter().filter(|tool| tool.spec.execution.kind != READER_KIND);
        let mut result = ListToolsResult::with_all_items(listed.map(|tool| shown(tool)).collect());
        result.next_cursor = page.next_cursor;
        Ok(result)
    }
}

/// A tool as clients read it.
pub(super) fn shown(tool: &toolgate_domain::Tool) -> Tool {
    let spec = &tool.spec;
    let hints = &spec.annotations;
    let mut shown = Tool::new_with_raw(
        spec.name.to_string(),
        Some(Cow::Owned(spec.description.clone())),
        object(&portable(&spec.input_schema, Role::Input)),
    )
    .with_title(title_of(spec.name.as_str()))
    .with_annotations(ToolAnnotations::from_raw(
        None,
        hints.read_only_hint,
        hints.destructive_hint,
        hints.idempotent_hint,
        hints.open_world_hint,
    ));
    shown.output_schema = published_output(tool).map(|schema| object(&schema));
    let facts = json!({
        "version": spec.version.to_string(), "egress_class": spec.egress_class, "risk": spec.risk,
        "requires_approval": spec.requires_approval, "category": spec.category,
    });
    shown.meta = Some(MetaObject(JsonObject::from_iter([("toolgate/tool".to_owned(), facts)])));
    shown
}

/// The schema of what structured content there will be.
fn published_output(tool: &toolgate_domain::Tool) -> Option<Cow<'_, Value>> {
    let schema = tool.spec.output_schema.as_ref().filter(|_| promises_structure(tool))?;
    Some(portable(schema, Role::Output))
}

/// Whether there is such a schema; asked with every call.
pub(super) fn promises_structure(tool: &toolgate_domain::Tool) -> bool {
    tool.spec.output_schema.is_some() && !hands_on_content(tool)
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// `list_open-tasks` and `listOpenTasks` are both shown as `List open tasks`.
fn title_of(name: &str) -> String {
    let mut title = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    for c in name.chars() {
        if c == '_' || c == '-' {
            title.push(' ');
        } else if title.is_empty() {
            title.extend(c.to_uppercase());
        } else if c.is_uppercase() && previous.is_lowercase() {
            title.push(' ');
            title.extend(c.to_lowercase());
        } else {
            title.push(c);
        }
        previous = c;
    }
    title
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("list_open-tasks", "List open tasks")]
    #[case("listOpenTasks", "List open tasks")]
    #[case("fetchURL", "Fetch uRL")]
    #[case("calculate", "Calculate")]
    fn names_become_titles(#[case] name: &str, #[case] title: &str) {
        assert_eq!(title_of(name), title);
    }
}
