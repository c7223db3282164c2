//! What compiles, and what an author is told when it does not.

use serde_json::{Value, json};

use super::{super::*, compile, deny_when, document, errors};

fn night() -> Value {
    json!({
        "id": "no-mail-at-night",
        "description": "Nobody reads it before nine.",
        "tools": ["send_*"],
        "egress": ["write"],
        "when": "time.hour >= 22 || time.hour < 6",
        "verdict": "ask",
        "because": "mail at night needs a second look",
        "examples": {
            "match": [{"time": {"hour": 23}}, {"tool": {"name": "send_mail"}, "time": {"hour": 2}}],
            "no_match": [{"time": {"hour": 9}}, {"time": {"hour": 23}, "tool": {"name": "read_mail"}}],
        },
    })
}

fn patched(path: &str, value: Value) -> Vec<PolicyError> {
    let mut rule = night();
    *rule.pointer_mut(path).unwrap() = value;
    errors(json!([rule]))
}

#[test]
fn the_same_document_compiles_from_json_and_from_yaml() {
    let json = PolicyDocument::from_json(json!({"rules": [night()]}).to_string().as_bytes()).unwrap();
    let yaml = "
rules:
  - id: no-mail-at-night
    description: Nobody reads it before nine.
    tools: ['send_*']
    egress: [write]
    when: time.hour >= 22 || time.hour < 6
    verdict: ask
    because: mail at night needs a second look
    examples:
      match: [{time: {hour: 23}}, {tool: {name: send_mail}, time: {hour: 2}}]
      no_match: [{time: {hour: 9}}, {time: {hour: 23}, tool: {name: read_mail}}]
";
    let yaml: PolicyDocument = serde_saphyr::from_str(yaml).unwrap();
    assert_eq!(json, yaml);
    let (one, two) = (PolicySet::compile(&json).unwrap(), PolicySet::compile(&yaml).unwrap());
    assert_eq!(one.version(), two.version());
    assert_eq!(one.version().len(), 64);
    assert_ne!(one.version(), compile(json!([])).version());
}

#[test]
fn an_example_that_does_not_match_is_named_with_what_happened() {
    let errors = patched("/examples/match/1", json!({"time": {"hour": 12}}));
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].rule.as_deref(), Some("no-mail-at-night"));
    assert_eq!(errors[0].place, "rules[0].examples.match[1]");
    assert!(errors[0].problem.contains("the condition is false"));

    let errors =
        patched("/examples/match/0", json!({"time": {"hour": 23}, "tool": {"egress_class": "none"}}));
    assert!(errors[0].problem.contains("other egress classes"), "{}", errors[0]);
}

#[test]
fn an_example_that_must_not_match_but_does_is_named() {
    let errors = patched("/examples/no_match/0", json!({"time": {"hour": 22}}));
    assert_eq!(errors[0].place, "rules[0].examples.no_match[0]");
    assert!(errors[0].problem.contains("should not match, but it does"));
}

#[test]
fn an_example_that_cannot_be_judged_counts_as_neither() {
    let errors = patched("/when", json!("input.urgent"));
    assert_eq!(errors.len(), 3, "{errors:#?}");
    assert!(errors.iter().all(|e| e.problem.contains("no key `urgent`")), "{errors:#?}");
}

#[test]
fn a_rule_without_examples_of_both_kinds_is_refused() {
    for kind in ["match", "no_match"] {
        let errors = patched(&format!("/examples/{kind}"), json!([]));
        assert_eq!(errors[0].place, "rules[0].examples");
        assert!(errors[0].fix.contains("at least one of each"));
    }
    let many = json!(vec![json!({"time": {"hour": 9}}); 30]);
    assert!(patched("/examples/no_match", many)[0].problem.contains("more than 20"));
}

#[test]
fn an_example_may_say_that_no_agent_calls() {
    let mut rule = night();
    rule["agents"] = json!([super::agent_id()]);
    rule["examples"]["no_match"] = json!([{"agent": null, "time": {"hour": 23}}]);
    assert_eq!(errors(json!([rule])), []);
}

