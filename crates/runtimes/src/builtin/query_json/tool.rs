//! `query_json`: parts of a JSON value.

use serde_json::{Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::evaluate::{Language, MAX_QUERY_CHARS, evaluate};
use crate::builtin::{
    definition::{Definition, answers, refuses, section},
    measure,
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Selects and reshapes parts of a JSON value with a query. Use it to pull fields out of \
large API answers, to filter lists, or to look into nested data, instead of reading through it yourself. Two \
languages: `jsonpath` (RFC 9535, the default) selects values: `$.store.book[?@.price < 10].title`, `$..id`, \
`$.items[-1]`; `result` is the list of all matches. `jmespath` selects and reshapes: `people[?age > `30`].{name: \
name, city: address.city}`, `sort_by(items, &price)[0]`, `length(items)`; `result` is whatever the expression makes, \
null where nothing is found. In JSONPath filters use @ for the element, single quotes for text, and `search(@.name, \
'smith')` or `match` for patterns; there is no arithmetic. `count` is the number of matches. Queries have up to 1000 \
characters; one that could multiply the data beyond bounds is refused, as is a result larger than 200,000 values. \
Not for changing data, and not for text that is not JSON yet (parse_csv for tables).";

/// JSONPath and JMESPath.
pub(in crate::builtin) struct QueryJson;

impl Builtin for QueryJson {
    fn spec(&self) -> ToolSpec {
        let books = json!({"book": [{"title": "A", "price": 8}, {"title": "B", "price": 12}]});
        Definition {
            name: "query_json",
            category: "data",
            icon: "braces",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "data": {"description": "The JSON value to look into: pass it as JSON, not as text."},
                    "query": {
                        "type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARS,
                        "description": "The query, such as `$.items[*].id`."
                    },
                    "language": {
                        "type": "string", "enum": ["jsonpath", "jmespath"], "default": "jsonpath",
                        "description": "The language of the query."
                    }
                },
                "required": ["data", "query"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "result": {"description": "JSONPath: the list of matches. JMESPath: the value of the expression."},
                    "count": {
                        "type": "integer",
                        "description": "How many values matched; for JMESPath the length of a list, 0 for null, 1 otherwise."
                    }
                },
                "required": ["result", "count"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "JSONPath with a filter",
                    json!({"data": books, "query": "$.book[?@.price < 10].title"}),
                    json!({"result": ["A"], "count": 1}),
                ),
                answers(
                    "JMESPath that reshapes",
                    json!({"data": books, "query": "book[].{name: title, cost: price} | [1]", "language": "jmespath"}),
                    json!({"result": {"name": "B", "cost": 12}, "count": 1}),
                ),
                answers(
                    "Nothing found",
                    json!({"data": books, "query": "$.magazine"}),
                    json!({"result": [], "count": 0}),
                ),
                refuses("A query that is no JSONPath", json!({"data": books, "query": "book["})),
            ],
            output_sections: vec![section("result", "Result", SectionType::Custom)],
            repeatable: true,
        }
        .into_spec()
    }

    /// What a query costs depends on the query; only tiny data keeps any of them tiny.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_QUERY_BYTES: usize = 80;
        let query = input["query"].as_str().unwrap_or_default();
        // Commas multiply, `..` and filters look at everything.
        let multiplies = [",", "..", "?"].iter().any(|costly| query.contains(costly));
        let cheap = query.len() <= MAX_INLINE_QUERY_BYTES && !multiplies;
        if cheap && measure::is_small(&input["data"]) { Weight::Inline } else { Weight::Blocking }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let (data, query) = (&input["data"], input["query"].as_str().unwrap_or_default());
        let language = match input["language"].as_str() {
            None | Some("jsonpath") => Language::JsonPath,
            Some("jmespath") => Language::JmesPath,
            Some(_) => return Err(ToolError::validation("`language` is jsonpath or jmespath")),
        };
        let result = evaluate(language, data, query).map_err(ToolError::validation)?;
        let count = match &result {
            Value::Array(items) => items.len(),
            Value::Null => 0,
            _ => 1,
        };
        Ok(json!({"result": result, "count": count}))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::builtin::testing::{call, context, refusal};

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!([1]), |inner, _| json!([inner, {"a": 1}]))
    }

    #[rstest]
    #[case("$..a", 3)]
    #[case("$.list[?@.a > 1]", 1)]
    #[case("$.list[?search(@.s, 'x.*z')]", 1)]
    #[case("$.list[-1].a", 1)]
    #[case("$['list','list'][*]", 6)]
    #[case("$.list[?length(@.s) == 3].s", 2)]
    fn jsonpath_counts_its_matches(#[case] query: &str, #[case] count: u64) {
        let data = json!({"list": [{"a": 1, "s": "xyz"}, {"a": 2, "s": "abc"}, {"a": 0, "s": ""}]});
        assert_eq!(call(&QueryJson, json!({"data": data, "query": query}))["count"], count);
    }

    #[rstest]
    #[case::descents("$..*..*..*..*..*..*..*..*", "jsonpath")]
    #[case::selectors("$[*,*]".to_owned() + &"[*,*]".repeat(150), "jsonpath")]
    #[case::filters("$".to_owned() + &"[?@".repeat(300) + &"]".repeat(300), "jsonpath")]
    #[case::unclosed("$".to_owned() + &"[".repeat(900), "jsonpath")]
    #[case::doubling("[@,@]|".repeat(60) + "@", "jmespath")]
    #[case::flattening("[@,@][]|".repeat(60) + "@", "jmespath")]
    #[case::parentheses("(".repeat(900), "jmespath")]
    #[case::negations("!".repeat(900) + "@", "jmespath")]
    #[case::long("a".repeat(100_000), "jsonpath")]
    fn hostile_queries_are_refused_at_once(#[case] query: impl Into<String>, #[case] language: &str) {
        let began = Instant::now();
        refusal(&QueryJson, json!({"data": nested(60), "query": query.into(), "language": language}));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }

    #[test]
    fn the_costliest_query_that_is_let_through_ends_soon() {
        let data: Vec<Value> = (0..1_200).map(|n| json!({"s": format!("name {n}")})).collect();
        let began = Instant::now();
        call(&QueryJson, json!({"data": data, "query": "$[?search(@.s, 'na.*9')]"}));
        let deep = nested(58);
        call(&QueryJson, json!({"data": deep, "query": "$..[?@..a]"}));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

    #[test]
    fn results_are_bounded_in_size_depth_and_integers() {
        let data = json!(vec![vec![0; 1_000]; 300]);
        assert!(refusal(&QueryJson, json!({"data": data, "query": "$"})).contains("narrow the query"));
        assert!(refusal(&QueryJson, json!({"data": nested(70), "query": "$"})).contains("64 levels"));
        let deeper = json!({"data": nested(60), "query": "[[[[[[@]]]]]]", "language": "jmespath"});
        assert!(refusal(&QueryJson, deeper).contains("levels"));
        let number = json!({"data": "9007199254740993", "query": "to_number(@)", "language": "jmespath"});
        assert!(refusal(&QueryJson, number).contains("2^53"));
    }

    #[test]
    fn the_edges_of_both_languages_answer_or_refuse() {
        let data = json!({
            "a": [1, -2.5, 3], "m": [1, "x", null], "e": [], "s": "ä€x", "o": {"k": 1, "l": "v"}, "n": null, "b": true,
            "r": [{"x": 1}, {"x": "y"}, {}], "big": 9_007_199_254_740_991_i64, "tiny": 5e-324, "huge": 1.7e308
        });
        let ask = |language: &str, query: &str| {
            let _ = QueryJson.call(&json!({"data": data, "query": query, "language": language}), &context());
        };
        for function in [
            "abs",
            "avg",
            "ceil",
            "contains",
            "ends_with",
            "floor",
            "join",
            "keys",
            "length",
            "map",
            "max",
            "max_by",
            "merge",
            "min",
            "min_by",
            "not_null",
            "reverse",
            "sort",
            "sort_by",
            "starts_with",
            "sum",
            "to_array",
            "to_number",
            "to_string",
            "type",
            "values",
        ] {
            for argument in [
                "a",
                "m",
                "e",
                "s",
                "o",
                "n",
                "b",
                "r",
                "big",
                "tiny",
                "huge",
                "a, a",
                "&x, r",
                "r, &x",
                "s, s",
                "",
                "&x, e",
                "e, &x",
                "'-', m",
                "`\"1e999\"`",
                "'nan'",
                "'0x10'",
            ] {
                ask("jmespath", &format!("{function}({argument})"));
            }
        }
        for query in [
            "a[::0]",
            "a[2147483647]",
            "a[-2147483647]",
            "a[-2147483648]",
            "a[99999999999]",
            "a[5:1:-1]",
            "a[-99:99:3]",
            "a[::-1000000]",
            "a[1000000:-1000000:-1]",
            "s[0]",
            "o.*",
            "*.*.*",
            "[]",
            "a[][][]",
            "@",
            "''",
            "``",
            "`1`",
            "`{`",
            "\"\"",
            "a < b",
            "a == m",
            "o == o",
            "!n",
            "n || b && s",
            "{a: a, a: m}",
            "[a, m][]",
            "r[?x > `0`]",
            "r[?x].x | [0]",
            "@.@",
        ] {
            ask("jmespath", query);
        }
        for query in [
            "$[9007199254740991]",
            "$[9007199254740992]",
            "$.a[::0]",
            "$.a[9007199254740991:-9007199254740991:-1]",
            "$.a[-9007199254740991:9007199254740991:9007199254740991]",
            "$.a[-1:0:-1]",
            "$.a[-0]",
            "$.a[01]",
            "$.s[0]",
            "$..*",
            "$.*[*]",
            "$[?@]",
            "$[?!@.x]",
            "$.r[?@.x == null]",
            "$.r[?@.x < 'z']",
            "$.a[?@ > 1e308]",
            "$.a[?@ == 1.0]",
            "$[?length(@) > 0]",
            "$[?length($.s) == 3]",
            "$[?count(@.*) == 0]",
            "$[?value(@..x) == 1]",
            "$[?match(@, '')]",
            "$[?match(@, '(')]",
            "$[?search(@, '[')]",
            "$[?search(@, '\\\\')]",
            "$[?nope(@)]",
            "$[?length()]",
            "$['\\ud800']",
            "$['\\u0000']",
            "$[\"a\",'m',0,-1,*,?@]",
            "$ .a",
            "$.",
            "$..",
            "$[]",
            "$[,]",
            "@",
            "$$",
            "$.ä",
            "$['ä€']",
        ] {
            ask("jsonpath", query);
        }
    }

    #[test]
    fn only_plain_paths_into_small_data_run_inline() {
        let weight = |query: &str, data: Value| QueryJson.weight(&json!({"data": data, "query": query}));
        assert_eq!(weight("$.a[0].b", json!({"a": []})), Weight::Inline);
        assert_eq!(weight("$.a[0].b", json!(vec![0; 10_000])), Weight::Blocking);
        for query in ["$..a", "$[*,*]", "$[?@.a]"] {
            assert_eq!(weight(query, json!({})), Weight::Blocking, "{query}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_queries_never_panic(query in "[$@a.*\\[\\]?()'\"&|!<>=,:0-9 -]{0,40}", jmespath: bool) {
            let language = if jmespath { "jmespath" } else { "jsonpath" };
            let input = json!({"data": {"a": [{"a": 1}, [2, "a"], -3]}, "query": query, "language": language});
            let _ = QueryJson.call(&input, &context());
        }

        #[test]
        fn arbitrary_text_never_panics(query in "\\PC{0,200}", jmespath: bool) {
            let language = if jmespath { "jmespath" } else { "jsonpath" };
            let _ = QueryJson.call(&json!({"data": [1], "query": query, "language": language}), &context());
        }
    }
}
