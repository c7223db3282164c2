//! Everything that a reviewer should not have to say twice.

use std::path::Path;

use anyhow::bail;
use toolgate_domain::ErrorCode;
use toolgate_server::ApiCode;

use crate::{doors, generate, layers, licences, sizes};

pub(crate) fn tidy() -> anyhow::Result<()> {
    let mut complaints = layers::complaints()?;
    complaints.extend(licences::complaints()?);
    complaints.extend(doors::complaints()?);
    complaints.extend(sizes::complaints()?);
    complaints.extend(generate::stale()?);
    complaints.extend(error_pages());
    if complaints.is_empty() {
        return Ok(());
    }
    bail!("{}", complaints.join("\n"))
}

/// Each code that can reach a caller has a page that explains it.
fn error_pages() -> Vec<String> {
    let tools = ErrorCode::ALL.iter().map(|code| code.as_str());
    let api = ApiCode::ALL.iter().map(|code| code.as_str());
    tools
        .chain(api)
        .map(|code| format!("docs/errors/{code}.md"))
        .filter(|page| !Path::new(page).exists())
        .map(|page| format!("{page} is missing: every code has a page"))
        .collect()
}
