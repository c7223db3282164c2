//! Which tools a definition calls, and what is to be said about them when it is saved.

use serde_json::Value;
use toolgate_domain::{Caller, Lifecycle, ToolRef, ToolSpec};

use super::{Registry, snapshot::Snapshot};

/// How many references of one definition are looked at.
const MAX_REFERENCES: usize = 200;
/// How deep steps stand in steps.
const MAX_DEPTH: usize = 16;

impl Registry {
    /// What is to be said about tools that somebody refers to: that a name is an alias and ends, that a version is deprecated or
    /// blocked. A name that stands for nothing is not this function's business.
    pub async fn references_warnings(
        &self,
        caller: &Caller,
        names: &[&str],
    ) -> Result<Vec<String>, toolgate_store::StoreError> {
        Ok(self.warn_about(&*self.snapshot(caller.tenant_id).await?, names))
    }

    pub(super) fn warn_about(&self, snapshot: &Snapshot, names: &[&str]) -> Vec<String> {
        let now = self.clock.now();
        let mut warnings = Vec::new();
        for text in names.iter().take(MAX_REFERENCES) {
            let Ok(reference) = text.parse::<ToolRef>() else { continue };
            let mut name = &reference.name;
            if let Some(alias) = snapshot.alias_of(name).filter(|alias| alias.remove_by > now) {
                warnings.push(format!(
                    "it refers to `{name}`, which is an alias of `{}` until {}",
                    alias.target, alias.remove_by
                ));
                name = &alias.target;
            }
            let accepted = || {
                let versions = snapshot.versions(name).iter().rev();
                versions.filter(|live| reference.accepts(&live.tool.spec.version)).map(|live| &live.tool)
            };
            let best = accepted().min_by_key(|tool| tool.lifecycle);
            if let Some(tool) = best.filter(|tool| tool.lifecycle != Lifecycle::Active) {
                warnings.push(format!(
                    "it refers to {}, which is {}",
                    tool.spec.id(),
                    tool.lifecycle.as_str()
                ));
            }
        }
        warnings.sort();
        warnings.dedup();
        warnings
    }
}

/// What a definition calls: every `tool: NAME` and every name in a list `tools` of its execution.
pub fn references(spec: &ToolSpec) -> Vec<&str> {
    let mut found = Vec::new();
    for (key, value) in &spec.execution.config {
        collect(key, value, MAX_DEPTH, &mut found);
    }
    found
}

fn collect<'a>(key: &str, value: &'a Value, depth: usize, found: &mut Vec<&'a str>) {
    let Some(deeper) = depth.checked_sub(1).filter(|_| found.len() < MAX_REFERENCES) else {
        return;
    };
    match (key, value) {
        ("tool", Value::String(name)) => found.push(name),
        ("tools", Value::Array(names)) if names.iter().all(Value::is_string) => {
            found.extend(names.iter().filter_map(Value::as_str));
        }
        (_, Value::Array(items)) => items.iter().for_each(|item| collect("", item, deeper, found)),
        (_, Value::Object(fields)) => {
            fields.iter().for_each(|(key, field)| collect(key, field, deeper, found))
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps_and_lists_name_tools() {
        let spec: ToolSpec = serde_json::from_value(json!({
            "name": "all", "version": "1.0.0", "description": "d", "input_schema": {"type": "object"},
            "execution": {"kind": "composition", "tools": ["a", "b@^1"], "steps": [
                {"tool": "c"}, {"parallel": [{"tool": "d", "input": {"tool": {"x": 1}}}]},
            ]},
        }))
        .unwrap();
        let mut found = references(&spec);
        found.sort_unstable();
        assert_eq!(found, ["a", "b@^1", "c", "d"]);
    }
}
