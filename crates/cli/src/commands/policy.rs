//! `toolgate policy …`.

mod check;
mod put;

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::{ExplainArgs, PolicyCommand},
    client::Client,
    output::Output,
    render::{self, text},
};

pub(crate) async fn run(
    command: PolicyCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        PolicyCommand::Check { file } => check::run(&file, output),
        PolicyCommand::Explain(args) => explain(&args, &client()?, output).await,
        PolicyCommand::List => put::list(&client()?, output).await,
        PolicyCommand::Put { file } => put::put(&file, client, output).await,
        PolicyCommand::Replay { file, last } => put::replay(&file, last, client, output).await,
    }
}

/// What would happen if.
async fn explain(args: &ExplainArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let input = super::tool::given_input(&args.what, client).await?;
    let mut body = json!({"tool": args.what.name, "input": input});
    if let Some(agent) = &args.agent {
        body["agent"] = agent.as_str().into();
    }
    let answer = client.post(&["api", "decisions", "explain"], body).value().await?;
    if output.is_json() {
        output.json(&answer);
    } else {
        show(&answer, output);
    }
    Ok(ExitCode::SUCCESS)
}

fn show(answer: &Value, output: &Output) {
    let verdict = match (&answer["error"], answer["decision"]["verdict"].as_str()) {
        (Value::Object(_), _) => "it would be refused",
        (_, Some("allow")) => "it would run",
        (_, Some("ask")) => "it would wait for a person",
        _ => "it would be denied",
    };
    output.line(verdict);
    render::facts(
        output,
        vec![("tool", text(&answer["tool"])), ("decision", text(&answer["decision"]["verdict"]))],
    );
    for evidence in answer["decision"]["evidence"].as_array().into_iter().flatten() {
        let [verdict, rule, because] = ["verdict", "rule", "because"].map(|key| text(&evidence[key]));
        output.line(format!("  {verdict} by {rule}: {because}"));
    }
    if answer["error"].is_object() {
        output.line(format!(
            "error: {} ({})",
            text(&answer["error"]["message"]),
            text(&answer["error"]["code"])
        ));
    }
    for warning in answer["warnings"].as_array().into_iter().flatten() {
        output.line(format!("warning: {}", text(warning)));
    }
}
