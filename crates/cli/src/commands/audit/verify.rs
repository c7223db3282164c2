//! `toolgate audit verify`: of a server, or of a file.

use std::{fs::File, io::BufReader, path::Path, process::ExitCode};

use anyhow::Context;
use serde_json::{Value, json};
use toolgate_engine::{PublicKey, verify_file};

use crate::{
    cli::VerifyAuditArgs,
    client::{CALL, Client},
    exit::Exit,
    output::{Mark, Output},
    render::text,
};

pub(super) async fn run(
    args: VerifyAuditArgs,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let spinner = output.spinner("verifying");
    let found = match &args.file {
        Some(file) => {
            let heard = |links: u64| spinner.set_message(format!("{links} links verified"));
            offline(file, args.public_key, heard)?
        }
        None => online(&client()?, args.public_key).await?,
    };
    spinner.finish_and_clear();
    if output.is_json() {
        output.json(&found);
    } else {
        show(&found, output);
    }
    Ok(if found["ok"] == true { Exit::Ok } else { Exit::Tampered }.into())
}

fn offline(file: &Path, trusted: Option<PublicKey>, heard: impl Fn(u64)) -> anyhow::Result<Value> {
    let shown = file.display();
    let opened = File::open(file).with_context(|| format!("{shown} cannot be read"))?;
    let mut source = BufReader::new(opened);
    let found =
        tokio::task::block_in_place(|| verify_file(&mut source, trusted, &mut |totals| heard(totals.links)));
    Ok(json!(found.with_context(|| format!("{shown} cannot be read"))?))
}

async fn online(client: &Client, trusted: Option<PublicKey>) -> anyhow::Result<Value> {
    let mut found = client.get(&["api", "audit", "verify"]).patience(CALL).value().await?;
    let trusted = trusted.map(|key| key.to_string());
    if let Some(trusted) = trusted.filter(|trusted| found["public_key"].as_str() != Some(trusted)) {
        found["ok"] = false.into();
        found["finding"] = json!({
            "kind": "bad_signature",
            "record": "public key",
            "explanation": format!("the server signs with another key than {trusted}: its key was replaced"),
        });
    }
    Ok(found)
}

fn show(found: &Value, output: &Output) {
    let count = |key: &str| text(&found[key]);
    let looked_at = format!(
        "{} links, {} receipts, {} audit events, {} signatures",
        count("links"),
        count("receipts"),
        count("events"),
        count("signed_heads")
    );
    let finding = &found["finding"];
    if finding.is_object() {
        let kind = text(&finding["kind"]).replace('_', " ");
        let told = format!("{}: {}", text(&finding["record"]), text(&finding["explanation"]));
        output.marked(Mark::Bad, &format!("{kind}:"), &told);
        output.line(format!("as it should be before that: {looked_at}"));
        output.note("leave everything as it is, and compare with a backup or an earlier export");
    } else {
        output.marked(Mark::Good, "whole:", &looked_at);
    }
    if found["public_key"].is_string() {
        output.line(format!("public key: {}", text(&found["public_key"])));
    }
    if found["key_source"] == "file" {
        output.note("the key is the one that the file names; to know whose it is, give --public-key");
    }
}
