//! Scripts of the full runtime that wait. It keeps no snapshots: such a script begins again, and the record answers.

use std::sync::Arc;

use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;
use toolgate_domain::{Status, TenantId};
use toolgate_engine::{Approval, Ruling};

use super::installed::sandbox;
use crate::python::{
    door::House,
    tools::{children, decide, ended, row, suspended},
};

/// What the default runtime does not parse.
const ONLY_CPYTHON: &str = "class A:\n    pass\nclass B(A):\n    pass\n";

async fn open(directory: TempDir) -> House {
    House::open_with(directory, Some(Arc::new(sandbox()))).await
}

#[rstest]
#[case::asked_for("full", "")]
#[case::found_out("auto", ONLY_CPYTHON)]
#[tokio::test(flavor = "multi_thread")]
async fn a_script_begins_again_after_a_restart_and_every_inner_call_ran_once(
    #[case] runtime: &str,
    #[case] preface: &str,
) {
    let house = open(tempfile::tempdir().unwrap()).await;
    let (outer, asked) = suspended(&house, runtime, preface).await;
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None));
    let kept =
        house.engine.stores().suspensions.suspension(TenantId::DEFAULT, outer.id).await.unwrap().unwrap();
    assert!(kept.state.is_none(), "there is nothing to go on from");
    let before = children(&house, outer.id).await;
    house.engine.stop().await;
    let House { engine, directory } = house;
    drop(engine);

    let house = open(directory).await;
    assert_eq!(row(&house, outer.id).await.status(), Status::Running, "it still waits");
    decide(&house, asked.id, Ruling::Approve(Approval::default())).await;
    let done = ended(&house, outer.id).await;
    let output = done.outcome.output.unwrap();
    assert_eq!((&output["before"], &output["after"]), (&json!("21"), &json!("42")));
    assert!(output["sent"]["digest"].is_string(), "{output}");
    let inner = children(&house, outer.id).await;
    let ran: Vec<_> = inner.iter().map(|row| (row.tool_name.as_str(), row.status(), row.attempt)).collect();
    let once = |tool| (tool, Status::Completed, 1);
    assert_eq!(ran, [once("calculate"), once("send-letter"), once("calculate")]);
    assert_eq!(inner[0].id, before[0].id, "the call before the restart is the one of the record");
    assert_eq!(inner[1].id, asked.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_is_an_exception_that_the_script_may_catch() {
    let house = open(tempfile::tempdir().unwrap()).await;
    let (outer, asked) = suspended(&house, "full", "").await;
    decide(&house, asked.id, Ruling::Reject { reason: "not today".to_owned() }).await;
    let output = ended(&house, outer.id).await.outcome.output.unwrap();
    let sent = output["sent"].as_str().unwrap();
    assert!(sent.starts_with("POLICY_DENIED: ") && sent.contains("not today"), "{sent}");
    assert_eq!(output["after"], "42", "and it went on");
}
