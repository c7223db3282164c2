//! A tool's definition, and the registered tool.

use std::sync::Arc;

use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Annotations, CachePolicy, EgressClass, Example, Execution, Lifecycle, OutputSection, PermissionPolicy,
    Risk, ToolName, Visibility,
};
use crate::{
    field::{
        FieldDefinition, FieldError, check_fields, from_json_schema, to_json_schema, without_annotations,
    },
    governance::is_below_hints,
    ids::{TenantId, ToolId},
    rate::RateLimit,
    time::Timestamp,
};

/// What an author writes: the front matter of a TOOL.md, or the body of `POST /api/tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolSpec {
    pub name: ToolName,
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1.0.0"))]
    pub version: Version,
    /// One paragraph for people and models: what it does, when to use it, when not to.
    pub description: String,
    /// The prose of a TOOL.md.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub long_description: String,
    /// `api`, `code`, `data`, `search`, `utility`, or a category of a pack's own.
    #[serde(default = "utility")]
    pub category: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// An author may leave it out and give `fields`: then it is made from them.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub input_schema: Value,
    /// The form by which people fill the input in. Where it is given, it agrees with the input schema.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldDefinition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub output_schema: Option<Value>,
    /// When it is left out, it follows from what the tool does. A stricter one is kept, a looser one refused.
    #[serde(default, alias = "side_effects")]
    pub egress_class: EgressClass,
    #[serde(default)]
    pub risk: Risk,
    /// Always true where the egress class is `write`, whatever the author says.
    #[serde(default)]
    pub requires_approval: bool,
    #[serde(default)]
    pub permission_policy: PermissionPolicy,
    /// A dotted permission that the caller must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_permission: Option<String>,
    /// The tenants that see the tool; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenant_slugs: Vec<String>,
    #[serde(default)]
    pub visibility: Visibility,
    #[serde(default)]
    pub annotations: Annotations,
    /// Names of the secrets the tool needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    #[serde(default)]
    pub cache: CachePolicy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_ttl_s: Option<u64>,
    /// Failures that an equal call would meet again are kept as well, for so many seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_errors_s: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_sections: Vec<OutputSection>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    pub execution: Execution,
}

fn utility() -> String {
    "utility".to_owned()
}

impl ToolSpec {
    /// Whether it is a tool of an MCP server whose class promises less than the server says of it.
    pub fn class_below_hints(&self) -> bool {
        self.execution.kind == "mcp" && is_below_hints(self.egress_class, self.annotations)
    }

    /// A definition with what no definition can do without. Everything else is as when an author leaves it out.
    pub fn new(
        name: ToolName,
        version: Version,
        description: impl Into<String>,
        input_schema: Value,
        execution: Execution,
    ) -> Self {
        Self {
            name,
            version,
            description: description.into(),
            long_description: String::new(),
            category: utility(),
            icon: None,
            input_schema,
            fields: Vec::new(),
            output_schema: None,
            egress_class: EgressClass::default(),
            risk: Risk::default(),
            requires_approval: false,
            permission_policy: PermissionPolicy::default(),
            required_permission: None,
            tenant_slugs: Vec::new(),
            visibility: Visibility::default(),
            annotations: Annotations::default(),
            secrets: Vec::new(),
            cache: CachePolicy::default(),
            cache_ttl_s: None,
            cache_errors_s: None,
            timeout_ms: None,
            rate_limit: None,
            output_sections: Vec::new(),
            examples: Vec::new(),
            execution,
        }
    }

