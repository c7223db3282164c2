//! `toolgate profile …`.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::{
    cli::{ApprovalTermsArgs, ProfileCommand, ProfileTerms},
    client::Client,
    exit::{Exit, Failure},
    output::Output,
    render::{self, text},
};

pub(crate) async fn run(
    command: ProfileCommand,
    client: &Client,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        ProfileCommand::Create { name, terms } => {
            let mut body = Map::from_iter([("name".to_owned(), Value::from(name))]);
            apply(&terms, &mut body);
            let made = client.post(&["api", "profiles"], Value::Object(body)).value().await?;
            output.answer(&made, || output.line(format!("{} is {}", text(&made["name"]), text(&made["id"]))));
        }
        ProfileCommand::List => list(&client.get(&["api", "profiles"]).value().await?, output),
        ProfileCommand::Show { profile } => {
            let profile = client.get(&["api", "profiles", &profile]).value().await?;
            output.answer(&profile, || show(&profile, output));
        }
        ProfileCommand::Update { profile, rename, terms, clear } => {
            let old = client.get(&["api", "profiles", &profile]).value().await?;
            let body = changed(&old, rename, &terms, &clear)?;
            let now = client.put(&["api", "profiles", &profile], body).value().await?;
            output.answer(&now, || show(&now, output));
        }
        ProfileCommand::Delete { profile } => {
            client.delete(&["api", "profiles", &profile]).value().await?;
            output.answer(&json!({"profile": profile, "deleted": true}), || {
                output.line(format!("{profile} is deleted"));
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The profiles of a list, also for `tool list --profiles`.
pub(super) fn list(profiles: &Value, output: &Output) {
    let row = |profile: &Value| {
        let asks = if profile["requires_approval"] == true { "asks" } else { "" };
        vec![
            text(&profile["name"]),
            text(&profile["id"]),
            asks.to_owned(),
            terms(&profile["approval"]),
            text(&profile["cost_limit"]),
            rate(&profile["rate_limit"]),
            milliseconds(&profile["timeout_ms"]),
            text(&profile["description"]),
        ]
    };
    let header = ["NAME", "ID", "APPROVAL", "BY", "COST LIMIT", "RATE LIMIT", "TIMEOUT", "DESCRIPTION"];
    output.answer(profiles, || output.page(profiles, "no profiles", &header, row));
}

fn show(profile: &Value, output: &Output) {
    let asks = if profile["requires_approval"] == true { "every call waits for a person" } else { "" };
    render::facts(
        output,
        vec![
            ("name", text(&profile["name"])),
            ("id", text(&profile["id"])),
            ("description", text(&profile["description"])),
            ("approval", asks.to_owned()),
            ("approved by", terms(&profile["approval"])),
            ("cost limit", text(&profile["cost_limit"])),
            ("rate limit", rate(&profile["rate_limit"])),
            ("timeout", milliseconds(&profile["timeout_ms"])),
        ],
    );
}

/// Who must agree, in words.
pub(super) fn terms(terms: &Value) -> String {
    let Some(quorum) = terms["quorum"].as_u64() else {
        return String::new();
    };
    let people = if quorum == 1 { "1 person".to_owned() } else { format!("{quorum} people") };
    let whose = if terms["allow_self"] == true { ", the caller too" } else { "" };
    format!("{people}{whose}")
}

/// The terms as the command line changes them.
pub(super) fn changed_terms(args: &ApprovalTermsArgs, old: &Value) -> Option<Value> {
    if args.quorum.is_none() && args.allow_self.is_none() {
        return None;
    }
    let quorum = args.quorum.map(u64::from).or(old["quorum"].as_u64()).unwrap_or(1);
    let allow_self = args.allow_self.or(old["allow_self"].as_bool()).unwrap_or(false);
    Some(json!({"quorum": quorum, "allow_self": allow_self}))
}

fn rate(rate: &Value) -> String {
    if rate.is_object() {
        format!("{} calls in {} s", rate["limit"], rate["window_s"])
    } else {
        String::new()
    }
}

fn milliseconds(value: &Value) -> String {
    value.as_u64().map(|ms| format!("{ms} ms")).unwrap_or_default()
}

fn changed(
    old: &Value,
    rename: Option<String>,
    terms: &ProfileTerms,
    clear: &[String],
) -> anyhow::Result<Value> {
    let mut body = old.as_object().cloned().unwrap_or_default();
    body.remove("id");
    let before = body.clone();
    if let Some(name) = rename {
        body.insert("name".to_owned(), name.into());
    }
    for key in clear {
        body.insert(key.clone(), Value::Null);
    }
    apply(terms, &mut body);
    if body == before {
        return Err(Failure::new(Exit::Usage, "nothing would change")
            .hint("name what should, such as --quorum 2; `toolgate profile update --help` lists it")
            .into());
    }
    Ok(Value::Object(body))
}

fn apply(terms: &ProfileTerms, body: &mut Map<String, Value>) {
    let approval = changed_terms(&terms.approval, body.get("approval").unwrap_or(&Value::Null));
    let given = [
        ("description", terms.description.clone().map(Value::from)),
        ("requires_approval", terms.requires_approval.map(Value::from)),
        ("approval", approval),
        ("cost_limit", terms.cost_limit.map(Value::from)),
        ("rate_limit", terms.rate_limit.map(|rate| json!(rate))),
        ("timeout_ms", terms.timeout_ms.map(Value::from)),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            body.insert(key.to_owned(), value);
        }
    }
}