#[test]
fn all_problems_are_told_at_once_and_nothing_is_compiled() {
    let mut second = night();
    second["when"] = json!("1 +");
    second["because"] = json!(" ");
    second["tools"] = json!([]);
    let errors = errors(json!([night(), second]));
    let places: Vec<_> = errors.iter().map(|e| e.place.as_str()).collect();
    assert_eq!(places, ["rules[1].id", "rules[1].because", "rules[1].tools", "rules[1].when"]);
    assert!(errors[0].problem.contains("same id"));
    assert!(errors[3].to_string().contains("line 1"), "{}", errors[3]);
}

#[test]
fn ids_have_one_form() {
    for id in ["", "-a", "A", "a b", "ä", &"a".repeat(65)] {
        assert_eq!(patched("/id", json!(id))[0].place, "rules[0].id", "{id}");
    }
    for id in ["a", "0.b_c-d", &"a".repeat(64)] {
        assert_eq!(patched("/id", json!(id)), [], "{id}");
    }
}

#[test]
fn unknown_fields_are_refused_at_every_level() {
    for pointer in
        ["", "/rules/0", "/rules/0/examples", "/rules/0/examples/match/0", "/rules/0/examples/match/0/time"]
    {
        let mut document = json!({"rules": [night()]});
        document.pointer_mut(pointer).unwrap()["surprise"] = json!(1);
        let error = PolicyDocument::from_json(document.to_string().as_bytes()).unwrap_err();
        assert!(error.problem.contains("unknown field `surprise`"), "{pointer}: {error}");
    }
}

#[test]
fn duplicate_keys_are_refused() {
    assert!(PolicyDocument::from_json(br#"{"rules": [], "rules": []}"#).is_err());
}

#[test]
fn a_document_has_bounds() {
    let rules: Vec<_> = (0..501)
        .map(|n| {
            json!({
                "id": format!("r{n}"), "verdict": "ask", "because": "b", "examples": {},
            })
        })
        .collect();
    assert!(errors(json!(rules))[0].problem.contains("501 rules"));

    let mut long = night();
    long["description"] = json!("x".repeat(65 * 1024));
    assert!(errors(json!([long.clone()]))[0].problem.contains("bytes"));
    assert!(PolicyDocument::from_json(json!({"rules": [long]}).to_string().as_bytes()).is_err());
}

#[test]
fn only_listed_variables_and_functions_exist() {
    for (condition, reason) in [
        ("password == 1", "no variable `password`"),
        (".input == 1", "no variable `.input`"),
        ("now() > 1", "no function `now`"),
        ("timestamp('2026-01-01T00:00:00Z') == time.date", "no function `timestamp`"),
        ("dyn(input) == 1", "no function `dyn`"),
        ("type(input) == 1", "no function `type`"),
        ("input.a.b()", "no function `b`"),
        ("{'a': 1}.a == 1", "maps, messages and bytes"),
        ("b'a' == b'a'", "maps, messages and bytes"),
        ("input.?a == 1", "not CEL"),
        ("input.a.matches(input.b)", "written out"),
        ("matches(input.a, 'b')", "no function `matches`"),
        ("input.a.filter(x, x > 1) == [2]", "`filter` and `map`"),
        ("size(input.a.map(x, x)) == 1", "no `map`"),
        ("size(input.a.map(x, x > 1, [x, x])) == 1", "no `map`"),
        ("input.exists(input, true)", "hides another"),
        ("input.a.exists(x, x.exists(x, true))", "hides another"),
        ("", "not CEL"),
    ] {
        let errors = errors(json!([deny_when(condition)]));
        assert_eq!(errors.len(), 1, "{condition}: {errors:#?}");
        assert_eq!(errors[0].place, "rules[0].when");
        assert!(errors[0].problem.contains(reason), "{condition}: {}", errors[0]);
    }
}

#[test]
fn the_version_does_not_depend_on_how_the_document_is_spelt() {
    let spelt = r#"{"rules": [ {"because":"b","verdict":"ask","id":"a","tools":["t"],
        "examples":{"no_match":[{"tool":{"name":"u"}}],"match":[{}]}} ]}"#;
    let rule = json!({
        "id": "a", "tools": ["t"], "verdict": "ask", "because": "b",
        "examples": {"match": [{}], "no_match": [{"tool": {"name": "u"}}]},
    });
    let one = PolicySet::compile(&PolicyDocument::from_json(spelt.as_bytes()).unwrap()).unwrap();
    assert_eq!(one.version(), PolicySet::compile(&document(json!([rule]))).unwrap().version());
}
