//! What rules see, and what they say.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{Decision, Verdict};

use super::{super::*, agent, agent_id, compile, deny_when, facts, holds, judge, refusal, rule_when};

#[rstest]
#[case("caller.principal == 'usr_1' && caller.kind == 'user' && caller.tenant == 'acme'")]
#[case("'tools:execute' in caller.scopes && !('admin' in caller.scopes)")]
#[case("caller.roles.exists(r, r == 'support')")]
#[case("agent == null")]
#[case("tool.name == 'probe' && tool.version == '1.2.0' && tool.origin == 'tenant_custom'")]
#[case("tool.egress_class == 'write' && tool.risk == 'high' && tool.category == 'api'")]
#[case("time.hour == 22 && time.minute == 5 && time.weekday == 6 && time.date == '2026-02-28'")]
#[case("time.epoch_s == 1772316300")]
#[case("time.hour >= 22 || time.hour < 6")]
#[case("surface == 'cli'")]
fn a_rule_sees_the_caller_the_tool_the_time_and_the_surface(#[case] condition: &str) {
    assert!(holds(condition, json!({})));
}

#[rstest]
#[case("input.amount + 1 == 101 && input.amount > -5")]
#[case("input.rate * 2.0 == 1.0")]
#[case("input.note == null")]
#[case("input.to[0].mail.endsWith('@acme.test') && input['to'][1].mail.contains('evil')")]
#[case("size(input.to) == 2 && input.to.size() == 2")]
#[case("input.to.exists(t, t.mail.matches('(?i)@EVIL\\\\.test$'))")]
#[case("!input.to.all(t, t.mail.endsWith('@acme.test'))")]
#[case("input.to.exists_one(t, t.mail.startsWith('b'))")]
#[case("size(input.to.filter(t, t.mail != '')) > 1")]
#[case("has(input.amount) && !has(input.missing)")]
#[case("'mail:' + input.to[0].mail == 'mail:a@acme.test'")]
#[case("input.to.exists(t, ['evil', 'bad'].exists(word, t.mail.contains(word)))")]
#[case("int('7') == 7 && double(1) == 1.0 && string(input.amount) == '100'")]
fn a_rule_sees_the_input_with_signed_integers(#[case] condition: &str) {
    let input = json!({
        "amount": 100, "rate": 0.5, "note": null,
        "to": [{"mail": "a@acme.test"}, {"mail": "b@evil.test"}],
    });
    assert!(holds(condition, input));
}

#[test]
fn an_agent_is_seen_by_its_id_and_handle() {
    let set = compile(json!([deny_when(
        "agent != null && agent.handle == 'scout' && agent.id.startsWith('agt_')"
    )]));
    let input = json!({});
    assert_eq!(set.judge(&Facts { agent: Some(agent()), ..facts(&input) }).len(), 1);
    assert_eq!(set.judge(&facts(&input)).len(), 0);
}

#[test]
fn evidence_names_the_rule_and_repeats_its_reason() {
    let evidence = judge("input.amount > 100", json!({"amount": 101}));
    assert_eq!(evidence.len(), 1);
    assert_eq!((evidence[0].rule.as_str(), evidence[0].verdict), ("policy:r", Verdict::Deny));
    assert_eq!(evidence[0].because, "it is so");
    assert!(judge("input.amount > 100", json!({"amount": 100})).is_empty());
}

#[test]
fn an_allow_rule_never_relaxes_a_stricter_one() {
    let mut allow = rule_when("allow", "true");
    allow["id"] = json!("generous");
    let set = compile(json!([allow, rule_when("ask", "true")]));
    let decision = Decision::from_evidence(set.judge(&facts(&json!({}))));
    assert_eq!(decision.verdict, Verdict::Ask);
    assert_eq!(decision.evidence.len(), 2);
}

#[test]
fn an_erring_ask_denies_and_an_erring_allow_says_nothing() {
    let input = json!({});
    let asked = compile(json!([rule_when("ask", "input.amount > 1")])).judge(&facts(&input));
    assert_eq!(asked[0].verdict, Verdict::Deny);
    assert!(asked[0].because.contains("no key `amount`"), "{}", asked[0].because);
    assert!(compile(json!([rule_when("allow", "input.amount > 1")])).judge(&facts(&input)).is_empty());
}

