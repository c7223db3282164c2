//! Python tools from the terminal: scripts that call tools, over approvals and power cuts.

use std::{path::PathBuf, process::Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{
    support::{Ran, Server, ended, sandbox_worker},
    watching::Follower,
};

fn children(server: &Server, outer: &str) -> Vec<Value> {
    let listed = server.run(&["invocations", "--parent", outer, "--json"]).exits(0).json();
    let mut rows = listed["items"].as_array().unwrap().clone();
    rows.reverse();
    rows
}

#[test]
fn a_script_of_the_caller_runs_and_its_errors_have_lines() {
    let server = Server::start_with_python(TempDir::new().unwrap());
    let code = "code=sum(int(calculate(expression=str(n))['result']) for n in range(4))";
    server.run(&["tool", "call", "run_python", "--input", code]).exits(0).says("6");
    let failing = "code=x = 1\nx / 0";
    server
        .run(&["tool", "call", "run_python", "--input", failing])
        .exits(3)
        .says("line 2: ZeroDivisionError");
}

#[test]
fn a_script_that_waits_for_a_person_survives_kill_9_and_calls_everything_once() {
    let server = Server::start_with_python(TempDir::new().unwrap());
    server.register("writes.md");
    server.register("letter.md");
    let call = ["tool", "call", "announceTwice", "--input", "name=Ada"];
    let row = server.run(&[call.as_slice(), &["--json"]].concat()).exits(8).json();
    let outer = row["id"].as_str().unwrap();
    let asked = row["waiting_for"][0].as_str().unwrap();
    let other = server.approver("grace", "approvals:decide");
    assert_eq!(row["status"], "running");

    let server = Server::start_with_python(server.kill());
    server.run(&["invocations", "show", outer]).exits(0).says("running");
    server.run(&["--key", &other, "approve", asked]).exits(0);
    let done = ended(&server, &row);
    assert_eq!(done["output"], json!({"first": "21", "said": "Hello Ada!", "second": "42"}));
    let inner: Vec<_> = children(&server, outer)
        .iter()
        .map(|row| (row["tool_name"].clone(), row["status"].clone(), row["attempt"].clone()))
        .collect();
    let once = |tool: &str| (json!(tool), json!("completed"), json!(1));
    assert_eq!(inner, [once("calculate"), once("announce"), once("calculate")]);
    server.run(&["audit", "verify"]).exits(0);
}

/// A server whose worker this process seems to build.
fn beside_a_build() -> (Server, PathBuf, PathBuf) {
    let home = TempDir::new().unwrap();
    let worker = home.path().join("toolgate-sandbox");
    let marker = home.path().join("toolgate-sandbox.building");
    std::fs::write(&marker, std::process::id().to_string()).unwrap();
    (Server::start_with_worker(home, &worker), worker, marker)
}

fn says_that_it_waits(news: &mut Follower) -> bool {
    news.event().to_string().contains("its worker is being built")
}

#[test]
fn a_script_waits_for_a_worker_that_is_being_built_and_says_so() {
    let (server, worker, marker) = beside_a_build();
    let mut news = Follower::start(&server, &["--json"]);
    let call = ["tool", "call", "run_python", "--input", "code=6 * 7"];
    let call = server.command(&call).stdout(Stdio::piped()).spawn().unwrap();
    while !says_that_it_waits(&mut news) {}
    std::os::unix::fs::symlink(sandbox_worker(), worker).unwrap();
    std::fs::remove_file(marker).unwrap();
    Ran::of(call.wait_with_output().unwrap()).exits(0).says("42");
}

#[test]
fn a_script_whose_worker_could_not_be_built_is_told() {
    let (server, _, marker) = beside_a_build();
    let mut news = Follower::start(&server, &["--json"]);
    let call = ["tool", "call", "run_python", "--input", "code=6 * 7"];
    let call = server.command(&call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !says_that_it_waits(&mut news) {}
    std::fs::remove_file(marker).unwrap();
    Ran::of(call.wait_with_output().unwrap()).exits(3).says("the build of the Python worker failed");
}
