//! Clients that nobody here wrote. What they find out they say themselves; the record is looked at here.

use rstest::rstest;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::mcp::{
    foreign::{ends_well, node, python},
    gate::{BINARY, Gate},
};

/// Pages so small that there are several.
const SMALL_PAGES: [&str; 2] = ["--limit", "mcp_page_size=5"];

async fn succeeds(command: &mut Command, gate: &Gate) -> String {
    let output =
        command.env("TOOLGATE_URL", &gate.url).env("TOOLGATE_KEY", &gate.key).output().await.unwrap();
    ends_well(&output);
    String::from_utf8(output.stdout).unwrap()
}

/// What the clients took back did not go on in secret.
async fn took_a_call_back(gate: &Gate) {
    gate.follow().sees("tool.cancelled", "wait").await;
}

#[tokio::test]
async fn a_client_of_the_typescript_sdk_finds_all_as_it_should_be() {
    let gate = Gate::start(&SMALL_PAGES).await;
    succeeds(&mut node("typescript.mjs"), &gate).await;
    took_a_call_back(&gate).await;
}

#[rstest]
#[case::of_the_old_revisions("legacy")]
#[case::of_the_newest("2026-07-28")]
#[tokio::test]
async fn a_client_of_the_python_sdk_finds_all_as_it_should_be(#[case] revision: &str) {
    let gate = Gate::start(&SMALL_PAGES).await;
    succeeds(python("python.py").arg(revision), &gate).await;
    took_a_call_back(&gate).await;
}

/// A program that speaks over its pipes, and hands everything on to a server.
#[rstest]
#[case::of_the_old_revisions("legacy")]
#[case::of_the_newest("2026-07-28")]
#[tokio::test]
async fn a_client_of_the_python_sdk_reaches_a_server_through_a_pipe(#[case] revision: &str) {
    let gate = Gate::start(&SMALL_PAGES).await;
    let mut client = python("python.py");
    succeeds(client.arg(revision).args([BINARY, "mcp", "stdio", "--url", &gate.url]), &gate).await;
    took_a_call_back(&gate).await;
}

/// A program that speaks over its pipes, and is the server itself.
#[rstest]
#[case::of_the_old_revisions("legacy")]
#[case::of_the_newest("2026-07-28")]
#[tokio::test]
async fn a_client_of_the_python_sdk_finds_all_behind_a_pipe(#[case] revision: &str) {
    let home = tempfile::tempdir().unwrap();
    let mut client = python("python.py");
    client.arg(revision).args([BINARY, "mcp", "stdio", "--user", "ada@example.com", "--data-dir"]);
    ends_well(&client.arg(home.path()).args(SMALL_PAGES).output().await.unwrap());
}

async fn inspect(gate: &Gate, args: &[&str]) -> Value {
    let mut inspector = node("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    let (url, key) = (format!("{}/mcp", gate.url), format!("Authorization: Bearer {}", gate.key));
    inspector.args(["--cli", "--transport", "http", "--server-url", &url, "--header", &key]).args(args);
    let said = succeeds(&mut inspector, gate).await;
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// With `--strict` it ends with an error when a tool has a schema that some client would drop.
#[tokio::test]
async fn the_inspector_lists_and_calls() {
    let gate = Gate::start(&[]).await;
    let list = inspect(&gate, &["--method", "tools/list", "--strict"]).await;
    let names: Vec<_> = list["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert!(names.contains(&&json!("calculate")), "{names:?}");
    let call = ["--method", "tools/call", "--tool-name", "calculate", "--tool-arg", "expression=6*7"];
    let called = inspect(&gate, &call).await;
    assert_eq!(called["structuredContent"]["result"], "42", "{called}");
}
