//! The rules, each of which adds its evidence; the strictest verdict wins.

use toolgate_domain::{
    Decision, EgressClass, Evidence, Lifecycle, Scope, Verdict,
    governance::{AgentStatus, ApprovalTerms, PermissionStatus},
    tool::PermissionPolicy,
};

use crate::{
    Question,
    rules::{AgentFacts, Facts, PolicySet},
};

/// Judges one call of a tool that the caller can see.
pub fn decide(question: &Question<'_>) -> Decision {
    let (found, terms) = gather(question, PolicySet::judge);
    let mut decision = Decision::from_evidence(found);
    decision.policy_version = question.policy.map(|policy| policy.version().to_owned());
    decision.approval =
        terms.filter(|terms| decision.verdict == Verdict::Ask && *terms != ApprovalTerms::default());
    decision
}

/// Whether every such call is denied, whatever its input and whenever it is made. The input of the question is not looked at.
pub fn is_hopeless(question: &Question<'_>) -> bool {
    let (found, _) = gather(question, PolicySet::judge_always);
    found.iter().any(|evidence| evidence.verdict == Verdict::Deny)
}

/// What every rule says, and who must agree.
fn gather(
    question: &Question<'_>,
    heard: impl FnOnce(&PolicySet, &Facts<'_>) -> Vec<Evidence>,
) -> (Vec<Evidence>, Option<ApprovalTerms>) {
    let mut found = Vec::with_capacity(4);
    found.extend(lifecycle(question));
    found.extend(scope(question));
    permissions(question, &mut found);
    found.extend(approval(question));
    let mut terms = question.terms;
    if question.caller.agent_id.is_some() {
        terms = agent(question, terms, &mut found);
    }
    if let Some((bounds, tally)) = question.run {
        found.extend(bounds.objections(tally, question.tool));
    }
    if let Some(policy) = question.policy {
        let agent = question.agent.map(|standing| AgentFacts {
            id: standing.agent.id,
            handle: standing.agent.handle.as_str().into(),
        });
        let caller = question.caller;
        let facts = Facts::new(
            caller,
            &caller.roles,
            agent,
            question.tool,
            question.input,
            question.now,
            question.surface,
        );
        found.extend(heard(policy, &facts));
    }
    (found, terms)
}

fn evidence(rule: &str, verdict: Verdict, because: impl Into<String>) -> Option<Evidence> {
    Some(Evidence { rule: rule.to_owned(), verdict, because: because.into() })
}

fn lifecycle(question: &Question<'_>) -> Option<Evidence> {
    match question.tool.lifecycle {
        // That only test runs reach a draft is seen to where references are resolved.
        Lifecycle::Active | Lifecycle::Deprecated | Lifecycle::Draft => None,
        Lifecycle::Blocked | Lifecycle::Archived => evidence(
            "lifecycle",
            Verdict::Deny,
            format!(
                "{} is {}; an operator can set it active again",
                question.tool.spec.id(),
                question.tool.lifecycle.as_str()
            ),
        ),
    }
}

fn scope(question: &Question<'_>) -> Option<Evidence> {
    if question.caller.may(Scope::ToolsExecute) {
        evidence("scope", Verdict::Allow, "the caller holds tools:execute")
    } else {
        evidence(
            "scope",
            Verdict::Deny,
            "the caller lacks tools:execute; use a key that has the scope, or ask for a role that has tools.tenant.execute",
        )
    }
}

fn permissions(question: &Question<'_>, found: &mut Vec<Evidence>) {
    for required in question.tool.required_permissions() {
        found.extend(if question.caller.has(required) {
            evidence("required_permission", Verdict::Allow, format!("the caller holds {required}"))
        } else {
            let because = format!(
                "the tool demands the permission {required}, which the caller lacks; a role can grant it"
            );
            evidence("required_permission", Verdict::Deny, because)
        });
    }
}

fn approval(question: &Question<'_>) -> Option<Evidence> {
    let spec = &question.tool.spec;
    let by_agent = question.caller.agent_id.is_some();
    if spec.egress_class == EgressClass::Write {
        evidence("egress_class", Verdict::Ask, "the tool writes outside Toolgate, which always asks a person")
    } else if spec.requires_approval {
        evidence("requires_approval", Verdict::Ask, "the tool's definition asks for approval")
    } else if by_agent && spec.permission_policy == PermissionPolicy::AlwaysAsk {
        evidence("permission_policy", Verdict::Ask, "the tool's policy is always_ask, and an agent calls it")
    } else {
        None
    }
}

/// The agent's own rules: its status, what it was assigned, what people said about the tool, its profile.
fn agent(
    question: &Question<'_>,
    terms: Option<ApprovalTerms>,
    found: &mut Vec<Evidence>,
) -> Option<ApprovalTerms> {
    let Some(standing) = question.agent else {
        found.extend(evidence("agent", Verdict::Deny, "the agent that this key speaks for does not exist"));
        return terms;
    };
    let handle = &standing.agent.handle;
    if standing.agent.status != AgentStatus::Active {
        let state = if standing.agent.status == AgentStatus::Paused { "paused" } else { "archived" };
        found.extend(evidence("agent_status", Verdict::Deny, format!("the agent {handle} is {state}")));
    }
    let profile = match standing.assigned(question.tool) {
        Ok(profile) => profile,
        Err(because) => {
            found.extend(evidence("assignment", Verdict::Deny, because));
            return terms;
        }
    };
    found.extend(match standing.status(question.tool) {
        PermissionStatus::AlwaysAllow => {
            evidence("permission", Verdict::Allow, format!("the agent {handle} may always call it"))
        }
        PermissionStatus::NeedsApproval => {
            evidence("permission", Verdict::Ask, format!("the agent {handle} needs approval for it"))
        }
        PermissionStatus::Blocked => {
            evidence("permission", Verdict::Deny, format!("it is blocked for the agent {handle}"))
        }
    });
    let Some(profile) = profile else {
        return terms;
    };
    if profile.requires_approval {
        let because = format!("the profile {} asks for approval", profile.name);
        found.extend(evidence("profile", Verdict::Ask, because));
    }
    match (terms, profile.approval) {
        (Some(a), Some(b)) => Some(a.stricter(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, sync::Arc};

    use serde_json::json;
    use toolgate_domain::{
        AgentId, Caller, InvocationId, KeyId, Limits, Principal, ProfileId, Surface, TenantId, Timestamp,
        Tool, ToolId,
        governance::{AgentTools, Guard, Profile, StandingOverride, ToolPermission, ToolSettings},
        tool::Origin,
    };

    use super::*;
    use crate::{Assigned, RunBounds, RunTally, Standing, Switches, is_visible, rules};

    fn sees(caller: &Caller, surface: Surface, tool: &Tool) -> bool {
        is_visible(caller, surface, tool, Switches::default())
    }

    fn decide(caller: &Caller, tool: &Tool) -> Decision {
        super::decide(&Question::plain(
            caller,
            tool,
            &serde_json::Value::Null,
            Surface::Rest,
            Timestamp::EPOCH,
        ))
    }

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
            kind: Origin::TenantCustom.into(),
            also_required: Vec::new(),
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
        Caller::with_scopes(TenantId::DEFAULT, "default", principal, scopes)
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
    fn an_agent_without_a_standing_is_denied() {
        let agent = caller(Principal::Agent(AgentId::from_uuid(uuid())), &[Scope::ToolsExecute]);
        assert_eq!(decide(&agent, &tool(json!({}))).verdict, Verdict::Deny);
    }

    fn standing(patch: serde_json::Value) -> Standing {
        let mut agent = json!({
            "id": AgentId::from_uuid(uuid()), "handle": "ada", "display_name": "Ada", "tool_groups": [],
            "custom_tools": ["probe"], "guard": {}, "metadata": {}, "status": "active",
            "created_at": Timestamp::EPOCH, "updated_at": Timestamp::EPOCH,
        });
        agent.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        Standing {
            agent: serde_json::from_value(agent).unwrap(),
            tools: AgentTools::default(),
            assignments: HashMap::new(),
        }
    }

    fn with_status(mut standing: Standing, status: PermissionStatus) -> Standing {
        standing.tools.tools.insert("probe".into(), ToolPermission { status, provider_key: None });
        standing
    }

    fn as_agent(standing: &Standing, tool: &Tool) -> Decision {
        let agent = caller(Principal::Agent(standing.agent.id), &[Scope::ToolsExecute]);
        let question = Question {
            agent: Some(standing),
            ..Question::plain(&agent, tool, &serde_json::Value::Null, Surface::Rest, Timestamp::EPOCH)
        };
        super::decide(&question)
    }

    fn rule_of(decision: &Decision) -> &str {
        &decision.deciding().next().unwrap().rule
    }

    #[test]
    fn what_an_agent_was_not_given_it_may_not_call() {
        let stranger = as_agent(&standing(json!({"custom_tools": []})), &tool(json!({})));
        assert_eq!((stranger.verdict, rule_of(&stranger)), (Verdict::Deny, "assignment"));
        let mut denied = standing(json!({}));
        denied.assignments.insert("probe".into(), Assigned { allowed: false, profile: None });
        assert_eq!(as_agent(&denied, &tool(json!({}))).verdict, Verdict::Deny);
        let grouped = standing(json!({"custom_tools": [], "tool_groups": ["utility"]}));
        assert_eq!(as_agent(&grouped, &tool(json!({"category": "utility"}))).verdict, Verdict::Ask);
    }

    #[test]
    fn the_three_tiers_and_their_default() {
        let probe = tool(json!({}));
        let unset = as_agent(&standing(json!({})), &probe);
        assert_eq!((unset.verdict, rule_of(&unset)), (Verdict::Ask, "permission"));
        let tier = |status| as_agent(&with_status(standing(json!({})), status), &probe).verdict;
        assert_eq!(tier(PermissionStatus::AlwaysAllow), Verdict::Allow);
        assert_eq!(tier(PermissionStatus::NeedsApproval), Verdict::Ask);
        assert_eq!(tier(PermissionStatus::Blocked), Verdict::Deny);
    }

    #[test]
    fn neither_always_allow_nor_approve_always_relaxes_a_write() {
        let writer = tool(json!({"egress_class": "write"}));
        let mut relaxed = with_status(standing(json!({})), PermissionStatus::AlwaysAllow);
        relaxed.tools.overrides.insert(
            "probe".into(),
            StandingOverride {
                by: "usr_x".into(),
                at: Timestamp::EPOCH,
                invocation_id: InvocationId::from_uuid(uuid()),
            },
        );
        assert_eq!(as_agent(&relaxed, &writer).verdict, Verdict::Ask);
    }

    #[test]
    fn a_profile_tightens_and_never_relaxes() {
        let profile = |requires_approval| Profile {
            id: ProfileId::from_uuid(uuid()),
            name: "p".into(),
            description: String::new(),
            requires_approval,
            approval: Some(ApprovalTerms { quorum: 2, allow_self: true, ..ApprovalTerms::default() }),
            cost_limit: None,
            rate_limit: None,
            timeout_ms: None,
        };
        let bound = |requires_approval| {
            let mut bound = with_status(standing(json!({})), PermissionStatus::AlwaysAllow);
            let profile = Some(Arc::new(profile(requires_approval)));
            bound.assignments.insert("probe".into(), Assigned { allowed: true, profile });
            bound
        };
        assert_eq!(as_agent(&bound(true), &tool(json!({}))).verdict, Verdict::Ask);
        assert_eq!(as_agent(&bound(false), &tool(json!({}))).verdict, Verdict::Allow);
        let writes = as_agent(&bound(false), &tool(json!({"egress_class": "write"})));
        assert_eq!(writes.verdict, Verdict::Ask);
        assert_eq!(
            writes.approval,
            Some(ApprovalTerms { quorum: 2, allow_self: true, ..ApprovalTerms::default() })
        );
    }

    #[test]
    fn a_paused_or_archived_agent_calls_nothing() {
        for status in ["paused", "archived"] {
            let resting = with_status(standing(json!({"status": status})), PermissionStatus::AlwaysAllow);
            let decision = as_agent(&resting, &tool(json!({})));
            assert_eq!((decision.verdict, rule_of(&decision)), (Verdict::Deny, "agent_status"));
        }
    }

    #[test]
    fn a_run_ends_at_its_bounds() {
        let (me, probe) = (key(&[Scope::Admin]), tool(json!({"egress_class": "read_only"})));
        let judge = |guard: Guard, tally| {
            let bounds = RunBounds::new(&Limits::default(), [&guard]);
            super::decide(&Question {
                run: Some((&bounds, tally)),
                ..Question::plain(&me, &probe, &serde_json::Value::Null, Surface::Rest, Timestamp::EPOCH)
            })
        };
        let fresh = RunTally::default();
        assert_eq!(judge(Guard::default(), fresh).verdict, Verdict::Allow);
        let cases = [
            ("guard.max_tool_calls", Guard::default(), RunTally { tool_calls: 25, ..fresh }),
            ("guard.max_iterations", Guard::default(), RunTally { iterations: 11, ..fresh }),
            (
                "guard.max_budget",
                Guard { max_budget: Some(0.5), ..Guard::default() },
                RunTally { spent: 0.5, ..fresh },
            ),
            ("guard.enabled_tools", Guard { enabled_tools: Some(vec![]), ..Guard::default() }, fresh),
            (
                "guard.side_effects",
                Guard { side_effects: Some(EgressClass::None), ..Guard::default() },
                fresh,
            ),
        ];
        for (rule, guard, tally) in cases {
            let decision = judge(guard, tally);
            assert_eq!((decision.verdict, rule_of(&decision)), (Verdict::Deny, rule));
        }
    }

    #[test]
    fn the_tenants_policy_is_heard_and_its_version_noted() {
        let policy = rules::PolicySet::compile(&serde_json::from_value(json!({"rules": [{
            "id": "no-mondays", "verdict": "deny", "because": "not today", "tools": ["probe"],
            "examples": {"match": [{"tool": {"name": "probe"}}], "no_match": [{"tool": {"name": "other"}}]},
        }]})).unwrap()).unwrap();
        let (me, probe) = (key(&[Scope::Admin]), tool(json!({})));
        let question = Question {
            policy: Some(&policy),
            ..Question::plain(&me, &probe, &serde_json::Value::Null, Surface::Rest, Timestamp::EPOCH)
        };
        let decision = super::decide(&question);
        assert_eq!((decision.verdict, rule_of(&decision)), (Verdict::Deny, "policy:no-mondays"));
        assert_eq!(decision.policy_version.as_deref(), Some(policy.version()));
    }

    #[test]
    fn a_tool_is_hopeless_only_when_no_input_and_no_hour_could_help() {
        let (me, probe) = (key(&[Scope::Admin]), tool(json!({})));
        let hopeless = |when: serde_json::Value| {
            let mut rule = json!({
                "id": "r", "verdict": "deny", "because": "no", "tools": ["probe"],
                "examples": {"match": [], "no_match": [{"tool": {"name": "other"}}]},
            });
            let sample = json!({"tool": {"name": "probe"}, "input": {"to": "x"}});
            rule["examples"]["match"] = json!([sample]);
            if !when.is_null() {
                rule["when"] = when;
            }
            let document = serde_json::from_value(json!({"rules": [rule]})).unwrap();
            let policy = rules::PolicySet::compile(&document).unwrap();
            let nothing = serde_json::Value::Null;
            is_hopeless(&Question {
                policy: Some(&policy),
                ..Question::plain(&me, &probe, &nothing, Surface::Rest, Timestamp::EPOCH)
            })
        };
        assert!(hopeless(json!(null)) && hopeless(json!("tool.name == 'probe'")));
        assert!(!hopeless(json!("input.to == 'x'")), "another input may do");
        assert!(!hopeless(json!("['x'].exists(one, input.to == one)")), "also inside a loop");
        assert!(!hopeless(json!("time.hour >= 0")), "another hour may do");
        let mut blocked = tool(json!({}));
        blocked.lifecycle = Lifecycle::Blocked;
        let nothing = serde_json::Value::Null;
        assert!(is_hopeless(&Question::plain(&me, &blocked, &nothing, Surface::Rest, Timestamp::EPOCH)));
        assert!(!is_hopeless(&Question::plain(&me, &probe, &nothing, Surface::Rest, Timestamp::EPOCH)));
    }

    #[test]
    fn switches_are_opt_in_for_system_tools_and_opt_out_for_the_rest() {
        let me = key(&[Scope::Admin]);
        let on = |enabled| {
            HashMap::from([("probe".to_owned(), ToolSettings { enabled: Some(enabled), approval: None })])
        };
        let (yes, no) = (on(true), on(false));
        let seen = |tool: &Tool, tenant, everyone| {
            is_visible(&me, Surface::Rest, tool, Switches { tenant, everyone })
        };
        let custom = tool(json!({}));
        assert!(seen(&custom, None, None) && seen(&custom, Some(&yes), None));
        assert!(!seen(&custom, Some(&no), None) && !seen(&custom, None, Some(&no)));
        assert!(!seen(&custom, Some(&yes), Some(&no)), "off for everyone is off");
        let mut system = tool(json!({"secrets": ["API_KEY"]}));
        system.origin = Origin::Code;
        assert!(!seen(&system, None, None));
        assert!(seen(&system, Some(&yes), None) && seen(&system, None, Some(&yes)));
        assert!(!seen(&system, Some(&no), Some(&yes)));
    }

    #[test]
    fn always_ask_binds_agents_and_not_people() {
        let asking = tool(json!({"permission_policy": "always_ask"}));
        let trusted = with_status(standing(json!({})), PermissionStatus::AlwaysAllow);
        assert_eq!(as_agent(&trusted, &asking).verdict, Verdict::Ask);
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
        assert!(sees(&me, Surface::Rest, &tool(json!({}))));
        assert!(!sees(&me, Surface::Rest, &tool(json!({"visibility": "internal"}))));
        assert!(sees(&me, Surface::Internal, &tool(json!({"visibility": "internal"}))));
        assert!(!sees(&me, Surface::Rest, &tool(json!({"tenant_slugs": ["ims"]}))));
        let mut foreign = tool(json!({}));
        foreign.tenant_id = TenantId::from_uuid(toolgate_domain::ids::Uuid::max());
        assert!(!sees(&me, Surface::Rest, &foreign));
    }
}
