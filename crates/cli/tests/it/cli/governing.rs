//! Who may call what, and who said yes: agents, assignments, permissions and profiles, from the terminal.

use serde_json::{Value, json};

use crate::cli::support::{Ran, Server, ended};

/// A server with an agent that has a key of its own; answers the key.
fn with_agent(server: &Server, handle: &str) -> String {
    server.run(&["agent", "create", handle]).exits(0).says("agt_");
    let scopes = "tools:read,tools:execute,invocations:read";
    let key = server.run(&["key", "create", handle, "--scope", scopes, "--agent", handle, "--json"]);
    key.exits(0).json()["key"].as_str().unwrap().to_owned()
}

fn calls(server: &Server, key: &str, expression: &str) -> Ran {
    let input = format!("expression={expression}");
    server.run(&["--key", key, "tool", "call", "calculate", "--input", &input, "--json"])
}

#[test]
fn an_agent_is_given_a_tool_asks_is_answered_for_good_and_loses_it_again() {
    let server = Server::start();
    server.first_person();
    let robot = with_agent(&server, "researcher");
    calls(&server, &robot, "1+1").exits(4).says("assign");

    server.run(&["profile", "create", "careful", "--requires-approval", "--rate-limit", "100/60"]).exits(0);
    let assign = ["tool", "assign", "--tool", "calculate", "--agent", "researcher", "--profile", "careful"];
    server.run(&assign).exits(0).says("with the profile careful");
    server.run(&["tool", "list", "--assignments", "--agent", "researcher"]).exits(0).says("allowed");
    server.run(&["tool", "list", "--profiles", "--agent", "researcher"]).exits(0).says("careful");
    server.run(&["tool", "list", "--agent", "researcher"]).exits(0).says("assigned");
    let explain = ["policy", "explain", "calculate", "--agent", "researcher", "--input", "expression=1"];
    server.run(&explain).exits(0).says("it would wait").says("ask by profile").says("ask by permission");
    server.run(&["profile", "update", "careful", "--requires-approval=false"]).exits(0);

    let row = calls(&server, &robot, "1+1").exits(8).json();
    let id = row["id"].as_str().unwrap();
    let pending = ["tool", "invocations", "--status", "pending", "--agent", "researcher", "--limit", "50"];
    server.run(&pending).exits(0).says(id);
    server.run(&["approvals", "--agent", "researcher"]).exits(0).says(id);
    server.run(&["approvals", "--agent", "nobody"]).exits(5);
    let run = "run_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    server.run(&["tool", "invocations", "--team-run", run]).exits(0).says("no calls match");
    server.run(&["--key", &robot, "approve", id]).exits(4).says("approvals:decide");
    server.run(&["tool", "approve", id, "--input", "expresion=2+2"]).exits(6).says("did you mean");
    server.run(&["tool", "approve", id, "--input-json", "{\"nothing\": 1}"]).exits(6).says("cannot run");
    server.run(&["tool", "approve", id, "--always", "--input", "expression=2+2"]).exits(0).says("approved");
    let done = ended(&server, &row);
    assert_eq!(done["output"]["result"], "4", "what was approved is what ran");
    assert_eq!(
        (&done["input"], &done["approved_input"]),
        (&json!({"expression": "1+1"}), &json!({"expression": "2+2"})),
        "both inputs are kept"
    );
    server.run(&["invocations", "show", id]).exits(0).says("input as it was approved:").says("2+2");

    server.run(&["agent", "tools", "researcher"]).exits(0).says("APPROVED FOR GOOD").says(id);
    calls(&server, &robot, "3+3").exits(0);
    server.run(&["agent", "revoke-override", "researcher", "calculate"]).exits(0).says("asks again");
    server.run(&["agent", "revoke-override", "researcher", "calculate"]).exits(5);
    calls(&server, &robot, "4+4").exits(8);

    server
        .run(&["tool", "revoke", "--tool", "calculate", "--agent", "researcher"])
        .exits(0)
        .says("taken from");
    calls(&server, &robot, "5+5").exits(4);
    server.run(&["tool", "assign", "--tool", "calculate", "--agent", "researcher", "--deny"]).exits(0);
    server.run(&["tool", "list", "--assignments"]).exits(0).says("denied");
    calls(&server, &robot, "6+6").exits(4);
}

#[test]
fn one_permission_changes_and_the_others_stay() {
    let server = Server::start();
    let robot = with_agent(&server, "clerk");
    server.register("writes.md");
    let permit = |tool: &str, status: &str| {
        server.run(&["agent", "permit", "clerk", "--tool", tool, "--status", status, "--json"])
    };
    server.run(&["tool", "assign", "--tool", "calculate", "--agent", "clerk"]).exits(0);
    let named =
        ["agent", "permit", "clerk", "--tool", "hash_text", "--status", "blocked", "--provider-key", "own"];
    server.run(&named).exits(0).says("hash_text for clerk is blocked");
    let now = permit("calculate", "always_allow").exits(0).json();
    let expected = json!([
        {"toolName": "calculate", "permissionStatus": "always_allow", "providerKey": null},
        {"toolName": "hash_text", "permissionStatus": "blocked", "providerKey": "own"},
    ]);
    assert_eq!(now["tools"], expected);
    calls(&server, &robot, "1").exits(0);
    let now = permit("hash_text", "needs_approval").exits(0).json();
    assert_eq!(now["tools"][1]["providerKey"], "own", "what is not named stays");
    permit("calculate", "blocked").exits(0);
    calls(&server, &robot, "1").exits(4).says("blocked for the agent clerk");
    permit("announce", "always_allow").exits(6).says("always asks");
    permit("no_such_tool", "blocked").exits(5);
    permit("calculate", "sometimes").exits(2).says("needs_approval");
}

