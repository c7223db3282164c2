//! The server, and what the key may do there.

use serde_json::json;
use toolgate_domain::{Clock, time::SystemClock};

use super::Finding;
use crate::{
    client::{Answer, Ask, Client, KeySource},
    render::text,
    when::http_date,
};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const MAX_SKEW_MS: u64 = 5_000;

pub(super) async fn look(client: &Client) -> Vec<Finding> {
    let health = match client.get(&["healthz"]).send().await {
        Ok(answer) if answer.status == 200 && answer.body["version"].is_string() => answer,
        Ok(answer) => {
            let found = format!("{} answers {}, and not as Toolgate does", client.base(), answer.status);
            return vec![Finding::fail("server", found, "is --url the address of a Toolgate server?")];
        }
        Err(error) => {
            return vec![Finding::fail(
                "server",
                error.to_string(),
                "start one with `toolgate serve`, or give --url",
            )];
        }
    };
    let mut findings = vec![
        Finding::ok("server", format!("{} answers", client.base())),
        ready(client).await,
        version(&health),
        clock(&health),
    ];
    findings.extend(encryption(client));
    findings.push(key(client).await);
    findings
}

async fn ready(client: &Client) -> Finding {
    match client.get(&["readyz"]).send().await {
        Ok(answer) if answer.status == 200 => Finding::ok("ready", "the database answers"),
        Ok(answer) => Finding::fail(
            "ready",
            text(&answer.body["detail"]),
            "look at the database, and at the server's log",
        ),
        Err(error) => Finding::fail("ready", error.to_string(), "look at the server's log"),
    }
}

fn version(health: &Answer) -> Finding {
    let server = text(&health.body["version"]);
    if server == VERSION {
        return Finding::ok("version", format!("{VERSION} here and there"));
    }
    Finding::warn(
        "version",
        format!("this is {VERSION}, the server is {server}"),
        "use the same version on both sides",
    )
}

fn clock(health: &Answer) -> Finding {
    let date = health.headers.get("date").and_then(|value| value.to_str().ok()).map(http_date);
    let Some(Ok(theirs)) = date else {
        return Finding::skip("clock", "the server does not tell its time");
    };
    let ours = SystemClock.now();
    // The header knows only whole seconds.
    let skew_ms = ours.ms_since(theirs).saturating_sub(1_000).max(theirs.ms_since(ours));
    if skew_ms > MAX_SKEW_MS {
        return Finding::warn(
            "clock",
            format!("this machine and the server differ by {} s", skew_ms / 1_000),
            "synchronise them (NTP)",
        );
    }
    Finding::ok("clock", "agrees with the server's")
}

fn encryption(client: &Client) -> Option<Finding> {
    let open = client.base().scheme() == "http" && !client.is_local();
    open.then(|| {
        Finding::warn(
            "encryption",
            "the key travels unencrypted",
            "use https:// for a server on another machine",
        )
    })
}

/// Tries, without any effect, what the key may do.
async fn key(client: &Client) -> Finding {
    let from = match client.key_source() {
        KeySource::Given => "from --key or TOOLGATE_KEY".to_owned(),
        KeySource::File(path) => format!("from {}", path.display()),
        KeySource::Nowhere(looked) => {
            let found =
                looked.as_ref().map_or("there is none".to_owned(), |why| format!("there is none ({why})"));
            return Finding::fail(
                "key",
                found,
                "give --key or TOOLGATE_KEY, or --data-dir with the server's data directory",
            );
        }
    };
    let mut may = Vec::new();
    for (scope, probe) in probes(client) {
        match probe.send().await {
            Ok(answer) if answer.status == 401 => {
                return Finding::fail(
                    "key",
                    format!("{from}: not valid"),
                    "an admin makes a new one with `toolgate key create`",
                );
            }
            Ok(answer) if answer.status == 403 => {}
            Ok(answer) if answer.status >= 500 => {
                return Finding::fail("key", text(&answer.body["detail"]), "try again in a moment");
            }
            Ok(_) => may.push(scope),
            Err(error) => return Finding::fail("key", error.to_string(), "try again in a moment"),
        }
    }
    if may.is_empty() {
        return Finding::warn(
            "key",
            format!("{from}: valid, but may do nothing of what was tried"),
            "give it scopes: `toolgate key create`",
        );
    }
    Finding::ok("key", format!("{from}: may {}", may.join(", ")))
}

/// Requests that a scope decides on before anything else happens: the bodies are of no use to anyone.
fn probes(client: &Client) -> [(&'static str, Ask<'_>); 6] {
    [
        ("tools:read", client.get(&["api", "tools"]).query("limit", Some(1))),
        ("tools:execute", client.post(&["api", "invoke", "batch"], json!({"calls": []}))),
        ("tools:write", client.post(&["api", "tools"], json!({})).query("dry_run", Some(true))),
        ("invocations:read", client.get(&["api", "invocations"]).query("limit", Some(1))),
        ("metrics:read", client.get(&["metrics"])),
        ("admin", client.get(&["api", "keys"])),
    ]
}
