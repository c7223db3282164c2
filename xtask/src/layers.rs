//! Arrows point down: `domain ← policy, store ← engine ← runtimes, mcp, agents ← server ← cli`.

use std::collections::BTreeMap;

use crate::metadata::metadata;

/// What each crate may name of ours, tests aside.
const ALLOWED: &[(&str, &[&str])] = &[
    ("toolgate-domain", &[]),
    ("toolgate-policy", &["toolgate-domain"]),
    ("toolgate-store", &["toolgate-domain"]),
    ("toolgate-store-sql", &["toolgate-domain", "toolgate-store"]),
    ("toolgate-engine", &["toolgate-domain", "toolgate-policy", "toolgate-store"]),
    ("toolgate-runtimes", &["toolgate-domain", "toolgate-engine"]),
    ("toolgate-agents", &["toolgate-domain", "toolgate-engine"]),
    ("toolgate-mcp", &["toolgate-domain", "toolgate-engine"]),
    (
        "toolgate-server",
        &["toolgate-domain", "toolgate-store", "toolgate-engine", "toolgate-agents", "toolgate-mcp"],
    ),
    (
        "toolgate",
        &[
            "toolgate-domain",
            "toolgate-policy",
            "toolgate-store",
            "toolgate-store-sql",
            "toolgate-engine",
            "toolgate-runtimes",
            "toolgate-agents",
            "toolgate-mcp",
            "toolgate-server",
        ],
    ),
    (
        "toolgate-bench",
        &[
            "toolgate-domain",
            "toolgate-store",
            "toolgate-store-sql",
            "toolgate-engine",
            "toolgate-runtimes",
            "toolgate-agents",
            "toolgate-mcp",
            "toolgate-server",
        ],
    ),
    ("toolgate-test-databases", &["toolgate-store", "toolgate-store-sql"]),
    ("xtask", &["toolgate-domain", "toolgate-server"]),
];

/// Outside crates that only one of ours may name.
const CONFINED: &[(&str, &str)] = &[
    ("rusqlite", "toolgate-store-sql"),
    ("sqlx", "toolgate-store-sql"),
    ("redis", "toolgate-store-sql"),
    ("object_store", "toolgate-store-sql"),
    ("axum", "toolgate-server"),
    ("eventsource-stream", "toolgate-agents"),
    ("rmcp", "toolgate-mcp"),
    ("opentelemetry_sdk", "toolgate"),
];

/// What measures and tests it sees the same libraries from outside.
const BESIDE_THE_PRODUCT: [&str; 2] = ["toolgate-bench", "toolgate-test-databases"];

pub(crate) fn complaints() -> anyhow::Result<Vec<String>> {
    let metadata = metadata(&["--no-deps"])?;
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let mut complaints = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(may_name) = allowed.get(name) else {
            complaints.push(format!("{name} has no place in the layers: add it to xtask/src/layers.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let other = dependency["name"].as_str().unwrap_or_default();
            if !dependency["kind"].is_null() {
                continue;
            }
            if allowed.contains_key(other) && !may_name.contains(&other) {
                complaints.push(format!("{name} depends on {other}: arrows point down"));
            }
            if let Some((_, home)) = CONFINED.iter().find(|(confined, _)| *confined == other)
                && *home != name
                && !BESIDE_THE_PRODUCT.contains(&name)
            {
                complaints.push(format!("{name} depends on {other}, which lives in {home} alone"));
            }
        }
    }
    Ok(complaints)
}
