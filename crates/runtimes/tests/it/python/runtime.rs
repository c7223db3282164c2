//! What an author of a Python tool is told at save, and the tool that ships.

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::tool::Execution;
use toolgate_engine::Runtime;
use toolgate_runtimes::python::{
    NoHostCalls, Offer, Progress, PythonLimits, PythonRuntime, Script, SnapshotSeal, host,
};

use crate::python::common::{limits, sandbox};

fn runtime() -> PythonRuntime {
    PythonRuntime::new(Offer::of(Arc::new(sandbox())), PythonLimits::default(), SnapshotSeal::new([1; 32]))
}

fn check(config: Value) -> Result<(), String> {
    let config = config.as_object().cloned().unwrap();
    runtime().check(&Execution { kind: "python".to_owned(), config })
}

#[rstest]
#[case::plain(json!({"code": "x + 1"}))]
#[case::limits(json!({"code": "x", "limits": {"cpu_ms": 100}, "runtime": "default", "tools": ["search"]}))]
#[case::caller(json!({"source": "input"}))]
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_compiles_is_saved(#[case] config: Value) {
    assert_eq!(check(config), Ok(()));
}

#[rstest]
#[case::syntax(json!({"code": "x = 1\nif x\n  y"}), "line 2: SyntaxError")]
#[case::unsupported(json!({"code": "class A:\n    pass\nclass B(A):\n    pass"}), "line 3: NotImplementedError")]
#[case::hint(json!({"code": "import numpy"}), "toolgate sandbox install")]
#[case::full(json!({"code": "1", "runtime": "full"}), "toolgate sandbox install")]
#[case::slip(json!({"code": "1", "limit": {}}), "did you mean `limits`?")]
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_does_not_is_answered_with_its_line(#[case] config: Value, #[case] says: &str) {
    let error = check(config).unwrap_err();
    assert!(error.contains(says), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_run_python_gives_what_it_promises() {
    let (runtime, sandbox) = (runtime(), sandbox());
    let specs = runtime.specs();
    assert_eq!(specs.len(), 1);
    let spec = &specs[0];
    assert_eq!(spec.name.as_str(), "run_python");
    assert_eq!(runtime.check(&spec.execution), Ok(()));
    let input_schema = jsonschema::draft202012::new(&spec.input_schema).unwrap();
    let output_schema = jsonschema::draft202012::new(spec.output_schema.as_ref().unwrap()).unwrap();
    for example in &spec.examples {
        assert!(input_schema.is_valid(&example.input), "{example:?}");
        let script = Script {
            code: example.input["code"].as_str().unwrap().to_owned(),
            inputs: example.input["inputs"].as_object().cloned().unwrap_or_default(),
            functions: Vec::new(),
        };
        match host::run(&sandbox, &script, &limits(), &NoHostCalls).await {
            Ok(Progress::Done { value, stdout }) => {
                let output = json!({"result": value, "stdout": stdout});
                assert!(output_schema.is_valid(&output));
                assert_eq!(Some(output), example.output);
            }
            Ok(suspended) => panic!("{suspended:?}"),
            Err(failure) => assert_eq!(Some(failure.into_tool_error().code), example.error),
        }
    }
}
