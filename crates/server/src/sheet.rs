//! Lists as CSV, for people who open them in a spreadsheet.

use serde::Serialize;
use serde_json::Value;

use crate::{ApiCode, Problem};

/// The rows with these columns, by the names that they have in JSON.
pub(crate) fn table<'a, T: Serialize>(
    rows: &[T],
    columns: impl Iterator<Item = &'a str>,
) -> Result<String, Problem> {
    let columns: Vec<&str> = columns.collect();
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let broken = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "a list cannot be written as CSV");
        Problem::new(ApiCode::Internal, "the list could not be written; the server's log says why")
    };
    writer.write_record(&columns).map_err(|e| broken(&e))?;
    for row in rows {
        let row = serde_json::to_value(row).map_err(|e| broken(&e))?;
        writer.write_record(columns.iter().map(|name| cell(&row[*name]))).map_err(|e| broken(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| broken(&e))?;
    String::from_utf8(bytes).map_err(|e| broken(&e))
}

/// A text that a spreadsheet would take for a formula gets an apostrophe before it: the names in a list come from elsewhere.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!("=1+1"), "'=1+1")]
    #[case(json!("+1"), "'+1")]
    #[case(json!("-1"), "'-1")]
    #[case(json!("@SUM(A1)"), "'@SUM(A1)")]
    #[case(json!("\t=1"), "'\t=1")]
    #[case(json!("gpt-4o"), "gpt-4o")]
    #[case(json!(-1), "-1")]
    #[case(json!(null), "")]
    fn no_text_is_a_formula(#[case] value: Value, #[case] written: &str) {
        assert_eq!(cell(&value), written);
    }

    #[test]
    fn commas_quotes_and_lines_stay_inside_their_cell() {
        let rows = [json!({"a": "x,y", "b": "say \"hi\"\nthen go", "c": 1})];
        let written = table(&rows, ["a", "b", "c"].into_iter()).unwrap();
        assert_eq!(written, "a,b,c\r\n\"x,y\",\"say \"\"hi\"\"\nthen go\",1\r\n");
    }
}
