//! Templates in definitions: the ones of `render_template`, with its budgets.

use serde_json::Value;
use toolgate_domain::ToolError;

use crate::builtin::render_template;

const MAX_TEMPLATE_BYTES: usize = 50_000;

/// Whether a definition may have this template; the message says what is wrong with it.
pub(crate) fn check(template: &str) -> Result<(), String> {
    if template.trim().is_empty() || template.len() > MAX_TEMPLATE_BYTES {
        return Err(format!("a template has 1 to {MAX_TEMPLATE_BYTES} bytes"));
    }
    render_template::check(template)
}

/// Fills in the input, on a thread that may block: a short template may loop for long.
pub(crate) async fn fill(template: &str, input: &Value) -> Result<String, ToolError> {
    if !template.contains("{{") && !template.contains("{%") && !template.contains("{#") {
        return Ok(template.to_owned());
    }
    let (template, input) = (template.to_owned(), input.clone());
    let job = tokio::task::spawn_blocking(move || render_template::fill(&template, &input));
    job.await.unwrap_or_else(|_| {
        Err(ToolError::new(
            toolgate_domain::ErrorCode::Unknown,
            "the template broke down while it was filled in",
        ))
    })
}
