//! What the options of `add` and `update` ask for, as the server reads it.

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use crate::cli::{McpTermsArgs, OauthArgs, TransportArgs};

/// How the server is reached; nothing when no option says so.
pub(super) fn transport(asked: TransportArgs, args: Vec<String>) -> anyhow::Result<Option<Value>> {
    Ok(match (asked.to, asked.command) {
        (Some(url), _) => Some(json!({"kind": "http", "url": url, "headers": pairs(asked.headers)?})),
        (None, Some(command)) => Some(json!({
            "kind": "stdio", "command": command, "args": args, "env": pairs(asked.env)?, "cwd": asked.cwd,
        })),
        (None, None) if args.is_empty() => None,
        (None, None) => bail!("arguments belong to a program: name it with --command"),
    })
}

/// How one logs in to the server; nothing when no option says so.
pub(super) fn oauth(asked: OauthArgs) -> Option<Value> {
    let named = [
        ("per", asked.oauth_per.map(Value::from)),
        ("client_id", asked.oauth_client_id.map(Value::from)),
        ("client_secret", asked.oauth_client_secret.map(Value::from)),
        ("scopes", (!asked.oauth_scopes.is_empty()).then(|| asked.oauth_scopes.into())),
        ("grant", asked.oauth_grant.map(Value::from)),
    ];
    let named: Map<_, _> =
        named.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    (asked.oauth || !named.is_empty()).then_some(Value::Object(named))
}

/// The terms that were named, key by key.
pub(super) fn terms(asked: McpTermsArgs) -> anyhow::Result<Map<String, Value>> {
    let mut keys = Map::new();
    let mut tools = Map::new();
    for rule in asked.tools {
        let (tool, what) =
            rule.rsplit_once('=').with_context(|| format!("--tool {rule}: write TOOL=WHAT"))?;
        let told = match what {
            "on" => json!({"enabled": true}),
            "off" => json!({"enabled": false}),
            "default" => Value::Null,
            "none" | "read_only" | "write" => json!({"egress_class": what}),
            _ => bail!("--tool {rule}: none, read_only, write, on, off or default"),
        };
        tools.insert(tool.to_owned(), told);
    }
    let named = [
        ("egress_class", asked.egress_class.map(Value::from)),
        ("risk", asked.risk.map(Value::from)),
        ("timeout_ms", asked.timeout_ms.map(Value::from)),
        ("tools", (!tools.is_empty()).then_some(Value::Object(tools))),
    ];
    keys.extend(named.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    Ok(keys)
}

fn pairs(given: Vec<String>) -> anyhow::Result<Map<String, Value>> {
    let split = |pair: String| {
        let (name, value) = pair.split_once('=').context("write NAME=VALUE")?;
        Ok((name.to_owned(), Value::from(value)))
    };
    given.into_iter().map(split).collect()
}
