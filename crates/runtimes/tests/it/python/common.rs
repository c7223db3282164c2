//! What the tests of the sandbox share.

use std::path::PathBuf;

use serde_json::Value;
use toolgate_runtimes::python::{
    Failure, HostCalls, NoHostCalls, PoolOptions, Progress, PythonLimits, Sandbox, Script, WorkerProgram,
    WorkerSandbox, find_worker, host,
};

/// The worker of the default runtime: `TOOLGATE_SANDBOX_WORKER`, or what `make sandbox` has built.
pub fn worker() -> PathBuf {
    // This program lies in `deps`, beside what it tests.
    let built = std::env::current_exe().unwrap().parent().unwrap().with_file_name("toolgate-sandbox");
    let path = std::env::var_os("TOOLGATE_SANDBOX_WORKER").map_or(built, PathBuf::from);
    find_worker(Some(&path)).unwrap_or_else(|error| panic!("{error}"))
}

/// Tight, so that a test of a limit is short. What is computed is counted, so a script that does not wait ends long before
/// the wall, however little of a busy machine it has.
pub fn limits() -> PythonLimits {
    PythonLimits {
        memory_bytes: 24 * 1024 * 1024,
        cpu_ms: 1_000,
        wall_ms: 120_000,
        ..PythonLimits::default()
    }
}

pub fn sandbox() -> WorkerSandbox {
    sandbox_with(PoolOptions { min_idle: 2, ..PoolOptions::default() })
}

pub fn sandbox_with(options: PoolOptions) -> WorkerSandbox {
    WorkerSandbox::default_runtime(WorkerProgram::new(worker()), &limits(), options).unwrap()
}

pub fn script(code: &str) -> Script {
    Script { code: code.to_owned(), ..Script::default() }
}

/// The value of a script that calls nothing.
pub async fn value(sandbox: &dyn Sandbox, code: &str) -> Result<Value, Failure> {
    value_within(sandbox, code, &limits()).await
}

pub async fn value_within(
    sandbox: &dyn Sandbox,
    code: &str,
    limits: &PythonLimits,
) -> Result<Value, Failure> {
    done(host::run(sandbox, &script(code), limits, &NoHostCalls).await?)
}

pub async fn run(sandbox: &dyn Sandbox, code: &str, host_calls: &dyn HostCalls) -> Result<Progress, Failure> {
    let script = Script { code: code.to_owned(), functions: host_calls.functions(), ..Script::default() };
    host::run(sandbox, &script, &limits(), host_calls).await
}

pub fn done(progress: Progress) -> Result<Value, Failure> {
    match progress {
        Progress::Done { value, .. } => Ok(value),
        Progress::Suspended { call, .. } => panic!("suspended on {call:?}"),
    }
}
