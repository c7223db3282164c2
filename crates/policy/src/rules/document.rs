//! A policy as its author writes it, in JSON or YAML.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use toolgate_domain::{
    AgentId, EgressClass, Scope, Surface, Verdict, json,
    tool::{Origin, Risk},
};

use super::{
    error::{PolicyError, quoted},
    facts::CallerKind,
    limits::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_DEPTH},
};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyDocument {
    pub rules: Vec<RuleSpec>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// `[a-z0-9][a-z0-9._-]{0,63}`, unique in the document.
    pub id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Names of tools, or patterns with `*`; absent means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The agents it binds; absent means every caller, agent or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<AgentId>>,
    /// The egress classes it binds; absent means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<EgressClass>>,
    /// A CEL expression that yields a bool; absent means always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub verdict: Verdict,
    /// A sentence for the person who meets the verdict.
    pub because: String,
    pub examples: Examples,
}

/// Calls that the rule must match, and calls that it must not: checked whenever the document is compiled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Examples {
    #[serde(rename = "match")]
    pub matching: Vec<ExampleContext>,
    pub no_match: Vec<ExampleContext>,
}

/// A call, as far as it matters. What is left out fits the rule's own `tools`, `agents` and `egress`, and is otherwise
/// plain: a user without scopes or roles, an empty input, noon of Monday, 1 January 2024.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExampleContext {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<ExampleCaller>,
    /// `null` says that no agent calls, which is not the same as leaving it out.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "even_null")]
    pub agent: Option<Option<ExampleAgent>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ExampleTool>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "even_null_input")]
    pub input: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<ExampleTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
}

macro_rules! partial {
    ($($name:ident { $($field:ident: $type:ty,)* })*) => {$(
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(#[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }
    )*};
}

partial! {
    ExampleCaller { principal: String, kind: CallerKind, scopes: Vec<Scope>, roles: Vec<String>, tenant: String, }
    ExampleAgent { id: AgentId, handle: String, }
    ExampleTool {
        name: String,
        version: String,
        egress_class: EgressClass,
        risk: Risk,
        category: String,
        origin: Origin,
    }
    ExampleTime { epoch_s: i64, hour: i8, minute: i8, weekday: i8, date: String, }
}

fn even_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<ExampleAgent>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn even_null_input<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl PolicyDocument {
    /// Reads a document from JSON text, strictly: no duplicate keys, no unknown ones.
    pub fn from_json(bytes: &[u8]) -> Result<Self, PolicyError> {
        if bytes.len() > MAX_DOCUMENT_BYTES {
            return Err(too_large(bytes.len()));
        }
        let value = json::parse(bytes, MAX_DOCUMENT_DEPTH)
            .map_err(|e| PolicyError::document(e.to_string(), "send one JSON object with `rules`"))?;
        serde_json::from_value(value).map_err(|e| {
            PolicyError::document(quoted(&e.to_string()), "compare the rule with the fields of a policy rule")
        })
    }
}

pub(super) fn too_large(bytes: usize) -> PolicyError {
    PolicyError::document(
        format!("the document has {bytes} bytes, and at most {MAX_DOCUMENT_BYTES} are read"),
        "merge rules, or shorten their examples",
    )
}
