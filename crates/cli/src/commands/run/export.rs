//! `toolgate run export`.

use std::{io::Write, path::Path, process::ExitCode};

use anyhow::Context;
use serde_json::json;
use tempfile::NamedTempFile;

use super::bundles::from_server;
use crate::{cli::ExportRunArgs, client::Client, output::Output};

pub(super) async fn run(args: &ExportRunArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let bytes = from_server(&args.run, client).await?;
    let Some(path) = &args.output else {
        output.bytes(&bytes);
        return Ok(ExitCode::SUCCESS);
    };
    write(path, &bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    output.answer(&json!({"file": path, "bytes": bytes.len()}), || {
        output.line(format!("{} has {} bytes", path.display(), bytes.len()));
        output.note(&format!("go through it again anywhere with: toolgate run replay {}", path.display()));
    });
    Ok(ExitCode::SUCCESS)
}

/// Beside its place and readable by its owner alone: it holds what was asked and answered, and half a file is none.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut written = NamedTempFile::new_in(directory)?;
    written.write_all(bytes)?;
    written.as_file().sync_all()?;
    written.persist(path)?;
    Ok(())
}
