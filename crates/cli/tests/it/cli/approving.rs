//! `approvals`, `tool approve` and `tool reject`: a person's word, from the terminal.

use std::{io::BufReader, process::Stdio};

use serde_json::Value;

use crate::cli::support::{Ran, Server, changed, ended, fixture, read_line, toolgate};

/// Calls the tool that writes, which asks; answers the call's row.
fn ask(server: &Server, name: &str) -> Value {
    let input = format!("name={name}");
    server.run(&["tool", "call", "announce", "--input", &input, "--json"]).exits(8).json()
}

#[test]
fn a_call_waits_until_somebody_else_approves_it() {
    let server = Server::start();
    server.register("writes.md");
    let row = ask(&server, "Ada");
    let id = row["id"].as_str().unwrap();
    let other = server.approver("grace", "approvals:decide");
    server
        .run(&["approvals"])
        .exits(0)
        .says(id)
        .says("announce@1.0.0")
        .says("Ada")
        .says("toolgate approve ID");
    server.run(&["tool", "invocations", "--status", "pending"]).exits(0).says(id);
    server.run(&["tool", "approve", id]).exits(4).says("speaks for no person");
    server
        .run(&["--key", &other, "tool", "approve", id, "--digest", &"0".repeat(64)])
        .exits(9)
        .says("look at it again");
    let digest = row["approval_digest"].as_str().unwrap();
    server.run(&["--key", &other, "tool", "approve", id, "--digest", digest]).exits(0).says(id);
    let done = ended(&server, &row);
    assert_eq!((&done["status"], &done["output"]["text"]), (&"completed".into(), &"Hello Ada!".into()));
    server.run(&["--key", &other, "tool", "approve", id]).exits(9).says("decided once");
    server.run(&["approvals"]).exits(0).says("no call waits");
}

#[test]
fn a_rejection_needs_a_reason_and_carries_it() {
    let server = Server::start();
    server.register("writes.md");
    let row = ask(&server, "Ada");
    let id = row["id"].as_str().unwrap();
    server.run(&["tool", "reject", id]).exits(2).says("--reason");
    let other = server.approver("grace", "approvals:decide");
    let reject = ["--key", &other, "tool", "reject", id, "--reason", "unsafe egress target"];
    server.run(&reject).exits(0).says("rejected");
    let end = ended(&server, &row);
    assert_eq!(end["error"]["code"], "POLICY_DENIED");
    assert_eq!(end["approval_reason"], "unsafe egress target");
}

#[test]
fn a_killed_server_forgets_no_question() {
    let server = Server::start();
    server.register("writes.md");
    let row = ask(&server, "Ada");
    let other = server.approver("grace", "approvals:decide");
    let server = Server::start_in(server.kill(), "127.0.0.1:0");
    let id = row["id"].as_str().unwrap();
    let waiting = server.run(&["approvals", "--json"]).exits(0).json();
    assert_eq!(waiting["items"][0]["approval_digest"], row["approval_digest"], "it is the same question");
    server.run(&["--key", &other, "tool", "approve", id]).exits(0);
    assert_eq!(ended(&server, &row)["status"], "completed");
}

#[test]
fn whoever_watches_sees_what_waits_and_what_comes() {
    let server = Server::start();
    server.register("writes.md");
    let first = ask(&server, "Ada");
    let other = server.approver("grace", "approvals:decide");
    let mut watcher = server
        .command(&["--key", &other, "approvals", "--watch", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watcher.stdout.take().unwrap());
    let waiting: Value = serde_json::from_str(&read_line(&mut lines)).unwrap();
    assert_eq!(waiting["id"], first["id"]);
    server.run(&["tool", "call", "calculate", "--input", "expression=1"]).exits(0);
    let second = ask(&server, "Grace");
    let came: Value = serde_json::from_str(&read_line(&mut lines)).unwrap();
    assert_eq!((&came["id"], &came["status"]), (&second["id"], &"pending".into()));
    server.run(&["--key", &other, "tool", "approve", second["id"].as_str().unwrap()]).exits(0);
    let decided: Value = serde_json::from_str(&read_line(&mut lines)).unwrap();
    assert_eq!((&decided["id"], &decided["status"]), (&second["id"], &"approved".into()));
    watcher.kill().unwrap();
    watcher.wait().unwrap();
}

#[test]
fn what_would_happen_can_be_asked_and_changes_nothing() {
    let server = Server::start();
    server.register("writes.md");
    server
        .run(&["policy", "explain", "calculate", "--input", "expression=1"])
        .exits(0)
        .says("it would run")
        .says("allow by scope");
    server
        .run(&["policy", "explain", "announce", "--input", "name=Ada"])
        .exits(0)
        .says("it would wait for a person")
        .says("ask by egress_class");
    server.run(&["policy", "explain", "announce"]).exits(0).says("it would be refused").says("name");
    server.run(&["policy", "explain", "no_such_tool"]).exits(0).says("it would be refused");
    let made = server.run(&["key", "create", "reader", "--scope", "tools:read", "--json"]).exits(0).json();
    let reader = made["key"].as_str().unwrap();
    server
        .run(&["--key", reader, "policy", "explain", "calculate", "--input-json", "{\"expression\": \"1\"}"])
        .exits(0)
        .says("it would be denied")
        .says("deny by scope");
    let none = server.run(&["invocations", "--json"]).exits(0).json();
    assert_eq!(none["items"], serde_json::json!([]), "nothing was recorded");
}

#[test]
fn a_policy_file_is_checked_offline_with_the_examples_it_carries() {
    let here = tempfile::tempdir().unwrap();
    let check = |file: &std::path::Path| {
        let ran = toolgate(here.path()).args(["policy", "check"]).arg(file).output().unwrap();
        Ran::of(ran)
    };
    check(&fixture("policy.yaml")).exits(0).says("2 rules, 4 examples");
    let wrong = changed(here.path(), "policy.yaml", "amount: 20}", "amount: 200}");
    check(&wrong).exits(6).says("large-payments-ask").says("no_match");
    let broken = changed(here.path(), "policy.yaml", "input.amount > 100", "input.amount >");
    check(&broken).exits(6).says("large-payments-ask");
    let misspelt = changed(here.path(), "policy.yaml", "verdict: ask", "verdikt: ask");
    check(&misspelt).exits(6).says("verdikt");
    check(&here.path().join("nothing.yaml")).exits(1).says("cannot be read");
}
