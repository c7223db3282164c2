//! A rule's examples are its tests: they run whenever the document is compiled.

use std::borrow::Cow;

use cel::Context;
use serde_json::{Map, Value};
use toolgate_domain::{
    AgentId, EgressClass, Surface,
    ids::Uuid,
    tool::{Origin, Risk},
};

use super::{
    document::{ExampleContext, RuleSpec},
    error::{Flaw, PolicyError},
    explain::Outcome,
    facts::{AgentFacts, CallerFacts, CallerKind, Facts, TimeFacts, ToolFacts},
    rule::Rule,
    scope::Scope,
};

/// Every example that does not come out as its author says.
pub(super) fn check_examples(
    index: usize,
    spec: &RuleSpec,
    rule: &Rule,
    root: &Context<'static, 'static>,
) -> Vec<PolicyError> {
    let kinds = [("match", &spec.examples.matching, true), ("no_match", &spec.examples.no_match, false)];
    let mut errors = Vec::new();
    for (kind, examples, should_match) in kinds {
        for (number, example) in examples.iter().enumerate() {
            let no_input = Value::Object(Map::new());
            let facts = facts(example, rule, &no_input);
            let outcome = rule.outcome(root, &facts, &Scope::new(&facts));
            if let Some(flaw) = flaw(should_match, &outcome) {
                errors.push(flaw.at(&spec.id, format!("rules[{index}].examples.{kind}[{number}]")));
            }
        }
    }
    errors
}

fn flaw(should_match: bool, outcome: &Outcome) -> Option<Flaw> {
    match (should_match, outcome) {
        (true, Outcome::Matched) | (false, Outcome::NotMatched | Outcome::NotACandidate { .. }) => None,
        (true, Outcome::NotMatched) => Some(Flaw::new(
            "the example should match, but the condition is false",
            "correct `when`, or the example",
        )),
        (true, Outcome::NotACandidate { because }) => Some(Flaw::new(
            format!("the example should match, but {because}"),
            "correct `tools`, `agents` or `egress`, or the example",
        )),
        (false, Outcome::Matched) => Some(Flaw::new(
            "the example should not match, but it does",
            "narrow the rule by `tools`, `agents`, `egress` or `when`, or correct the example",
        )),
        // An erring rule denies, so an error is no way of not matching.
        (_, Outcome::Error { because }) => Some(Flaw::new(
            format!("the example could not be judged: {because}"),
            "correct `when`, or add what it looks at to the example",
        )),
    }
}

/// The example's call, completed as [`ExampleContext`] promises.
fn facts<'a>(example: &'a ExampleContext, rule: &Rule, no_input: &'a Value) -> Facts<'a> {
    Facts {
        caller: caller(example),
        agent: agent(example, rule),
        tool: tool(example, rule),
        input: example.input.as_ref().unwrap_or(no_input),
        time: time(example),
        surface: example.surface.unwrap_or(Surface::Rest),
    }
}

fn given<'a>(text: Option<&'a String>, otherwise: &'a str) -> Cow<'a, str> {
    Cow::Borrowed(text.map_or(otherwise, String::as_str))
}

fn caller(example: &ExampleContext) -> CallerFacts<'_> {
    let caller = example.caller.as_ref();
    CallerFacts {
        principal: given(
            caller.and_then(|c| c.principal.as_ref()),
            "usr_00000000-0000-0000-0000-000000000000",
        ),
        kind: caller.and_then(|c| c.kind).unwrap_or(CallerKind::User),
        scopes: caller.and_then(|c| c.scopes.clone()).unwrap_or_default(),
        roles: Cow::Borrowed(caller.and_then(|c| c.roles.as_deref()).unwrap_or_default()),
        tenant: given(caller.and_then(|c| c.tenant.as_ref()), "default"),
    }
}

fn agent<'a>(example: &'a ExampleContext, rule: &Rule) -> Option<AgentFacts<'a>> {
    let first = rule.selector.agents.as_ref().and_then(|all| all.first().copied());
    match &example.agent {
        None => first.map(|id| AgentFacts { id, handle: Cow::Borrowed("") }),
        Some(None) => None,
        Some(Some(agent)) => Some(AgentFacts {
            id: agent.id.or(first).unwrap_or(AgentId::from_uuid(Uuid::nil())),
            handle: given(agent.handle.as_ref(), ""),
        }),
    }
}

fn tool<'a>(example: &'a ExampleContext, rule: &Rule) -> ToolFacts<'a> {
    let tool = example.tool.as_ref();
    let sample = || {
        let first = rule.selector.tools.as_ref().and_then(|all| all.first());
        Cow::Owned(first.map_or_else(|| "example".to_owned(), |pattern| pattern.sample()))
    };
    let first_class = rule.selector.egress.as_ref().and_then(|all| all.first().copied());
    ToolFacts {
        name: tool.and_then(|t| t.name.as_ref()).map_or_else(sample, |name| Cow::Borrowed(name.as_str())),
        version: given(tool.and_then(|t| t.version.as_ref()), "1.0.0"),
        egress_class: tool.and_then(|t| t.egress_class).or(first_class).unwrap_or(EgressClass::None),
        risk: tool.and_then(|t| t.risk).unwrap_or(Risk::Low),
        category: given(tool.and_then(|t| t.category.as_ref()), "utility"),
        origin: tool.and_then(|t| t.origin).unwrap_or(Origin::Code),
    }
}

fn time(example: &ExampleContext) -> TimeFacts {
    let time = example.time.clone().unwrap_or_default();
    TimeFacts {
        epoch_s: time.epoch_s.unwrap_or(1_704_110_400),
        hour: time.hour.unwrap_or(12),
        minute: time.minute.unwrap_or(0),
        weekday: time.weekday.unwrap_or(1),
        date: time.date.unwrap_or_else(|| "2024-01-01".to_owned()),
    }
}
