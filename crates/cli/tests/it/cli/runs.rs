//! Runs of agents from the terminal: started, followed, stopped, and gone on with after a power cut.

use std::{
    io::BufReader,
    process::{Child, ChildStdout, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::support::{Server, read_line};

/// A server whose agents' model plays this script, with an agent that may call these tools without asking.
pub(crate) fn scripted(script: &Value, tools: &[&str]) -> Server {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("model.json"), script.to_string()).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.json\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    server.register("writes.md");
    let given = tools.iter().chain(&["announce"]).flat_map(|tool| ["--tool", tool]);
    let create = ["agent", "create", "helper", "--name", "Helper"].into_iter().chain(given);
    server.run(&create.collect::<Vec<_>>()).exits(0);
    for tool in tools {
        server.run(&["agent", "permit", "helper", "--tool", tool, "--status", "always_allow"]).exits(0);
    }
    server
}

fn calculates() -> Value {
    json!({"rules": [
        {"contains": "six times seven", "replies": [{"tool_calls": [{"name": "calculate", "arguments": {"expression": "6*7"}}]}]},
        {"after_tool": "calculate", "replies": [{"deltas": ["It is", " 42."]}]},
        {"contains": "announce", "replies": [{"tool_calls": [{"name": "announce", "arguments": {"name": "Ada"}}]}]},
        {"after_tool": "announce", "replies": [{"text": "announced"}]},
        {"after_tool": "wait", "replies": [{"text": "waited"}]},
        {"contains": "wait", "replies": [{"tool_calls": [{"name": "wait", "arguments": {"ms": 5000}}]}]},
        {"contains": "break", "replies": [{"error": {"code": "PROVIDER_ERROR", "message": "broken"}}]},
    ]})
}

/// `run events --follow --json` of a run.
fn follower(server: &Server, run: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = server
        .command(&["run", "events", run, "--follow", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

fn until(lines: &mut BufReader<ChildStdout>, kind: &str) -> Value {
    loop {
        let event: Value = serde_json::from_str(&read_line(lines)).unwrap();
        if event["type"] == kind {
            return event;
        }
    }
}

#[test]
fn a_run_answers_and_is_found_again() {
    let server = scripted(&calculates(), &["calculate"]);
    server.run(&["run", "start", "helper", "six times seven?"]).exits(0).says("It is 42.");
    let followed = server.run(&["run", "start", "helper", "six times seven?", "--follow"]).exits(0);
    assert_eq!(followed.out, "It is 42.\n");
    followed.says("→ calculate").says("✓ calculate");
    let listed = server.run(&["run", "list", "--agent", "helper", "--json"]).exits(0).json();
    let id = listed["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    server.run(&["run", "list"]).exits(0).says("completed").says("It is 42.");
    server.run(&["run", "show", &id]).exits(0).says("2 turns, 1 calls").says("It is 42.");
    server.run(&["run", "steps", &id]).exits(0).says("calls calculate").says("answers");
    server.run(&["run", "events", &id]).exits(0).says("run.started").says("usage").says("run.finished");
    server.run(&["run", "start", "helper", "break it"]).exits(3).says("broken");
    server.run(&["run", "start", "helper", "break it", "--follow"]).exits(3).says("broken");
    server.run(&["run", "start", "nobody", "hello"]).exits(4);
    server.run(&["run", "show", "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"]).exits(5);
}

#[test]
fn a_run_that_waits_for_a_person_says_so_and_can_be_stopped() {
    let server = scripted(&calculates(), &["calculate"]);
    let run = server.run(&["run", "start", "helper", "announce it", "--json"]).exits(8).json();
    let (id, asked) = (run["id"].as_str().unwrap(), run["waiting_for"][0].as_str().unwrap());
    server.run(&["run", "show", id]).exits(0).says("running, waits");
    server.run(&["run", "cancel", id]).exits(0).says("is cancelled");
    server.run(&["run", "cancel", id]).exits(0).says("is cancelled");
    server.run(&["invocations", "show", asked]).exits(0).says("cancelled");
}

#[test]
fn a_run_goes_on_after_kill_9_whatever_it_was_doing() {
    let server = scripted(&calculates(), &["calculate", "wait"]);
    let waiting = server.run(&["run", "start", "helper", "announce it", "--json"]).exits(8).json();
    let asked = waiting["waiting_for"][0].as_str().unwrap().to_owned();
    let started = server.run(&["run", "start", "helper", "wait a while", "--detach"]).exits(0);
    let working = started.out.trim().to_owned();
    let (mut child, mut lines) = follower(&server, &working);
    until(&mut lines, "tool.started");
    let server = Server::start_in(server.kill(), "127.0.0.1:0");
    child.kill().unwrap();
    child.wait().unwrap();

    let (mut child, mut lines) = follower(&server, &working);
    assert_eq!(until(&mut lines, "run.finished")["data"]["response"], "waited");
    assert!(child.wait().unwrap().success());
    let calls = server.run(&["invocations", "--run", &working, "--json"]).exits(0).json();
    assert_eq!(calls["items"].as_array().unwrap().len(), 1, "the call was made once: {calls}");

    let approver = server.approver("grace", "approvals:decide");
    server.run(&["--key", &approver, "approve", &asked]).exits(0);
    let (mut child, mut lines) = follower(&server, waiting["id"].as_str().unwrap());
    assert_eq!(until(&mut lines, "run.finished")["data"]["response"], "announced");
    assert!(child.wait().unwrap().success());
}
