//! The small contracts inside a tool's definition.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::call::ErrorCode;

/// What a tool touches outside Toolgate. `reads` and `writes` are accepted as input spellings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EgressClass {
    /// Nothing.
    #[default]
    None,
    /// Reads from outside.
    #[serde(alias = "reads")]
    ReadOnly,
    /// Changes something outside: always asks a person.
    #[serde(alias = "writes")]
    Write,
}

impl EgressClass {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ReadOnly => "read_only",
            Self::Write => "write",
        }
    }
}

impl std::str::FromStr for EgressClass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            "read_only" | "reads" => Ok(Self::ReadOnly),
            "write" | "writes" => Ok(Self::Write),
            other => Err(format!("`{other}` is not an egress class: none, read_only or write")),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Risk {
    #[default]
    Low,
    Medium,
    High,
    Critical,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CachePolicy {
    #[default]
    None,
    /// For `cache_ttl_s` seconds.
    Ttl,
    Forever,
}

/// Whether an agent's call waits for a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PermissionPolicy {
    #[default]
    Auto,
    AlwaysAsk,
}

/// `internal` tools serve Toolgate's own rooms and do not exist for callers from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Visibility {
    Internal,
    #[default]
    External,
}

/// MCP's behaviour hints. They steer a client's confirmations; they guard nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Annotations {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl Annotations {
    pub const KEYS: &'static [&'static str] =
        &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SectionType {
    Summary,
    Table,
    Chart,
    Radar,
    Ranking,
    Custom,
}

/// How one key of the output is shown to people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutputSection {
    pub key: String,
    pub label: String,
    #[serde(rename = "type")]
    pub kind: SectionType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub config: Option<Map<String, Value>>,
}

impl OutputSection {
    pub const KEYS: &'static [&'static str] = &["key", "label", "type", "config"];
}

/// A call that the definition vouches for: it answers with `output`, or fails with `error`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Example {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub input: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub output: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorCode>,
}

impl Example {
    pub const KEYS: &'static [&'static str] = &["name", "input", "output", "error"];
}

/// Which runtime runs the tool, and that runtime's own keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Execution {
    pub kind: String,
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub config: Map<String, Value>,
}

impl Execution {
    pub fn new<K: Into<String>, V: Into<Value>>(
        kind: impl Into<String>,
        config: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let config = config.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self { kind: kind.into(), config }
    }
}
