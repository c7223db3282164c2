//! Nothing escapes, hangs past its limit, or harms the run after it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_runtimes::python::{Failure, FailureKind, PythonLimits, Sandbox, self_test};

use crate::python::{
    attempts::{ATTEMPTS, Attempt, Expect},
    common::{limits, sandbox, value, value_within},
};

/// Milliseconds for starting a worker and telling of its end, on a busy machine.
const MARGIN_MS: u64 = 30_000;

/// Holds a sandbox against every attempt; `judge` says what is wrong with an outcome.
pub async fn hold(
    sandbox: &dyn Sandbox,
    limits: &PythonLimits,
    attempts: &[Attempt],
    judge: impl Fn(&Attempt, &Result<Value, Failure>) -> Option<String>,
) {
    let allowed = Duration::from_millis(limits.wall_ms + MARGIN_MS);
    let mut wrong = Vec::new();
    for attempt in attempts {
        let begun = Instant::now();
        let outcome = value_within(sandbox, attempt.code, limits).await;
        let took = begun.elapsed();
        if let Some(complaint) = judge(attempt, &outcome) {
            wrong.push(format!("{}: {complaint}", attempt.name));
        }
        if took > allowed {
            wrong.push(format!("{}: took {took:?}", attempt.name));
        }
        let after = value(sandbox, "1 + 1").await;
        if after != Ok(json!(2)) {
            wrong.push(format!("{}: afterwards 1 + 1 is {after:?}", attempt.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} attempts:\n{}", wrong.len(), attempts.len(), wrong.join("\n"));
}

/// The outcome is exactly the one in the table.
pub fn exactly(attempt: &Attempt, outcome: &Result<Value, Failure>) -> Option<String> {
    let as_expected = match (attempt.expect, outcome) {
        (Expect::Fails(kind, says), Err(failure)) => failure.kind == kind && failure.summary().contains(says),
        (Expect::Exhausts, Err(failure)) => matches!(failure.kind, FailureKind::Cpu | FailureKind::Memory),
        (Expect::Gives(json), Ok(value)) => serde_json::to_string(value).unwrap() == json,
        _ => false,
    };
    let shown = format!("{outcome:?}").chars().take(400).collect::<String>();
    (!as_expected).then(|| format!("{:?} was expected, {shown} came", attempt.expect))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_runtime_holds_against_every_attempt() {
    assert!(ATTEMPTS.len() >= 60, "{} attempts", ATTEMPTS.len());
    hold(&sandbox(), &limits(), ATTEMPTS, exactly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_runtime_passes_its_self_test() {
    assert_eq!(self_test(&sandbox()).await, Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_cannot_start_fails_its_self_test() {
    let missing = toolgate_runtimes::python::WorkerProgram::new("/nowhere/toolgate-sandbox");
    let sandbox = toolgate_runtimes::python::WorkerSandbox::default_runtime(
        missing,
        &limits(),
        toolgate_runtimes::python::PoolOptions::default(),
    );
    let escapes = self_test(&sandbox.unwrap()).await.unwrap_err();
    assert!(escapes.iter().all(|escape| escape.contains("Unavailable")), "{escapes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_carries_its_line_and_traceback() {
    let sandbox = sandbox();
    let cases = [
        ("x = 1\ny = 0\nx / y", FailureKind::Exception, 3),
        ("x = 1\nwhile True:\n    x += 1", FailureKind::Cpu, 3),
        ("x = []\nwhile True:\n    x.append('x' * 100_000)", FailureKind::Memory, 3),
        ("def f():\n    return f()\nf()", FailureKind::Recursion, 2),
    ];
    for (code, kind, line) in cases {
        let failure = value(&sandbox, code).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{failure:?}");
        let lines = [Some(line), Some(line - 1)];
        assert!(lines.contains(&failure.line), "{failure:?}");
        let traceback = failure.traceback.unwrap();
        assert!(traceback.starts_with("Traceback (most recent call last):"), "{traceback}");
        assert!(traceback.contains("script.py"), "{traceback}");
    }
    let failure = value(&sandbox, "x = 1\ny = (\n").await.unwrap_err();
    assert_eq!((failure.kind, failure.line), (FailureKind::Syntax, Some(3)), "{failure:?}");
}
