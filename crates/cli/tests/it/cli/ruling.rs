//! `policy put`, `list` and `replay`, and the tenant's own limits.

use serde_json::json;

use crate::cli::support::{Ran, Server, toolgate};

const POLICY: &str = "\
# Comments are welcome.
rules:
  - id: long-sums-ask
    tools: [calculate]
    when: size(input.expression) > 4
    verdict: ask
    because: Somebody should look at long sums.
    examples:
      match: [{input: {expression: 1 + 2 + 3}}]
      no_match: [{input: {expression: 1+2}}]
  - id: no-division
    tools: [calculate]
    when: input.expression.contains('/')
    verdict: deny
    because: Division is dangerous.
    examples:
      match: [{input: {expression: 1/0}}]
      no_match: [{input: {expression: 1+2}}]
";

fn call(server: &Server, expression: &str) -> Ran {
    server.run(&["tool", "call", "calculate", "--input", &format!("expression={expression}")])
}

#[test]
fn a_policy_is_tried_on_the_past_before_it_rules() {
    let server = Server::start();
    let write = |name: &str, text: &str| std::fs::write(server.home.path().join(name), text).unwrap();
    write("policy.yaml", POLICY);
    for expression in ["1+1", "1+2+3", "4/2"] {
        call(&server, expression).exits(0);
    }
    server.run(&["policy", "list"]).exits(0).says("no policy");
    server
        .run(&["policy", "replay", "policy.yaml"])
        .exits(0)
        .says("allow → ask")
        .says("allow → deny")
        .says("policy:no-division: Division is dangerous.")
        .says("2 of 3 decisions would change: 1 from allow to ask, 1 from allow to deny, 0 otherwise");
    let replay = server.run(&["policy", "replay", "policy.yaml", "--last", "1", "--json"]).exits(0).json();
    assert_eq!((&replay["judged"], &replay["allow_to_deny"]), (&json!(1), &json!(1)));
    assert_eq!(replay["changes"][0]["would_be"]["verdict"], "deny");
    call(&server, "8/2").exits(0);

    let put = server.run(&["policy", "put", "policy.yaml", "--json"]).exits(0).json();
    assert_eq!(put["in_force"], true);
    server.run(&["policy", "list"]).exits(0).says("in force").says("long-sums-ask, no-division");
    call(&server, "8/2").exits(4).says("Division is dangerous.");
    call(&server, "1+2+3").exits(8);

    write("policy.json", "{\"rules\": []}");
    server.run(&["policy", "replay", "policy.json"]).exits(0).says("2 of 6 decisions would change");
    server.run(&["policy", "put", "policy.json"]).exits(0).says("0 rules are in force");
    call(&server, "8/2").exits(0);
    server.run(&["policy", "replay", "policy.json", "--last", "0"]).exits(2).says("1..=10000");
}

#[test]
fn a_bad_policy_is_refused_before_the_server_is_asked() {
    let server = Server::start();
    let wrong = POLICY.replace("{input: {expression: 1+2}}", "{input: {expression: 10 / 2 + 3}}");
    std::fs::write(server.home.path().join("policy.yaml"), wrong).unwrap();
    for command in ["put", "replay"] {
        let mut away = toolgate(server.home.path());
        away.args(["--url", "http://127.0.0.1:1", "policy", command, "policy.yaml"]);
        Ran::of(away.output().unwrap()).exits(6).says("long-sums-ask").says("no_match");
        server.run(&["policy", command, "nothing.yaml"]).exits(1).says("cannot be read");
    }
    server.run(&["policy", "list"]).exits(0).says("no policy");
}

#[test]
fn a_tenant_sets_limits_of_its_own() {
    let server = Server::start();
    let write = |text: &str| std::fs::write(server.home.path().join("settings.yaml"), text).unwrap();
    server.run(&["settings", "show"]).exits(0).says("the server's hold");
    write("user_rate_limit: {limit: 2, window_s: 3600}\nguard: {max_tool_calls: 9}\n");
    server.run(&["settings", "set", "settings.yaml"]).exits(0).says("2 calls in 3600 s");
    let now = server.run(&["settings", "show", "--json"]).exits(0).json();
    assert_eq!(now["guard"], json!({"max_tool_calls": 9}));
    call(&server, "1").exits(0);
    call(&server, "2").exits(0);
    call(&server, "3").exits(7).says("try again");
    write("user_rate_limits: {}\n");
    server.run(&["settings", "set", "settings.yaml"]).exits(6).says("user_rate_limits");
    write("a: [");
    server.run(&["settings", "set", "settings.yaml"]).exits(6).says("not YAML");
}
