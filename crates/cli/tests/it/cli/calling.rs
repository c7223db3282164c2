//! `tool call`, and what it leaves behind.

use serde_json::json;

use crate::cli::support::{Server, fixture};

#[test]
fn text_becomes_the_input_that_the_schema_asks_for() {
    let server = Server::start();
    let call = |args: &[&str]| server.run(&[&["tool", "call"], args, &["--json"]].concat()).exits(0).json();

    let envelope = call(&["calculate", "--input", "expression=(2+3)*7"]);
    assert_eq!(envelope["output"]["result"], "35");
    let envelope = call(&[
        "summarize_numbers",
        "--input",
        "numbers=1,2.5,4",
        "bins=2",
        "--input",
        "percentiles=50",
        "--input",
        "percentiles=90",
    ]);
    assert_eq!(envelope["input"], json!({"numbers": [1, 2.5, 4], "bins": 2, "percentiles": [50, 90]}));
    let envelope = call(&["parse_csv", "--input", "text=a,b\n1,2\n", "--input", "infer_types=false"]);
    assert_eq!(envelope["output"]["rows"], json!([{"a": "1", "b": "2"}]));
    let envelope =
        call(&["render_template", "--input", "template={{ who.name }}!", "--input", "values.who.name=Ada"]);
    assert_eq!(envelope["output"]["text"], "Ada!");
    let envelope = call(&["calculate", "--input-json", r#"{"expression": "6*7"}"#]);
    assert_eq!(envelope["output"]["result"], "42");

    let piped = server.run_with_stdin(
        &["tool", "call", "calculate", "--input-json", "-", "--json"],
        r#"{"expression": "1+1"}"#,
    );
    assert_eq!(piped.exits(0).json()["output"]["result"], "2");
    server
        .run(&["tool", "call", "calculate", "--input", "expression=6*7"])
        .exits(0)
        .says("result: 42")
        .says("calculate@1.0.0");
}

#[test]
fn bad_input_is_told_by_its_exit_code_and_its_name() {
    let server = Server::start();
    let call = |args: &[&str]| server.run(&[&["tool", "call"], args].concat());
    call(&["calculate"]).exits(6).says("`expression`").says("--input expression=");
    call(&["calculate", "--input", "expresion=1"]).exits(6).says("did you mean `expression`?");
    call(&["summarize_numbers", "--input", "numbers=1,two"]).exits(6).says("`numbers[1]`");
    call(&["parse_csv", "--input", "text=a", "--input", "delimiter=x"])
        .exits(6)
        .says("`delimiter` is one of");
    call(&["calculate", "--input-json", "{"]).exits(6).says("--input-json");
    call(&["calculate", "--input-json", r#"{"a": 1, "a": 2}"#]).exits(6);
    call(&["calculate", "--input-json", r#"{"expression": 5}"#]).exits(6).says("VALIDATION_ERROR");
    call(&["calculate", "--input", "expression"]).exits(2).says("KEY=VALUE");
    call(&["calculate@9.9.9", "--input", "expression=1"]).exits(5).says("there are 1.0.0");
    let unknown = call(&["no_such_tool", "--input", "a=1", "--json"]).exits(5).json();
    assert_eq!(unknown["code"], "NOT_FOUND");
    server.run(&["invocations", "--tool", "no_such_tool"]).exits(0).says("failed");
    server.run(&["tool", "show", "no_such_tool"]).exits(5);
}

#[test]
fn every_call_is_found_again() {
    let server = Server::start();
    for expression in ["1", "2", "3"] {
        server.run(&["tool", "call", "calculate", "--input", &format!("expression={expression}")]).exits(0);
    }
    server.run(&["tool", "call", "hash_text", "--input", "text=x"]).exits(0);
    let listed = server.run(&["invocations", "--tool", "calculate", "--json"]).exits(0).json();
    let rows = listed["items"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["surface"] == "cli" && row["status"] == "completed"), "{listed}");
    let all = server.run(&["invocations", "--all", "--limit", "1", "--json"]).exits(0).json();
    assert_eq!(all["items"].as_array().unwrap().len(), 4);
    assert_eq!(
        server.run(&["invocations", "--limit", "1", "--json"]).exits(0).json()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let id = rows[0]["id"].as_str().unwrap();
    server
        .run(&["invocations", "show", id])
        .exits(0)
        .says("expression: 3")
        .says("completed")
        .says("allow by scope");
    server.run(&["invocations", "cancel", id]).exits(0).says("is completed");
    server.run(&["invocations", "--since", "1h", "--status", "completed"]).exits(0).says("hash_text@1.0.0");
    server.run(&["invocations", "--since", "2100-01-01"]).exits(0).says("no calls match");
    server.run(&["invocations", "show", "inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"]).exits(5);
}

#[test]
fn the_same_idempotency_key_gets_the_same_call() {
    let server = Server::start();
    let call = || {
        server
            .run(&[
                "tool",
                "call",
                "generate_ids",
                "--input-json",
                "{}",
                "--idempotency-key",
                "once",
                "--json",
            ])
            .exits(0)
            .json()
    };
    let (first, second) = (call(), call());
    assert_eq!(first["invocation_id"], second["invocation_id"]);
    assert_eq!(first["output"], second["output"]);
}

#[test]
fn a_stream_shows_the_pieces_and_then_the_answer() {
    let server = Server::start();
    let lines = server
        .run(&["tool", "call", "wait", "--input", "ms=30", "every_ms=10", "--stream", "--json"])
        .exits(0);
    let events: Vec<serde_json::Value> =
        lines.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["started", "output", "output", "output", "finished"]);
    assert_eq!(events[4]["data"]["output"], json!({"waited_ms": 30}));
    server
        .run(&["tool", "call", "wait", "--input", "ms=20", "every_ms=10", "--stream"])
        .exits(0)
        .says("{\"waited_ms\":10}")
        .says("waited_ms: 20");
    server
        .run(&["tool", "call", "wait", "--input", "ms=70000", "--stream"])
        .exits(6)
        .says("VALIDATION_ERROR");
    server.run(&["tool", "call", "no_such_tool", "--stream"]).exits(5);
}

#[test]
fn a_tool_that_fails_is_told_from_a_call_that_is_refused() {
    let server = Server::start();
    // Its own output schema demands what the handler does not give.
    let text = std::fs::read_to_string(fixture("greet.md")).unwrap();
    let broken = text
        .replace("required: [text]", "required: [text, mood]")
        .replace("    text: {type: string}", "    text: {type: string}\n    mood: {type: string}");
    assert_ne!(text, broken);
    let path = server.home.path().join("broken.md");
    std::fs::write(&path, broken).unwrap();
    server.run(&["tool", "register", "--apply", "--file", path.to_str().unwrap()]).exits(0);
    let failed = server.run(&["tool", "call", "greet", "--input", "name=Ada", "--json"]).exits(3).json();
    assert_eq!(failed["error"]["code"], "PROVIDER_ERROR");
    server.run(&["tool", "test", path.to_str().unwrap()]).exits(3).says("PROVIDER_ERROR");
}
