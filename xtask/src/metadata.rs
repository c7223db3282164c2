//! What cargo knows of the packages.

use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

pub(crate) fn metadata(arguments: &[&str]) -> anyhow::Result<Value> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version=1", "--locked"])
        .args(arguments)
        .output()
        .context("cargo metadata cannot be run")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_str(std::str::from_utf8(&output.stdout)?)?)
}
