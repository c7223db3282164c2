//! `toolgate tool register`: says what would change; `--apply` changes it.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::definition;
use crate::{
    cli::RegisterArgs,
    client::Client,
    exit::Failure,
    output::{Mark, Output, short},
    render::text,
};

pub(crate) async fn run(args: RegisterArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let shown = args.file.display();
    let spec = definition::read(&args.file)?.map_err(|error| {
        Failure::invalid(format!("{shown}: {error}"))
            .hint("`toolgate tool test FILE` checks a file without a server")
    })?;
    let dry_run = (!args.apply).then_some(true);
    let answer = client.post(&["api", "tools"], json!(spec)).query("dry_run", dry_run).value().await?;
    if output.is_json() {
        output.json(&answer);
        return Ok(ExitCode::SUCCESS);
    }
    print(&answer, args.apply, output);
    if !args.apply && !is_no_change(&answer) {
        output.note("dry run: nothing has changed; add --apply to do it");
    }
    Ok(ExitCode::SUCCESS)
}

fn is_no_change(answer: &Value) -> bool {
    answer["created"] == false && answer["changes"].as_array().is_none_or(Vec::is_empty)
}

fn print(answer: &Value, applied: bool, output: &Output) {
    let tool = &answer["tool"];
    let id = format!("{}@{}", text(&tool["name"]), text(&tool["version"]));
    if is_no_change(answer) {
        output.line(format!("{id} is published just so: no change"));
    } else if answer["created"] == true {
        let does = if applied { "published" } else { "would publish" };
        output.line(format!("{does} {id}, a new version"));
        let asks = if tool["requires_approval"] == true {
            "every call waits for a person"
        } else {
            "calls need no approval"
        };
        output.line(format!(
            "  egress {}, risk {}, {asks}",
            text(&tool["egress_class"]),
            text(&tool["risk"])
        ));
    } else {
        output.line(format!("{} {id}", if applied { "changed" } else { "would change" }));
        print_changes(&answer["changes"], output);
    }
    for warning in answer["warnings"].as_array().into_iter().flatten() {
        output.note(&format!("warning: {}", text(warning)));
    }
}

/// Key by key: `-` was, `+` is.
pub(super) fn print_changes(changes: &Value, output: &Output) {
    for change in changes.as_array().into_iter().flatten() {
        let said =
            |side: &str| format!("{}: {}", text(&change["key"]), short(&change[side].to_string(), 200));
        output.marked(Mark::Bad, "  -", &said("from"));
        output.marked(Mark::Good, "  +", &said("to"));
    }
}
