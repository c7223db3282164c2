//! The official conformance suite.

use std::{fmt::Write, path::Path};

use rstest::rstest;
use serde_json::{Value, json};

use crate::mcp::{
    fixture::Upstream,
    foreign::{node, place},
    gate::Gate,
    lobby::Lobby,
};

/// Of one scenario: the machine may be busy with other tests.
const TIMEOUT_MS: &str = "120000";

/// The frozen sets of what a revision requires, and, for the one that has no such set, all that applies to it; and how many
/// scenarios that are.
const REVISIONS: [([&str; 2], usize); 3] = [
    (["--spec-version", "2025-06-18"], 27),
    (["--requirements", "2025-11-25"], 30),
    (["--requirements", "2026-07-28"], 37),
];

/// Runs the suite against a server. None of what it scores is expected to fail.
async fn conforms(url: &str, (revision, scored): ([&str; 2], usize)) {
    let results = tempfile::tempdir().unwrap();
    let mut suite = node("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    suite.args(["server", "--url", url, "--timeout", TIMEOUT_MS]).args(revision);
    suite.arg("--expected-failures").arg(place("expected-failures.yml"));
    let output = suite.arg("--output-dir").arg(results.path()).output().await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}\n{said}", failures(results.path()));
    // One that checked nothing proves nothing.
    let summary = said.lines().filter(|line| line.starts_with("✓ ") && line.ends_with(" passed, 0 failed"));
    let passed = summary.filter(|line| !line.contains(": 0 passed")).count();
    assert!(passed >= scored, "only {passed} of {scored} scenarios:\n{said}");
}

/// What went wrong, by scenario and check: the suite itself only counts.
fn failures(results: &Path) -> String {
    let mut said = String::new();
    for scenario in std::fs::read_dir(results).unwrap() {
        let scenario = scenario.unwrap();
        let checks = std::fs::read_to_string(scenario.path().join("checks.json")).unwrap();
        let checks: Vec<Value> = serde_json::from_str(&checks).unwrap();
        for check in
            checks.iter().filter(|check| check["status"] == "FAILURE" || check["status"] == "WARNING")
        {
            let name = scenario.file_name();
            writeln!(said, "{name:?} {}: {} {}", check["id"], check["errorMessage"], check["details"])
                .unwrap();
        }
    }
    said
}

/// What the suite finds behind the gateway can only be the gateway's fault when the server alone passes.
#[rstest]
#[case::revision_2025_06_18(REVISIONS[0])]
#[case::revision_2025_11_25(REVISIONS[1])]
#[case::revision_2026_07_28(REVISIONS[2])]
#[tokio::test]
async fn the_server_behind_the_gateway_conforms(#[case] revision: ([&str; 2], usize)) {
    let upstream = Upstream::start().await;
    conforms(&upstream.url, revision).await;
}

/// All the way: the suite, our server, the door, our client, the server behind. What only reads asks nobody.
#[rstest]
#[case::revision_2025_06_18(REVISIONS[0])]
#[case::revision_2025_11_25(REVISIONS[1])]
#[case::revision_2026_07_28(REVISIONS[2])]
#[tokio::test]
async fn the_gateway_conforms(#[case] revision: ([&str; 2], usize)) {
    let upstream = Upstream::start().await;
    // The suite reads the first page of a list only.
    let gate = Gate::start(&["--allow-host", "127.0.0.1", "--limit", "mcp_page_size=500"]).await;
    let server = json!({
        "name": "everything", "prefix": "", "egress_class": "read_only", "risk": "low",
        "transport": {"kind": "http", "url": upstream.url},
    });
    let added = gate.post("/api/mcp/servers", &server).await;
    assert!(added["error"].is_null(), "{added}");
    let lobby = Lobby::of(&gate).await;
    conforms(&lobby.url, revision).await;
}
