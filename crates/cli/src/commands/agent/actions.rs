//! What an agent does on its own.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::{ActArgs, ActionsArgs},
    client::{CALL, Client, failure_of, pages},
    commands::tool::{failed_call, parked_call},
    exit::{Exit, Failure},
    output::Output,
    render::{self, text, time},
};

const PATH: [&str; 4] = ["api", "tools", "run_agent_action", "invoke"];

pub(super) async fn act(args: ActArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let mut input = json!({"agent_id": args.agent, "action_type": args.action, "metadata": args.metadata});
    for (key, value) in [("context_type", args.context_type), ("context_id", args.context_id)] {
        if let Some(value) = value {
            input[key] = value.into();
        }
    }
    let waiting = output.spinner(&format!("{} does {}", args.agent, args.action));
    let request = client
        .post(&PATH, json!({"input": input}))
        .header("idempotency-key", args.idempotency_key.as_deref())?;
    let answer = request.patience(CALL).send().await;
    waiting.finish_and_clear();
    let answer = answer?;
    match answer.status {
        202 => Ok(parked_call(&answer.body, output)),
        status if status >= 400 => Err(failure_of(client, status, answer.body).into()),
        _ => finished(answer.body, output),
    }
}

fn finished(envelope: Value, output: &Output) -> anyhow::Result<ExitCode> {
    if envelope["error"].is_object() {
        return Err(failed_call(envelope).into());
    }
    let done = &envelope["output"];
    let exit = match done["result"].as_str() {
        Some("success") => {
            output.answer(&envelope, || render::value(output, &done["output"]));
            return Ok(ExitCode::SUCCESS);
        }
        Some("blocked_by_policy") => Exit::Refused,
        Some("throttled") => Exit::Unreachable,
        _ => Exit::ToolFailed,
    };
    let said = |key: &str| done[key].as_str();
    let why = said("message").or(said("error")).or(said("reason")).unwrap_or_default();
    let message = match said("reason").filter(|reason| *reason != why) {
        Some(reason) => format!("{}: {why} ({reason})", text(&done["result"])),
        None => format!("{}: {why}", text(&done["result"])),
    };
    let failure = Failure::new(exit, message).document(envelope.clone());
    Err(match done["retry_after_s"].as_u64() {
        Some(seconds) => failure.hint(format!("try again in {seconds} s")),
        None => failure,
    }
    .into())
}

pub(super) async fn list(args: ActionsArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let ask = || client.get(&["api", "agents", &args.agent, "actions"]);
    let page = pages(ask, args.rows.limit, args.rows.all, output).await?;
    let row = |action: &Value| {
        let why = if action["reason"].is_string() { &action["reason"] } else { &action["error"] };
        vec![
            time(&action["at"]),
            text(&action["action"]),
            text(&action["result"]),
            text(why),
            text(&action["actor"]),
            text(&action["id"]),
        ]
    };
    output.answer(&page, || {
        output.page(&page, "no actions", &["AT", "ACTION", "RESULT", "WHY", "BY", "ID"], row);
    });
    Ok(())
}
