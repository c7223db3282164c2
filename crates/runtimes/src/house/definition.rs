//! What the definitions of these tools share.

use semver::Version;
use serde_json::{Value, json};
use toolgate_domain::{
    ToolSpec,
    tool::{Annotations, Execution, PermissionPolicy, Risk},
};

pub(super) const KIND: &str = "house";

/// What a tool does to Toolgate's own data.
#[derive(Clone, Copy)]
pub(super) enum Manner {
    Reads,
    /// Adds; done twice it is there twice, or refused.
    Adds,
    /// Sets; done twice it is the same.
    Sets,
    /// Takes away, or ends; done twice it is the same.
    Ends,
    /// Begins something whose effects are those of other tools.
    Begins,
}

impl Manner {
    fn annotations(self) -> Annotations {
        let hints = |read_only, destructive, idempotent| Annotations {
            read_only_hint: Some(read_only),
            destructive_hint: Some(destructive),
            idempotent_hint: Some(idempotent),
            open_world_hint: Some(false),
        };
        match self {
            Self::Reads => hints(true, false, true),
            Self::Adds => hints(false, false, false),
            Self::Sets => hints(false, false, true),
            Self::Ends => hints(false, true, true),
            Self::Begins => hints(false, true, false),
        }
    }
}

/// The part of a definition that differs from tool to tool.
pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    /// A lucide icon.
    pub(super) icon: &'static str,
    pub(super) description: &'static str,
    pub(super) manner: Manner,
    /// The properties of the input, and those that it must have.
    pub(super) input: (Value, &'static [&'static str]),
    pub(super) output: (Value, &'static [&'static str]),
}

impl Definition {
    #[expect(clippy::expect_used, reason = "the names are literals, and a test builds every definition")]
    pub(super) fn into_spec(self) -> ToolSpec {
        ToolSpec {
            category: self.category.to_owned(),
            icon: Some(self.icon.to_owned()),
            output_schema: Some(closed(&self.output.0, self.output.1)),
            annotations: self.manner.annotations(),
            ..ToolSpec::new(
                self.name.parse().expect("a literal tool name"),
                Version::new(1, 0, 0),
                self.description,
                closed(&self.input.0, self.input.1),
                Execution::new(KIND, [("handler", self.name)]),
            )
        }
    }

    /// A definition of a tool that changes what agents may do: a person agrees to each call of an agent.
    pub(super) fn of_rights(self) -> ToolSpec {
        ToolSpec { risk: Risk::High, permission_policy: PermissionPolicy::AlwaysAsk, ..self.into_spec() }
    }
}

fn closed(properties: &Value, required: &[&str]) -> Value {
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

pub(super) fn text(max: u64, description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max, "description": description})
}

/// An id: with or without the prefix of its kind.
pub(super) fn id(description: &str) -> Value {
    text(128, description)
}

pub(super) fn said(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

pub(super) fn maybe(kind: &str, description: &str) -> Value {
    json!({"type": [kind, "null"], "description": description})
}

pub(super) fn count(description: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": description})
}

pub(super) fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

/// An object whose keys somebody else chooses.
pub(super) fn open(description: &str) -> Value {
    json!({"type": "object", "additionalProperties": true, "description": description})
}

pub(super) fn list_of(items: Value, description: &str) -> Value {
    json!({"type": "array", "items": items, "description": description})
}

pub(super) fn limit(most: u64, default: u64, description: &str) -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": most, "default": default, "description": description})
}
