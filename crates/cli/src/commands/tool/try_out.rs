//! `toolgate tool try`: a test run, of what is published or of a file.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::{
    call::{finished, parked},
    definition,
    input::{gather, read_json},
    stream,
};
use crate::{
    cli::{InputArgs, TryArgs},
    client::{CALL, Client, failure_of},
    exit::Failure,
    input::{Schema, build},
    output::Output,
};

pub(super) async fn run(args: TryArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let streams = args.stream;
    let (name, body) = what(args, client, output).await?;
    let path: Vec<_> =
        ["api", "tools", &name, "test"].into_iter().chain(streams.then_some("stream")).collect();
    let ask = client.post(&path, body);
    if streams {
        return stream::run(ask, client, output).await;
    }
    let waiting = output.spinner(&format!("trying {name}"));
    let answer = ask.patience(CALL).send().await;
    waiting.finish_and_clear();
    let answer = answer?;
    match answer.status {
        202 => Ok(parked(&answer.body, output)),
        status if status >= 400 => Err(failure_of(client, status, answer.body).into()),
        _ => finished(answer.body, output),
    }
}

/// Which tool, and what to send.
async fn what(args: TryArgs, client: &Client, output: &Output) -> anyhow::Result<(String, Value)> {
    let Some(file) = &args.file else {
        let name = args.name.unwrap_or_default();
        let given = InputArgs { name: name.clone(), input: args.input, input_json: args.input_json };
        let input = gather(&given, client, output).await?;
        return Ok((name, json!({"input": input})));
    };
    let spec =
        definition::read(file)?.map_err(|error| Failure::invalid(format!("{}: {error}", file.display())))?;
    let base = match args.input_json.as_deref().map(read_json).transpose()? {
        None => Map::new(),
        Some(Value::Object(base)) => base,
        Some(_) => return Err(Failure::invalid("the input is an object").into()),
    };
    let input = build(Schema::new(&spec.input_schema), base, &args.input)?;
    Ok((spec.name.to_string(), json!({"definition": spec, "input": input})))
}
