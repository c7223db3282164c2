//! `toolgate tool import openapi`: says what would be made; `--apply` registers it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use serde::Serialize;
use serde_json::{Value, json};
use toolgate_runtimes::http::openapi::{
    Import, ImportOptions, LeftOut, MAX_DOCUMENT_BYTES, MadeTool, import,
};

use crate::{
    cli::{ImportCommand, ImportOpenapiArgs},
    client::Client,
    document::read_text,
    exit::{Exit, Failure},
    output::{Mark, Output},
    render::text,
};

/// How many tools a warning names before it counts the others.
const MAX_NAMED: usize = 3;

/// What the server made of one definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Created,
    Changed,
    Unchanged,
    Failed,
}

/// How one tool came out.
#[derive(Debug, Serialize)]
struct Line {
    operation: String,
    name: String,
    version: String,
    egress_class: Value,
    url: String,
    /// Where its token comes from, which gets a secret too.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_url: Option<String>,
    secrets: Vec<String>,
    status: Status,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip)]
    exit: Exit,
}

pub(crate) async fn run(
    command: ImportCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let ImportCommand::Openapi(args) = command;
    let text = read(&args.spec)?;
    let options = ImportOptions {
        server: args.server.clone(),
        only: args.only.clone(),
        prefix: args.prefix.clone(),
        secret_prefix: args.secret_prefix.clone(),
        include_deprecated: args.include_deprecated,
    };
    let shown = if args.spec == "-" { "stdin" } else { &args.spec };
    let Import { tools, left_out } =
        import(&text, &options).map_err(|error| Failure::invalid(format!("{shown}: {error}")))?;
    let progress = output.progress(tools.len());
    let mut lines = Vec::with_capacity(tools.len());
    for made in tools {
        progress.set_message(made.spec.name.to_string());
        lines.push(register(made, args.apply, client).await?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    if output.is_json() {
        let left_out: Vec<_> = left_out.iter().map(left_out_document).collect();
        output.json(&json!({"applied": args.apply, "tools": lines, "left_out": left_out}));
    } else {
        print(&lines, &left_out, &args, output);
    }
    Ok(exit_of(&lines, &left_out).into())
}

fn read(spec: &str) -> anyhow::Result<String> {
    if spec != "-" {
        return read_text(Path::new(spec), MAX_DOCUMENT_BYTES);
    }
    let mut text = String::new();
    // One byte more than is allowed tells that there is too much.
    let bound = MAX_DOCUMENT_BYTES as u64 + 1;
    std::io::stdin().take(bound).read_to_string(&mut text).context("stdin cannot be read")?;
    Ok(text)
}

/// One definition that the server does not take is the news of that definition; a server that cannot be asked ends all.
async fn register(made: MadeTool, apply: bool, client: &Client) -> anyhow::Result<Line> {
    let MadeTool { operation, spec, mut warnings } = made;
    let dry_run = (!apply).then_some(true);
    let answer = client.post(&["api", "tools"], json!(spec)).query("dry_run", dry_run).value().await;
    let config = &spec.execution.config;
    let mut line = Line {
        operation,
        name: spec.name.to_string(),
        version: spec.version.to_string(),
        egress_class: json!(spec.egress_class),
        url: text(&config["url"]),
        token_url: config.get("auth").and_then(|auth| auth.get("token_url")).map(text),
        secrets: spec.secrets.clone(),
        status: Status::Failed,
        warnings: Vec::new(),
        error: None,
        exit: Exit::Ok,
    };
    match answer {
        Ok(answer) => {
            let has_changes = answer["changes"].as_array().is_some_and(|changes| !changes.is_empty());
            line.status = match (&answer["created"], has_changes) {
                (Value::Bool(true), _) => Status::Created,
                (_, true) => Status::Changed,
                (_, false) => Status::Unchanged,
            };
            line.egress_class = answer["tool"]["egress_class"].clone();
            warnings.extend(answer["warnings"].as_array().into_iter().flatten().map(text));
        }
        Err(error) => {
            let exit = error.downcast_ref::<Failure>().map(|failure| failure.exit);
            let Some(exit @ (Exit::Invalid | Exit::Conflict)) = exit else { return Err(error) };
            line.error = Some(format!("{error:#}"));
            line.exit = exit;
        }
    }
    line.warnings = warnings;
    Ok(line)
}

fn left_out_document(left_out: &LeftOut) -> Value {
    json!({"operation": left_out.operation, "reason": left_out.reason, "failed": left_out.is_failure})
}

fn exit_of(lines: &[Line], left_out: &[LeftOut]) -> Exit {
    let is_invalid = left_out.iter().any(|left_out| left_out.is_failure)
        || lines.iter().any(|line| line.exit == Exit::Invalid);
    let refused = lines.iter().map(|line| line.exit).find(|exit| *exit != Exit::Ok);
    if is_invalid { Exit::Invalid } else { refused.unwrap_or(Exit::Ok) }
}

fn print(lines: &[Line], left_out: &[LeftOut], args: &ImportOpenapiArgs, output: &Output) {
    let row = |line: &Line| {
        vec![
            line.name.clone(),
            line.version.clone(),
            text(&line.egress_class),
            said(line.status, args.apply).to_owned(),
            line.warnings.len().to_string(),
            line.operation.clone(),
        ]
    };
    if !lines.is_empty() {
        output.table(
            &["NAME", "VERSION", "EGRESS", "STATUS", "WARNINGS", "OPERATION"],
            lines.iter().map(row).collect(),
        );
    }
    for line in lines {
        if let Some(error) = &line.error {
            output.marked(Mark::Bad, "failed", &format!("{} ({}): {error}", line.name, line.operation));
        }
    }
    for left_out in left_out {
        let mark = if left_out.is_failure { Mark::Bad } else { Mark::Left };
        output.marked(mark, "left out", &format!("{}: {}", left_out.operation, left_out.reason));
    }
    for (warning, names) in grouped(lines) {
        output.note(&format!("warning: {warning} ({})", listed(&names)));
    }
    let hosts: BTreeSet<&str> = lines
        .iter()
        .flat_map(|line| [Some(&line.url), line.token_url.as_ref()])
        .flatten()
        .map(|url| origin(url))
        .collect();
    if !hosts.is_empty() {
        output.note(&format!("calls go to {}", hosts.into_iter().collect::<Vec<_>>().join(", ")));
    }
    let secrets: BTreeSet<&str> = lines.iter().flat_map(|line| &line.secrets).map(String::as_str).collect();
    if !secrets.is_empty() {
        let secrets: Vec<&str> = secrets.into_iter().collect();
        output.note(&format!("secrets that calls need, with `toolgate secret set`: {}", secrets.join(", ")));
    }
    let is_change = |line: &&Line| matches!(line.status, Status::Created | Status::Changed);
    if !args.apply && lines.iter().any(|line| is_change(&line)) {
        output.note("dry run: nothing has changed; add --apply to do it");
    }
}

/// Scheme, host and port.
fn origin(url: &str) -> &str {
    let path = url.match_indices('/').nth(2).map_or(url.len(), |(at, _)| at);
    &url[..path]
}

fn said(status: Status, applied: bool) -> &'static str {
    match (status, applied) {
        (Status::Created, true) => "published",
        (Status::Created, false) => "would publish",
        (Status::Changed, true) => "changed",
        (Status::Changed, false) => "would change",
        (Status::Unchanged, _) => "no change",
        (Status::Failed, _) => "failed",
    }
}

/// Each warning once, with the tools it is about: many are about all of them.
fn grouped(lines: &[Line]) -> BTreeMap<&str, Vec<&str>> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in lines {
        for warning in &line.warnings {
            groups.entry(warning).or_default().push(&line.name);
        }
    }
    groups
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
