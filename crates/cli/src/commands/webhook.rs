//! `toolgate webhook create|list|delete|test|deliveries`.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::WebhookCommand,
    client::Client,
    output::{Output, short},
    render::{text, texts, time},
};

pub(crate) async fn run(
    command: WebhookCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        WebhookCommand::Create(args) => {
            let body = json!({"name": args.name, "url": args.url});
            created(&client.post(&["api", "webhooks"], body).value().await?, output);
        }
        WebhookCommand::List => listed(&client.get(&["api", "webhooks"]).value().await?, output),
        WebhookCommand::Delete { id } => {
            client.delete(&["api", "webhooks", &id]).value().await?;
            if output.is_json() {
                output.json(&json!({"id": id, "deleted": true}));
            } else {
                output.line(format!("{id} is deleted"));
            }
        }
        WebhookCommand::Test { id } => {
            let tested = client.post(&["api", "webhooks", &id, "test"], json!({})).value().await?;
            return Ok(received(&tested, output));
        }
        WebhookCommand::Deliveries { id, limit } => {
            let sent = client.get(&["api", "webhooks", &id, "deliveries"]).query("limit", limit);
            sent_ones(&sent.value().await?, output);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn created(made: &Value, output: &Output) {
    if output.is_json() {
        return output.json(made);
    }
    output.line(text(&made["secret"]));
    output.note(&format!(
        "{} tells {}. The secret verifies what it is sent, and is shown this once: keep it.",
        text(&made["id"]),
        text(&made["url"])
    ));
}

fn rows(list: &Value) -> &[Value] {
    list["items"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn listed(list: &Value, output: &Output) {
    if output.is_json() {
        return output.json(list);
    }
    if rows(list).is_empty() {
        return output.note("no webhooks: make one with toolgate webhook create NAME --to URL");
    }
    let row = |hook: &Value| {
        vec![
            text(&hook["id"]),
            text(&hook["name"]),
            text(&hook["url"]),
            texts(&hook["events"]),
            time(&hook["created_at"]),
        ]
    };
    output.table(&["ID", "NAME", "URL", "EVENTS", "CREATED"], rows(list).iter().map(row).collect());
}

fn received(tested: &Value, output: &Output) -> ExitCode {
    let delivered = tested["delivered"] == true;
    if output.is_json() {
        output.json(tested);
    } else if delivered {
        output.line(format!("received with status {}", text(&tested["status"])));
    } else {
        let why = match &tested["error"] {
            Value::Null => format!("the receiver answered {}", text(&tested["status"])),
            error => text(error),
        };
        output.line(format!("not received: {why}"));
    }
    if delivered { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn sent_ones(list: &Value, output: &Output) {
    if output.is_json() {
        return output.json(list);
    }
    if rows(list).is_empty() {
        return output.note("nothing was sent yet");
    }
    let row = |sent: &Value| {
        vec![
            time(&sent["created_at"]),
            text(&sent["id"]),
            text(&sent["invocation_id"]),
            text(&sent["status"]),
            text(&sent["attempts"]),
            time(&sent["next_attempt_at"]),
            short(&text(&sent["last_error"]), 60),
        ]
    };
    let heads = ["TIME", "ID", "INVOCATION", "STATUS", "ATTEMPTS", "NEXT", "ERROR"];
    output.table(&heads, rows(list).iter().map(row).collect());
}
