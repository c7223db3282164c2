//! `toolgate mcp stdio` as a server of its own: calls are made on behalf of the one who was named.

use serde_json::json;
use tempfile::TempDir;

use crate::cli::{
    pipe::Pipe,
    support::{Server, toolgate},
};

#[test]
fn what_is_called_through_the_pipe_is_on_record_as_the_named_persons_call_over_mcp() {
    let home = TempDir::new().unwrap();
    let mut stdio = toolgate(home.path());
    stdio.args(["mcp", "stdio", "--user", "ada@example.com", "--data-dir", "state"]);
    let mut pipe = Pipe::open(stdio);
    let sum = json!({"name": "calculate", "arguments": {"expression": "6*7"}});
    let called = pipe.ask("tools/call", sum);
    assert_eq!(called["structuredContent"]["result"], "42", "{called}");
    pipe.close();

    let server = Server::start_in(home, "127.0.0.1:0");
    let people = server.run(&["user", "list", "--json"]).exits(0).json();
    let ada = &people["items"][0];
    assert_eq!(ada["email"], "ada@example.com");
    let calls = server.run(&["invocations", "--json"]).exits(0).json();
    let [call] = calls["items"].as_array().unwrap().as_slice() else { panic!("one call: {calls}") };
    let id = ada["id"].as_str().unwrap();
    assert!(call["caller"].as_str().unwrap().ends_with(id), "{call}");
    assert_eq!((&call["surface"], &call["tool_name"]), (&json!("mcp"), &json!("calculate")), "{call}");
}
