//! `toolgate tool call`.

use std::process::ExitCode;

use serde_json::{Value, json};
use toolgate_domain::Timestamp;

use super::{input::gather, stream};
use crate::{
    cli::CallArgs,
    client::{Ask, CALL, Client, failure_of},
    exit::{Exit, Failure},
    output::Output,
    render::{self, text},
};

pub(crate) async fn run(args: CallArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let input = gather(&args.what, client, output).await?;
    if args.stream {
        return stream::run(request(&args, client, input, &["stream"])?, client, output).await;
    }
    let waiting = output.spinner(&format!("calling {}", args.what.name));
    let answer = request(&args, client, input, &[])?.patience(CALL).send().await;
    waiting.finish_and_clear();
    let answer = answer?;
    match answer.status {
        202 => Ok(parked(&answer.body, output)),
        status if status >= 400 => Err(failure_of(client, status, answer.body).into()),
        _ => finished(answer.body, output),
    }
}

fn request<'a>(args: &CallArgs, client: &'a Client, input: Value, tail: &[&str]) -> anyhow::Result<Ask<'a>> {
    let path: Vec<_> =
        ["api", "tools", &args.what.name, "invoke"].into_iter().chain(tail.iter().copied()).collect();
    let mut body = json!({"input": input});
    if let Some(session) = &args.session {
        body["session_id"] = Value::from(session.as_str());
    }
    client.post(&path, body).header("idempotency-key", args.idempotency_key.as_deref())
}

/// The call is written down and waits.
pub(crate) fn parked(invocation: &Value, output: &Output) -> ExitCode {
    if output.is_json() {
        output.json(invocation);
    } else {
        let id = text(&invocation["id"]);
        match invocation["waiting_for"].as_array() {
            Some(inner) => {
                let inner: Vec<_> = inner.iter().map(text).collect();
                output.line(format!("{id} runs, and waits for {}", inner.join(", ")));
            }
            None => output.line(format!("{id} waits for a person's approval")),
        }
        output.note(&format!("look at it with `toolgate invocations show {}`", text(&invocation["id"])));
    }
    Exit::NeedsApproval.into()
}

/// The call is over, well or not.
pub(super) fn finished(envelope: Value, output: &Output) -> anyhow::Result<ExitCode> {
    if !output.is_json() {
        notes(&envelope, output);
    }
    if envelope["error"].is_object() {
        return Err(failed(envelope).into());
    }
    if output.is_json() {
        output.json(&envelope);
    } else {
        render::value(output, &envelope["output"]);
        render::attachments(output, &envelope);
    }
    Ok(ExitCode::SUCCESS)
}

fn notes(envelope: &Value, output: &Output) {
    for warning in envelope["warnings"].as_array().into_iter().flatten() {
        output.note(&format!("warning: {}", text(warning)));
    }
    let at = |key: &str| envelope[key].as_str().and_then(|moment| moment.parse::<Timestamp>().ok());
    let took = match (at("t_start"), at("t_end")) {
        (Some(start), Some(end)) => format!(", {} ms", end.ms_since(start)),
        _ => String::new(),
    };
    let cached = if envelope["cached"] == true { ", from the cache" } else { "" };
    output.note(&format!(
        "{}@{}{took}{cached}, {}",
        text(&envelope["name"]),
        text(&envelope["version"]),
        text(&envelope["invocation_id"])
    ));
}

/// The failure that an envelope's error stands for.
pub(crate) fn failed(envelope: Value) -> Failure {
    let error = &envelope["error"];
    let code = text(&error["code"]);
    let exit = if error["details"]["reason"] == "unknown_tool" {
        Exit::NotFound
    } else {
        Exit::of_tool_error(&code)
    };
    let message = format!("{} ({code})", text(&error["message"]));
    let hint = error["retry_after_s"].as_u64().map(|seconds| format!("try again in {seconds} s"));
    let failure = Failure::new(exit, message).document(envelope);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
