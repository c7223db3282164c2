//! `toolgate audit export`.

use std::{io::Write, path::Path};

use anyhow::Context;
use serde_json::json;
use tempfile::NamedTempFile;

use crate::{client::Client, output::Output};

pub(super) async fn run(file: Option<&Path>, client: &Client, output: &Output) -> anyhow::Result<()> {
    let mut pieces = client.get(&["api", "audit", "export"]).pieces().await?;
    let Some(path) = file else {
        while let Some(piece) = pieces.next().await? {
            output.bytes(piece.as_ref());
            if output.is_closed() {
                break;
            }
        }
        return Ok(());
    };
    let shown = path.display();
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Beside its place and readable by its owner alone: it holds what was asked and answered, and half a file is none.
    let mut written =
        NamedTempFile::new_in(directory).with_context(|| format!("{shown} cannot be written"))?;
    let (spinner, mut bytes) = (output.spinner("exporting"), 0_u64);
    while let Some(piece) = pieces.next().await? {
        written.write_all(piece.as_ref()).with_context(|| format!("{shown} cannot be written"))?;
        bytes += piece.as_ref().len() as u64;
        spinner.set_message(format!("{bytes} bytes"));
    }
    written.as_file().sync_all().with_context(|| format!("{shown} cannot be written"))?;
    written.persist(path).with_context(|| format!("{shown} cannot be written"))?;
    spinner.finish_and_clear();
    if output.is_json() {
        output.json(&json!({"file": path, "bytes": bytes}));
    } else {
        output.line(format!("{shown} has {bytes} bytes"));
        output.note(&format!("verify it anywhere with: toolgate audit verify --file {shown}"));
    }
    Ok(())
}
