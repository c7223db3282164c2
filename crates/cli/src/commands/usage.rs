//! `toolgate usage`: what calls and models came to.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    cli::ReportArgs,
    client::Client,
    lookup::optional_agent_id,
    output::Output,
    render::text,
    when::{Way, moment},
};

pub(crate) async fn run(args: ReportArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let at = |option, text: &Option<String>| {
        text.as_deref().map(|text| moment(option, text, Way::Ago)).transpose()
    };
    let (since, until) = (at("--since", &args.since)?, at("--until", &args.until)?);
    let agent = optional_agent_id(client, args.agent.as_ref()).await?;
    let ask = client
        .get(&["api", "usage"])
        .query("by", (!args.by.is_empty()).then(|| args.by.join(",")))
        .query("since", since)
        .query("until", until)
        .query("agent", agent)
        .query("tool", args.tool.as_ref())
        .query("run", args.run.as_ref())
        .query("provider", args.provider.as_ref())
        .query("model", args.model.as_ref())
        .query("format", args.csv.then_some("csv"));
    if args.csv {
        let mut pieces = ask.pieces().await?;
        while let Some(piece) = pieces.next().await? {
            output.bytes(piece.as_ref());
            if output.is_closed() {
                break;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let report = ask.value().await?;
    output.answer(&report, || show(&report, output));
    Ok(ExitCode::SUCCESS)
}

/// Title and field of the columns that every report has.
const SUMS: [(&str, &str); 11] = [
    ("CALLS", "calls"),
    ("ERRORS", "errors"),
    ("CACHED", "cached_calls"),
    ("P50 MS", "call_p50_ms"),
    ("P95 MS", "call_p95_ms"),
    ("MODEL CALLS", "model_calls"),
    ("P95 MS", "model_p95_ms"),
    ("TOKENS IN", "input_tokens"),
    ("CACHED", "cached_input_tokens"),
    ("TOKENS OUT", "output_tokens"),
    ("COST", "cost"),
];

fn show(report: &Value, output: &Output) {
    let items = report["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        output.note("nothing was used in that time");
        return;
    }
    let by: Vec<&str> = report["by"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let titles: Vec<String> = by.iter().map(|name| name.to_uppercase()).collect();
    let header: Vec<&str> =
        titles.iter().map(String::as_str).chain(SUMS.iter().map(|(title, _)| *title)).collect();
    let row = |item: &Value| {
        let named = by.iter().map(|name| match text(&item[field(name)]) {
            none if none.is_empty() => "-".to_owned(),
            name => name,
        });
        named.chain(SUMS.iter().map(|(_, name)| sum(item, name))).collect()
    };
    output.table(&header, items.iter().map(row).collect());
    let mismatches: u64 = items.iter().filter_map(|item| item["cost_mismatches"].as_u64()).sum();
    if mismatches > 0 {
        output.note(&format!("{mismatches} answers came with a price that is far from the price table's"));
    }
    if report["truncated"] == true {
        output.note("there are more groups: ask for a shorter time, or for one agent, tool or model");
    }
}

fn field(dimension: &str) -> &str {
    match dimension {
        "agent" => "agent_id",
        "run" => "run_id",
        other => other,
    }
}

fn sum(item: &Value, name: &str) -> String {
    match (name, item[name].as_f64()) {
        ("cost", Some(cost)) => format!("{cost:.4}"),
        _ => text(&item[name]),
    }
}
