//! Tenants, people, roles, workspaces, and keys that speak for somebody.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::{Value, json};

use crate::cli::support::Server;

fn word(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn a_tenant_has_a_key_of_its_own_and_sees_nothing_of_the_others() {
    let server = Server::start();
    server.run(&["agent", "create", "researcher"]).exits(0);
    let made =
        server.run(&["tenant", "create", "acme", "--name", "Acme Ltd"]).exits(0).says("shown this once");
    let key = made.out.trim();
    assert!(key.starts_with("tg_") && !key.contains(char::is_whitespace), "the key alone is on stdout");
    server.run(&["--key", key, "whoami"]).exits(0).says("acme").says("everything");
    server.run(&["--key", key, "agent", "list"]).exits(0).says("no agents");
    server.run(&["--key", key, "agent", "show", "researcher"]).exits(5);
    server.run(&["--key", key, "tool", "call", "calculate", "--input", "expression=1"]).exits(0);
    server.run(&["--key", key, "tenant", "list"]).exits(4).says("installation's own tenant");
    server.run(&["tenant", "create", "acme"]).exits(9);
    server.run(&["tenant", "archive", "acme"]).exits(2).says("--yes");
    server.run(&["tenant", "archive", "acme", "--yes"]).exits(0).says("archived");
    server.run(&["--key", key, "whoami"]).exits(4);
    server.run(&["tenant", "list"]).exits(0).says("acme").says("Acme Ltd");
    server.run(&["tenant", "archive", "nobody", "--yes"]).exits(5).says("tenant list");
}

#[test]
fn a_person_can_do_what_their_roles_say_until_they_are_disabled() {
    let server = Server::start();
    server.run(&["workspace", "create", "research", "--name", "Research"]).exits(0).says("wsp_");
    server.run(&["workspace", "list"]).exits(0).says("research");
    let create = [
        "user",
        "create",
        "ada@example.com",
        "--name",
        "Ada",
        "--role",
        "approver",
        "--workspace",
        "research",
    ];
    let made =
        server.run_with_stdin(&[&create[..], &["--password", "--json"]].concat(), "correct horse battery\n");
    let made = made.exits(0).json();
    assert_eq!((&made["has_password"], &made["roles"]), (&json!(true), &json!(["approver"])));
    server.run(&["user", "list"]).exits(0).says("ada@example.com").says("a password");
    server.run(&["user", "show", "Ada@Example.com"]).exits(0).says(word(&made["id"])).says("wsp_");

    let scopes = "tools:execute,approvals:decide,agents:write";
    let key = server.run(&["key", "create", "ada", "--scope", scopes, "--user", "ada@example.com", "--json"]);
    let key = key.exits(0).json();
    let key = word(&key["key"]);
    let me = server.run(&["--key", key, "whoami", "--json"]).exits(0).json();
    assert_eq!(me["principal"], made["id"]);
    server.run(&["--key", key, "approvals"]).exits(0).says("no call waits");
    server.run(&["--key", key, "agent", "create", "clerk"]).exits(4);
    server.run(&["user", "update", "ada@example.com", "--role", "builder"]).exits(0).says("builder");
    server.run(&["--key", key, "agent", "create", "clerk"]).exits(0);
    server.run(&["--key", key, "approvals"]).exits(4);
    server.run(&["agent", "list", "--owner", "ada@example.com"]).exits(0).says("clerk");
    server.run(&["user", "disable", "ada@example.com"]).exits(0).says("disabled");
    server.run(&["--key", key, "whoami"]).exits(4);
    server.run(&["user", "update", "ada@example.com", "--enable"]).exits(0).says("active");
    server.run(&["--key", key, "whoami"]).exits(0);
}

#[test]
fn a_password_is_never_on_the_command_line() {
    let server = Server::start();
    let create = ["user", "create", "ada@example.com", "--name", "Ada", "--password"];
    server.run(&[&create[..], &["correct horse battery"]].concat()).exits(2);
    server.run(&create).exits(2).says("no password on stdin");
    server.run_with_stdin(&create, "short\n").exits(6).says("12");
    let mut terminal = rexpect::session::spawn_command(server.command(&create), Some(20_000)).unwrap();
    for question in ["Password", "again"] {
        terminal.exp_string(question).unwrap();
        terminal.send("correct horse battery\r").unwrap();
        terminal.flush().unwrap();
    }
    let seen = terminal.exp_string("usr_").unwrap();
    assert!(!seen.contains("horse"), "nobody sees it: {seen}");
    terminal.exp_eof().unwrap();
    let update = ["user", "update", "ada@example.com", "--password"];
    server.run_with_stdin(&update, "another horse battery\n").exits(0);
    server.run(&["user", "update", "ada@example.com"]).exits(2).says("--role");
}

/// Signs a person in as a browser does.
fn sign_in(server: &Server, agent: &str, email: &str, password: &str) {
    let host = server.url.strip_prefix("http://").unwrap();
    let body = json!({"email": email, "password": password}).to_string();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST /api/auth/login HTTP/1.1\r\nhost: {host}\r\nuser-agent: {agent}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn the_sessions_of_a_person_are_shown_and_ended() {
    let server = Server::start();
    let create = ["user", "create", "ada@example.com", "--name", "Ada", "--password"];
    server.run_with_stdin(&create, "correct horse battery\n").exits(0);
    let sessions = || server.run(&["user", "sessions", "ada@example.com", "--json"]).exits(0).json();
    server.run(&["user", "sessions", "ada@example.com"]).exits(0).says("no sessions");
    for agent in ["laptop/1.0", "phone/1.0"] {
        sign_in(&server, agent, "ada@example.com", "correct horse battery");
    }
    server.run(&["user", "sessions", "ada@example.com"]).exits(0).says("lgn_").says("phone/1.0");
    let first = sessions()["items"][0].clone();
    assert_eq!(first["client"], "laptop/1.0");
    let end = ["user", "sign-out", "ada@example.com", "--session", word(&first["id"])];
    server.run(&end).exits(0).says("ended 1 session");
    server.run(&end).exits(5);
    assert_eq!(sessions()["items"].as_array().unwrap().len(), 1);
    server.run(&["user", "sign-out", "ada@example.com"]).exits(0).says("ended 1 session");
    server.run(&["user", "sign-out", "ada@example.com"]).exits(0).says("there was no session");
}

#[test]
fn roles_of_ones_own_are_made_given_and_deleted() {
    let server = Server::start();
    server.run(&["role", "list"]).exits(0).says("approver").says("approvals.tenant.decide");
    let put = ["role", "put", "auditor", "--permission", "audit.tenant.read,invocations.tenant.read"];
    server.run(&put).exits(0).says("auditor may audit.tenant.read");
    server.run(&["role", "put", "admin", "--permission", "tools.tenant.read"]).exits(9).says("built");
    server.run(&["user", "create", "joan@example.com", "--name", "Joan", "--role", "auditor"]).exits(0);
    server.run(&["role", "delete", "auditor"]).exits(9);
    server.run(&["user", "update", "joan@example.com", "--role", "viewer"]).exits(0);
    server.run(&["role", "delete", "auditor"]).exits(0).says("deleted");
    server.run(&["role", "delete", "auditor"]).exits(5);
    server
        .run(&["user", "create", "x@example.com", "--name", "X", "--role", "nobody"])
        .exits(6)
        .says("nobody");
}

#[test]
fn a_key_speaks_for_one_at_most() {
    let server = Server::start();
    server.run(&["agent", "create", "clerk"]).exits(0);
    let create = ["key", "create", "robot", "--scope", "tools:execute"];
    let key = |more: &[&str]| server.run(&[&create[..], more].concat());
    key(&["--agent", "clerk", "--service-role"]).exits(2).says("--service-role");
    key(&["--agent", "nobody"]).exits(5);
    key(&["--user", "nobody@example.com"]).exits(5).says("user list");
    key(&["--service-role"]).exits(0);
    key(&["--agent", "clerk"]).exits(0);
    server.run(&["key", "list"]).exits(0).says("service role").says("agt_");
}
