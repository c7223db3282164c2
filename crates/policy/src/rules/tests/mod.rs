//! The policy language, told as stories.

mod budget;
mod compile;
mod fuzz;
mod hostile;
mod judge;

use std::borrow::Cow;

use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, EgressClass, Evidence, Scope, Surface, Timestamp, Verdict,
    ids::Uuid,
    tool::{Origin, Risk},
};

use super::*;

pub fn document(rules: Value) -> PolicyDocument {
    serde_json::from_value(json!({"rules": rules})).unwrap()
}

pub fn compile(rules: Value) -> PolicySet {
    PolicySet::compile(&document(rules)).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

pub fn errors(rules: Value) -> Vec<PolicyError> {
    PolicySet::compile(&document(rules)).err().unwrap_or_default()
}

/// A rule about `probe`, whose examples never reach its expression, so that only `judge` does. The condition is what
/// the test is about; the `match` example is satisfied by an alternative that only the example offers.
pub fn deny_when(condition: &str) -> Value {
    rule_when("deny", condition)
}

pub fn rule_when(verdict: &str, condition: &str) -> Value {
    json!({
        "id": "r", "tools": ["probe", "other"], "verdict": verdict, "because": "it is so",
        "when": format!("tool.category == 'sample' ? true : ({condition})"),
        "examples": {
            "match": [{"tool": {"category": "sample"}}],
            "no_match": [{"tool": {"name": "unrelated"}}],
        },
    })
}

pub fn facts(input: &Value) -> Facts<'_> {
    Facts {
        caller: CallerFacts {
            principal: Cow::Borrowed("usr_1"),
            kind: CallerKind::User,
            scopes: vec![Scope::ToolsExecute],
            roles: Cow::Owned(vec!["support".to_owned()]),
            tenant: Cow::Borrowed("acme"),
        },
        agent: None,
        tool: ToolFacts {
            name: Cow::Borrowed("probe"),
            version: Cow::Borrowed("1.2.0"),
            egress_class: EgressClass::Write,
            risk: Risk::High,
            category: Cow::Borrowed("api"),
            origin: Origin::TenantCustom,
        },
        input,
        // A Saturday.
        time: TimeFacts::at("2026-02-28T22:05:00Z".parse::<Timestamp>().unwrap()),
        surface: Surface::Cli,
    }
}

pub fn agent() -> AgentFacts<'static> {
    AgentFacts { id: agent_id(), handle: Cow::Borrowed("scout") }
}

pub fn agent_id() -> AgentId {
    AgentId::from_uuid(Uuid::max())
}

/// What a deny rule with this condition says about a call with this input.
pub fn judge(condition: &str, input: Value) -> Vec<Evidence> {
    compile(json!([deny_when(condition)])).judge(&facts(&input))
}

pub fn holds(condition: &str, input: Value) -> bool {
    match judge(condition, input).as_slice() {
        [] => false,
        [one] if one.because == "it is so" => true,
        other => panic!("`{condition}` could not be judged: {other:?}"),
    }
}

/// Why the condition could not be judged; it must have denied.
pub fn refusal(condition: &str, input: Value) -> String {
    match judge(condition, input).as_slice() {
        [one] if one.verdict == Verdict::Deny && one.because.contains("could not be judged") => {
            one.because.clone()
        }
        other => panic!("`{condition}` was judged: {other:?}"),
    }
}
