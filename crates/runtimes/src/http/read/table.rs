//! CSV as a table: columns and rows of text.

use csv::ReaderBuilder;
use serde_json::{Value, json};

use crate::http::HttpLimits;

/// The table, and whether there was more of it.
pub(super) fn parse(text: &str, delimiter: Option<u8>, limits: &HttpLimits) -> Result<(Value, bool), String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or_else(|| likely_delimiter(text)))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut truncated = false;
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        // One more for the row of names.
        if rows.len() > limits.max_table_rows {
            truncated = true;
            break;
        }
        truncated |= record.len() > limits.max_table_columns;
        rows.push(record.iter().take(limits.max_table_columns).map(str::to_owned).collect());
    }
    let columns = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
    Ok((json!({"columns": columns, "rows": rows}), truncated))
}

/// The separator that the first line has most of.
fn likely_delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |delimiter: &u8| first.bytes().filter(|byte| byte == delimiter).count();
    [b'|', b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_rows_whatever_separates_them() {
        for text in ["a,b\n1,\"x, y\"\n", "a;b\n1;\"x, y\"\n", "a\tb\n1\tx, y\n"] {
            let (table, truncated) = parse(text, None, &HttpLimits::default()).unwrap();
            assert_eq!((table, truncated), (json!({"columns": ["a", "b"], "rows": [["1", "x, y"]]}), false));
        }
    }

    #[test]
    fn a_long_or_wide_table_is_cut() {
        let limits = HttpLimits { max_table_rows: 2, max_table_columns: 2, ..HttpLimits::default() };
        let (table, truncated) = parse("a,b,c\n1,2,3\n4,5,6\n7,8,9\n", None, &limits).unwrap();
        assert_eq!(
            (table, truncated),
            (json!({"columns": ["a", "b"], "rows": [["1", "2"], ["4", "5"]]}), true)
        );
    }
}
