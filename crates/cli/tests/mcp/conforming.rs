//! The official conformance suite.

use rstest::rstest;

use crate::{
    fixture::Upstream,
    foreign::{ends_well, node},
};

/// The frozen sets of what a revision requires, and, for the one that has no such set, all that applies to it.
const REVISIONS: [[&str; 2]; 3] =
    [["--spec-version", "2025-06-18"], ["--requirements", "2025-11-25"], ["--requirements", "2026-07-28"]];

/// Runs the suite against a server. No failure is expected, so there is no list of such.
async fn conforms(url: &str, revision: [&str; 2]) {
    let mut suite = node("@modelcontextprotocol/conformance/dist/index.js");
    ends_well(&suite.args(["server", "--url", url]).args(revision).output().await.unwrap());
}

/// What the suite finds behind the gateway can only be the gateway's fault when the server alone passes.
#[rstest]
#[case(REVISIONS[0])]
#[case(REVISIONS[1])]
#[case(REVISIONS[2])]
#[tokio::test]
async fn the_server_that_stands_behind_the_gateway_conforms(#[case] revision: [&str; 2]) {
    let upstream = Upstream::start().await;
    conforms(&upstream.url, revision).await;
}
