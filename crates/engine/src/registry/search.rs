//! Tools by what is written about them. An index belongs to one snapshot: it is made with the first search, and anew after a change.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Weak},
};

use serde_json::Value;
use tokio::sync::Mutex;
use toolgate_domain::{TenantId, ToolId, ToolSpec};
use toolgate_store::{StoreError, ToolIndex, ToolText, Words};

use super::{Registry, snapshot::Snapshot};

/// Tenants whose indexes are kept. Another one's is made again when it is needed.
const MAX_KEPT: usize = 8;
/// Characters about parameters that are collected of one tool.
const MAX_PARAMETERS: usize = 20_000;
/// Levels of a schema that are read.
const MAX_LEVELS: usize = 12;

/// The indexes of the tenants that were searched last.
#[derive(Default)]
pub(super) struct Indexes(Mutex<VecDeque<Kept>>);

struct Kept {
    tenant: TenantId,
    of: Weak<Snapshot>,
    index: Arc<dyn ToolIndex>,
}

impl Registry {
    /// The versions that a query finds in a snapshot, the best first.
    pub(crate) async fn ranked(
        &self,
        tenant: TenantId,
        snapshot: &Arc<Snapshot>,
        query: &str,
        words: Words,
    ) -> Result<Vec<ToolId>, StoreError> {
        self.index(tenant, snapshot).await?.search(query, words).await
    }

    /// The versions that a list shows to somebody who searches; all of them for one who does not.
    pub(super) async fn filtered(
        &self,
        tenant: TenantId,
        snapshot: &Arc<Snapshot>,
        search: Option<&str>,
    ) -> Result<Option<HashSet<ToolId>>, StoreError> {
        let Some(query) = search.filter(|query| !query.trim().is_empty()) else {
            return Ok(None);
        };
        Ok(Some(self.ranked(tenant, snapshot, query, Words::All).await?.into_iter().collect()))
    }

    async fn index(
        &self,
        tenant: TenantId,
        snapshot: &Arc<Snapshot>,
    ) -> Result<Arc<dyn ToolIndex>, StoreError> {
        // Held while an index is made: whoever comes second finds it.
        let mut kept = self.indexes.0.lock().await;
        let known = kept.iter().position(|one| one.tenant == tenant).and_then(|at| kept.remove(at));
        // The address of a snapshot is not used again while somebody remembers it.
        let known = known.filter(|one| Weak::as_ptr(&one.of) == Arc::as_ptr(snapshot));
        let newest = match known {
            Some(known) => known,
            None => {
                let index = self.stores.tool_indexes.build(snapshot.texts()).await?;
                Kept { tenant, of: Arc::downgrade(snapshot), index }
            }
        };
        let index = Arc::clone(&newest.index);
        kept.push_front(newest);
        kept.truncate(MAX_KEPT);
        Ok(index)
    }
}

impl Snapshot {
    /// Every version, by name, the newest first: the order of equals in a search.
    fn texts(&self) -> Vec<(ToolId, ToolText)> {
        let versions = self.by_name.values().flat_map(|versions| versions.iter().rev());
        versions.map(|live| (live.tool.id, text(&live.tool.spec))).collect()
    }
}

fn text(spec: &ToolSpec) -> ToolText {
    let mut parameters = String::new();
    collect(&spec.input_schema, MAX_LEVELS, &mut parameters);
    ToolText {
        name: spec.name.to_string(),
        category: spec.category.clone(),
        description: spec.description.clone(),
        parameters,
    }
}

/// What a schema says in words: the names of its properties, their titles, descriptions and choices.
fn collect(schema: &Value, levels: usize, into: &mut String) {
    if levels == 0 || into.len() >= MAX_PARAMETERS {
        return;
    }
    match schema {
        Value::Object(keys) => keys.iter().for_each(|(key, value)| collect_key(key, value, levels - 1, into)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, levels - 1, into)),
        _ => {}
    }
}

fn collect_key(key: &str, value: &Value, levels: usize, into: &mut String) {
    match (key, value) {
        ("title" | "description" | "const", Value::String(text)) => say(text, into),
        ("enum", Value::Array(choices)) => {
            choices.iter().filter_map(Value::as_str).for_each(|choice| say(choice, into));
        }
        ("properties", Value::Object(properties)) => {
            for (name, inner) in properties {
                say(name, into);
                collect(inner, levels, into);
            }
        }
        // Names that only the schema itself uses, so that none of them is taken for a keyword.
        ("$defs" | "definitions" | "patternProperties", Value::Object(named)) => {
            named.values().for_each(|inner| collect(inner, levels, into));
        }
        (_, inner) => collect(inner, levels, into),
    }
}

fn say(text: &str, into: &mut String) {
    into.extend([text, " "]);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_read_for_its_names_descriptions_and_choices() {
        let schema = json!({
            "type": "object",
            "properties": {
                "description": {"type": "string", "title": "About"},
                "to": {"type": "array", "items": {"description": "an address", "enum": ["me", "you"]}},
            },
            "required": ["to"],
            "$defs": {"unused_name": {"properties": {"inner": {"const": "fixed"}}}},
        });
        let mut words = String::new();
        collect(&schema, MAX_LEVELS, &mut words);
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.sort_unstable();
        assert_eq!(words, ["About", "address", "an", "description", "fixed", "inner", "me", "to", "you"]);
    }

    #[test]
    fn a_schema_without_end_is_read_for_a_while() {
        let deep = (0..100).fold(json!({}), |inner, n| json!({"properties": {format!("p{n}"): inner}}));
        let mut words = String::new();
        collect(&deep, MAX_LEVELS, &mut words);
        assert_eq!(words.split_whitespace().count(), MAX_LEVELS);
    }
}
