//! Agents in the whole server: with a script for a model, and with a host that speaks as a provider does.

use std::path::Path;

use memchr::memmem;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{
    http::Host,
    support::{Server, toolgate},
};

const KEY: &str = "sk-model-key-that-nobody-may-see";

const SCRIPT: &str = r#"
rules:
  - {after_tool: calculate, replies: [{text: It is 42.}]}
  - {contains: six times seven, replies: [{tool_calls: [{name: calculate, arguments: {expression: 6*7}}]}]}
"#;

/// An agent that may calculate.
fn clerk(server: &Server) {
    server.run(&["agent", "create", "clerk", "--tool", "calculate"]).exits(0);
    server.run(&["agent", "permit", "clerk", "--tool", "calculate", "--status", "always_allow"]).exits(0);
}

fn run(server: &Server) -> crate::cli::support::Ran {
    server.run(&[
        "tool",
        "call",
        "run_agent",
        "--input",
        "agent=clerk",
        "message=What is six times seven?",
        "--json",
    ])
}

/// Asks for a sum, and then tells it. What it is asked for is kept.
fn model() -> Host {
    Host::start("application/json", |request| {
        let told = request.contains("\"role\":\"tool\"");
        let message = if told {
            json!({"role": "assistant", "content": "It is 42."})
        } else {
            let call = json!({"name": "calculate", "arguments": "{\"expression\": \"6*7\"}"});
            json!({"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": call}]})
        };
        let reason = if told { "stop" } else { "tool_calls" };
        let usage = json!({"prompt_tokens": 1_000_000, "completion_tokens": 0});
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        json!({"model": "small", "choices": [choice], "usage": usage}).to_string().into_bytes()
    })
}

/// Every file below a directory.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Neither logs nor receipts nor events hold the key.
fn is_kept_nowhere(server: &Server) {
    let files = files(server.home.path());
    assert!(files.len() > 3);
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let found = memmem::find(&bytes, KEY.as_bytes()).is_some();
        assert!(!found, "{} holds the key", file.display());
    }
}

#[test]
fn an_agent_runs_with_a_scripted_model() {
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("model.yaml"), SCRIPT).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.yaml\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    clerk(&server);
    let envelope = run(&server).exits(0).json();
    let output = &envelope["output"];
    assert_eq!(output["response"], "It is 42.", "{envelope}");
    let [call_id] = output["tool_order"].as_array().unwrap().as_slice() else { panic!("one call: {output}") };
    let receipt = &output["tools_by_id"][call_id.as_str().unwrap()];
    assert_eq!((&receipt["name"], &output["last_tool"]), (&json!("calculate"), receipt));

    server.run(&["agent", "update", "clerk", "--set", "model=other/big"]).exits(0);
    let error = run(&server).json()["error"].clone();
    assert_eq!(error["code"], "VALIDATION_ERROR", "{error}");
    assert_eq!(error["details"]["providers"], json!(["scripted"]));
}

#[test]
fn without_a_model_a_run_says_what_to_do() {
    let server = Server::start();
    clerk(&server);
    let error = run(&server).json()["error"].clone();
    assert_eq!((&error["code"], &error["details"]["reason"]), (&json!("AUTH_REQUIRED"), &json!("no_model")));
    assert!(error["message"].as_str().unwrap().contains("[[providers]]"));
}

#[test]
fn an_operators_provider_is_asked_with_the_key_of_the_environment() {
    let model = model();
    let home = TempDir::new().unwrap();
    let settings = format!(
        "[[providers]]\nname = \"local\"\napi = \"openai_compatible\"\nbase_url = \"http://{}/v1\"\n\
         api_key_env = \"LOCAL_MODEL_KEY\"\nmodels = [\"small\"]\nprices.small = {{input = 0.5, output = 1.0}}\n",
        model.address
    );
    std::fs::write(home.path().join("toolgate.toml"), settings).unwrap();
    let unset = toolgate(home.path()).args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    assert!(!unset.status.success());
    assert!(String::from_utf8_lossy(&unset.stderr).contains("LOCAL_MODEL_KEY is not set"), "{unset:?}");

    let server = Server::start_logging(home, &[("LOCAL_MODEL_KEY", KEY)]);
    clerk(&server);
    let envelope = run(&server).exits(0).json();
    assert_eq!(envelope["output"]["response"], "It is 42.", "{envelope}");
    assert_eq!(envelope["output"]["tool_order"].as_array().unwrap().len(), 1);
    let asked = model.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[0].to_lowercase().contains(&format!("authorization: bearer {KEY}")), "{}", asked[0]);
    assert!(asked[0].contains("\"model\":\"small\""), "{}", asked[0]);
    let id = envelope["invocation_id"].as_str().unwrap();
    let row = server.run(&["invocations", "show", id, "--json"]).exits(0).json();
    assert_eq!(row["cost_estimate"], 1.0, "two turns of a million tokens: {row}");
    is_kept_nowhere(&server);
}

