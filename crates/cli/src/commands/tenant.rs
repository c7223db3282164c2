//! `toolgate tenant …`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    ask::confirm,
    cli::{NamedArgs, TenantCommand},
    client::Client,
    lookup::tenant_id,
    output::Output,
    render::{text, time},
};

pub(crate) async fn run(
    command: TenantCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        TenantCommand::Create(args) => create(args, client, output).await?,
        TenantCommand::List => {
            let all = client.get(&["api", "tenants"]).value().await?;
            let row = |one: &Value| {
                vec![
                    text(&one["slug"]),
                    text(&one["id"]),
                    time(&one["created_at"]),
                    time(&one["archived_at"]),
                    text(&one["name"]),
                ]
            };
            let header = ["SLUG", "ID", "CREATED", "ARCHIVED", "NAME"];
            output.answer(&all, || output.page(&all, "no tenants", &header, row));
        }
        TenantCommand::Archive { tenant, yes } => {
            let id = tenant_id(client, &tenant).await?;
            confirm(&format!("Archive the tenant {tenant}? Nobody of it gets in any more."), yes, output)?;
            let gone = client.post(&["api", "tenants", &id, "archive"], Value::Null).value().await?;
            output.answer(&gone, || {
                output.line(format!(
                    "{} is archived since {}",
                    text(&gone["slug"]),
                    time(&gone["archived_at"])
                ));
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(args: NamedArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let name = args.name.as_ref().unwrap_or(&args.slug);
    let made = client.post(&["api", "tenants"], json!({"slug": args.slug, "name": name})).value().await?;
    output.answer(&made, || {
        output.line(text(&made["admin_key"]));
        output.note(&format!(
            "{} is {}. This is its first key, with the scope admin, and it is shown this once: keep it.",
            text(&made["slug"]),
            text(&made["id"])
        ));
    });
    Ok(())
}
