//! Which runtime a script gets. What the default one cannot run goes to the full one, before anything has happened.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Status};
use toolgate_engine::definition_from_json;

use super::installed::sandbox;
use crate::python::{
    door::{House, caller},
    tools::children,
};

/// A call of a tool, and then what only CPython runs: the call must not be made where the rest cannot follow.
const INHERITANCE: &str = "x = calculate(expression='20 + 1')['result']\n\
    class A:\n    def double(self, x):\n        return int(x) * 2\n\
    class B(A):\n    pass\n\
    B().double(x)";
const GENERATOR: &str = "x = calculate(expression='20 + 1')['result']\n\
    def twice(x):\n    yield int(x)\n    yield int(x)\n\
    sum(twice(x))";

async fn house_with_both() -> House {
    House::open_with(tempfile::tempdir().unwrap(), Some(Arc::new(sandbox()))).await
}

fn tool(code: &str, runtime: &str) -> Value {
    json!({
        "name": "script", "version": "1.0.0", "description": "a script", "input_schema": {"type": "object"},
        "execution": {"kind": "python", "code": code, "runtime": runtime, "tools": ["calculate"]},
    })
}

#[rstest]
#[case::inheritance(INHERITANCE)]
#[case::generator(GENERATOR)]
#[tokio::test(flavor = "multi_thread")]
async fn what_the_default_runtime_cannot_run_runs_on_the_full_one(#[case] code: &str) {
    let house = house_with_both().await;
    let envelope = house.call("run_python", json!({"code": code})).await;
    assert_eq!(envelope.output, Some(json!({"result": 42, "stdout": ""})), "{:?}", envelope.error);
    house.define(tool(code, "auto")).await;
    let envelope = house.call("script", json!({})).await;
    assert_eq!(envelope.output, Some(json!(42)), "{:?}", envelope.error);
    let inner = children(&house, envelope.invocation_id).await;
    let called: Vec<_> =
        inner.iter().map(|row| (row.tool_name.as_str(), row.status(), row.attempt)).collect();
    assert_eq!(called, [("calculate", Status::Completed, 1)]);
}

#[rstest]
#[case::inheritance(INHERITANCE)]
#[case::generator(GENERATOR)]
#[tokio::test(flavor = "multi_thread")]
async fn without_the_full_one_it_is_refused_before_it_calls_anything(#[case] code: &str) {
    let house = House::new().await;
    let envelope = house.call("run_python", json!({"code": code})).await;
    let error = envelope.error.unwrap();
    assert_eq!(
        (error.code, &error.details.unwrap()["kind"]),
        (ErrorCode::SandboxError, &json!("unsupported"))
    );
    assert!(error.message.contains("toolgate sandbox install"), "{}", error.message);
    assert!(children(&house, envelope.invocation_id).await.is_empty());
    let spec = definition_from_json(tool(code, "auto")).unwrap();
    let refused = house.engine.registry().register(&caller(), spec, false).await.unwrap_err();
    assert!(format!("{refused:?}").contains("toolgate sandbox install"), "{refused:?}");
}

#[rstest]
#[case::auto("auto", false)]
#[case::default("default", false)]
#[case::full("full", true)]
#[tokio::test(flavor = "multi_thread")]
async fn what_both_can_run_runs_where_the_author_says(#[case] runtime: &str, #[case] is_full: bool) {
    let house = house_with_both().await;
    house.define(tool("import sys\nsys.platform", runtime)).await;
    let envelope = house.call("script", json!({})).await;
    assert_eq!(envelope.output.unwrap() == json!("wasi"), is_full);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_asks_for_the_default_runtime_is_not_moved() {
    let house = house_with_both().await;
    let spec = definition_from_json(tool(INHERITANCE, "default")).unwrap();
    let refused = house.engine.registry().register(&caller(), spec, false).await.unwrap_err();
    assert!(format!("{refused:?}").contains("NotImplementedError"), "{refused:?}");
}
