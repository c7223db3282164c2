//! `calculate`: an expression in, a decimal out.

use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    evaluate::evaluate,
    syntax::{MAX_CHARS, parse},
};
use crate::builtin::{
    decimal,
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Evaluates one arithmetic expression exactly, over decimals (0.1+0.2 is 0.3). Use it for \
every calculation whose result matters, instead of computing in your head: prices, totals, percentages, powers, \
roots, angles. Operators: + - * / % (remainder, with the sign of the dividend) and ^ or ** (power, right to left, \
binding tighter than a minus sign: -2^2 is -4), parentheses. Functions: sqrt, abs, min, max (any number of \
arguments), round(x) and round(x, places) (half away from zero), floor, ceil, pow(x, y), exp, ln, log10, and sin, \
cos, tan in radians. Constants: pi, e. Write multiplication out (2*pi, not 2pi), no thousands separators, no units \
and no variables. `result` is a decimal text to use as it is; `exact` is false where it was rounded (34 digits, or \
15 where exp, ln, log10, sin, cos, tan or a fractional power is involved). Not for units (convert_units), dates \
(get_time) or statistics over lists (summarize_numbers). At most 1000 characters; numbers from 10^-1000 to 10^1000.";

/// Arithmetic over decimals.
pub(in crate::builtin) struct Calculate;

impl Builtin for Calculate {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "calculate",
            category: "utility",
            icon: "calculator",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "expression": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": MAX_CHARS,
                        "description": "What to calculate, such as `(2+3)*7` or `round(1250 * 1.19, 2)`."
                    }
                },
                "required": ["expression"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "result": {"type": "string", "description": "The value as a decimal text."},
                    "number": {
                        "type": ["number", "null"],
                        "description": "The value as the nearest JSON number; null beyond ±(2^53-1)."
                    },
                    "exact": {"type": "boolean", "description": "Whether no digit was lost to rounding."}
                },
                "required": ["result", "number", "exact"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "Precedence",
                    json!({"expression": "(2+3)*7"}),
                    json!({"result": "35", "number": 35, "exact": true}),
                ),
                answers(
                    "Money",
                    json!({"expression": "round(19.99 * 3 * 1.19, 2)"}),
                    json!({"result": "71.36", "number": 71.36, "exact": true}),
                ),
                answers(
                    "A result without end",
                    json!({"expression": "2/3"}),
                    json!({
                        "result": "0.6666666666666666666666666666666667",
                        "number": 0.666_666_666_666_666_6,
                        "exact": false
                    }),
                ),
                refuses("Division by zero", json!({"expression": "1/(2-2)"})),
            ],
            output_sections: vec![section("result", "Result", SectionType::Summary)],
            repeatable: true,
        }
        .into_spec()
    }

    /// Powers and roots cost up to a hundred multiplications each; a handful of them is still nothing.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_BYTES: usize = 200;
        const MAX_INLINE_POWERS: usize = 4;
        let text = input["expression"].as_str().unwrap_or_default();
        let powers =
            || ["^", "**", "pow", "sqrt"].iter().map(|costly| text.matches(costly).count()).sum::<usize>();
        if text.len() <= MAX_INLINE_BYTES && powers() <= MAX_INLINE_POWERS {
            Weight::Inline
        } else {
            Weight::Blocking
        }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let text = input["expression"].as_str().unwrap_or_default();
        let tree = parse(text).map_err(ToolError::validation)?;
        let number = evaluate(&tree).map_err(ToolError::validation)?;
        let value = number.settled();
        Ok(json!({
            "result": decimal::text(&value),
            "number": decimal::json_number(&value.normalized()),
            "exact": number.is_exact(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, refusal};

    fn result(expression: &str) -> String {
        call(&Calculate, json!({"expression": expression}))["result"].as_str().unwrap().to_owned()
    }

    #[rstest]
    #[case("0.1+0.2", "0.3")]
    #[case("1.1*1.1", "1.21")]
    #[case("2^3^2", "512")]
    #[case("-2^2", "-4")]
    #[case("2**-2", "0.25")]
    #[case("2^100", "1267650600228229401496703205376")]
    #[case("-7 % 3", "-1")]
    #[case("7.5 % 2", "1.5")]
    #[case("10 - 2 - 3", "5")]
    #[case("2 + 3 * 4 / 6", "4")]
    #[case("1/3*3", "1")]
    #[case("floor((0.1+0.7)*10)", "8")]
    #[case("floor(1/3*3)", "1")]
    #[case("sqrt(2)", "1.414213562373095048801688724209698")]
    #[case("sqrt(0.04)", "0.2")]
    #[case("2^0.5", "1.414213562373095048801688724209698")]
    #[case("8^(1/3)", "2")]
    #[case("min(3, 1, 2) + max(3, 1, 2)", "4")]
    #[case("round(2.5) + round(-2.5)", "0")]
    #[case("round(1234.567, -2)", "1200")]
    #[case("round(2.345, 2)", "2.35")]
    #[case("ceil(-1.5) + floor(1.5) + abs(-2)", "2")]
    #[case("ln(e)", "1")]
    #[case("log10(1000)", "3")]
    #[case("log10(1e900)", "900")]
    #[case("exp(0)", "1")]
    #[case("sin(pi)", "0")]
    #[case("cos(pi)", "-1")]
    #[case("tan(pi/4)", "1")]
    #[case("pow(2, 10)", "1024")]
    #[case("+ - + 5", "-5")]
    #[case(" ( 1 + 2 ) ", "3")]
    #[case(".5 + 5.", "5.5")]
    #[case("1e3", "1000")]
    #[case("0^0", "1")]
    #[case("1e500 * 1e400", "1e900")]
    fn computes(#[case] expression: &str, #[case] expected: &str) {
        assert_eq!(result(expression), expected);
    }

    #[rstest]
    #[case::zero("1/0", "division by zero (at character 3)")]
    #[case::remainder("1 % (1-1)", "division by zero")]
    #[case::power("0^-1", "zero to a negative power")]
    #[case::overflow("9^9^9^9", "out of range")]
    #[case::overflow_by_product("1e900*1e900", "out of range")]
    #[case::literal("2 + 1e1000", "out of range: numbers reach from 10^-1000 to 10^1000 (at character 5)")]
    #[case::absurd_literal("1e99999999999999999999", "out of range")]
    #[case::underflow("1e-900*1e-900", "out of range")]
    #[case::shrinking("9^-9^9^9", "out of range")]
    #[case::root("sqrt(-1)", "square root of a negative")]
    #[case::fractional("(-8)^(1/3)", "negative number to a fractional power")]
    #[case::logarithm("ln(0)", "logarithm of zero")]
    #[case::exponential("exp(10000)", "out of range")]
    #[case::tangent("tan(pi/2)", "tangent is undefined")]
    #[case::angle("sin(1e30)", "too large")]
    #[case::name("2 * foo", "unknown name `foo`")]
    #[case::slip("sqrtt(4)", "did you mean `sqrt`")]
    #[case::arity("sqrt(1, 2)", "takes one argument, not 2")]
    #[case::places("round(1, 0.5)", "whole number of places")]
    #[case::syntax("2 +* 3", "unexpected `*` at character 4")]
    fn refuses_and_says_why(#[case] expression: &str, #[case] says: &str) {
        let message = refusal(&Calculate, json!({"expression": expression}));
        assert!(message.contains(says), "{message}");
    }

    #[rstest]
    #[case::parentheses("(".repeat(10_000) + "1" + &")".repeat(10_000))]
    #[case::signs("-".repeat(100_000) + "1")]
    #[case::powers("2^".repeat(50_000) + "2")]
    #[case::long("1+".repeat(50_000) + "1")]
    #[case::digits("9".repeat(100_000))]
    #[case::calls("sqrt(".repeat(20_000))]
    fn hostile_expressions_are_refused_at_once(#[case] expression: String) {
        let began = Instant::now();
        refusal(&Calculate, json!({"expression": expression}));
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[rstest]
    #[case::sum("1+".repeat(499) + "1")]
    #[case::products("9*".repeat(499) + "9")]
    #[case::digits("9".repeat(1_000))]
    #[case::quotients("1/3/".repeat(240) + "7")]
    #[case::roots("sqrt(2)+".repeat(120) + "1")]
    #[case::powers("1.00001^99999999999999+".repeat(40) + "1")]
    fn the_longest_expressions_end_soon(#[case] expression: String) {
        let began = Instant::now();
        let _ = Calculate.call(&json!({"expression": expression}), &crate::builtin::testing::context());
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }

    #[test]
    fn the_edges_of_functions_and_operators_answer_or_refuse() {
        let edges = [
            "0", "-0", "1", "-1", "0.5", "-0.5", "1e999", "-1e999", "1e-999", "9e15", "1/3", "pi", "1e400",
            "-1e-400",
        ];
        for a in edges {
            for function in [
                "sqrt", "abs", "round", "floor", "ceil", "ln", "log10", "exp", "sin", "cos", "tan", "min",
                "nope",
            ] {
                let _ = Calculate.call(
                    &json!({"expression": format!("{function}({a})")}),
                    &crate::builtin::testing::context(),
                );
            }
            for b in edges {
                for (open, operator) in [
                    ("(", ")+("),
                    ("(", ")-("),
                    ("(", ")*("),
                    ("(", ")/("),
                    ("(", ")%("),
                    ("(", ")^("),
                    ("round(", ","),
                    ("pow(", ","),
                    ("max(", ","),
                ] {
                    let expression = format!("{open}{a}{operator}{b})");
                    let _ = Calculate
                        .call(&json!({"expression": expression}), &crate::builtin::testing::context());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,1000}") {
            let _ = Calculate.call(&json!({"expression": text}), &crate::builtin::testing::context());
        }

        #[test]
        fn text_made_of_the_grammar_never_panics(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "1", "0", "2.5", "1e9", "1e-300", "999", "+", "-", "*", "/", "%", "^", "**", "(", ")", ",",
                    "pi", "e", "sqrt(", "min(", "round(", "ln(", "sin(", "exp(", " ",
                ]),
                0..60,
            )
        ) {
            let _ = Calculate.call(&json!({"expression": parts.concat()}), &crate::builtin::testing::context());
        }

        #[test]
        fn sums_of_cents_are_exact(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000) {
            let cents = |n: i64| format!("{}{}.{:02}", if n < 0 { "-" } else { "" }, n.abs() / 100, n.abs() % 100);
            let sum = result(&format!("({} + {}) * 100", cents(a), cents(b)));
            prop_assert_eq!(sum, (a + b).to_string());
        }
    }
}
