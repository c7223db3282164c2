//! A new master key for every tenant's key.

use std::path::Path;

use anyhow::Context;
use serde_json::json;
use toolgate_domain::{ids::OrderedIds, time::SystemClock};

use crate::{cli::RekeyArgs, config::Config, key_file, master_key, output::Output, wiring};

pub(super) async fn run(args: RekeyArgs, file: Option<&Path>, output: &Output) -> anyhow::Result<()> {
    let new = master_key::read(&args.new_key_file)?;
    let config = Config::load(args.settings, file)?;
    let (stores, _) = wiring::open_stores(&config).await?;
    let old = master_key::load(&config, &stores).await?;
    let (from, to) = (old.key.id().to_owned(), new.id().to_owned());
    let ids = OrderedIds::new(SystemClock);
    let done =
        toolgate_engine::rekey(&stores, &SystemClock, &ids, (old.key, new), args.fresh_tenant_keys).await?;
    let moved = old.own_file.is_some() && from != to;
    if let (Some(own), true) = (&old.own_file, moved) {
        // The old key opens what was backed up before; it stays until somebody decides that it need not.
        let kept = own.with_file_name(format!("secrets-{from}.key"));
        let read = |path: &Path| {
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
        };
        key_file::write(&kept, read(own)?.trim(), true)?;
        key_file::write(own, read(&args.new_key_file)?.trim(), true)?;
        output.note(&format!("{} holds the new key; the old one is {}", own.display(), kept.display()));
    }
    if output.is_json() {
        output.json(&json!({
            "from": from, "to": to, "tenants": done.tenants, "skipped": done.skipped, "secrets": done.secrets,
        }));
        return Ok(());
    }
    output.line(format!(
        "{} tenants are under master key {to}, {} were already, {} secrets were sealed anew",
        done.tenants, done.skipped, done.secrets
    ));
    if !moved {
        output.note("start every process with the new key from now on");
    }
    Ok(())
}
