//! Installing the full Python runtime.

use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

use crate::cli::support::{Ran, toolgate};

fn run(home: &TempDir, args: &[&str]) -> Ran {
    Ran::of(toolgate(home.path()).arg("sandbox").args(args).output().unwrap())
}

#[test]
fn without_its_worker_the_runtime_is_not_ready_and_the_way_to_it_is_said() {
    let home = TempDir::new().unwrap();
    let status = run(&home, &["status", "--worker", "missing", "--json"]).exits(1).json();
    assert_eq!(
        (status["installed"].as_bool(), status["directory"].as_str()),
        (Some(false), Some("data/sandbox"))
    );
    run(&home, &["status", "--worker", "missing"])
        .exits(1)
        .says("not ready")
        .says("toolgate sandbox install");
    run(&home, &["install", "--worker", "missing"]).exits(5).says("make sandbox-cpython").says("missing");
    let elsewhere =
        run(&home, &["status", "--worker", "missing", "--dir", "there", "--json"]).exits(1).json();
    assert_eq!(elsewhere["directory"], "there");
}

#[test]
fn a_worker_that_cannot_be_started_is_named() {
    let home = TempDir::new().unwrap();
    let worker = home.path().join("worker");
    std::fs::write(&worker, "no program").unwrap();
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o600)).unwrap();
    run(&home, &["install", "--worker", "./worker"]).exits(1).says("./worker cannot be started");
}
