//! Python tools through the one door: registered, called, answered.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    Caller, Envelope, ErrorCode, Limits, Surface, TenantId, ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{Answer, Call, Engine, EngineOptions, definition_from_json};
use toolgate_runtimes::builtin::BuiltinRuntime;
use toolgate_runtimes::python::{Offer, PythonLimits, PythonRuntime, Sandbox, SnapshotSeal};
use toolgate_test_databases::stores_in;

use crate::python::common::sandbox;

pub struct House {
    pub engine: Arc<Engine>,
    pub directory: tempfile::TempDir,
}

impl House {
    pub async fn new() -> Self {
        Self::open(tempfile::tempdir().unwrap()).await
    }

    /// On the database of this directory, as after a restart.
    pub async fn open(directory: tempfile::TempDir) -> Self {
        Self::open_with(directory, None).await
    }

    /// As `open`, with the full runtime besides, where it is given.
    pub async fn open_with(directory: tempfile::TempDir, full: Option<Arc<dyn Sandbox>>) -> Self {
        Self::with_offers(directory, Offer::of(Arc::new(sandbox())), full.map(Offer::of)).await
    }

    pub async fn with_offers(
        directory: tempfile::TempDir,
        default: Arc<Offer>,
        full: Option<Arc<Offer>>,
    ) -> Self {
        let stores = stores_in(directory.path()).await;
        let (clock, ids) = (Arc::new(SystemClock), Arc::new(OrderedIds::new(SystemClock)));
        let builtin = Arc::new(BuiltinRuntime::new(clock.clone(), ids.clone()).unwrap());
        let python = PythonRuntime::new(default, PythonLimits::default(), SnapshotSeal::new([1; 32]));
        let python = Arc::new(match full {
            Some(full) => python.with_full(full),
            None => python,
        });
        let engine = Engine::start(EngineOptions {
            stores,
            clock,
            ids,
            limits: Limits::default(),
            code_tools: python.specs().into_iter().chain(builtin.specs()).collect(),
            runtimes: vec![python, builtin],
            master_key: data_encoding::HEXLOWER.encode(&[1; 32]).parse().unwrap(),
            bypass_approval: true,
            separation: toolgate_engine::Separation::Auto,
            ports: toolgate_engine::Ports::default(),
        })
        .await
        .unwrap();
        Self { engine, directory }
    }

    pub async fn define(&self, definition: Value) {
        let spec = definition_from_json(definition).unwrap();
        self.engine.registry().register(&caller(), spec, false).await.unwrap();
    }

    pub async fn invoke(&self, tool: &str, input: Value) -> Answer {
        self.engine.invoke(Call::new(caller(), Surface::Rest, tool, input)).await.unwrap()
    }

    async fn register(&self, code: &str) -> Result<(), String> {
        let definition = json!({
            "name": "script", "version": "1.0.0", "description": "a script",
            "input_schema": {"type": "object", "properties": {"x": {"type": "number"}}},
            "execution": {"kind": "python", "code": code, "limits": {"cpu_ms": 500}},
        });
        let spec = definition_from_json(definition).map_err(|e| format!("{e:?}"))?;
        self.engine.registry().register(&caller(), spec, false).await.map(drop).map_err(|e| format!("{e:?}"))
    }

    pub async fn call(&self, tool: &str, input: Value) -> Envelope {
        match self.invoke(tool, input).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }
}

pub fn caller() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_script_answers_with_its_value() {
    let house = House::new().await;
    house.register("print('working')\n{'double': x * 2}").await.unwrap();
    let envelope = house.call("script", json!({"x": 21})).await;
    assert_eq!(envelope.output, Some(json!({"double": 42})));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_does_not_compile_is_not_registered() {
    let house = House::new().await;
    let error = house.register("x = 1\nif x\n  y").await.unwrap_err();
    assert!(error.contains("line 2: SyntaxError"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_carries_its_code_line_and_traceback() {
    let house = House::new().await;
    house.register("print('so far')\ny = 0\nx / y").await.unwrap();
    let error = house.call("script", json!({"x": 1})).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::SandboxError);
    assert_eq!(error.message, "line 3: ZeroDivisionError: division by zero");
    let details = error.details.unwrap();
    assert_eq!((&details["kind"], &details["line"]), (&json!("exception"), &json!(3)));
    assert_eq!(details["stdout"], "so far\n");
    assert!(details["traceback"].as_str().unwrap().contains("x / y"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_without_end_times_out() {
    let house = House::new().await;
    house.register("while True:\n    pass").await.unwrap();
    let error = house.call("script", json!({})).await.error.unwrap();
    assert_eq!((error.code, &error.details.unwrap()["kind"]), (ErrorCode::Timeout, &json!("cpu")));
}

#[tokio::test(flavor = "multi_thread")]
async fn run_python_takes_its_script_from_the_caller() {
    let house = House::new().await;
    let input = json!({"code": "print(name)\nlen(name)", "inputs": {"name": "Ada"}});
    let envelope = house.call("run_python", input).await;
    assert_eq!(envelope.output, Some(json!({"result": 3, "stdout": "Ada\n"})));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_its_call_gives_no_more_time_says_where_it_was() {
    let house = House::new().await;
    house
        .define(json!({
            "name": "endless", "version": "1.0.0", "description": "never ends", "timeout_ms": 1_500,
            "input_schema": {"type": "object"},
            "execution": {"kind": "python", "code": "def spin():\n    while True:\n        pass\nspin()"},
        }))
        .await;
    // The first call waits for the self-test.
    house.call("run_python", json!({"code": "1"})).await;
    let error = house.call("endless", json!({})).await.error.unwrap();
    assert_eq!(error.code, ErrorCode::Timeout);
    let details = error.details.unwrap();
    let traceback = details["traceback"].as_str().unwrap_or_else(|| panic!("{details}"));
    assert!(traceback.contains("line 4") && traceback.contains("in spin"), "{traceback}");
}