#[test]
fn a_tenants_provider_has_its_key_among_the_secrets_and_stands_before_the_operators() {
    let model = model();
    let home = TempDir::new().unwrap();
    let settings = format!(
        "allow_hosts = [\"{}\"]\n\n[[providers]]\nname = \"local\"\napi = \"openai_compatible\"\n\
         base_url = \"http://127.0.0.1:9/v1\"\nmodels = [\"small\"]\n",
        model.address
    );
    std::fs::write(home.path().join("toolgate.toml"), settings).unwrap();
    let server = Server::start_logging(home, &[]);
    clerk(&server);
    let url = format!("http://{}/v1", model.address);
    let set = ["provider", "set", "local", "--api", "openai_compatible", "--base-url"];
    let inside = [&set[..], &["http://127.0.0.1:9/v1"]].concat();
    server.run(&inside).exits(6).says("loopback");
    server.run(&["provider", "set", "local"]).exits(2).says("--api");
    let args = [&set[..], &[url.as_str(), "--key-secret", "MODEL_KEY", "--model", "small"]].concat();
    server.run(&args).exits(0).says("MODEL_KEY");
    server.run(&["provider", "list"]).exits(0).says("openai_compatible").says("MODEL_KEY");

    let error = run(&server).json()["error"].clone();
    assert_eq!(error["code"], "AUTH_REQUIRED", "{error}");
    assert!(error["message"].as_str().unwrap().contains("MODEL_KEY") && model.asked().is_empty());

    server.run_with_stdin(&["secret", "set", "MODEL_KEY", "--scope", "tenant"], KEY).exits(0);
    assert_eq!(run(&server).exits(0).json()["output"]["response"], "It is 42.");
    let first = model.asked()[0].clone();
    assert!(first.contains(KEY), "the tenant's, not the operator's: {first}");
    is_kept_nowhere(&server);

    let newer = "sk-another-key-from-now-on";
    server.run_with_stdin(&["secret", "rotate", "MODEL_KEY", "--scope", "tenant"], newer).exits(0);
    run(&server).exits(0);
    assert!(model.asked().last().unwrap().contains(newer), "a new key counts from the next run on");

    server.run(&["provider", "remove", "local"]).exits(0).says("removed");
    let error = run(&server).json()["error"].clone();
    assert_eq!(error["code"], "NETWORK_ERROR", "the operator's again, which nobody serves: {error}");
}

#[test]
fn what_a_provider_does_not_know_is_a_warning_when_a_tool_is_saved_and_not_when_it_runs() {
    let home = TempDir::new().unwrap();
    let settings = "[[providers]]\nname = \"google\"\napi = \"gemini\"\nmodels = [\"g\"]\n";
    std::fs::write(home.path().join("toolgate.toml"), settings).unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    let definition = json!({
        "name": "tag", "version": "1.0.0", "description": "tags",
        "input_schema": {"type": "object", "properties": {
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
        }},
        "execution": {"kind": "builtin", "handler": "wait"},
    });
    let file = server.home.path().join("tool.json");
    std::fs::write(&file, definition.to_string()).unwrap();
    let saved =
        server.run(&["tool", "register", "--apply", "--file", file.to_str().unwrap(), "--json"]).exits(0);
    let warnings = saved.json()["warnings"].clone();
    let told = |warning: &Value| {
        let warning = warning.as_str().unwrap();
        warning.starts_with("google:") && warning.contains("uniqueItems")
    };
    assert!(warnings.as_array().unwrap().iter().any(told), "{warnings}");
    let called =
        server.run(&["tool", "call", "tag", "--input-json", "{\"ms\": 1}", "--json"]).exits(0).json();
    assert_eq!(called["warnings"].as_array().map_or(0, Vec::len), 0, "{called}");
}
