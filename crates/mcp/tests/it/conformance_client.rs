//! The official conformance suite, against the product's client code: every scenario that it scores passes, in each revision of the
//! protocol that it knows, and none is expected to fail.

use std::{path::PathBuf, process::Command};

use rstest::rstest;

/// Of one scenario. All of a set run at once, and the machine may be busy with other tests.
const TIMEOUT_MS: &str = "120000";

fn tools() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// The program that the suite starts: cargo puts examples next to the tests' own directory.
fn client() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let client = test.ancestors().nth(2).unwrap().join("examples/conformance_client");
    assert!(client.exists(), "{} was not built: cargo builds it along with the tests", client.display());
    client
}

/// Runs the suite and gives what it says at its end.
fn run(arguments: &[&str]) -> String {
    let bin = tools().join("node_modules/.bin");
    assert!(
        bin.join("conformance").exists(),
        "the suite is not installed: run `make test-conformance-tools`"
    );
    // The suite makes a line for the shell of it.
    let client = client();
    let command = client.to_str().unwrap();
    assert!(!command.contains(' '), "the suite cannot start a program with a blank in its path");
    let results = tempfile::tempdir().unwrap();
    let ran = Command::new(bin.join("node"))
        .arg(bin.join("conformance"))
        .args(["client", "--command", command, "--timeout", TIMEOUT_MS])
        .args(arguments)
        .arg("--expected-failures")
        .arg(tools().join("expected-failures.yml"))
        .arg("--output-dir")
        .arg(results.path())
        .output()
        .unwrap();
    let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(ran.status.success(), "a scenario that counts failed:\n{said}");
    let (_, summary) = said.split_once("SUITE SUMMARY").unwrap_or_else(|| panic!("no summary:\n{said}"));
    summary.to_owned()
}

/// The scenarios that passed, with at least one check: one that checked nothing proves nothing.
fn passed(summary: &str) -> Vec<&str> {
    let passed = summary.lines().filter_map(|line| line.strip_prefix("✓ ")?.split_once(": "));
    passed.filter(|(_, checks)| !checks.starts_with("0 passed")).map(|(name, _)| name).collect()
}

#[rstest]
#[case::revision_2025_11_25("2025-11-25", 18)]
#[case::revision_2026_07_28("2026-07-28", 32)]
fn each_required_scenario_of_a_revision_passes(#[case] revision: &str, #[case] required: usize) {
    let summary = run(&["--requirements", revision]);
    let passed = passed(&summary);
    // Those that are not scored pass too where it costs nothing; they are named, so that one that breaks is seen.
    for unscored in ["auth/client-credentials-basic", "json-schema-2020-12-preservation"] {
        assert!(passed.contains(&unscored), "{unscored} did not pass:\n{summary}");
    }
    let (scored, _) = summary.split_once("Not scored").unwrap_or((&summary, ""));
    let scored: Vec<_> = self::passed(scored).into_iter().filter(|name| !EXTENSIONS.contains(name)).collect();
    assert_eq!(scored.len(), required, "{summary}");
}

/// Run by the suite with every revision, and never scored.
const EXTENSIONS: [&str; 7] = [
    "auth/client-credentials-basic",
    "auth/client-credentials-jwt",
    "auth/dpop",
    "auth/dpop-nonce",
    "auth/enterprise-managed-authorization",
    "auth/wif-jwt-bearer",
    "json-schema-2020-12-preservation",
];

/// The suite froze no set for these: all that applies to them counts.
#[rstest]
#[case::revision_2025_06_18("2025-06-18", &["initialize", "tools_call", "auth/token-endpoint-auth-none"])]
#[case::revision_2025_03_26(
    "2025-03-26",
    &["auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"]
)]
fn each_scenario_of_an_older_revision_passes(#[case] revision: &str, #[case] among: &[&str]) {
    let summary = run(&["--suite", "all", "--spec-version", revision]);
    assert!(!summary.contains('✗'), "{summary}");
    for name in among {
        assert!(passed(&summary).contains(name), "{name} did not pass:\n{summary}");
    }
}
