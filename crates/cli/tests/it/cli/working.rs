//! `task`, `skill` and `serve --model-script`, from the terminal.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::support::{Server, ended};

fn register(server: &Server, definition: &Value) {
    let file = server.home.path().join("tool.json");
    std::fs::write(&file, definition.to_string()).unwrap();
    server.run(&["tool", "register", "--apply", "--file", file.to_str().unwrap()]).exits(0);
}

fn tool(name: &str, execution: Value) -> Value {
    json!({
        "name": name, "version": "1.0.0", "description": "made without Rust",
        "input_schema": {"type": "object"}, "execution": execution,
    })
}

#[test]
fn a_call_that_waits_for_a_task_survives_kill_9_and_is_completed_afterwards() {
    let server = Server::start();
    register(&server, &tool("look", json!({"kind": "task", "title": "Look at {{ what }}", "wait": true})));
    let steps = json!([
        {"id": "look", "tool": "look", "input": {"what": "$input.what"}},
        {"id": "sum", "tool": "calculate", "input": {"expression": "$steps.look.output.result.expression"}},
    ]);
    register(&server, &tool("checked", json!({"kind": "composition", "steps": steps})));
    let row = server.run(&["tool", "call", "checked", "--input", "what=sums", "--json"]).exits(8).json();

    let server = Server::start_in(server.kill(), "127.0.0.1:0");
    server.run(&["task", "list"]).exits(0).says("Look at sums").says("open");
    let tasks = server.run(&["task", "list", "--json"]).exits(0).json();
    let id = tasks["items"][0]["id"].as_str().unwrap().to_owned();
    server.run(&["task", "show", &id]).exits(0).says("the call waits for it");
    server.run(&["task", "start", &id]).exits(0).says("in_progress");
    server
        .run(&["task", "complete", &id, "--result", "{\"expression\": \"6*7\"}"])
        .exits(0)
        .says("completed");
    let done = ended(&server, &row);
    assert_eq!(done["status"], "completed", "{done}");
    assert!(done["output"]["output"]["result"].to_string().contains("42"), "{done}");
    server.run(&["task", "cancel", &id]).exits(9).says("completed already");
    server.run(&["task", "list"]).exits(0).says("no tasks");
}

#[test]
fn a_cancelled_task_fails_the_call_that_waits() {
    let server = Server::start();
    register(&server, &tool("look", json!({"kind": "task", "title": "Look", "wait": true})));
    let row = server.run(&["tool", "call", "look", "--json"]).exits(8).json();
    let id = server.run(&["task", "list", "--json"]).exits(0).json()["items"][0]["id"].clone();
    server.run(&["task", "cancel", id.as_str().unwrap(), "--reason", "no time"]).exits(0).says("cancelled");
    let done = ended(&server, &row);
    assert_eq!(done["status"], "failed");
    assert!(done["error"]["message"].as_str().unwrap().contains("no time"), "{done}");
}

#[test]
fn skills_are_managed_and_a_scripted_model_answers() {
    let home = TempDir::new().unwrap();
    let script = json!({"rules": [{"system_contains": "Be brief.", "replies": [{"text": "short"}]}]});
    std::fs::write(home.path().join("model.json"), script.to_string()).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.json\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    server.run(&["skill", "create", "summary"]).exits(2).says("--instructions");
    server.run(&["skill", "create", "summary", "--instructions", "Be long."]).exits(0).says("skl_");
    server.run(&["skill", "update", "summary", "--instructions", "Be brief."]).exits(0).says("Be brief.");
    server.run(&["skill", "list"]).exits(0).says("summary");
    server.run(&["agent", "create", "ada", "--name", "Ada"]).exits(0);
    register(
        &server,
        &tool("sum_up", json!({"kind": "prompt", "mode": "skill", "skill": "summary", "agent": "ada"})),
    );
    server.run(&["tool", "call", "sum_up", "--json"]).exits(0).says("short");
    server.run(&["skill", "delete", "summary"]).exits(0).says("deleted");
    server.run(&["skill", "show", "summary"]).exits(5);
}

#[test]
fn without_a_model_a_prompt_tool_says_what_to_do() {
    let server = Server::start();
    register(&server, &tool("ask", json!({"kind": "prompt", "template": "hello"})));
    let answer = server.run(&["tool", "call", "ask"]);
    assert_ne!(answer.code, Some(0));
    answer.says("--model-script");
}
