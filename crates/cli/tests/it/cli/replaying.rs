//! Recorded runs as regression tests: files, a verdict for each, and an exit code.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::support::{Ran, Server, toolgate};

/// A run of three turns: calls side by side, arguments that were no JSON, one that a person changed and approved, a failure.
fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bundles/announcement.json")
}

/// The recorded run with something changed after it was exported.
fn changed(home: &TempDir, pointer: &str, value: Value) -> PathBuf {
    let mut bundle: Value = serde_json::from_str(&std::fs::read_to_string(recorded()).unwrap()).unwrap();
    *bundle.pointer_mut(pointer).unwrap() = value;
    let path = home.path().join("changed.json");
    std::fs::write(&path, bundle.to_string()).unwrap();
    path
}

/// Without a server, and without anything to reach one with.
fn run(home: &TempDir, args: &[&str], files: &[&Path]) -> Ran {
    Ran::of(toolgate(home.path()).arg("run").args(args).args(files).output().unwrap())
}

#[test]
fn a_recorded_run_comes_out_as_it_did_without_a_server() {
    let home = TempDir::new().unwrap();
    run(&home, &["replay"], &[&recorded()]).exits(0).says("same").says("3 turns, 5 calls");
    let line = run(&home, &["replay", "--json"], &[&recorded()]).exits(0).json();
    assert_eq!((&line["result"], &line["differences"]), (&json!("same"), &json!([])));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "it leaves nothing behind");
}

#[test]
fn what_comes_out_otherwise_has_a_code_of_its_own() {
    let home = TempDir::new().unwrap();
    let file = changed(&home, "/turns/2/answer/turn/text", json!("It is 409."));
    run(&home, &["replay"], &[&file]).exits(10).says("--force");
    run(&home, &["replay", "--force"], &[&file])
        .exits(11)
        .says("the end /response: recorded \"12 times 34 is 408. It is announced.\", now \"It is 409.\"");
}

#[test]
fn several_files_have_a_line_each_and_the_worst_of_them_decides() {
    let home = TempDir::new().unwrap();
    let forged = changed(&home, "/calls/1/call_id", json!("0".repeat(64)));
    let garbage = home.path().join("garbage.json");
    std::fs::write(&garbage, "[".repeat(100_000)).unwrap();
    let ran = run(&home, &["replay"], &[&garbage, &recorded(), &forged]).exits(10);
    let words: Vec<&str> = ran.out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["refused", "same", "refused"], "{ran:?}");
    run(&home, &["replay"], &[&garbage, &recorded()]).exits(6);
    let ran = run(&home, &["replay", "--force", "--json"], &[&garbage, &forged]).exits(11);
    let last: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["result"], &last["differences"][0]["path"]), (&json!("differs"), &json!("/call_id")));
    run(&home, &["replay"], &[Path::new("nowhere.json")]).exits(1).says("nowhere.json");
}

#[test]
fn two_runs_are_compared_up_to_the_first_difference() {
    let home = TempDir::new().unwrap();
    let file = changed(&home, "/calls/1/envelope/output/number", json!(409));
    run(&home, &["diff"], &[&recorded(), &recorded()]).exits(0).says("same").says("1070");
    run(&home, &["diff"], &[&recorded(), &file]).exits(10);
    run(&home, &["diff", "--force"], &[&recorded(), &file])
        .exits(11)
        .says("turn 1, call 1 (calculate@1.0.0) /output/number: recorded 408, now 409")
        .says("the same calls in the same order");
    let found = run(&home, &["diff", "--force", "--json"], &[&recorded(), &file]).exits(11).json();
    assert_eq!((&found["same"], &found["same_calls"]), (&json!(false), &json!(true)));
    assert_eq!(found["a"]["cached_input_tokens"], 600);
}

#[test]
fn another_model_is_asked_until_it_asks_for_something_else() {
    let home = TempDir::new().unwrap();
    let script = |expression: &str| {
        let wait = json!({"name": "announce", "arguments": {"ms": 3}});
        let turns = json!({"turns": [
            {"tool_calls": [
                {"name": "get_time"},
                {"name": "calculate", "arguments": {"expression": "12*34"}},
                {"name": "calculate", "arguments": "{\"expression\": "},
            ]},
            {"tool_calls": [wait, {"name": "calculate", "arguments": {"expression": expression}}]},
            {"text": "12 times 34 is 408. It is announced."},
        ]});
        std::fs::write(home.path().join("model.json"), turns.to_string()).unwrap();
    };
    run(&home, &["replay", "--live-model"], &[&recorded()]).exits(6).says("toolgate.toml");
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.json\"\n").unwrap();
    script("1/0");
    run(&home, &["replay", "--live-model"], &[&recorded()]).exits(0).says("same");
    script("2/0");
    run(&home, &["replay", "--live-model"], &[&recorded()])
        .exits(11)
        .says("turn 2 /tool_calls/1/arguments/expression: recorded \"1/0\", now \"2/0\"");
}

#[test]
fn tools_that_only_read_are_called_on_the_server_and_compared() {
    let server = Server::start();
    let file = recorded();
    let line = server
        .run(&["run", "replay", "--json", "--live-tools=read_only", file.to_str().unwrap()])
        .exits(11)
        .json();
    let differences = line["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "arithmetic is what it was, and fails as it did: {line}");
    assert_eq!(differences[0]["at"], "turn 1, call 0 (get_time@1.0.0)");
    let calls = server.run(&["invocations", "--json"]).exits(0).json();
    let mut called: Vec<&str> =
        calls["items"].as_array().unwrap().iter().map(|call| call["tool_name"].as_str().unwrap()).collect();
    called.sort_unstable();
    assert_eq!(called, ["calculate", "calculate", "get_time"], "what writes is not called");
    server.run(&["run", "replay", "--live-tools=write", file.to_str().unwrap()]).exits(2);
    let missing = "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    server.run(&["run", "export", missing]).exits(5).says(missing);
    server.run(&["run", "diff", file.to_str().unwrap(), missing]).exits(5);
}