#[rstest]
#[case("input.a.b.c == 1", "no key `b`")]
#[case("input.text > 3", "")]
#[case("input.list[7] == 1", "index")]
#[case("1 / input.zero == 1", "divides by zero")]
#[case("1 % input.zero == 1", "divides by zero")]
#[case("9223372036854775807 + input.one > 0", "64 bits")]
#[case("-9223372036854775807 - 2 - input.one < 0", "64 bits")]
#[case("input.one * 9223372036854775807 * 2 > 0", "64 bits")]
#[case("input.one", "not a bool")]
#[case("'yes'", "not a bool")]
#[case("input.one && true", "")]
#[case("agent.handle == 'scout'", "")]
#[case("input.list + input.list == input.list", "only numbers and texts")]
#[case("input.one.matches('a')", "only a text")]
#[case("int(input.text) == 1", "")]
fn what_has_no_answer_denies(#[case] condition: &str, #[case] reason: &str) {
    let because =
        refusal(condition, json!({"a": {}, "text": "secret-value", "list": [1], "zero": 0, "one": 1}));
    assert!(because.contains(reason), "{because}");
    assert!(!because.contains("secret-value"), "an input's value leaked into evidence: {because}");
}

#[test]
fn selectors_are_asked_before_the_expression() {
    let rule = |patch: Value| {
        let mut rule = deny_when("input.missing == 1");
        rule.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        rule["examples"]["match"][0]["tool"]["category"] = json!("sample");
        compile(json!([rule]))
    };
    let input = json!({});
    // The expression would err, and so deny: silence shows that it was not asked.
    assert!(rule(json!({"tools": ["send_*"]})).judge(&facts(&input)).is_empty());
    assert!(rule(json!({"egress": ["none", "read_only"]})).judge(&facts(&input)).is_empty());
    assert!(rule(json!({"agents": [agent_id()]})).judge(&facts(&input)).is_empty());
    assert_eq!(rule(json!({"egress": ["writes"]})).judge(&facts(&input)).len(), 1);
    let by_agent = Facts { agent: Some(agent()), ..facts(&input) };
    assert_eq!(rule(json!({"agents": [agent_id()]})).judge(&by_agent).len(), 1);
}

#[test]
fn evidence_comes_in_the_order_of_the_document() {
    let rule = |id: &str, tools: Value| {
        let no_match = json!([{"tool": {"name": "unrelated"}}]);
        json!({"id": id, "tools": tools, "verdict": "ask", "because": "b", "examples": {"match": [{}], "no_match": no_match}})
    };
    let set = compile(json!([
        rule("a", json!(["pro*"])),
        rule("b", json!(["probe", "probe"])),
        rule("c", json!(["elsewhere"])),
        rule("d", json!(["x*", "probe"])),
        rule("e", json!(["probe"])),
    ]));
    let rules: Vec<_> = set.judge(&facts(&json!({}))).into_iter().map(|e| e.rule).collect();
    assert_eq!(rules, ["policy:a", "policy:b", "policy:d", "policy:e"]);
}

#[test]
fn an_explanation_tells_what_each_rule_makes_of_a_call() {
    let with_id = |id: &str, mut rule: Value| {
        rule["id"] = json!(id);
        rule
    };
    let mut elsewhere = with_id("elsewhere", deny_when("true"));
    elsewhere["tools"] = json!(["send_*"]);
    let set = compile(json!([
        with_id("yes", rule_when("ask", "true")),
        with_id("no", deny_when("false")),
        elsewhere,
        with_id("broken", deny_when("input.nope == 1")),
    ]));
    let input = json!({});
    let told = set.explain(&facts(&input));
    assert_eq!(told[0].outcome, Outcome::Matched);
    assert_eq!(told[1].outcome, Outcome::NotMatched);
    assert!(
        matches!(&told[2].outcome, Outcome::NotACandidate { because } if because.contains("other tools"))
    );
    assert!(matches!(&told[3].outcome, Outcome::Error { because } if because.contains("nope")));
    let evidence: Vec<_> = told.into_iter().filter_map(|one| one.evidence).collect();
    assert_eq!(evidence, set.judge(&facts(&input)));
}

#[test]
fn a_set_is_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&compile(json!([])));
}