    /// Every key of a definition, as authors spell it.
    pub const KEYS: &'static [&'static str] = &[
        "name",
        "version",
        "description",
        "long_description",
        "category",
        "icon",
        "input_schema",
        "fields",
        "output_schema",
        "egress_class",
        "side_effects",
        "risk",
        "requires_approval",
        "permission_policy",
        "required_permission",
        "tenant_slugs",
        "visibility",
        "annotations",
        "secrets",
        "cache",
        "cache_ttl_s",
        "cache_errors_s",
        "timeout_ms",
        "rate_limit",
        "output_sections",
        "examples",
        "execution",
    ];

    /// `name@version`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// What the database enforces too: a tool that writes outside always asks.
    pub fn enforce_egress_guard(&mut self) {
        self.requires_approval |= self.egress_class == EgressClass::Write;
    }

    /// Whether running it again after a crash does no harm, by its author's word.
    pub fn is_idempotent(&self) -> bool {
        self.annotations.idempotent_hint == Some(true)
    }

    /// Keys of `self` and `published` that differ but may not, because callers and receipts rely on them.
    pub fn frozen_differences(&self, published: &Self) -> Vec<&'static str> {
        let mut keys = Vec::new();
        let mut note = |key, differs: bool| {
            if differs {
                keys.push(key)
            }
        };
        note("input_schema", !self.accepts_what(published));
        note("output_schema", self.output_schema != published.output_schema);
        note("egress_class", self.egress_class != published.egress_class);
        note("execution", self.execution != published.execution);
        note("secrets", self.secrets != published.secrets);
        keys
    }

    /// Whether both take the same inputs. A schema that stands beside fields may be shown differently; one that stands alone is
    /// taken by the letter.
    fn accepts_what(&self, published: &Self) -> bool {
        if self.fields.is_empty() && published.fields.is_empty() {
            return self.input_schema == published.input_schema;
        }
        without_annotations(&self.input_schema) == without_annotations(&published.input_schema)
    }

    /// Refuses fields that are not sound, or that ask for something else than the input schema does.
    pub fn check_fields(&self) -> Result<(), FieldError> {
        if self.fields.is_empty() {
            return Ok(());
        }
        let inside = |error: FieldError, place: &str| FieldError {
            pointer: format!("{place}{}", error.pointer),
            ..error
        };
        check_fields(&self.fields).map_err(|error| inside(error, "/fields"))?;
        // Through fields and back, so that two spellings of one schema are one.
        let mut asked =
            from_json_schema(&self.input_schema).map_err(|error| inside(error, "/input_schema"))?;
        let schema = without_annotations(&asked.to_json_schema());
        asked.fields.clone_from(&self.fields);
        if without_annotations(&asked.to_json_schema()) == schema {
            return Ok(());
        }
        Err(FieldError {
            pointer: "/fields".to_owned(),
            message: "the fields and the input schema ask for different inputs: leave the input schema out, and it is made from the fields"
                .to_owned(),
        })
    }

    /// The fields as the author gave them, or as the input schema has them where a form can express it.
    pub fn form(&self) -> Vec<FieldDefinition> {
        if self.fields.is_empty() {
            return from_json_schema(&self.input_schema).map(|set| set.fields).unwrap_or_default();
        }
        self.fields.clone()
    }

    /// The input schema of a definition that gives only fields.
    pub fn input_schema_of(fields: &[FieldDefinition]) -> Value {
        to_json_schema(fields)
    }
}

/// Where a definition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Origin {
    /// Ships in the binary.
    Code,
    /// Registered by a tenant.
    TenantCustom,
}

impl Origin {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::TenantCustom => "tenant_custom",
        }
    }
}

/// What a resolved tool is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ToolKind {
    /// As it ships in the binary.
    Code,
    /// Ships in the binary, and somebody changed it: the tenant, or the installation for everyone.
    SystemOverride,
    /// Registered by a tenant.
    TenantCustom,
}

impl From<Origin> for ToolKind {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Code => Self::Code,
            Origin::TenantCustom => Self::TenantCustom,
        }
    }
}

/// A registered version of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tool {
    pub id: ToolId,
    #[serde(skip)]
    pub tenant_id: TenantId,
    pub origin: Origin,
    pub kind: ToolKind,
    pub lifecycle: Lifecycle,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Permissions that the caller must hold beside `required_permission`, because an override says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_required: Vec<String>,
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = ToolSpec))]
    pub spec: Arc<ToolSpec>,
}

impl Tool {
    /// Everything that the caller must hold.
    pub fn required_permissions(&self) -> impl Iterator<Item = &str> {
        self.spec.required_permission.iter().chain(&self.also_required).map(String::as_str)
    }

    /// A system tool: it ships with the program and needs something that not every tenant has been given. It is there for the
    /// tenants that switched it on.
    pub fn needs_opt_in(&self) -> bool {
        self.origin == Origin::Code && !self.spec.secrets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_made_here_is_what_an_author_gets_who_writes_no_more() {
        let written = json!({
            "name": "greet", "version": "1.0.0", "description": "Greets.", "input_schema": {"type": "object"},
            "execution": {"kind": "builtin", "handler": "render_template"},
        });
        let read: ToolSpec = serde_json::from_value(written).unwrap();
        let made = ToolSpec::new(
            "greet".parse().unwrap(),
            Version::new(1, 0, 0),
            "Greets.",
            json!({"type": "object"}),
            Execution::new("builtin", [("handler", "render_template")]),
        );
        assert_eq!(made, read);
    }
}
