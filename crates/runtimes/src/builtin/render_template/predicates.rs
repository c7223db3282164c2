//! What may stand behind `is`. Comparisons are tests too: they read both sides, and pay for it.

use std::sync::Arc;

use minijinja::{Environment, Error, ErrorKind, State, tests, value::Value};

use super::{
    budget::Budget,
    operators::{pay_comparison, pay_search},
};

pub(super) fn register(env: &mut Environment<'_>, budget: &Arc<Budget>) {
    free(env);
    paid(env, budget);
}

fn free(env: &mut Environment<'_>) {
    env.add_test("boolean", tests::is_boolean);
    env.add_test("defined", tests::is_defined);
    // The library's own test divides by zero where it is asked to.
    env.add_test("divisibleby", |value: i64, divisor: i64| value.checked_rem(divisor) == Some(0));
    env.add_test("even", tests::is_even);
    env.add_test("false", tests::is_false);
    env.add_test("float", tests::is_float);
    env.add_test("integer", tests::is_integer);
    env.add_test("iterable", tests::is_iterable);
    env.add_test("mapping", tests::is_mapping);
    env.add_test("none", tests::is_none);
    env.add_test("number", tests::is_number);
    env.add_test("odd", tests::is_odd);
    env.add_test("sequence", tests::is_sequence);
    env.add_test("string", tests::is_string);
    env.add_test("true", tests::is_true);
    env.add_test("undefined", tests::is_undefined);
}

fn paid(env: &mut Environment<'_>, budget: &Arc<Budget>) {
    type Comparison = fn(&Value, &Value) -> bool;
    let comparisons: [(&str, Comparison); 6] = [
        ("eq", tests::is_eq),
        ("ne", tests::is_ne),
        ("lt", tests::is_lt),
        ("le", tests::is_le),
        ("gt", tests::is_gt),
        ("ge", tests::is_ge),
    ];
    for (name, compare) in comparisons {
        let account = Arc::clone(budget);
        env.add_test(name, move |left: &Value, right: &Value| {
            if left.is_undefined() || right.is_undefined() {
                return Err(Error::from(ErrorKind::UndefinedError));
            }
            pay_comparison(&account, left, right)?;
            Ok(compare(left, right))
        });
    }
    let account = Arc::clone(budget);
    env.add_test("in", move |state: &mut State, item: &Value, container: &Value| {
        pay_search(&account, container)?;
        tests::is_in(state, item, container)
    });
    for (name, ends) in [("startingwith", true), ("endingwith", false)] {
        let account = Arc::clone(budget);
        env.add_test(name, move |text: &str, part: &str| {
            account.work(part.len() as u64)?;
            Ok::<_, Error>(if ends { text.starts_with(part) } else { text.ends_with(part) })
        });
    }
}
