//! Small files with one job.

use std::process::Command;

use anyhow::Context;

const MAX_LINES: usize = 500;
/// Made from the OpenAPI document; nobody writes it, and nobody reads it from top to bottom.
const GENERATED: &str = "web/src/api/schema.d.ts";

pub(crate) fn complaints() -> anyhow::Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.ts", "*.tsx"])
        .output()
        .context("git cannot be run")?;
    let mut complaints = Vec::new();
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        // A file that was deleted and not yet committed is still listed.
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        if !path.contains("/tests/") && path != GENERATED {
            let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
            if lines > MAX_LINES {
                complaints.push(format!("{path} has {lines} lines without tests; at most {MAX_LINES}: which two jobs does it have?"));
            }
        }
        let only_exports =
            !path.contains("/tests/") && (path.ends_with("/lib.rs") || path.ends_with("/mod.rs"));
        let holds_code =
            |line: &str| line.starts_with("fn ") || line.starts_with("pub fn ") || line.starts_with("impl ");
        if only_exports && text.lines().any(holds_code) {
            complaints.push(format!("{path} holds code; lib.rs and mod.rs only export"));
        }
    }
    Ok(complaints)
}
