//! What agents do on their own, from the terminal.

use serde_json::json;

use crate::cli::support::Server;

#[test]
fn an_agent_acts_within_its_terms_and_everything_it_did_is_listed() {
    let server = Server::start();
    let terms = r#"actions={"blocked": ["hash_text"], "daily_quota": {"calculate": 1}}"#;
    let make = ["agent", "create", "clerk", "--tool", "calculate", "--tool", "hash_text", "--set", terms];
    server.run(&make).exits(0);
    let permit = ["agent", "permit", "clerk", "--tool", "calculate", "--status", "always_allow"];
    server.run(&permit).exits(0);
    let act = |action: &str, metadata: &str| {
        server.run(&["agent", "act", "clerk", action, "--metadata", metadata, "--json"])
    };
    let done = act("calculate", r#"{"expression": "6*7"}"#).exits(0).json();
    assert_eq!(
        (&done["output"]["result"], &done["output"]["output"]["result"]),
        (&json!("success"), &json!("42"))
    );
    act("calculate", r#"{"expression": "6*7"}"#).exits(7).says("daily_quota_exceeded");
    act("hash_text", r#"{"text": "x"}"#).exits(4).says("action_blocked");
    act("join_battle", "{}").exits(4).says("unknown_action");
    act("calculate", "[]").exits(2).says("JSON object");
    server.run(&["agent", "act", "nobody", "calculate"]).exits(4);
    let list = server.run(&["agent", "actions", "clerk", "--json"]).exits(0).json();
    let results: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| &item["result"]).collect();
    assert_eq!(results, ["blocked_by_policy", "blocked_by_policy", "throttled", "success"], "newest first");
    assert_eq!(list["items"][3]["invocation_id"], done["output"]["invocation_id"]);
    let first = server.run(&["agent", "actions", "clerk", "--limit", "1", "--json"]).exits(0).json();
    assert!(first["next_cursor"].is_string());
    let all = server.run(&["agent", "actions", "clerk", "--limit", "1", "--all", "--json"]).exits(0).json();
    assert_eq!(all["items"], list["items"], "page by page it is the same");
    server.run(&["agent", "actions", "clerk"]).exits(0).says("throttled").says("daily_quota_exceeded");
    server.run(&["agent", "show", "clerk"]).exits(0).says("daily_quota");
}
