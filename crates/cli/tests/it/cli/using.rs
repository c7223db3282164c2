//! `toolgate usage`: what was used, from the terminal.

use serde_json::json;
use tempfile::TempDir;

use crate::cli::support::Server;

const ASK: &str = "---
name: ask
version: 1.0.0
description: Asks a model.
input_schema: {type: object, properties: {}}
execution: {kind: prompt, template: hello}
---
";

#[test]
fn usage_is_a_table_json_or_csv() {
    let home = TempDir::new().unwrap();
    let reply = json!({"text": "hi", "cost_estimate": 0.25,
        "usage": {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 7}});
    let failure = json!({"error": {"code": "PROVIDER_ERROR", "message": "out of order"}});
    let script = json!({"rules": [{"replies": [reply, failure]}]});
    std::fs::write(home.path().join("model.json"), script.to_string()).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.json\"\n").unwrap();
    std::fs::write(home.path().join("ask.md"), ASK).unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    server.run(&["tool", "register", "--apply", "--file", "ask.md"]).exits(0);
    server.run(&["tool", "call", "ask", "--input-json", "{}"]).exits(0);
    server.run(&["tool", "call", "ask", "--input-json", "{}"]).exits(3);
    server.run(&["tool", "call", "calculate", "--input", "expression=1+1"]).exits(0);

    let report = server.run(&["usage", "--by", "tool", "--json"]).exits(0).json();
    let items = report["items"].as_array().unwrap();
    let shown: Vec<_> = items
        .iter()
        .map(|i| (&i["tool"], &i["calls"], &i["errors"], &i["model_calls"], &i["cost"]))
        .collect();
    assert_eq!(
        shown,
        [
            (&json!("ask"), &json!(2), &json!(1), &json!(2), &json!(0.25)),
            (&json!("calculate"), &json!(1), &json!(0), &json!(0), &json!(0.0))
        ]
    );
    let models = server.run(&["usage", "--by", "provider,model", "--since", "1h", "--json"]).exits(0).json();
    let scripted = models["items"].as_array().unwrap().iter().find(|i| i["provider"] == "scripted").unwrap();
    assert_eq!((&scripted["model"], &scripted["cached_input_tokens"]), (&json!("scripted"), &json!(40)));

    server.run(&["usage"]).exits(0).says("MODEL CALLS").says("0.2500");
    server.run(&["usage", "--by", "day,tool", "--tool", "ask"]).exits(0).says("DAY").says("ask");
    let csv = server.run(&["usage", "--by", "tool", "--csv"]).exits(0).out;
    assert!(csv.starts_with("tool,calls,errors,") && csv.contains("\r\nask,2,1,"), "{csv}");
    server.run(&["usage", "--by", "tool", "--until", "2001-01-01"]).exits(0).says("nothing was used");
    server.run(&["usage", "--by", "colour"]).exits(2);
    server.run(&["usage", "--agent", "nobody"]).exits(5);
    server.run(&["usage", "--since", "2001-01-01"]).exits(6).says("366 days");
}
