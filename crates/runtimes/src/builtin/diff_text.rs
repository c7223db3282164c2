//! `diff_text`: what changed between two texts.

use std::time::Duration;

use serde_json::{Value, json};
use similar::{Algorithm, ChangeTag, TextDiff};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    definition::{Definition, answers, refuses, section},
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Compares two texts line by line and answers with a unified diff, the number of lines \
added and removed, and how alike the texts are (`similarity`, 0 to 1). Use it to see what an edit changed, to check \
that a change is as small as intended, or to compare two versions of a document, configuration or program. Lines \
are compared exactly, white space included. `context_lines` is the number of unchanged lines shown around each \
change. The diff of identical texts is empty. Up to 500,000 characters each; where two large texts have next to \
nothing in common, the diff is correct but may be longer than the shortest one possible. Not for JSON values, whose \
key order means nothing (query_json can pick the parts to compare).";

const MAX_CHARS: usize = 500_000;
/// After this the search for the shortest diff stops, and what is left counts as replaced.
const DEADLINE: Duration = Duration::from_millis(1_500);

/// Line by line comparison.
pub(super) struct DiffText;

impl Builtin for DiffText {
    fn spec(&self) -> ToolSpec {
        let text =
            |description: &str| json!({"type": "string", "maxLength": MAX_CHARS, "description": description});
        Definition {
            name: "diff_text",
            category: "data",
            icon: "file-diff",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "old": text("The text before the change."),
                    "new": text("The text after the change."),
                    "context_lines": {
                        "type": "integer", "minimum": 0, "maximum": 100, "default": 3,
                        "description": "Unchanged lines shown around each change."
                    }
                },
                "required": ["old", "new"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "diff": {"type": "string", "description": "The unified diff; empty where nothing changed."},
                    "added": {"type": "integer", "description": "Lines only in the new text."},
                    "removed": {"type": "integer", "description": "Lines only in the old text."},
                    "similarity": {
                        "type": "number", "minimum": 0, "maximum": 1,
                        "description": "The share of lines that the texts have in common."
                    },
                    "identical": {"type": "boolean", "description": "Whether the texts are the same."}
                },
                "required": ["diff", "added", "removed", "similarity", "identical"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "One line changed",
                    json!({"old": "a\nb\nc\n", "new": "a\nB\nc\n"}),
                    json!({
                        "diff": "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
                        "added": 1, "removed": 1, "similarity": 0.6667, "identical": false
                    }),
                ),
                answers(
                    "Nothing changed",
                    json!({"old": "same", "new": "same"}),
                    json!({"diff": "", "added": 0, "removed": 0, "similarity": 1.0, "identical": true}),
                ),
                refuses("A missing side", json!({"old": "a"})),
            ],
            output_sections: vec![
                section("similarity", "Similarity", SectionType::Summary),
                section("diff", "Diff", SectionType::Custom),
            ],
            repeatable: true,
        }
        .into_spec()
    }

    /// The cost depends on how different the texts are, which no one knows beforehand.
    fn weight(&self, input: &Value) -> Weight {
        const MAX_INLINE_BYTES: usize = 2_048;
        let bytes = |key: &str| input[key].as_str().unwrap_or_default().len();
        if bytes("old") + bytes("new") <= MAX_INLINE_BYTES { Weight::Inline } else { Weight::Blocking }
    }

    fn call(&self, input: &Value, _ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let old = input["old"].as_str().unwrap_or_default();
        let new = input["new"].as_str().unwrap_or_default();
        if [old, new].iter().any(|text| text.len() > MAX_CHARS && text.chars().count() > MAX_CHARS) {
            return Err(ToolError::validation(format!("a text has more than {MAX_CHARS} characters")));
        }
        let context_lines = input["context_lines"].as_u64().unwrap_or(3).min(100);
        let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(DEADLINE).diff_lines(old, new);
        let (mut added, mut removed) = (0_u64, 0_u64);
        for change in diff.iter_all_changes() {
            match change.tag() {
                ChangeTag::Insert => added += 1,
                ChangeTag::Delete => removed += 1,
                ChangeTag::Equal => {}
            }
        }
        let unified = diff
            .unified_diff()
            .context_radius(usize::try_from(context_lines).unwrap_or(3))
            .header("old", "new")
            .to_string();
        Ok(json!({
            "diff": unified,
            "added": added,
            "removed": removed,
            "similarity": (f64::from(diff.ratio()) * 10_000.0).round() / 10_000.0,
            "identical": old == new,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;
    use crate::builtin::testing::{call, context};

    #[test]
    fn a_missing_newline_at_the_end_is_a_change_and_is_shown() {
        let output = call(&DiffText, json!({"old": "a\n", "new": "a"}));
        assert_eq!(output["identical"], false);
        assert!(output["diff"].as_str().unwrap().contains("\\ No newline at end of file"), "{output}");
    }

    #[test]
    fn context_can_be_turned_off() {
        let output = call(&DiffText, json!({"old": "a\nb\nc\n", "new": "a\nX\nc\n", "context_lines": 0}));
        assert_eq!(output["diff"], "--- old\n+++ new\n@@ -2 +2 @@\n-b\n+X\n");
    }

    #[test]
    fn an_empty_side_is_all_added_or_all_removed() {
        let output = call(&DiffText, json!({"old": "", "new": "a\nb\n"}));
        assert_eq!(
            (&output["added"], &output["removed"], &output["similarity"]),
            (&json!(2), &json!(0), &json!(0.0))
        );
    }

    #[test]
    fn large_texts_with_nothing_in_common_end_before_the_deadline_is_long_past() {
        let lines = |seed: u64| -> String {
            (0..60_000_u64).map(|n| format!("{}\n", (n * 7_919 + seed) % 65_521)).collect()
        };
        let began = Instant::now();
        let output = call(&DiffText, json!({"old": lines(1), "new": lines(30_011)}));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        assert_eq!(output["identical"], false);
    }

    proptest! {
        #[test]
        fn counts_agree_with_the_texts(old in "([ab]\n){0,30}", new in "([ab]\n){0,30}") {
            let output = DiffText.call(&json!({"old": old, "new": new}), &context()).unwrap();
            let count = |key: &str| output[key].as_i64().unwrap();
            let lines = |text: &str| i64::try_from(text.lines().count()).unwrap();
            prop_assert_eq!(lines(&old) - count("removed") + count("added"), lines(&new));
            prop_assert_eq!(output["identical"].as_bool().unwrap(), output["diff"] == "");
        }
    }
}
