//! `parse_csv`: CSV text into rows.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value, json};
use toolgate_domain::{ToolError, ToolSpec, tool::SectionType};

use super::{
    cell::infer,
    header::{named, numbered},
};
use crate::builtin::{
    definition::{Definition, answers, refuses, section},
    measure::INLINE_BYTES,
    tool::{Builtin, BuiltinContext, Weight},
};

const DESCRIPTION: &str = "Parses CSV (or text separated by semicolons, tabs or bars) into rows. Use it as soon as \
tabular text is to be worked on, instead of splitting lines yourself: quotes, embedded separators and line breaks \
inside quotes are handled. With a header (the default) each row is an object keyed by column name; without, an \
array. With `infer_types` (the default) empty cells become null, true/false booleans, and numbers numbers where \
nothing is lost: codes such as 007 and very long numbers stay text. A row with more or fewer cells than the first \
is refused with its line number, and so is a header that repeats a name. At most `max_rows` rows come back (1000 \
unless told otherwise, 10,000 at most) and about 4 MB; `truncated` says whether there were more. Up to 500 columns \
and 1,000,000 characters. Not for spreadsheets in binary formats. Feed columns of numbers to summarize_numbers, and \
rows to query_json.";

const MAX_CHARS: usize = 1_000_000;
const MAX_ROWS: u64 = 10_000;
const DEFAULT_ROWS: u64 = 1_000;
/// Rows repeat the column names, so that a wide header could make much out of little.
const MAX_OUTPUT_BYTES: usize = 4 * 1024 * 1024;

/// CSV into rows.
pub(in crate::builtin) struct ParseCsv;

