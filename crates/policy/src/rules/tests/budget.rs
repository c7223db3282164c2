//! The work of one judgement is bounded, whatever the rule and the input.

use rstest::rstest;
use serde_json::{Value, json};

use super::{compile, deny_when, errors, facts, holds, refusal};

const TOO_MUCH: &str = "more work than one call may cause";

fn rows(count: usize) -> Value {
    json!({"rows": (0..count).map(|n| json!({"n": n, "cells": [n, n]})).collect::<Vec<_>>(), "text": "x"})
}

#[test]
fn ordinary_loops_over_ordinary_inputs_are_within_it() {
    assert!(holds("input.rows.all(r, r.n >= 0)", rows(2_000)));
    assert!(holds("input.rows.all(r, r.cells.all(c, c >= 0))", rows(500)));
    assert!(holds("size(input.rows.filter(r, r.n >= 10)) == 1990", rows(2_000)));
    assert!(holds("!input.text.contains('needle')", json!({"text": "hay".repeat(500_000)})));
}

#[rstest]
#[case("input.rows.all(a, input.rows.all(b, a.n + b.n >= 0))")]
#[case("input.rows.all(a, input.rows.all(b, input.rows.all(c, a.n + b.n + c.n >= 0)))")]
#[case("size(input.rows.filter(a, size(input.rows.filter(b, a.n == b.n)) > 0)) > 0")]
#[case("input.rows.exists_one(a, input.rows.exists_one(b, a == b))")]
#[case("input.rows.all(a, input == input)")]
fn a_loop_over_an_input_inside_another_runs_out_of_work(#[case] condition: &str) {
    assert!(refusal(condition, rows(2_000)).contains(TOO_MUCH));
}

#[test]
fn or_cannot_swallow_running_out_of_work() {
    let nested = "input.rows.all(a, input.rows.all(b, a.n + b.n >= 0))";
    assert!(refusal(&format!("({nested}) || true"), rows(2_000)).contains(TOO_MUCH));
    assert!(refusal(&format!("({nested}) && false"), rows(2_000)).contains(TOO_MUCH));
}

#[test]
fn the_rules_of_a_set_share_one_budget() {
    let rules: Vec<Value> = (0..100)
        .map(|n| {
            let mut rule = deny_when("input.text.matches('^x+$') && input.text.contains('y')");
            rule["id"] = json!(format!("r{n}"));
            rule
        })
        .collect();
    let set = compile(json!(rules));
    let input = json!({"text": "x".repeat(1_000_000)});
    let evidence = set.judge(&facts(&input));
    assert!(!evidence.is_empty());
    assert!(evidence.iter().all(|e| e.because.contains(TOO_MUCH)));
}

#[test]
fn a_text_cannot_be_doubled_until_the_memory_is_full() {
    let doubled = vec!["input.text"; 100].join("+");
    let input = json!({"text": "x".repeat(1_000)});
    // Left to right this is one hundred steps deep, which is refused; in brackets it is not, and fails when it is judged.
    assert!(!errors(json!([deny_when(&format!("{doubled} == ''"))])).is_empty());
    assert!(
        refusal("(input.text+input.text)+(input.text+input.text)+input.text == ''", input)
            .contains("too long")
    );
}

#[rstest]
#[case("[input.text + input.text].exists(a, [a + a].exists(b, b == ''))")]
#[case("[[input, input]].exists(a, [[a, a]].exists(b, b == 1))")]
#[case("(input.a + input.b).exists(x, x == 1)")]
fn a_loop_binds_nothing_that_was_computed(#[case] condition: &str) {
    assert!(errors(json!([deny_when(condition)]))[0].problem.contains("something that is computed"));
}

#[test]
fn loops_nest_three_deep_and_no_deeper() {
    let three = "input.all(a, a.all(b, b.all(c, c == 1)))";
    assert!(holds(three, json!([[[1]]])));
    let four = "input.all(a, a.all(b, b.all(c, c.all(d, d == 1))))";
    assert!(errors(json!([deny_when(four)]))[0].problem.contains("3 loops"));
}
