//! Every stop of the full runtime says where the script was.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_domain::ErrorCode;
use toolgate_runtimes::python::{HostAnswer, NoHostCalls, PythonLimits, Sandbox, host};

use super::installed::sandbox;
use crate::python::{
    common::{limits, script},
    host_calls::Host,
};

/// The `details` of the error that a caller gets, after its code and its line were as expected.
async fn stopped(
    sandbox: &dyn Sandbox,
    limits: &PythonLimits,
    code: &str,
    expected: (ErrorCode, &str, u64),
) -> Value {
    let failure = host::run(sandbox, &script(code), limits, &NoHostCalls).await.unwrap_err();
    let error = failure.into_tool_error();
    let details = error.details.clone().unwrap();
    let line = details["line"].as_u64().unwrap_or_default();
    assert_eq!((error.code, details["kind"].as_str().unwrap(), line), expected, "{code}: {details:#}");
    assert!(error.message.starts_with(&format!("line {line}: ")), "{}", error.message);
    let traceback = details["traceback"].as_str().unwrap();
    assert!(
        traceback.starts_with("Traceback (most recent call last):\n  File \"script.py\", line "),
        "{traceback}"
    );
    assert!(traceback.contains(&format!("File \"script.py\", line {line}, in ")), "{traceback}");
    details
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_computes_too_long_is_found_where_it_computes() {
    let (sandbox, limits) = (sandbox(), PythonLimits { cpu_ms: 300, ..limits() });
    let stop = |line| (ErrorCode::Timeout, "cpu", line);
    let code = "def inner():\n    while True: pass\n\ndef outer():\n    inner()\n\nouter()";
    let details = stopped(&sandbox, &limits, code, stop(2)).await;
    assert_eq!(
        details["traceback"],
        "Traceback (most recent call last):\n  \
           File \"script.py\", line 7, in <module>\n    outer()\n  \
           File \"script.py\", line 5, in outer\n    inner()\n  \
           File \"script.py\", line 2, in inner\n    while True: pass\n\
         TimeoutError: the script computed for more than 300 ms\n"
    );
    assert_eq!(details["exception_type"], "TimeoutError");
    stopped(&sandbox, &limits, "x = 7\nx ** x ** 12", stop(2)).await;
    let code = "import re\n\ndef match(text):\n    return re.match(r'(a+)+$', text)\n\nmatch('a' * 64 + 'b')";
    stopped(&sandbox, &limits, code, stop(4)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_sleeps_too_long_is_found_where_it_sleeps() {
    let (sandbox, limits) = (sandbox(), PythonLimits { wall_ms: 500, ..limits() });
    let began = Instant::now();
    let code = "import time\n\ndef nap():\n    time.sleep(3600)\n\nnap()";
    let details = stopped(&sandbox, &limits, code, (ErrorCode::Timeout, "wall", 4)).await;
    assert!(
        details["traceback"].as_str().unwrap().contains("line 6, in <module>\n    nap()\n"),
        "{details:#}"
    );
    assert!(began.elapsed() < Duration::from_secs(30), "it was woken");
    let late = PythonLimits { cpu_ms: 60_000, ..limits };
    stopped(&sandbox, &late, "x = 1\nwhile True: x += 1", (ErrorCode::Timeout, "wall", 2)).await;
}

/// A call of a tool takes none of a script's time; what comes after it does.
#[tokio::test(flavor = "multi_thread")]
async fn the_clock_goes_on_after_a_call() {
    let host = Host::new(|_| HostAnswer::Value(json!(3600)));
    let code = "import time\ntime.sleep(search())";
    let script = toolgate_runtimes::python::Script { functions: vec!["search".to_owned()], ..script(code) };
    let limits = PythonLimits { wall_ms: 500, ..limits() };
    let failure = host::run(&sandbox(), &script, &limits, &host).await.unwrap_err();
    assert_eq!((failure.kind.as_str(), failure.line), ("wall", Some(2)), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_runs_out_of_memory_is_found_where_it_wanted_more() {
    let (sandbox, limits) = (sandbox(), PythonLimits { cpu_ms: 5_000, ..limits() });
    let stop = |line| (ErrorCode::SandboxError, "memory", line);
    let code = "def grow(x):\n    while True: x.append('x' * 100_000)\n\ngrow([])";
    let details = stopped(&sandbox, &limits, code, stop(2)).await;
    assert!(
        details["traceback"].as_str().unwrap().contains("line 4, in <module>\n    grow([])\n"),
        "{details:#}"
    );
    assert_eq!(details["exception_type"], "MemoryError");
    stopped(&sandbox, &limits, "x = 1\ny = bytes(2_000_000_000)", stop(2)).await;
    // Memory is so full that Python itself has none to say where.
    stopped(&sandbox, &limits, "x = None\nwhile True: x = (x,)", stop(2)).await;
    stopped(&sandbox, &limits, "def f(x):\n    while True: x[len(x)] = [x]\nf({})", stop(2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_script_has_the_same_form() {
    let (sandbox, limits) = (sandbox(), limits());
    let stop = |kind, line| (ErrorCode::SandboxError, kind, line);
    stopped(&sandbox, &limits, "x = 1\ny = 0\nx / y", stop("exception", 3)).await;
    stopped(&sandbox, &limits, "def f():\n    return f()\nf()", stop("recursion", 2)).await;
    stopped(&sandbox, &limits, "while True: print('x' * 9_000)", stop("output", 1)).await;
}
