//! `toolgate run diff`.

use std::process::ExitCode;

use serde_json::{Value, json};
use toolgate_agents::replay::{Tally, diff};

use super::bundles::{from_either, told};
use crate::{
    cli::DiffRunsArgs,
    client::Client,
    exit::Exit,
    output::{Mark, Output},
    render::text,
};

pub(super) async fn run(
    args: &DiffRunsArgs,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let a = from_either(&args.a, args.force, &client).await?;
    let b = from_either(&args.b, args.force, &client).await?;
    let found = diff(&a, &b);
    output.answer(&json!(found), || {
        match &found.first {
            None => output.marked(Mark::Good, "same", "what was given, said and answered"),
            Some(first) => output.marked(Mark::Bad, "differs", &told(first)),
        }
        let calls = if found.same_calls { "the same calls in the same order" } else { "other calls" };
        output.line(calls);
        summary(&found.a, &found.b, output);
    });
    Ok(if found.same { Exit::Ok } else { Exit::Differs }.into())
}

fn summary(a: &Tally, b: &Tally, output: &Output) {
    let (a, b) = (json!(a), json!(b));
    let row = |key: &str| vec![key.replace('_', " "), shown(&a[key]), shown(&b[key])];
    let keys = [
        "run",
        "status",
        "turns",
        "calls",
        "failed_calls",
        "input_tokens",
        "cached_input_tokens",
        "output_tokens",
        "cost",
        "model_ms",
        "tool_ms",
    ];
    output.table(&["", "A", "B"], keys.into_iter().map(row).collect());
}

fn shown(value: &Value) -> String {
    if value.is_null() { "-".to_owned() } else { text(value) }
}
