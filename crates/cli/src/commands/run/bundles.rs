//! Where bundles come from: files, and the server.

use std::{io::Read, path::Path};

use anyhow::Context;
use serde_json::Value;
use toolgate_agents::{
    bundle::{self, Bundle, MAX_BUNDLE_BYTES, ReadError},
    replay::Difference,
};
use toolgate_domain::RunId;

use crate::{
    client::Client,
    exit::{Exit, Failure},
    output::short,
};

/// Characters of a value that are shown beside another.
const SHOWN: usize = 200;

/// The bundle in a file.
pub(super) fn from_file(file: &Path, trusting: bool) -> anyhow::Result<Bundle> {
    let shown = file.display();
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).with_context(|| format!("{shown} cannot be read"))?;
    // One byte more than is allowed tells that there is too much.
    opened
        .take(MAX_BUNDLE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("{shown} cannot be read"))?;
    bundle::read(&bytes, trusting).map_err(|error| failure(&shown.to_string(), &error).into())
}

/// The bundle of a file or, where there is no such file, of a run on the server.
pub(super) async fn from_either(
    reference: &str,
    trusting: bool,
    client: impl Fn() -> anyhow::Result<Client>,
) -> anyhow::Result<Bundle> {
    let is_run = reference.parse::<RunId>().is_ok() && !Path::new(reference).exists();
    if !is_run {
        return from_file(Path::new(reference), trusting);
    }
    let bytes = from_server(reference, &client()?).await?;
    bundle::read(&bytes, trusting).map_err(|error| failure(reference, &error).into())
}

/// The file as the server writes it.
pub(super) async fn from_server(run: &str, client: &Client) -> anyhow::Result<Vec<u8>> {
    let mut pieces = client.get(&["api", "runs", run, "bundle"]).pieces().await?;
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await? {
        bytes.extend_from_slice(piece.as_ref());
        if bytes.len() > MAX_BUNDLE_BYTES {
            return Err(Failure::invalid(format!("the run has more than {MAX_BUNDLE_BYTES} bytes")).into());
        }
    }
    Ok(bytes)
}

fn failure(what: &str, error: &ReadError) -> Failure {
    let failed = |exit| Failure::new(exit, format!("{what}: {error}"));
    match error {
        ReadError::Tampered { .. } => failed(Exit::Tampered).hint("--force looks at it all the same"),
        _ => failed(Exit::Invalid),
    }
}

/// Where two runs part, on one line.
pub(super) fn told(found: &Difference) -> String {
    let place = if found.path.is_empty() { String::new() } else { format!(" {}", found.path) };
    format!("{}{place}: recorded {}, now {}", found.at, value(&found.recorded), value(&found.now))
}

fn value(value: &Value) -> String {
    if value.is_null() { "nothing".to_owned() } else { short(&value.to_string(), SHOWN) }
}