#[test]
fn an_agent_is_made_changed_and_archived() {
    let server = Server::start();
    let made = server
        .run(&[
            "agent",
            "create",
            "clerk",
            "--name",
            "Clerk",
            "--tool-group",
            "data",
            "--set",
            "guard={\"max_tool_calls\": 5}",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!((&made["tool_groups"], &made["guard"]), (&json!(["data"]), &json!({"max_tool_calls": 5})));
    server.run(&["agent", "create", "clerk"]).exits(9).says("is taken");
    let set = [
        "agent",
        "update",
        "clerk",
        "--set",
        "model=gpt-5",
        "--set",
        "custom_tools=[\"calculate\"]",
        "--json",
    ];
    let changed = server.run(&set).exits(0).json();
    assert_eq!(changed["patched_keys"], json!(["custom_tools", "model"]));
    server.run(&["agent", "show", "clerk"]).exits(0).says("gpt-5").says("calculate").says("max_tool_calls");
    server
        .run(&["agent", "update", "clerk", "--set", "handle=other"])
        .exits(6)
        .says("handle cannot be changed");
    server
        .run(&["agent", "update", "clerk", "--set", "avatar_url=javascript:alert(1)"])
        .exits(6)
        .says("avatar_url is no link to a website");
    server.run(&["agent", "update", "clerk"]).exits(2).says("--set");
    server.run(&["agent", "archive", "clerk"]).exits(2).says("--yes");
    server.run(&["agent", "archive", "clerk", "--yes"]).exits(0).says("archived");
    server.run(&["agent", "list"]).exits(0).says("no agents");
    server.run(&["agent", "list", "--archived"]).exits(0).says("clerk");
    server.run(&["agent", "show", "nobody"]).exits(5);
}

#[test]
fn archiving_asks_at_a_terminal() {
    let server = Server::start();
    server.run(&["agent", "create", "clerk"]).exits(0);
    for (answer, told) in [("n\r", "nothing was changed"), ("y\r", "archived")] {
        let command = server.command(&["agent", "archive", "clerk"]);
        let mut terminal = rexpect::session::spawn_command(command, Some(20_000)).unwrap();
        terminal.exp_string("Archive clerk for good?").unwrap();
        terminal.send(answer).unwrap();
        terminal.flush().unwrap();
        terminal.exp_string(told).unwrap();
        terminal.exp_eof().unwrap();
    }
}

#[test]
fn a_profile_is_changed_piece_by_piece_and_stays_while_it_is_used() {
    let server = Server::start();
    let create = [
        "profile",
        "create",
        "careful",
        "--quorum",
        "2",
        "--cost-limit",
        "0.5",
        "--timeout-ms",
        "2000",
        "--json",
    ];
    let made = server.run(&create).exits(0).json();
    assert_eq!(made["approval"], json!({"quorum": 2, "allow_self": false}));
    let update = [
        "profile",
        "update",
        "careful",
        "--allow-self",
        "--rate-limit",
        "5/60",
        "--clear",
        "cost_limit",
        "--json",
    ];
    let now = server.run(&update).exits(0).json();
    assert_eq!(now["approval"], json!({"quorum": 2, "allow_self": true}));
    assert_eq!(now["rate_limit"], json!({"limit": 5, "window_s": 60}));
    assert_eq!((&now["cost_limit"], &now["timeout_ms"]), (&Value::Null, &json!(2000)));
    server
        .run(&["profile", "show", "careful"])
        .exits(0)
        .says("2 people, the caller too")
        .says("5 calls in 60 s");
    server.run(&["profile", "update", "careful"]).exits(2).says("nothing would change");
    server.run(&["profile", "create", "careful"]).exits(9);
    server.run(&["profile", "create", "x", "--rate-limit", "many"]).exits(2).says("10/60");
    with_agent(&server, "clerk");
    let assign = ["tool", "assign", "--tool", "calculate", "--agent", "clerk", "--profile", "careful"];
    server.run(&assign).exits(0);
    server.run(&["profile", "delete", "careful"]).exits(9);
    server.run(&["tool", "revoke", "--tool", "calculate", "--agent", "clerk"]).exits(0);
    server.run(&["profile", "delete", "careful"]).exits(0);
    server.run(&["profile", "list"]).exits(0).says("no profiles");
}

#[test]
fn two_people_must_agree_where_the_tool_says_so() {
    let server = Server::start();
    server.register("writes.md");
    let settings = server.run(&["tool", "settings", "announce", "--quorum", "2", "--json"]).exits(0).json();
    assert_eq!(settings["approval"]["quorum"], 2);
    server.run(&["tool", "settings", "announce"]).exits(0).says("2 people");
    let row = server.run(&["tool", "call", "announce", "--input", "name=Ada", "--json"]).exits(8).json();
    let id = row["id"].as_str().unwrap();
    let key = |name| server.approver(name, "approvals:decide");
    let (first, second) = (key("ada"), key("grace"));
    server.run(&["--key", &first, "approve", id]).exits(0).says("is pending").says("once 2 people");
    server.run(&["--key", &first, "approve", id]).exits(0).says("is pending");
    let edited = ["--key", &second, "approve", id, "--input-json", "{\"name\": \"Grace\"}"];
    server.run(&edited).exits(9).says("nobody can change");
    server.run(&["--key", &second, "approve", id]).exits(0).says("is approved");
    assert_eq!(ended(&server, &row)["output"]["text"], "Hello Ada!");
    server.run(&["tool", "settings", "announce", "--disable"]).exits(0).says("off");
    server.run(&["tool", "call", "announce", "--input", "name=Ada"]).exits(5);
    server.run(&["tool", "settings", "announce", "--enable", "--disable"]).exits(2);
}
