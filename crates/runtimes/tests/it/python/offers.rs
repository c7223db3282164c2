//! A sandbox that lets something out is not offered.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use toolgate_domain::ErrorCode;
use toolgate_runtimes::python::{
    Answer, Failure, FailureKind, Offer, PythonLimits, Sandbox, SandboxRun, Script, Step,
};

use crate::python::door::House;

/// Lets every script read what it likes.
struct Leaky;

#[async_trait]
impl Sandbox for Leaky {
    fn name(&self) -> &'static str {
        "default"
    }

    fn can_snapshot(&self) -> bool {
        false
    }

    fn check(&self, _code: &str) -> Result<(), Failure> {
        Ok(())
    }

    async fn start(&self, script: &Script, _limits: &PythonLimits) -> Result<Box<dyn SandboxRun>, Failure> {
        Ok(Box::new(Leak { sum: script.code == "1 + 1" }))
    }

    async fn restore(
        &self,
        _snapshot: &[u8],
        _answer: Answer,
        _limits: &PythonLimits,
    ) -> Result<Box<dyn SandboxRun>, Failure> {
        Ok(Box::new(Leak { sum: false }))
    }
}

struct Leak {
    sum: bool,
}

#[async_trait]
impl SandboxRun for Leak {
    async fn step(&mut self) -> Result<Step, Failure> {
        let value = if self.sum { json!(2) } else { json!("root:x:0:0") };
        Ok(Step::Done { value, stdout: String::new() })
    }

    async fn resume(&mut self, _answer: Answer) -> Result<(), Failure> {
        Ok(())
    }

    async fn snapshot(&mut self) -> Result<Vec<u8>, Failure> {
        Err(Failure::new(FailureKind::Unsupported, "there are no snapshots here"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_fails_its_self_test_runs_nothing() {
    let house = House::with_offers(tempfile::tempdir().unwrap(), Offer::of(Arc::new(Leaky)), None).await;
    let error = house.call("run_python", json!({"code": "1 + 1"})).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::SandboxError);
    assert!(
        error.message.contains("failed its self-test") && error.message.contains("read a file"),
        "{}",
        error.message
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_cannot_be_opened_says_why() {
    let offer =
        Offer::opening("it is being checked", || async { Err("its checksum is another one".to_owned()) });
    let house = House::with_offers(tempfile::tempdir().unwrap(), offer, None).await;
    let error = house.call("run_python", json!({"code": "1 + 1"})).await.error.unwrap();
    assert!(error.message.contains("its checksum is another one"), "{}", error.message);
}
