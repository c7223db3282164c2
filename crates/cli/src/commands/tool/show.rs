//! `toolgate tool show`.

use std::process::ExitCode;

use serde_json::Value;

use crate::{
    client::Client,
    input::Schema,
    output::Output,
    render::{facts, text, texts},
};

pub(crate) async fn run(name: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let tool = client.get(&["api", "tools", name]).value().await?;
    if output.is_json() {
        output.json(&tool);
        return Ok(ExitCode::SUCCESS);
    }
    output.line(format!("{}@{}", text(&tool["name"]), text(&tool["version"])));
    output.line(text(&tool["description"]));
    output.line("");
    facts(output, about(&tool));
    fields(output, "INPUT", &tool["input_schema"]);
    if tool["output_schema"].is_object() {
        fields(output, "OUTPUT", &tool["output_schema"]);
    }
    // An input with a quote in it would not survive being pasted into a shell.
    let mut examples =
        tool["examples"].as_array().into_iter().flatten().map(|example| example["input"].to_string());
    if let Some(input) = examples.find(|input| !input.contains('\'')) {
        output.line("");
        output.line(format!("example: toolgate tool call {} --input-json '{input}'", text(&tool["name"])));
    }
    if let Some(prose) = tool["long_description"].as_str() {
        output.line("");
        output.line(prose);
    }
    Ok(ExitCode::SUCCESS)
}

fn about(tool: &Value) -> Vec<(&'static str, String)> {
    let cache = match tool["cache_ttl_s"].as_u64() {
        Some(seconds) => format!("{} {seconds} s", text(&tool["cache"])),
        None => text(&tool["cache"]),
    };
    let rate = &tool["rate_limit"];
    let rate = if rate.is_object() {
        format!("{} calls in {} s", rate["limit"], rate["window_s"])
    } else {
        String::new()
    };
    let timeout = tool["timeout_ms"].as_u64().map(|ms| format!("{ms} ms")).unwrap_or_default();
    let approval = if tool["requires_approval"] == true { "every call waits for a person" } else { "" };
    vec![
        ("lifecycle", text(&tool["lifecycle"])),
        ("category", text(&tool["category"])),
        ("egress", text(&tool["egress_class"])),
        ("risk", text(&tool["risk"])),
        ("approval", approval.to_owned()),
        ("permission", text(&tool["required_permission"])),
        ("visibility", text(&tool["visibility"])),
        ("tenants", texts(&tool["tenant_slugs"])),
        ("secrets", texts(&tool["secrets"])),
        ("not set", texts(&tool["missing_secrets"])),
        ("cache", cache),
        ("timeout", timeout),
        ("rate limit", rate),
        ("runs as", text(&tool["execution"]["kind"])),
        ("kind", text(&tool["kind"])),
        ("changed", changed(&tool["override"])),
        ("updated", text(&tool["updated_at"])),
    ]
}

/// What the tenant's override changes.
fn changed(keys: &Value) -> String {
    keys.as_object().map(|keys| keys.keys().cloned().collect::<Vec<_>>().join(", ")).unwrap_or_default()
}

fn fields(output: &Output, title: &str, schema: &Value) {
    let schema = Schema::new(schema);
    let required = schema.required();
    let mut names = schema.properties();
    // What must be given comes first, in the order in which the schema demands it.
    names.sort_by_key(|name| required.iter().position(|needed| needed == name).unwrap_or(usize::MAX));
    let rows: Vec<_> = names
        .into_iter()
        .filter_map(|name| {
            let field = schema.property(name)?;
            let needed = if required.contains(&name) { "required" } else { "" };
            Some(vec![
                name.to_owned(),
                field.shape(),
                needed.to_owned(),
                field.description().unwrap_or_default().to_owned(),
            ])
        })
        .collect();
    if !rows.is_empty() {
        output.line("");
        output.wrapped_table(&[title, "TYPE", "", "DESCRIPTION"], rows);
    }
}