impl Builtin for ParseCsv {
    fn spec(&self) -> ToolSpec {
        Definition {
            name: "parse_csv",
            category: "data",
            icon: "table",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "text": {"type": "string", "maxLength": MAX_CHARS, "description": "The CSV text."},
                    "delimiter": {
                        "type": "string", "enum": [",", ";", "\t", "|"], "default": ",",
                        "description": "What separates the cells."
                    },
                    "has_header": {
                        "type": "boolean", "default": true,
                        "description": "Whether the first row holds the names of the columns."
                    },
                    "infer_types": {
                        "type": "boolean", "default": true,
                        "description": "Whether numbers, booleans and empty cells are recognised; all text otherwise."
                    },
                    "max_rows": {
                        "type": "integer", "minimum": 1, "maximum": MAX_ROWS, "default": DEFAULT_ROWS,
                        "description": "How many rows come back at most."
                    }
                },
                "required": ["text"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "columns": {
                        "type": "array", "items": {"type": "string"},
                        "description": "The names of the columns, in order; column_1 … where there is no header."
                    },
                    "rows": {
                        "type": "array", "items": {"type": ["object", "array"]},
                        "description": "The rows: objects with a header, arrays without."
                    },
                    "row_count": {"type": "integer", "description": "How many rows came back."},
                    "truncated": {"type": "boolean", "description": "Whether there were more rows."}
                },
                "required": ["columns", "rows", "row_count", "truncated"],
                "additionalProperties": false
            }),
            examples: vec![
                answers(
                    "With a header",
                    json!({"text": "name,age\n\"Doe, Jane\",42\nBob,\n"}),
                    json!({
                        "columns": ["name", "age"],
                        "rows": [{"name": "Doe, Jane", "age": 42}, {"name": "Bob", "age": null}],
                        "row_count": 2, "truncated": false
                    }),
                ),
                answers(
                    "Without one, all text",
                    json!({"text": "1;2\n3;4", "delimiter": ";", "has_header": false, "infer_types": false}),
                    json!({
                        "columns": ["column_1", "column_2"],
                        "rows": [["1", "2"], ["3", "4"]],
                        "row_count": 2, "truncated": false
                    }),
                ),
                refuses("A row that is too short", json!({"text": "a,b\n1,2\n3\n"})),
            ],
            output_sections: vec![section("rows", "Rows", SectionType::Table)],
            repeatable: true,
        }
        .into_spec()
    }

    fn weight(&self, input: &Value) -> Weight {
        let bytes = input["text"].as_str().unwrap_or_default().len();
        if bytes <= INLINE_BYTES { Weight::Inline } else { Weight::Blocking }
    }

    fn call(&self, input: &Value, ctx: &BuiltinContext<'_>) -> Result<Value, ToolError> {
        let text = input["text"].as_str().unwrap_or_default();
        if text.len() > MAX_CHARS && text.chars().count() > MAX_CHARS {
            return Err(ToolError::validation(format!("the text has more than {MAX_CHARS} characters")));
        }
        let delimiter = input["delimiter"].as_str().and_then(|d| d.bytes().next()).unwrap_or(b',');
        let has_header = input["has_header"].as_bool().unwrap_or(true);
        let infer_types = input["infer_types"].as_bool().unwrap_or(true);
        let max_rows = input["max_rows"].as_u64().unwrap_or(DEFAULT_ROWS).min(MAX_ROWS);

        // Widths are compared here and not by the reader, whose message would not say which row is meant.
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let mut record = StringRecord::new();
        let mut columns: Option<Vec<String>> = None;
        let mut rows: Vec<Value> = Vec::new();
        let mut truncated = false;
        let mut bytes = 0_usize;
        while reader.read_record(&mut record).map_err(|e| ToolError::validation(e.to_string()))? {
            let columns = match &columns {
                Some(columns) => columns,
                None if has_header => {
                    columns = Some(named(&record)?);
                    continue;
                }
                None => columns.insert(numbered(&record)?),
            };
            if rows.len() as u64 >= max_rows || bytes > MAX_OUTPUT_BYTES {
                truncated = true;
                break;
            }
            if record.len() != columns.len() {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(ToolError::validation(format!(
                    "the row on line {line} has {} cells instead of {}",
                    record.len(),
                    columns.len()
                )));
            }
            if rows.len() % 1_000 == 999 {
                ctx.check_cancelled()?;
            }
            let cells = record.iter().map(|cell| if infer_types { infer(cell) } else { Value::from(cell) });
            bytes += record.as_slice().len() + 8 * record.len();
            rows.push(if has_header {
                bytes += columns.iter().map(String::len).sum::<usize>();
                Value::Object(columns.iter().cloned().zip(cells).collect::<Map<_, _>>())
            } else {
                Value::Array(cells.collect())
            });
        }
        Ok(json!({
            "columns": columns.unwrap_or_default(),
            "row_count": rows.len(),
            "rows": rows,
            "truncated": truncated,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;
    use crate::builtin::testing::{call, context, refusal};

    #[test]
    fn quotes_hold_separators_line_breaks_and_quotes() {
        let output = call(&ParseCsv, json!({"text": "a,b\n\"x,\"\"y\"\"\nz\",1\r\n"}));
        assert_eq!(output["rows"], json!([{"a": "x,\"y\"\nz", "b": 1}]));
    }

    #[test]
    fn a_ragged_row_is_refused_with_its_line() {
        let message = refusal(&ParseCsv, json!({"text": "a,b\n1,2\n\"x\ny\",2\n1,2,3\n"}));
        assert_eq!(message, "the row on line 5 has 3 cells instead of 2");
    }

    #[test]
    fn headers_are_named_once_and_always() {
        assert!(refusal(&ParseCsv, json!({"text": "a,b,a\n1,2,3"})).contains("`a` twice"));
        assert_eq!(
            call(&ParseCsv, json!({"text": "\u{feff}a,,c\n1,2,3"}))["columns"],
            json!(["a", "column_2", "c"])
        );
    }

    #[test]
    fn no_text_is_no_rows() {
        for text in ["", "\n\n", "a,b\n"] {
            assert_eq!(call(&ParseCsv, json!({"text": text}))["row_count"], 0);
        }
    }

    #[test]
    fn rows_beyond_the_bound_are_cut_and_it_is_said() {
        let text = "n\n".to_owned() + &"1\n".repeat(5_000);
        let output = call(&ParseCsv, json!({"text": text}));
        assert_eq!((&output["row_count"], &output["truncated"]), (&json!(1_000), &json!(true)));
        let output = call(&ParseCsv, json!({"text": text, "max_rows": 5_000}));
        assert_eq!((&output["row_count"], &output["truncated"]), (&json!(5_000), &json!(false)));
    }

    #[test]
    fn a_wide_header_cannot_be_multiplied_into_gigabytes() {
        let header: Vec<String> = (0..400).map(|n| format!("{n}{}", "x".repeat(250))).collect();
        let text = format!("{}\n{}", header.join(","), format!("{}\n", ",".repeat(399)).repeat(2_000));
        let began = Instant::now();
        let output = call(&ParseCsv, json!({"text": text, "max_rows": 10_000}));
        assert_eq!(output["truncated"], true);
        assert!(output["row_count"].as_u64().unwrap() < 100);
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn columns_are_bounded() {
        assert!(refusal(&ParseCsv, json!({"text": ",".repeat(900_000)})).contains("columns"));
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_parsed_or_refused(text in "[a-c0-9,;\"\\n\\r\\t ]{0,200}", header: bool) {
            let _ = ParseCsv.call(&json!({"text": text, "has_header": header}), &context());
        }
    }
}
