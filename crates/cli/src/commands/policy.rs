//! `toolgate policy …`.

mod check;

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::{
    cli::{InputArgs, PolicyCommand},
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
        PolicyCommand::Explain(call) => explain(&call, &client()?, output).await,
    }
}

/// What would happen if.
async fn explain(call: &InputArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let input = super::tool::given_input(call, client).await?;
    let body = json!({"tool": call.name, "input": input});
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
