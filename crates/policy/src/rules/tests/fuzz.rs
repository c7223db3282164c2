//! No text makes the compiler panic.

use proptest::prelude::*;
use serde_json::json;

use super::{super::*, deny_when, document, facts};

/// A document whose only rule has this condition.
fn with_condition(condition: String) -> PolicyDocument {
    let mut document = document(json!([deny_when("true")]));
    document.rules[0].when = Some(condition);
    document
}

/// Words of the language in any order: most of it nonsense, some of it nearly right.
fn babble() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "input",
        ".a",
        "[0]",
        "caller",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "+",
        "-",
        "*",
        "/",
        "%",
        "!",
        "?",
        ":",
        ",",
        "&&",
        "||",
        "==",
        "<",
        " in ",
        ".exists(x,",
        ".all(x,",
        ".filter(x,",
        ".map(x,",
        "x",
        "1",
        "-1",
        "2.5",
        "'s'",
        "\"",
        "'",
        "\\",
        "size(",
        ".matches('a+')",
        "has(",
        "null",
        "true",
        "9223372036854775807",
        "1u",
        "b'a'",
        "//",
        "\n",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

fn compile_and_judge(document: &PolicyDocument) {
    if let Err(errors) = PolicySet::compile(document) {
        assert!(errors.iter().all(|e| !e.problem.contains("failed inside")), "{errors:#?}");
    }
    // Without examples in the way, so that what parses is also evaluated.
    let mut rules = document.clone();
    rules.rules[0].examples = document_examples();
    if let Some(condition) = &mut rules.rules[0].when {
        *condition = format!("tool.category == 'sample' ? true : ({condition})");
    }
    if let Ok(set) = PolicySet::compile(&rules) {
        let input = json!({"a": [1, {"a": "s"}, [0]], "b": null});
        set.judge(&facts(&input));
    }
}

fn document_examples() -> Examples {
    document(json!([deny_when("true")])).rules.remove(0).examples
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_condition_compiles_or_is_refused(condition in any::<String>()) {
        compile_and_judge(&with_condition(condition));
    }

    #[test]
    fn any_babble_compiles_or_is_refused(condition in babble()) {
        compile_and_judge(&with_condition(condition));
    }

    #[test]
    fn any_id_tool_and_reason_compiles_or_is_refused(id in any::<String>(), tool in any::<String>(), because in any::<String>()) {
        let mut document = with_condition("true".to_owned());
        document.rules[0].id = id;
        document.rules[0].tools = Some(vec![tool]);
        document.rules[0].because = because;
        let _ = PolicySet::compile(&document);
    }

    #[test]
    fn any_bytes_are_a_document_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = PolicyDocument::from_json(&bytes);
    }
}
