//! Every tool that ships, as MCP clients are told of it: none that a client would drop, and none that lost its input on the way.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tempfile::TempDir;
use toolgate_domain::tool::portable::{
    Complaint, INTENTIONALLY_INPUT_LESS, Role, Rule, complaints, is_input_less, portable, wraps_output,
};

use crate::cli::{pipe::Pipe, support::Server};

/// Characters of a description that OpenAI takes.
const MAX_DESCRIPTION_CHARS: usize = 1_024;

/// Properties that take anything, or objects with properties of any name, on purpose: strict clients offer these tools without strict
/// mode. A new one is a decision.
const INTENTIONALLY_OPEN: &[(&str, &[&str])] = &[
    ("decide_approval", &["input"]),
    ("explain_decision", &["input"]),
    ("http_request", &["body"]),
    (
        "manageTools",
        &[
            "annotations",
            "defaults",
            "examples",
            "execution",
            "fields",
            "input_schema",
            "output_schema",
            "output_sections",
            "rate_limit",
        ],
    ),
    ("query_json", &["data"]),
    ("render_template", &["values"]),
    ("run_agent_action", &["metadata"]),
    ("run_python", &["inputs"]),
    ("validate_json", &["document", "schema"]),
    ("start_agent_team_run", &["inputs"]),
    ("update_agent", &["patch"]),
];

/// What is registered for this key, by name.
fn listed(server: &Server, key: &[&str]) -> BTreeMap<String, Value> {
    let tools = server.run(&[key, &["tool", "list", "--all", "--json"]].concat()).exits(0).json();
    let named = |tool: &Value| (tool["name"].as_str().unwrap().to_owned(), tool.clone());
    tools["items"].as_array().unwrap().iter().map(named).collect()
}

/// The same over the protocol: what clients really see, page by page.
fn shown(server: &Server, key: &[&str]) -> BTreeMap<String, Value> {
    let mut pipe = Pipe::open(server.command(&[key, &["mcp", "stdio"]].concat()));
    let pages = pipe.tools();
    pipe.close();
    assert!(pages.len() > 1, "there is more than one page");
    let tools: Vec<Value> = pages.concat();
    let named = |tool: &Value| (tool["name"].as_str().unwrap().to_owned(), tool.clone());
    let by_name: BTreeMap<_, _> = tools.iter().map(named).collect();
    assert_eq!(by_name.len(), tools.len(), "each tool is on one page");
    by_name
}

/// All that ships: the tools in the binary with those that must be switched on, and those of every pack. As they are registered, and as
/// clients see them.
fn everything() -> (BTreeMap<String, Value>, BTreeMap<String, Value>) {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "[limits]\nmcp_page_size = 10\n").unwrap();
    let server = Server::start_with_python(home);
    server.run(&["tool", "settings", "webSearch", "--enable"]).exits(0);
    server.run(&["pack", "install", "analysis"]).exits(0);
    let (mut tools, mut seen) = (listed(&server, &[]), shown(&server, &[]));
    for tenant in ["ims", "oci"] {
        let made = server.run(&["tenant", "create", tenant]).exits(0);
        let key = ["--key", made.out.trim()];
        server.run(&[&key[..], &["pack", "install", "commerce"]].concat()).exits(0);
        tools.extend(listed(&server, &key));
        seen.extend(shown(&server, &key));
    }
    (tools, seen)
}

/// Whether this place takes anything, and is meant to.
fn is_meant(name: &str, found: &Complaint) -> bool {
    let property = found.pointer.split('/').nth(2).unwrap_or_default();
    let is_open = matches!(found.rule, Rule::OpenObject | Rule::TypeList);
    is_open && INTENTIONALLY_OPEN.iter().any(|(tool, open)| *tool == name && open.contains(&property))
}

