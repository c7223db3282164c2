//! `toolgate role …`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::RoleCommand,
    client::Client,
    output::Output,
    render::{text, texts},
};

pub(crate) async fn run(command: RoleCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        RoleCommand::List => {
            let roles = client.get(&["api", "roles"]).value().await?;
            let row = |role: &Value| {
                let whose = if role["built_in"] == true { "built in" } else { "your own" };
                let may = if role["everything"] == true {
                    "everything".to_owned()
                } else {
                    texts(&role["permissions"])
                };
                vec![text(&role["name"]), whose.to_owned(), may]
            };
            output.answer(&roles, || {
                let rows = roles["items"].as_array().into_iter().flatten().map(row).collect();
                output.wrapped_table(&["NAME", "", "MAY"], rows);
            });
        }
        RoleCommand::Put { name, permission } => {
            let body = json!({"permissions": permission});
            client.put(&["api", "roles", &name], body).value().await?;
            output.answer(&json!({"name": name, "permissions": permission}), || {
                output.line(format!("{name} may {}", permission.join(", ")));
            });
        }
        RoleCommand::Delete { name } => {
            client.delete(&["api", "roles", &name]).value().await?;
            output.answer(&json!({"name": name, "deleted": true}), || {
                output.line(format!("{name} is deleted"));
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}
