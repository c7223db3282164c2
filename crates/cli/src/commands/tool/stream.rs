//! `toolgate tool call --stream`: pieces of output as they come.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::call::{failed, finished, parked};
use crate::{
    client::{Ask, Client, failure_of},
    exit::{Exit, Failure},
    output::Output,
    render::text,
};

pub(super) async fn run(ask: Ask<'_>, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let mut stream = ask.stream().await?;
    let mut invocation = None;
    loop {
        let event = match stream.next().await {
            Ok(Some(event)) => event,
            Ok(None) => return Err(lost("the stream ended", invocation).into()),
            Err(broken) => return Err(lost(&broken.to_string(), invocation).into()),
        };
        let data: Value = serde_json::from_str(&event.data).unwrap_or(Value::Null);
        if output.is_json() {
            output.json_line(&json!({"event": event.name, "data": data}));
        }
        match event.name.as_str() {
            "started" => invocation = data["invocation_id"].as_str().map(str::to_owned),
            "output" if !output.is_json() => chunk(&data, output),
            "finished" if output.is_json() && data["error"].is_object() => {
                return Ok(failed(data).exit.into());
            }
            "finished" if output.is_json() => return Ok(ExitCode::SUCCESS),
            "finished" => return finished(data, output),
            "needs_approval" if output.is_json() => return Ok(Exit::NeedsApproval.into()),
            "needs_approval" => return Ok(parked(&data, output)),
            "error" => {
                let status =
                    data["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(500);
                let failure = failure_of(client, status, data);
                if output.is_json() {
                    return Ok(failure.exit.into());
                }
                return Err(failure.into());
            }
            _ => {}
        }
    }
}

/// A piece of text runs on; anything else is a line.
fn chunk(data: &Value, output: &Output) {
    match data {
        Value::String(piece) => output.text(piece),
        other => output.text(text(other) + "\n"),
    }
}

fn lost(why: &str, invocation: Option<String>) -> Failure {
    let failure = Failure::new(Exit::Unreachable, format!("{why} before the call did"));
    match invocation {
        Some(id) => {
            failure.hint(format!("the call goes on: `toolgate invocations show {id}` tells how it ends"))
        }
        None => failure.hint("`toolgate invocations` tells whether the call was made"),
    }
}
