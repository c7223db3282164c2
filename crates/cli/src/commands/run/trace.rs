//! `toolgate run trace`: a line for each span, under the one that it belongs to.

use std::{collections::HashMap, process::ExitCode};

use serde_json::Value;

use crate::{client::Client, output::Output, render::text};

pub(super) async fn show(id: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let trace = client.get(&["api", "runs", id, "trace"]).value().await?;
    output.answer(&trace, || {
        let spans: Vec<&Value> = trace["spans"].as_array().into_iter().flatten().collect();
        let lines: Vec<_> = in_tree(&spans).into_iter().map(|(depth, span)| line(depth, span)).collect();
        let width = lines.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        for (name, took, remark) in lines {
            output.line(format!("{name:width$}  {took:>10}  {remark}").trim_end());
        }
        if trace["truncated"] == true {
            output.note("there are more spans than are shown");
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// Name, duration, and what is remarkable.
fn line(depth: usize, span: &Value) -> (String, String, String) {
    let name = format!("{:indent$}{}", "", text(&span["name"]), indent = 2 * depth);
    let took = span["duration_ms"].as_f64().map_or_else(|| "goes on".to_owned(), duration);
    let attributes = &span["attributes"];
    let tokens = |way: &str| attributes[format!("gen_ai.usage.{way}_tokens")].as_u64();
    let remark = match (span["error"].as_str(), tokens("input"), tokens("output")) {
        (Some(error), ..) => error.to_owned(),
        (None, Some(input), Some(output)) => format!("{input} tokens in, {output} out"),
        _ => [&attributes["toolgate.guard.decision"], &attributes["toolgate.approval.outcome"]]
            .into_iter()
            .map(text)
            .collect(),
    };
    (name, took, remark)
}

fn duration(ms: f64) -> String {
    match ms {
        ..1.0 => format!("{:.0} µs", ms * 1e3),
        1.0..1_000.0 => format!("{ms:.1} ms"),
        1_000.0..120_000.0 => format!("{:.2} s", ms / 1e3),
        _ => format!("{:.1} min", ms / 60e3),
    }
}

/// Every span once, each under its parent, in the order in which they began. One whose parent is not there stands alone.
fn in_tree<'a>(spans: &[&'a Value]) -> Vec<(usize, &'a Value)> {
    let id = |span: &'a Value| span["span_id"].as_str();
    let mut children: HashMap<Option<&str>, Vec<&Value>> = HashMap::new();
    for span in spans {
        let parent = span["parent_span_id"].as_str();
        let parent = parent.filter(|parent| spans.iter().any(|other| id(other) == Some(parent)));
        children.entry(parent.filter(|parent| id(span) != Some(parent))).or_default().push(span);
    }
    let mut found = Vec::with_capacity(spans.len());
    let first = children.remove(&None).unwrap_or_default();
    let mut next: Vec<(usize, &Value)> = first.into_iter().rev().map(|span| (0, span)).collect();
    // Ends: the children of a span are taken out once.
    while let Some((depth, span)) = next.pop() {
        found.push((depth, span));
        let own = id(span).and_then(|id| children.remove(&Some(id))).unwrap_or_default();
        next.extend(own.into_iter().rev().map(|child| (depth + 1, child)));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn spans_stand_under_their_parents_whatever_their_order_and_each_once() {
        let span = |id: &str, parent: Value| json!({"span_id": id, "parent_span_id": parent, "name": id});
        let spans = [
            span("root", Value::Null),
            span("call", json!("root")),
            span("alone", json!("gone")),
            span("guard", json!("call")),
            span("chat", json!("root")),
            span("itself", json!("itself")),
        ];
        let found: Vec<String> = in_tree(&spans.iter().collect::<Vec<_>>())
            .into_iter()
            .map(|(depth, span)| format!("{depth}{}", span["name"].as_str().unwrap()))
            .collect();
        assert_eq!(found, ["0root", "1call", "2guard", "1chat", "0alone", "0itself"]);
    }

    #[test]
    fn a_line_says_how_long_and_what_was_remarkable() {
        let chat = json!({
            "name": "chat m", "duration_ms": 1.25,
            "attributes": {"gen_ai.usage.input_tokens": 11, "gen_ai.usage.output_tokens": 7},
        });
        assert_eq!(line(1, &chat), ("  chat m".into(), "1.2 ms".into(), "11 tokens in, 7 out".into()));
        let guard =
            json!({"name": "guard", "duration_ms": 0.012, "attributes": {"toolgate.guard.decision": "ask"}});
        assert_eq!(line(0, &guard), ("guard".into(), "12 µs".into(), "ask".into()));
        let open = json!({"name": "await approval", "attributes": {}});
        assert_eq!(line(0, &open), ("await approval".into(), "goes on".into(), String::new()));
    }
}
