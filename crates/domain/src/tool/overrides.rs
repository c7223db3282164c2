//! What somebody changes of a tool that ships with the program: what is said of it, and how strictly it is guarded.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{PermissionPolicy, Risk, Tool, ToolKind, ToolSpec};
use crate::rate::RateLimit;

/// A `system_override`: only what it names differs from the tool, and never to the looser side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolOverride {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `true`: every call waits for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// `always_ask`: an agent's call waits for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_policy: Option<PermissionPolicy>,
    /// Higher than the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// Less than the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Slower than the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// A dotted permission that the caller must hold, beside what the tool itself demands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_permission: Option<String>,
    /// Fields of the input that a call may leave out.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub defaults: Map<String, Value>,
}

/// A key whose new value would guard the tool less than it guards itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` can only be made stricter: {because}")]
pub struct Looser {
    pub key: &'static str,
    pub because: String,
}

impl ToolOverride {
    /// Every key of an override.
    pub const KEYS: &'static [&'static str] = &[
        "description",
        "requires_approval",
        "permission_policy",
        "risk",
        "timeout_ms",
        "rate_limit",
        "required_permission",
        "defaults",
    ];

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses what would loosen the tool. `default_timeout_ms` holds for a tool that names no time of its own.
    pub fn check_against(&self, spec: &ToolSpec, default_timeout_ms: u64) -> Result<(), Looser> {
        let looser = |key, because: String| Err(Looser { key, because });
        if self.requires_approval == Some(false) && spec.requires_approval {
            return looser("requires_approval", "the tool asks for approval".to_owned());
        }
        if self.permission_policy == Some(PermissionPolicy::Auto)
            && spec.permission_policy == PermissionPolicy::AlwaysAsk
        {
            return looser("permission_policy", "the tool's policy is always_ask".to_owned());
        }
        if self.risk.is_some_and(|risk| risk < spec.risk) {
            return looser("risk", format!("the tool's risk is {}", json(&spec.risk)));
        }
        let timeout_ms = spec.timeout_ms.unwrap_or(default_timeout_ms);
        if self.timeout_ms.is_some_and(|own| own > timeout_ms) {
            return looser("timeout_ms", format!("the tool may take {timeout_ms} ms"));
        }
        if let (Some(own), Some(theirs)) = (self.rate_limit, spec.rate_limit)
            && !own.is_within(theirs)
        {
            return looser("rate_limit", format!("the tool's limit is {}", json(&theirs)));
        }
        Ok(())
    }

    /// The tool as it is with this override. Whatever the override says, nothing gets looser: the tool may have changed since.
    pub fn apply(&self, tool: &mut Tool) {
        let mut spec = ToolSpec::clone(&tool.spec);
        if let Some(description) = &self.description {
            spec.description.clone_from(description);
        }
        spec.requires_approval |= self.requires_approval == Some(true);
        if self.permission_policy == Some(PermissionPolicy::AlwaysAsk) {
            spec.permission_policy = PermissionPolicy::AlwaysAsk;
        }
        spec.risk = self.risk.map_or(spec.risk, |risk| risk.max(spec.risk));
        spec.timeout_ms = match (self.timeout_ms, spec.timeout_ms) {
            (Some(own), Some(theirs)) => Some(own.min(theirs)),
            (own, theirs) => own.or(theirs),
        };
        spec.rate_limit = match (self.rate_limit, spec.rate_limit) {
            (Some(own), Some(theirs)) => Some(own.stricter(theirs)),
            (own, theirs) => own.or(theirs),
        };
        show_defaults(&mut spec.input_schema, &self.defaults);
        if let Some(permission) = &self.required_permission
            && !tool.required_permissions().any(|known| known == permission)
        {
            match &mut spec.required_permission {
                none @ None => *none = Some(permission.clone()),
                Some(_) => tool.also_required.push(permission.clone()),
            }
        }
        tool.spec = std::sync::Arc::new(spec);
        tool.kind = ToolKind::SystemOverride;
    }
}

