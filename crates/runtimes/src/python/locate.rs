//! Finds the worker's program.

use std::path::{Path, PathBuf};

const NAME: &str = "toolgate-sandbox";

/// The given path, or `toolgate-sandbox` next to the running program. The error says what to do.
pub fn find_worker(given: Option<&Path>) -> Result<PathBuf, String> {
    let candidate = match given {
        Some(path) => path.to_owned(),
        None => std::env::current_exe()
            .map_err(|e| format!("where this program lies is unknown ({e}): give the path of {NAME}"))?
            .with_file_name(NAME),
    };
    if candidate.is_file() {
        Ok(candidate)
    } else {
        Err(format!(
            "there is no sandbox worker at {}: build it with `make sandbox`, or give the path of {NAME}",
            candidate.display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_worker_is_answered_with_what_to_do() {
        let error = find_worker(Some(Path::new("/nowhere/toolgate-sandbox"))).unwrap_err();
        assert!(error.contains("/nowhere/toolgate-sandbox") && error.contains("make sandbox"), "{error}");
    }
}
