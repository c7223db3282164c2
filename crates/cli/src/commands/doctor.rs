//! `toolgate doctor`: what is wrong, and what to do about it.

mod local;
mod remote;

use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use crate::{
    cli::ClientArgs,
    client::Client,
    exit::Exit,
    output::{Mark, Output},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Health {
    Ok,
    Warn,
    Fail,
    /// There is nothing to look at.
    Skip,
}

/// What one look found.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    health: Health,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, health: Health::Ok, found: found.into(), advice: None }
    }

    fn skip(check: &'static str, found: impl Into<String>) -> Self {
        Self { health: Health::Skip, ..Self::ok(check, found) }
    }

    fn warn(check: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { health: Health::Warn, advice: Some(advice.into()), ..Self::ok(check, found) }
    }

    fn fail(check: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { health: Health::Fail, ..Self::warn(check, found, advice) }
    }
}

pub(crate) async fn run(args: &ClientArgs, output: &Output) -> anyhow::Result<ExitCode> {
    let client = Client::new(args)?;
    let mut findings = local::look(args, &client);
    findings.extend(remote::look(&client).await);
    let failed = findings.iter().any(|finding| finding.health == Health::Fail);
    if output.is_json() {
        output.json(&json!({"healthy": !failed, "checks": findings}));
    } else {
        findings.iter().for_each(|finding| print(finding, output));
    }
    Ok(if failed { Exit::Failed.into() } else { Exit::Ok.into() })
}

fn print(finding: &Finding, output: &Output) {
    let (mark, word) = match finding.health {
        Health::Ok => (Mark::Good, "ok  "),
        Health::Warn => (Mark::Odd, "warn"),
        Health::Fail => (Mark::Bad, "fail"),
        Health::Skip => (Mark::Left, "skip"),
    };
    let advice = finding.advice.as_deref().map(|advice| format!(": {advice}")).unwrap_or_default();
    output.marked(mark, word, &format!("{:14} {}{advice}", finding.check, finding.found));
}
