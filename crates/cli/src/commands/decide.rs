//! `toolgate approve` and `reject`: a person's word about a call that waits.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::tool::read_json;
use crate::{
    cli::{ApproveArgs, RejectArgs},
    client::Client,
    exit::Failure,
    input::{Schema, build},
    output::Output,
    render::text,
};

pub(crate) async fn approve(args: ApproveArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let mut body = Map::new();
    let mut digest = args.decide.digest.clone();
    if args.input_json.is_some() || !args.input.is_empty() {
        let (input, seen) = edited(&args, client).await?;
        body.insert("input".to_owned(), input);
        digest = digest.or(seen);
    }
    if args.always {
        body.insert("always".to_owned(), true.into());
    }
    if args.confirm_self {
        body.insert("confirm_self".to_owned(), true.into());
    }
    if let Some(digest) = digest {
        body.insert("digest".to_owned(), digest.into());
    }
    let body = if body.is_empty() { Value::Null } else { Value::Object(body) };
    let row = client.post(&["api", "invocations", &args.decide.id, "approve"], body).value().await?;
    decided(&row, output);
    Ok(ExitCode::SUCCESS)
}

/// The input as the person wants it, and the digest of the call it was made from: the edit counts for that call alone.
async fn edited(args: &ApproveArgs, client: &Client) -> anyhow::Result<(Value, Option<String>)> {
    let given = match args.input_json.as_deref().map(read_json).transpose()? {
        None => None,
        Some(Value::Object(given)) => Some(given),
        Some(_) => return Err(Failure::invalid("the input is an object").into()),
    };
    if let (Some(given), true) = (&given, args.input.is_empty()) {
        return Ok((Value::Object(given.clone()), None));
    }
    let unread = |error: anyhow::Error| {
        error.context(
            "--input changes what was asked, which must be read first (--input-json works without it)",
        )
    };
    let row = client.get(&["api", "invocations", &args.decide.id]).value().await.map_err(unread)?;
    let key = text(&row["tool_key"]);
    let tool = client.get(&["api", "tools", &key]).value().await.map_err(unread)?;
    let base = given.or_else(|| row["input"].as_object().cloned()).unwrap_or_default();
    let input = build(Schema::new(&tool["input_schema"]), base, &args.input)?;
    Ok((Value::Object(input), row["approval_digest"].as_str().map(str::to_owned)))
}

pub(crate) async fn reject(args: RejectArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let mut body = json!({"reason": args.reason});
    if let Some(digest) = args.decide.digest {
        body["digest"] = Value::from(digest);
    }
    let row = client.post(&["api", "invocations", &args.decide.id, "reject"], body).value().await?;
    decided(&row, output);
    Ok(ExitCode::SUCCESS)
}

fn decided(row: &Value, output: &Output) {
    output.answer(row, || {
        output.line(format!("{} is {}", text(&row["id"]), text(&row["status"])));
        let quorum = row["decision"]["approval"]["quorum"].as_u64().unwrap_or(1);
        if row["status"] == "pending" {
            output.note(&format!("your yes is kept; it runs once {quorum} people have said it"));
        }
    });
}
