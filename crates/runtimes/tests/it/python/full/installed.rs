//! The installation that the tests run, opened as the server opens it.

use std::{path::PathBuf, process::Command};

use toolgate_domain::json::parse;
use toolgate_runtimes::python::{PoolOptions, WorkerProgram, WorkerSandbox};

/// From the environment, or where `make sandbox-full` puts it.
fn place(variable: &str, built: &str) -> PathBuf {
    // This program lies in `debug/deps` of the target folder.
    let target = std::env::current_exe().unwrap().ancestors().nth(3).unwrap().to_owned();
    let built = target.join(built);
    let path = std::env::var_os(variable).map_or(built, PathBuf::from);
    path.canonicalize().unwrap_or_else(|error| {
        panic!("there is no full Python runtime at {} ({error}): run `make sandbox-full`", path.display())
    })
}

pub(super) fn worker() -> PathBuf {
    place("TOOLGATE_SANDBOX_CPYTHON", "release/toolgate-sandbox-cpython")
}

pub(super) fn directory() -> PathBuf {
    place("TOOLGATE_SANDBOX_DIR", "cpython")
}

/// Must be called inside a tokio runtime.
pub(super) fn sandbox() -> WorkerSandbox {
    let (worker, directory) = (worker(), directory());
    let checked = Command::new(&worker).arg("check").arg(&directory).output().unwrap();
    assert!(
        checked.status.success(),
        "run `make sandbox-full`: {}",
        String::from_utf8_lossy(&checked.stderr)
    );
    let manifest = parse(&checked.stdout, 8).unwrap();
    let stamp = manifest["stamp"].as_str().unwrap().to_owned();
    let program =
        WorkerProgram::new(worker).with_arguments(["run".to_owned(), directory.display().to_string(), stamp]);
    let options = PoolOptions { min_idle: 1, worker_start_ms: 10_000, ..PoolOptions::default() };
    WorkerSandbox::full_runtime(program, options).unwrap()
}