/// What is wrong with one tool.
fn faults(name: &str, tool: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut judge = |role: Role, schema: &Value| {
        for found in complaints(&portable(schema, role), role) {
            // Models are given no outputs, so a validator's freedom there costs nothing.
            if found.blocks() || (role == Role::Input && !is_meant(name, &found)) {
                let (clients, at) = (found.clients().join(", "), &found.pointer);
                faults.push(format!("{name} {role:?} {at}: {} ({:?}; {clients})", found.why, found.rule));
            }
        }
    };
    judge(Role::Input, &tool["input_schema"]);
    match &tool["output_schema"] {
        Value::Null => faults.push(format!("{name} has no output schema")),
        schema => {
            judge(Role::Output, schema);
            if wraps_output(schema) {
                faults.push(format!("{name} answers with something else than an object"));
            }
        }
    }
    let is_listed = INTENTIONALLY_INPUT_LESS.contains(&name);
    if is_input_less(&portable(&tool["input_schema"], Role::Input)) != is_listed {
        faults.push(format!("{name} takes input or not: INTENTIONALLY_INPUT_LESS says {is_listed}"));
    }
    let description = tool["description"].as_str().unwrap_or_default();
    let length = description.chars().count();
    if description.trim().is_empty() || length > MAX_DESCRIPTION_CHARS {
        faults.push(format!("{name} has a description of {length} characters"));
    }
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !(1..=64).contains(&name.len()) || !name.bytes().all(is_letter) {
        faults.push(format!("{name} is a name that some client refuses"));
    }
    faults
}

/// What is wrong with one tool as it stands in a client's list: nothing is made portable any more.
fn faults_as_seen(name: &str, tool: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (role, schema) in [(Role::Input, &tool["inputSchema"]), (Role::Output, &tool["outputSchema"])] {
        if schema["type"] != "object" {
            faults.push(format!("{name} {role:?}: {schema} is no schema of an object"));
        }
        for found in complaints(schema, role) {
            if found.blocks() || (role == Role::Input && !is_meant(name, &found)) {
                faults.push(format!("{name} {role:?} {}: {} ({:?})", found.pointer, found.why, found.rule));
            }
        }
    }
    for key in ["title", "description"] {
        if tool[key].as_str().is_none_or(str::is_empty) {
            faults.push(format!("{name} is shown without a {key}"));
        }
    }
    if !tool["annotations"]["readOnlyHint"].is_boolean() {
        faults.push(format!("{name} does not say whether it only reads"));
    }
    faults
}

#[test]
fn no_tool_that_ships_is_one_that_a_client_would_drop() {
    let (tools, seen) = everything();
    let kinds: BTreeSet<&str> =
        tools.values().map(|tool| tool["execution"]["kind"].as_str().unwrap()).collect();
    let shipped = ["agent", "agent_action", "builtin", "http", "python"];
    assert!(shipped.iter().all(|kind| kinds.contains(kind)), "of every kind that ships: {kinds:?}");
    let faults: Vec<String> = tools.iter().flat_map(|(name, tool)| faults(name, tool)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let faults: Vec<String> = seen.iter().flat_map(|(name, tool)| faults_as_seen(name, tool)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // What reads prompts and resources of upstreams is reached by the methods for these.
    let meant_for_tools = |name: &&String| tools[*name]["execution"]["kind"] != "mcp_read";
    let registered: Vec<_> = tools.keys().filter(meant_for_tools).collect();
    assert_eq!(seen.keys().collect::<Vec<_>>(), registered, "clients see what is registered");
    for listed in INTENTIONALLY_INPUT_LESS {
        assert!(tools.contains_key(*listed), "{listed} is listed and does not ship");
    }
    for (name, open) in INTENTIONALLY_OPEN {
        let found = complaints(&portable(&tools[*name]["input_schema"], Role::Input), Role::Input);
        let is_open =
            |property: &&str| found.iter().any(|one| one.pointer.split('/').nth(2) == Some(property));
        assert!(open.iter().all(is_open), "{name}: a property is listed and not open");
    }
}

#[test]
fn a_definition_that_is_published_differently_is_taken_and_its_author_told() {
    let server = Server::start();
    let definition = serde_json::json!({
        "name": "either", "version": "1.0.0", "description": "Greets by one name or the other.",
        "input_schema": {"type": "object", "oneOf": [
            {"properties": {"name": {"type": "string"}}, "required": ["name"]},
            {"properties": {"nick": {"type": "string"}}, "required": ["nick"]},
        ]},
        "execution": {"kind": "builtin", "handler": "render_template"},
    });
    let file = server.home.path().join("either.json");
    std::fs::write(&file, definition.to_string()).unwrap();
    server
        .run(&["tool", "register", "--apply", "--file", file.to_str().unwrap()])
        .exits(0)
        .says("`oneOf` may not stand at the root")
        .says("Claude");
}
