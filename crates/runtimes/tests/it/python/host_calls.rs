//! Tools as Python functions, and scripts that wait for them.

use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_runtimes::python::{
    Answer, FailureKind, HostAnswer, HostCall, HostCalls, Progress, Sandbox, host,
};

use crate::python::common::{done, limits, run, sandbox};

/// Answers from a script of its own, and remembers what it was asked.
pub struct Host<F> {
    answer: F,
    asked: Mutex<Vec<HostCall>>,
}

impl<F: Fn(&HostCall) -> HostAnswer + Send + Sync> Host<F> {
    pub fn new(answer: F) -> Self {
        Self { answer, asked: Mutex::default() }
    }

    pub fn asked(&self) -> Vec<HostCall> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl<F: Fn(&HostCall) -> HostAnswer + Send + Sync> HostCalls for Host<F> {
    fn functions(&self) -> Vec<String> {
        vec!["search".to_owned(), "send".to_owned()]
    }

    async fn call(&self, call: &HostCall) -> HostAnswer {
        self.asked.lock().unwrap().push(call.clone());
        (self.answer)(call)
    }
}

fn text(value: impl Into<Value>) -> HostAnswer {
    HostAnswer::Value(value.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_a_function_with_positional_and_named_arguments() {
    let host = Host::new(|call| text(json!({"hits": [call.seq]})));
    let code = "a = search('x', limit=3)\nb = search(query={'q': None})\na['hits'] + b['hits']";
    let value = done(run(&sandbox(), code, &host).await.unwrap()).unwrap();
    assert_eq!(value, json!([1, 2]));
    let asked = host.asked();
    assert_eq!((&asked[0].args, &asked[0].kwargs["limit"]), (&vec![json!("x")], &json!(3)));
    assert_eq!((&asked[1].args, &asked[1].kwargs["query"]), (&vec![], &json!({"q": null})));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_tool_is_an_exception_that_the_script_may_catch() {
    let refuse =
        |_: &HostCall| HostAnswer::Error { code: "TIMEOUT".to_owned(), message: "too slow".to_owned() };
    let sandbox = sandbox();
    let caught = "try:\n    search()\nexcept RuntimeError as e:\n    text = str(e)\ntext";
    let value = done(run(&sandbox, caught, &Host::new(refuse)).await.unwrap()).unwrap();
    assert_eq!(value, "TIMEOUT: too slow");
    let failure = run(&sandbox, "x = 1\nsearch()", &Host::new(refuse)).await.unwrap_err();
    assert_eq!((failure.kind, failure.line), (FailureKind::Exception, Some(2)));
    assert!(failure.traceback.unwrap().contains("search()"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_given_names_are_functions() {
    let host = Host::new(|_| text(1));
    let failure = run(&sandbox(), "delete('everything')", &host).await.unwrap_err();
    assert_eq!(failure.exception_type.as_deref(), Some("NameError"));
    assert_eq!(host.asked(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_end_are_stopped() {
    let host = Host::new(|_| text(1));
    let failure = run(&sandbox(), "while True:\n    search()", &host).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::HostCalls);
    assert_eq!(host.asked().len() as u64, limits().max_host_calls);
}

pub const HOSTILE_ARGUMENTS: &[&str] = &[
    "x = []\nx.append(x)\nsearch(x)",
    "x = 1\nfor _ in range(1_000):\n    x = [x]\nsearch(x)",
    "x = ['x' * 10_000]\nfor _ in range(40):\n    x = [x, x]\nsearch(x)",
    "search('x' * 5_000_000)",
    "search(b'x')",
    "search(float('nan'))",
    "search(2 ** 70)",
    "search(search)",
    "search({(1, 2): 3})",
    "search(*['x' * 100_000] * 30)",
];

#[tokio::test(flavor = "multi_thread")]
async fn hostile_arguments_never_reach_the_host() {
    let sandbox = sandbox();
    for code in HOSTILE_ARGUMENTS {
        let host = Host::new(|_| text(1));
        let failure = run(&sandbox, code, &host).await.unwrap_err();
        assert_eq!(failure.exception_type.as_deref(), Some("TypeError"), "{code}: {failure:?}");
        assert_eq!(host.asked(), [], "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_waits_goes_on_in_another_worker_where_it_stood() {
    let sandbox = sandbox();
    let code =
        "print('before')\nseen = search('a')\nanswer = send(text='hi')\nprint('after')\n[seen, answer]";
    let host = Host::new(|call| if call.function == "send" { HostAnswer::Waiting } else { text("found") });
    let Progress::Suspended { call, snapshot: Some(snapshot) } = run(&sandbox, code, &host).await.unwrap()
    else {
        panic!("the script waits");
    };
    assert_eq!((call.seq, call.function.as_str()), (2, "send"));
    assert!(sandbox.can_snapshot());

    let fresh = crate::python::common::sandbox();
    let answer = Answer::Value(json!({"sent": true}));
    let progress = host::go_on(&fresh, &snapshot, answer, &limits(), &host).await.unwrap();
    let Progress::Done { value, stdout } = progress else { panic!("the script ends") };
    assert_eq!(value, json!(["found", {"sent": true}]));
    assert_eq!(stdout, "before\nafter\n");
    assert_eq!(host.asked().len(), 2, "no call was made twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_that_comes_later_is_an_exception_in_the_script() {
    let sandbox = sandbox();
    let host = Host::new(|_| HostAnswer::Waiting);
    let code = "try:\n    send()\nexcept RuntimeError as e:\n    result = str(e)\nresult";
    let Progress::Suspended { snapshot: Some(snapshot), .. } = run(&sandbox, code, &host).await.unwrap()
    else {
        panic!("the script waits");
    };
    let answer = Answer::Error { code: "POLICY_DENIED".to_owned(), message: "a person said no".to_owned() };
    let progress = host::go_on(&sandbox, &snapshot, answer, &limits(), &host).await.unwrap();
    assert_eq!(done(progress).unwrap(), "POLICY_DENIED: a person said no");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_does_not_renew_what_a_script_may_use() {
    let sandbox = sandbox();
    let host = Host::new(|_| HostAnswer::Waiting);
    let code = "print('x' * 600_000)\nsend()\nprint('x' * 600_000)";
    let Progress::Suspended { snapshot: Some(snapshot), .. } = run(&sandbox, code, &host).await.unwrap()
    else {
        panic!("the script waits");
    };
    let failure =
        host::go_on(&sandbox, &snapshot, Answer::Value(json!(1)), &limits(), &host).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Output);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_snapshot_harms_nothing_but_itself() {
    let sandbox = sandbox();
    let host = Host::new(|_| HostAnswer::Waiting);
    let Progress::Suspended { snapshot: Some(snapshot), .. } =
        run(&sandbox, "send()\n'whole'", &host).await.unwrap()
    else {
        panic!("the script waits");
    };
    // The seal keeps such bytes away; this is what happens behind it.
    for length in (0..snapshot.len()).step_by(snapshot.len() / 20) {
        let torn = &snapshot[..length];
        let outcome = host::go_on(&sandbox, torn, Answer::Value(json!(1)), &limits(), &host).await;
        assert_eq!(outcome.unwrap_err().kind, FailureKind::Protocol, "{length} bytes");
    }
    let whole = host::go_on(&sandbox, &snapshot, Answer::Value(json!(1)), &limits(), &host).await.unwrap();
    assert_eq!(done(whole).unwrap(), "whole");
}
