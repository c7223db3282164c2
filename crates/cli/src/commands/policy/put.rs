//! `toolgate policy list`, `put` and `replay`.

use std::{path::Path, process::ExitCode};

use serde_json::{Value, json};

use super::check;
use crate::{
    client::{CALL, Client},
    output::{Output, short},
    render::{text, time},
};

const VERSION_CHARS: usize = 12;

pub(super) async fn list(client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let all = client.get(&["api", "policies"]).value().await?;
    let row = |policy: &Value| {
        let rules = policy["document"]["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
        let ids: Vec<_> = rules.iter().map(|rule| text(&rule["id"])).collect();
        let in_force = if policy["in_force"] == true { "in force" } else { "" };
        vec![
            version(&policy["version"]),
            in_force.to_owned(),
            time(&policy["created_at"]),
            text(&policy["created_by"]),
            rules.len().to_string(),
            ids.join(", "),
        ]
    };
    let header = ["VERSION", "", "SINCE", "BY", "RULES", "IDS"];
    output.answer(&all, || output.page(&all, "no policy: the other rules decide alone", &header, row));
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn put(
    file: &Path,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let checked = check::load(file)?;
    let put = client()?.post(&["api", "policies"], json!(checked.document)).value().await?;
    output.answer(&put, || {
        let rules = checked.set.len();
        output.line(format!("{rules} {} in force", if rules == 1 { "rule is" } else { "rules are" }));
        output.note(&format!("version {}", text(&put["version"])));
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn replay(
    file: &Path,
    last: Option<u64>,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let checked = check::load(file)?;
    let mut body = json!({"policy": checked.document});
    if let Some(last) = last {
        body["last"] = last.into();
    }
    let spinner = output.spinner("judging");
    let replay = client()?.post(&["api", "policies", "replay"], body).patience(CALL).value().await?;
    spinner.finish_and_clear();
    output.answer(&replay, || show(&replay, output));
    Ok(ExitCode::SUCCESS)
}

fn show(replay: &Value, output: &Output) {
    let changes = replay["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |change: &Value| {
        let verdict = |key: &str| text(&change[key]["verdict"]);
        vec![
            time(&change["created_at"]),
            text(&change["invocation_id"]),
            text(&change["tool"]),
            text(&change["caller"]),
            format!("{} → {}", verdict("was"), verdict("would_be")),
            why(&change["would_be"]),
        ]
    };
    if !changes.is_empty() {
        output.wrapped_table(
            &["TIME", "ID", "TOOL", "CALLER", "DECISION", "BECAUSE"],
            changes.iter().map(row).collect(),
        );
    }
    let count = |key: &str| replay[key].as_u64().unwrap_or(0);
    let (to_ask, to_deny, other) = (count("allow_to_ask"), count("allow_to_deny"), count("other"));
    output.line(format!(
        "{} of {} decisions would change: {to_ask} from allow to ask, {to_deny} from allow to deny, {other} otherwise",
        to_ask + to_deny + other,
        count("judged"),
    ));
    let skipped = count("skipped");
    if skipped > 0 {
        output.note(&format!("{skipped} calls could not be judged: their tools are gone"));
    }
}

/// The rules that decide, and their reasons.
fn why(decision: &Value) -> String {
    let deciding = decision["evidence"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|evidence| evidence["verdict"] == decision["verdict"])
        .map(|evidence| format!("{}: {}", text(&evidence["rule"]), text(&evidence["because"])));
    deciding.collect::<Vec<_>>().join("; ")
}

fn version(value: &Value) -> String {
    short(&text(value), VERSION_CHARS)
}
