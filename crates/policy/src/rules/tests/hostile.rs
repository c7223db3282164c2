//! Authors who want to break the compiler, and callers who want to break the judge.

use rstest::rstest;
use serde_json::{Value, json};

use super::{super::*, compile, deny_when, document, errors, facts, refusal};

/// The error of a rule whose condition is exactly this text.
fn flaw(condition: &str) -> String {
    let mut rules = document(json!([deny_when("true")]));
    rules.rules[0].when = Some(condition.to_owned());
    let errors = PolicySet::compile(&rules).unwrap_err();
    assert!(errors.iter().all(|e| e.to_string().len() < 1_000), "an error repeats its cause at length");
    errors[0].problem.clone()
}

#[test]
fn ten_thousand_brackets_do_not_reach_the_parser() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{1:", "}"), ("size(", ")")] {
        let nested = |n: usize| open.repeat(n) + "1" + &close.repeat(n);
        assert!(flaw(&nested(10_000)).contains("bytes"), "{open}");
        assert!(flaw(&nested(33)).contains("nests deeper"), "{open}");
        assert!(!flaw(&nested(32)).contains("nests deeper"), "{open}");
    }
    assert!(flaw(&"(".repeat(1_999)).contains("nests deeper"));
}

#[rstest]
#[case::closed_in_a_text("')' == ')' || ")]
#[case::closed_in_a_comment("// ))) ' ))) \n")]
#[case::closed_after_an_escape(r"'\'' == '))))' || ")]
#[case::closed_in_triple_quotes("'''))'))''' == '' || ")]
fn brackets_cannot_be_hidden_from_the_count(#[case] prefix: &str) {
    let text = prefix.to_owned() + &"(".repeat(40) + "true" + &")".repeat(40);
    assert!(flaw(&text).contains("nests deeper"));
}

#[test]
fn a_megabyte_of_expression_is_not_read() {
    assert!(flaw(&"true || ".repeat(125)).contains("not CEL"));
    assert!(flaw(&"a".repeat(1 << 20)).contains("bytes"));
}

#[rstest]
#[case("1".to_owned() + &"+1".repeat(900) + " == 1")]
#[case("!".repeat(1_999))]
#[case("input".to_owned() + &".a".repeat(900) + " == 1")]
#[case("input".to_owned() + &"[0]".repeat(600) + " == 1")]
#[case("true?false:".repeat(180) + "true")]
#[case("true".to_owned() + &" in input".repeat(190))]
#[case("'a'".to_owned() + &" < 'a'".repeat(280))]
fn chains_without_brackets_are_bounded_too(#[case] condition: String) {
    let mut rules = document(json!([deny_when("true")]));
    rules.rules[0].when = Some(condition);
    assert!(PolicySet::compile(&rules).is_err());
}

/// What is just within the bounds is evaluated with room to spare on the stack that a thread has by default.
#[test]
fn the_deepest_expression_that_compiles_fits_the_stack() {
    const STACK_BYTES: usize = 1_024 * 1_024;
    let sum = |terms: usize| "1".to_owned() + &"+1".repeat(terms - 1) + &format!(" == {terms}");
    let deepest =
        (1..100).take_while(|terms| errors(json!([deny_when(&sum(*terms))])).is_empty()).last().unwrap();
    assert!(deepest > 15, "{deepest}");
    let brackets = "(".repeat(30) + "true" + &")".repeat(30);
    let story = move || super::holds(&sum(deepest), json!({})) && super::holds(&brackets, json!({}));
    let small = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(story).unwrap();
    assert!(small.join().unwrap());
}

#[rstest]
#[case("(a{1000}){1000}")]
#[case(r"\\w{500}")]
#[case("(((((((a*)*)*)*)*)*)*)*{100}{100}{100}")]
#[case("(unclosed")]
#[case("(?=look)ahead")]
#[case(r"(a)\\1")]
fn a_pattern_that_is_too_large_or_not_linear_is_refused(#[case] pattern: &str) {
    let errors = errors(json!([deny_when(&format!("input.a.matches('{pattern}')"))]));
    assert!(errors[0].problem.contains("pattern") || errors[0].problem.contains("nests"), "{errors:#?}");
}

#[test]
fn a_pattern_that_makes_backtracking_engines_explode_is_just_false() {
    let set = compile(json!([deny_when("input.a.matches('^(a+)+$')")]));
    let input = json!({"a": "a".repeat(50_000) + "b"});
    assert!(set.judge(&facts(&input)).is_empty());
}

#[test]
fn patterns_are_bounded_in_length_and_number() {
    let long = format!("input.a.matches('{}')", "a".repeat(300));
    assert!(errors(json!([deny_when(&long)]))[0].problem.contains("256 bytes"));
    let many: Vec<Value> = (0..21)
        .map(|n| {
            let mut rule = deny_when(&["input.a.matches('b')"; 10].join("||"));
            rule["id"] = json!(format!("r{n}"));
            rule
        })
        .collect();
    assert!(errors(json!(many))[0].problem.contains("200 patterns"));
}

#[test]
fn a_panic_in_a_condition_denies() {
    assert!(refusal("panics()", json!({})).contains("failed inside"));
}

#[test]
fn after_a_panic_the_other_rules_are_still_judged() {
    let mut second = deny_when("input.a == 1");
    second["id"] = json!("second");
    let set = compile(json!([deny_when("panics()"), second]));
    let input = json!({"a": 1});
    let evidence = set.judge(&facts(&input));
    assert_eq!(evidence.len(), 2);
    assert_eq!(evidence[1].because, "it is so");
}

#[test]
fn an_input_of_endless_depth_denies() {
    let mut deep = json!(1);
    for _ in 0..1_000 {
        deep = json!([deep]);
    }
    assert!(refusal("input == 1", deep).contains("deeper than 128"));
}

#[test]
fn an_input_of_too_many_values_denies() {
    assert!(refusal("size(input.a) > 1", json!({"a": vec![0; 200_000]})).contains("more than 100000 values"));
}

#[test]
fn a_rule_that_does_not_look_at_the_input_does_not_care_about_its_size() {
    let set = compile(json!([deny_when("time.hour == 22")]));
    let input = json!({"a": vec![0; 200_000]});
    assert_eq!(set.judge(&facts(&input))[0].because, "it is so");
}
