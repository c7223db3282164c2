//! Names that tools of the program had before, and names of their parameters: they are understood, and never shown.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolName};

/// The old names that ship with the program. A tool that a tenant has under such a name is found first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldNames {
    tools: BTreeMap<ToolName, ToolName>,
    parameters: BTreeMap<String, BTreeMap<String, String>>,
}

impl OldNames {
    /// Lets a tool be called by another name.
    #[must_use]
    pub fn tool(mut self, old: ToolName, new: ToolName) -> Self {
        self.tools.insert(old, new);
        self
    }

    /// Lets a parameter of a tool be given under another name.
    #[must_use]
    pub fn parameter(mut self, tool: &ToolName, old: &str, new: &str) -> Self {
        self.parameters.entry(tool.to_string()).or_default().insert(old.to_owned(), new.to_owned());
        self
    }

    pub(crate) fn tool_of(&self, old: &ToolName) -> Option<&ToolName> {
        self.tools.get(old)
    }

    /// The input with the names of today, and what the caller is told about it. Both names with different values are refused.
    pub fn renamed(&self, tool: &str, mut input: Value) -> Result<(Value, Vec<String>), ToolError> {
        let mut warnings = Vec::new();
        let (Some(known), Value::Object(fields)) = (self.parameters.get(tool), &mut input) else {
            return Ok((input, warnings));
        };
        for (old, new) in known {
            let Some(value) = fields.remove(old) else { continue };
            if fields.get(new).is_some_and(|other| *other != value) {
                return Err(both(old, new));
            }
            fields.insert(new.clone(), value);
            warnings.push(format!("`{old}` is an old name of the parameter `{new}`: use that"));
        }
        Ok((input, warnings))
    }
}

fn both(old: &str, new: &str) -> ToolError {
    let message = format!("`{old}` is an old name of `{new}`, and both are given with different values");
    let errors = json!([{"path": format!("/{old}"), "message": message}]);
    ToolError::validation(message).with_details(json!({"errors": errors}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> OldNames {
        let tool = "get_agent".parse().unwrap();
        OldNames::default()
            .parameter(&tool, "ai_lenser_id", "agent_id")
            .parameter(&tool, "lenser", "agent_id")
    }

    #[test]
    fn an_old_name_is_understood_and_told() {
        let (input, warnings) = names().renamed("get_agent", json!({"ai_lenser_id": "a", "x": 1})).unwrap();
        assert_eq!(input, json!({"agent_id": "a", "x": 1}));
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("`ai_lenser_id`") && warnings[0].contains("`agent_id`"));
    }

    #[test]
    fn the_same_value_twice_is_one_and_two_values_are_refused() {
        let same = json!({"agent_id": "a", "ai_lenser_id": "a"});
        assert_eq!(names().renamed("get_agent", same).unwrap().0, json!({"agent_id": "a"}));
        for input in
            [json!({"agent_id": "a", "ai_lenser_id": "b"}), json!({"lenser": "a", "ai_lenser_id": "b"})]
        {
            let error = names().renamed("get_agent", input).unwrap_err();
            assert_eq!(error.code, toolgate_domain::ErrorCode::ValidationError);
        }
    }

    #[test]
    fn other_tools_and_other_inputs_are_left_alone() {
        let input = json!({"ai_lenser_id": "a"});
        assert_eq!(names().renamed("greet", input.clone()).unwrap(), (input, vec![]));
        assert_eq!(names().renamed("get_agent", json!([1])).unwrap(), (json!([1]), vec![]));
    }
}
