//! The pool's bounds, and what a crash does to it: nothing.

use std::{process::Command, sync::Arc, time::Duration};

use futures::future::join_all;
use rstest::rstest;
use serde_json::json;
use toolgate_domain::ErrorCode;
use toolgate_runtimes::python::{
    FailureKind, PoolOptions, PythonLimits, Sandbox, Script, Step, WorkerProgram, WorkerSandbox,
};

use crate::python::common::{limits, sandbox, sandbox_with, script, value, worker};

#[tokio::test(flavor = "multi_thread")]
async fn inputs_are_variables_and_a_dict() {
    let script = Script {
        code: "[x, input['x'], input['two words'], search]".to_owned(),
        inputs: json!({"x": 1, "two words": [2.5, None::<u8>], "search": "s"}).as_object().cloned().unwrap(),
        functions: Vec::new(),
    };
    let sandbox = sandbox();
    let mut run = sandbox.start(&script, &limits()).await.unwrap();
    let Step::Done { value, .. } = run.step().await.unwrap() else { panic!("nothing to call") };
    assert_eq!(value, json!([1, 1, [2.5, null], "s"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_share_nothing() {
    let sandbox = sandbox_with(PoolOptions { min_idle: 1, max_running: 1, ..PoolOptions::default() });
    assert_eq!(value(&sandbox, "secret = 41\nsecret + 1").await.unwrap(), 42);
    for _ in 0..5 {
        let failure = value(&sandbox, "secret").await.unwrap_err();
        assert_eq!(failure.exception_type.as_deref(), Some("NameError"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nursery_that_dies_is_replaced() {
    // A bound of its own, to tell its nursery from those of other tests.
    let own = PythonLimits { cpu_ms: 777_000, ..limits() };
    let options = PoolOptions { min_idle: 1, ..PoolOptions::default() };
    let sandbox = WorkerSandbox::default_runtime(WorkerProgram::new(worker()), &own, options).unwrap();
    assert_eq!(value(&sandbox, "1").await.unwrap(), 1);
    kill_first(&["--nursery", "778"]);
    for n in 0..3 {
        assert_eq!(value(&sandbox, &n.to_string()).await.unwrap(), n);
    }
}

/// Kills the process with these arguments that was there first: the nursery, which bore the others.
fn kill_first(arguments: &[&str]) {
    let of = |pid: u32| {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).ok();
        let (line, stat) = (read("cmdline")?, read("stat")?);
        let words: Vec<&str> = line.split('\0').collect();
        // Counted from behind the name, which may have spaces in it.
        let started: u64 = stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()?;
        arguments.iter().all(|argument| words.contains(argument)).then_some((started, pid))
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let (_, pid) = pids.filter_map(of).min().unwrap();
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_scripts_at_once_stay_inside_the_bounds() {
    let options = PoolOptions {
        min_idle: 2,
        max_running: 4,
        max_queued: 600,
        max_queue_ms: 120_000,
        ..PoolOptions::default()
    };
    let sandbox = Arc::new(sandbox_with(options));
    let runs = (0..500).map(|n| {
        let sandbox = Arc::clone(&sandbox);
        async move { (n, value(&*sandbox, &format!("{n} + 1")).await) }
    });
    for (n, outcome) in join_all(runs).await {
        assert_eq!(outcome, Ok(json!(n + 1)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_too_many_is_told_to_come_back() {
    let sandbox =
        sandbox_with(PoolOptions { min_idle: 1, max_running: 1, max_queued: 0, ..PoolOptions::default() });
    let mut waiting = Script { functions: vec!["tool".to_owned()], ..script("tool()") };
    waiting.inputs.clear();
    let mut first = sandbox.start(&waiting, &limits()).await.unwrap();
    assert!(matches!(first.step().await.unwrap(), Step::HostCall(_)));
    let refused = value(&sandbox, "1").await.unwrap_err();
    assert_eq!(refused.kind, FailureKind::Busy);
    let error = refused.into_tool_error();
    assert_eq!((error.code, error.retry_after_s), (ErrorCode::RateLimit, Some(1)));
    drop(first);
    assert_eq!(value(&sandbox, "1").await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_waits_too_long_is_told_to_come_back() {
    let options = PoolOptions { max_running: 1, max_queued: 1, max_queue_ms: 50, ..PoolOptions::default() };
    let sandbox = sandbox_with(options);
    let waiting = Script { functions: vec!["tool".to_owned()], ..script("tool()") };
    let _first = sandbox.start(&waiting, &limits()).await.unwrap();
    assert_eq!(value(&sandbox, "1").await.unwrap_err().kind, FailureKind::Busy);
}

/// Where it was, it says itself; not from the middle of one long operation, in which it is killed.
#[rstest]
#[case::between_steps("x = 1\nwhile True:\n    x = 2", true)]
#[case::in_one_operation("sum(range(10**12))", false)]
#[tokio::test(flavor = "multi_thread")]
async fn a_script_past_its_wall_clock_is_stopped(#[case] code: &str, #[case] says_where: bool) {
    let sandbox = sandbox();
    let tight = PythonLimits { wall_ms: 200, cpu_ms: 60_000, ..PythonLimits::default() };
    let mut run = sandbox.start(&script(code), &tight).await.unwrap();
    let failure = tokio::time::timeout(Duration::from_secs(60), run.step()).await.unwrap().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Wall);
    assert_eq!(failure.line.is_some(), says_where, "{failure:?}");
    assert_eq!(failure.into_tool_error().code, ErrorCode::Timeout);
    drop(run);
    assert_eq!(value(&sandbox, "1 + 1").await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_speaks_only_in_turn() {
    let sandbox = sandbox();
    let mut run = sandbox.start(&script("1"), &limits()).await.unwrap();
    assert_eq!(run.snapshot().await.unwrap_err().kind, FailureKind::Protocol);
    let early = toolgate_runtimes::python::Answer::Value(json!(1));
    assert_eq!(run.resume(early).await.unwrap_err().kind, FailureKind::Protocol);
}