/// Callers see what they may leave out, and what it is then.
fn show_defaults(schema: &mut Value, defaults: &Map<String, Value>) {
    for (key, value) in defaults {
        if let Some(property) =
            schema.get_mut("properties").and_then(|all| all.get_mut(key)).and_then(Value::as_object_mut)
        {
            property.insert("default".to_owned(), value.clone());
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str() != Some(key));
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::{
        Lifecycle, TenantId, Timestamp, ToolId,
        tool::{EgressClass, Origin},
    };

    fn tool(patch: Value) -> Tool {
        let mut definition = json!({
            "name": "probe", "version": "1.0.0", "description": "d", "risk": "medium", "timeout_ms": 1_000,
            "rate_limit": {"limit": 10, "window_s": 60}, "execution": {"kind": "builtin"},
            "input_schema": {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {}}},
        });
        definition.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        Tool {
            id: ToolId::from_uuid(crate::ids::Uuid::nil()),
            tenant_id: TenantId::DEFAULT,
            origin: Origin::Code,
            kind: ToolKind::Code,
            lifecycle: Lifecycle::Active,
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
            also_required: Vec::new(),
            spec: Arc::new(serde_json::from_value(definition).unwrap()),
        }
    }

    fn patch(value: Value) -> ToolOverride {
        serde_json::from_value(value).unwrap()
    }

    #[rstest]
    #[case(json!({"requires_approval": false}), "requires_approval")]
    #[case(json!({"permission_policy": "auto"}), "permission_policy")]
    #[case(json!({"risk": "low"}), "risk")]
    #[case(json!({"timeout_ms": 1_001}), "timeout_ms")]
    #[case(json!({"rate_limit": {"limit": 11, "window_s": 60}}), "rate_limit")]
    fn what_would_loosen_the_tool_is_refused_by_its_key(#[case] looser: Value, #[case] key: &str) {
        let guarded = tool(json!({"requires_approval": true, "permission_policy": "always_ask"}));
        let refused = patch(looser.clone()).check_against(&guarded.spec, 30_000).unwrap_err();
        assert_eq!(refused.key, key);
        assert!(refused.to_string().contains(key));
        let mut applied = guarded.clone();
        patch(looser).apply(&mut applied);
        assert_eq!(applied.spec, guarded.spec, "and it would have no effect");
    }

    #[test]
    fn the_strictest_of_several_overrides_wins_and_the_nearer_one_is_heard_last() {
        let mut patched = tool(json!({"egress_class": "read_only"}));
        let everyone = json!({"description": "theirs", "risk": "critical", "timeout_ms": 100, "required_permission": "a.b",
            "defaults": {"a": "x", "b": 1}});
        let own = json!({"description": "ours", "risk": "high", "timeout_ms": 500, "required_permission": "c.d",
            "requires_approval": true, "permission_policy": "always_ask", "rate_limit": {"limit": 1, "window_s": 6},
            "defaults": {"a": "y"}});
        for override_ in [everyone, own] {
            patch(override_).apply(&mut patched);
        }
        let spec = &patched.spec;
        assert_eq!(
            (spec.description.as_str(), spec.risk, spec.timeout_ms),
            ("ours", Risk::Critical, Some(100))
        );
        assert!(spec.requires_approval && spec.permission_policy == PermissionPolicy::AlwaysAsk);
        assert_eq!(spec.rate_limit.unwrap().limit, 1);
        assert_eq!(patched.required_permissions().collect::<Vec<_>>(), ["a.b", "c.d"]);
        assert_eq!(patched.kind, ToolKind::SystemOverride);
        assert_eq!(spec.egress_class, EgressClass::ReadOnly);
        assert_eq!(
            spec.input_schema["properties"],
            json!({"a": {"type": "string", "default": "y"}, "b": {"default": 1}})
        );
        assert_eq!(spec.input_schema["required"], json!([]), "what has a default need not be given");
    }
}
