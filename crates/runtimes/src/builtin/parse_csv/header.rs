//! The names of columns.

use csv::StringRecord;
use toolgate_domain::ToolError;

use crate::builtin::suggest;

const MAX_COLUMNS: usize = 500;
const MAX_NAME_CHARS: usize = 256;

/// The names in the first row. An empty one is named after its place.
pub(super) fn named(record: &StringRecord) -> Result<Vec<String>, ToolError> {
    let mut names = numbered(record)?;
    for (name, cell) in names.iter_mut().zip(record) {
        let cell = cell.trim();
        if cell.chars().count() > MAX_NAME_CHARS {
            return Err(ToolError::validation(format!(
                "a column name has more than {MAX_NAME_CHARS} characters"
            )));
        }
        if !cell.is_empty() {
            cell.clone_into(name);
        }
    }
    let mut seen = std::collections::HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(ToolError::validation(format!(
            "the header names the column `{}` twice; parse with has_header false, or rename it",
            suggest::shown(name)
        ))),
        None => Ok(names),
    }
}

/// `column_1` and so on, one for every cell.
pub(super) fn numbered(record: &StringRecord) -> Result<Vec<String>, ToolError> {
    if record.len() > MAX_COLUMNS {
        return Err(ToolError::validation(format!(
            "there are {} columns; at most {MAX_COLUMNS} are accepted",
            record.len()
        )));
    }
    Ok((1..=record.len()).map(|number| format!("column_{number}")).collect())
}
