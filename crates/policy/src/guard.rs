//! The rules, each of which adds its evidence; the strictest verdict wins.

use toolgate_domain::{
    Caller, Decision, EgressClass, Evidence, Lifecycle, Scope, Tool, Verdict, caller::Principal,
    tool::PermissionPolicy,
};

/// Judges one call of a tool that the caller can see.
pub fn decide(caller: &Caller, tool: &Tool) -> Decision {
    let rules = [lifecycle(tool), scope(caller), permission(caller, tool), approval(caller, tool)];
    Decision::from_evidence(rules.into_iter().flatten().collect())
}

fn evidence(rule: &str, verdict: Verdict, because: impl Into<String>) -> Option<Evidence> {
    Some(Evidence { rule: rule.to_owned(), verdict, because: because.into() })
}

fn lifecycle(tool: &Tool) -> Option<Evidence> {
    match tool.lifecycle {
        Lifecycle::Active | Lifecycle::Deprecated => None,
        Lifecycle::Blocked => evidence(
            "lifecycle",
            Verdict::Deny,
            format!("{} is blocked; an operator can set it active again", tool.spec.id()),
        ),
    }
}

fn scope(caller: &Caller) -> Option<Evidence> {
    if caller.may(Scope::ToolsExecute) {
        evidence("scope", Verdict::Allow, "the caller holds tools:execute")
    } else {
        evidence(
            "scope",
            Verdict::Deny,
            "the caller's key lacks the scope tools:execute; use a key that has it",
        )
    }
}

/// Roles arrive with governance; until then only `admin` stands for every dotted permission.
fn permission(caller: &Caller, tool: &Tool) -> Option<Evidence> {
    let required = tool.spec.required_permission.as_deref()?;
    if caller.may(Scope::Admin) {
        evidence(
            "required_permission",
            Verdict::Allow,
            format!("the caller holds admin, which includes {required}"),
        )
    } else {
        evidence("required_permission", Verdict::Deny, format!("the tool demands the permission {required}"))
    }
}

fn approval(caller: &Caller, tool: &Tool) -> Option<Evidence> {
    let by_agent = matches!(caller.principal, Principal::Agent(_));
    if tool.spec.egress_class == EgressClass::Write {
        evidence("egress_class", Verdict::Ask, "the tool writes outside Toolgate, which always asks a person")
    } else if tool.spec.requires_approval {
        evidence("requires_approval", Verdict::Ask, "the tool's definition asks for approval")
    } else if by_agent && tool.spec.permission_policy == PermissionPolicy::AlwaysAsk {
        evidence("permission_policy", Verdict::Ask, "the tool's policy is always_ask, and an agent calls it")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use serde_json::json;
    use toolgate_domain::{AgentId, KeyId, Surface, TenantId, Timestamp, ToolId, tool::Origin};

    use super::*;
    use crate::is_visible;

    fn tool(patch: serde_json::Value) -> Tool {
        let mut definition = json!({
            "name": "probe", "version": "1.0.0", "description": "d",
            "input_schema": {"type": "object"}, "execution": {"kind": "builtin"},
        });
        definition.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        Tool {
            id: ToolId::from_uuid(uuid()),
            tenant_id: TenantId::DEFAULT,
            origin: Origin::TenantCustom,
            lifecycle: Lifecycle::Active,
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
            spec: Arc::new(serde_json::from_value(definition).unwrap()),
        }
    }

    fn uuid() -> toolgate_domain::ids::Uuid {
        toolgate_domain::ids::Uuid::nil()
    }

    fn caller(principal: Principal, scopes: &[Scope]) -> Caller {
        Caller {
            tenant_id: TenantId::DEFAULT,
            tenant_slug: "default".into(),
            principal,
            scopes: scopes.iter().copied().collect::<BTreeSet<_>>(),
        }
    }

    fn key(scopes: &[Scope]) -> Caller {
        caller(Principal::Key(KeyId::from_uuid(uuid())), scopes)
    }

    #[test]
    fn a_key_with_the_scope_may_call_and_one_without_may_not() {
        assert_eq!(decide(&key(&[Scope::ToolsExecute]), &tool(json!({}))).verdict, Verdict::Allow);
        let denied = decide(&key(&[Scope::ToolsRead]), &tool(json!({})));
        assert_eq!(denied.verdict, Verdict::Deny);
        assert_eq!(denied.deciding().next().unwrap().rule, "scope");
    }

    #[test]
    fn a_tool_that_writes_always_asks_whatever_its_definition_says() {
        let asks = decide(
            &key(&[Scope::Admin]),
            &tool(json!({"egress_class": "write", "requires_approval": false})),
        );
        assert_eq!(asks.verdict, Verdict::Ask);
    }

    #[test]
    fn always_ask_binds_agents_and_not_people() {
        let asking = tool(json!({"permission_policy": "always_ask"}));
        let agent = caller(Principal::Agent(AgentId::from_uuid(uuid())), &[Scope::ToolsExecute]);
        assert_eq!(decide(&agent, &asking).verdict, Verdict::Ask);
        assert_eq!(decide(&key(&[Scope::ToolsExecute]), &asking).verdict, Verdict::Allow);
    }

    #[test]
    fn deny_beats_ask() {
        let mut blocked = tool(json!({"egress_class": "write"}));
        blocked.lifecycle = Lifecycle::Blocked;
        assert_eq!(decide(&key(&[Scope::Admin]), &blocked).verdict, Verdict::Deny);
    }

    #[test]
    fn a_demanded_permission_denies_those_who_lack_it() {
        let guarded = tool(json!({"required_permission": "entities.team.read"}));
        assert_eq!(decide(&key(&[Scope::ToolsExecute]), &guarded).verdict, Verdict::Deny);
        assert_eq!(decide(&key(&[Scope::Admin]), &guarded).verdict, Verdict::Allow);
    }

    #[test]
    fn internal_tools_and_other_tenants_tools_do_not_exist() {
        let me = key(&[Scope::Admin]);
        assert!(is_visible(&me, Surface::Rest, &tool(json!({}))));
        assert!(!is_visible(&me, Surface::Rest, &tool(json!({"visibility": "internal"}))));
        assert!(is_visible(&me, Surface::Internal, &tool(json!({"visibility": "internal"}))));
        assert!(!is_visible(&me, Surface::Rest, &tool(json!({"tenant_slugs": ["ims"]}))));
        let mut foreign = tool(json!({}));
        foreign.tenant_id = TenantId::from_uuid(toolgate_domain::ids::Uuid::max());
        assert!(!is_visible(&me, Surface::Rest, &foreign));
    }
}
