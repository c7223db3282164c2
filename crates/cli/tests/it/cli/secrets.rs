//! Secrets at the terminal, and the key that seals them.

use std::os::unix::fs::PermissionsExt;

use memchr::memmem;
use rexpect::session::spawn_command;
use serde_json::json;
use tempfile::TempDir;

use crate::cli::support::{Ran, Server, changed, toolgate};

const SECRET: &str = "s3cr3t-from-stdin";

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_secret_goes_in_through_stdin_and_only_its_name_comes_out() {
    let server = Server::start();
    let refused = server.run_with_stdin(&["secret", "set", "API_KEY"], SECRET).exits(6);
    refused.says("speaks for no person");
    let set = server.run_with_stdin(&["secret", "set", "API_KEY", "--scope", "tenant"], "first-value\n");
    set.exits(0).says("API_KEY is set (scope tenant, revision 1)");
    let rotate = ["secret", "rotate", "API_KEY", "--scope", "tenant", "--json"];
    let rotated = server.run_with_stdin(&rotate, SECRET).exits(0);
    assert_eq!(rotated.json()["revision"], 2);
    assert!(!rotated.out.contains(SECRET));
    let list = server.run(&["secret", "list"]).exits(0).says("API_KEY").says("tenant").says("never");
    assert!(!list.out.contains(SECRET));
    server.run(&["secret", "set", "API_KEY", SECRET]).exits(2);
    server.run(&["secret", "set", "API_KEY", "--scope", "tenant"]).exits(6).says("stdin");
    server.run(&["secret", "delete", "API_KEY", "--scope", "tenant"]).exits(0).says("deleted");
    server.run(&["secret", "delete", "API_KEY", "--scope", "tenant"]).exits(5);
}

#[test]
fn a_value_typed_at_a_terminal_is_not_shown() {
    let server = Server::start();
    let command = server.command(&["secret", "set", "API_KEY", "--scope", "tenant"]);
    let mut terminal = spawn_command(command, Some(20_000)).unwrap();
    terminal.exp_string("value of API_KEY").unwrap();
    terminal.send(&format!("{SECRET}\r")).unwrap();
    terminal.flush().unwrap();
    let rest = terminal.exp_string("is set").unwrap();
    assert!(!rest.contains(SECRET), "{rest}");
    terminal.exp_eof().unwrap();
}

#[test]
fn the_first_start_makes_a_master_key_that_its_owner_alone_can_read() {
    let server = Server::start();
    let file = server.data_dir().join("secrets.key");
    assert_eq!(mode(&file), 0o600);
    let made = std::fs::read_to_string(&file).unwrap();
    server.run_with_stdin(&["secret", "set", "API_KEY", "--scope", "tenant"], SECRET).exits(0);
    let (_, _, home) = server.stop();
    let again = Server::start_in(home, "127.0.0.1:0");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), made, "it is made once");
    let (_, _, home) = again.stop();

    std::fs::remove_file(&file).unwrap();
    let serve = |home: &TempDir, args: &[&str]| {
        let mut command = toolgate(home.path());
        Ran::of(
            command
                .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "state"])
                .args(args)
                .output()
                .unwrap(),
        )
    };
    // A new key would open nothing: the old one must come back.
    serve(&home, &[]).exits(1).says("secrets.key is missing").says("--secrets-key-file");
    assert!(!file.exists());
    let bad = home.path().join("bad.key");
    std::fs::write(&bad, "hunter2-hunter2").unwrap();
    let refused = serve(&home, &["--secrets-key-file", bad.to_str().unwrap()]).exits(1);
    assert!(!refused.err.contains("hunter2"), "{refused:?}");
    refused.says("holds no master key").says("openssl rand");
}

#[test]
fn the_master_key_is_changed_by_command_and_the_command_can_be_repeated() {
    let server = Server::start();
    let set = |server: &Server, name: &str| {
        server.run_with_stdin(&["secret", "set", name, "--scope", "tenant"], SECRET)
    };
    set(&server, "API_KEY").exits(0);
    let (_, _, home) = server.stop();
    let own = home.path().join("state/secrets.key");
    let old = std::fs::read_to_string(&own).unwrap();
    std::fs::write(home.path().join("new.key"), "ab".repeat(32)).unwrap();
    let rekey = || {
        let args = ["secret", "rekey", "--new-key-file", "new.key", "--data-dir", "state", "--json"];
        Ran::of(toolgate(home.path()).args(args).output().unwrap()).exits(0).json()
    };
    let done = rekey();
    assert_eq!((&done["tenants"], &done["skipped"]), (&json!(1), &json!(0)), "{done}");
    let again = rekey();
    assert_eq!((&again["tenants"], &again["skipped"]), (&json!(0), &json!(1)), "{again}");
    assert_eq!(std::fs::read_to_string(&own).unwrap().trim(), "ab".repeat(32));
    assert_eq!(mode(&own), 0o600);
    let kept = own.with_file_name(format!("secrets-{}.key", done["from"].as_str().unwrap()));
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), old, "backups still need it");

    let server = Server::start_in(home, "127.0.0.1:0");
    set(&server, "OTHER").exits(0);
    let (_, _, home) = server.stop();
    // The old key does not seal any more, and says why nothing in the clear.
    std::fs::copy(&kept, home.path().join("old.key")).unwrap();
    std::fs::copy(home.path().join("old.key"), home.path().join("state/secrets.key")).unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    let refused = set(&server, "THIRD").exits(1);
    refused.says("another master key");
}

#[test]
fn a_tool_that_lacks_a_secret_says_so_before_it_is_called() {
    let server = Server::start();
    let file = changed(server.home.path(), "greet.md", "category: utility", "secrets: [API_KEY]");
    server.run(&["tool", "register", "--apply", "--file", file.to_str().unwrap()]).exits(0);
    server.run(&["tool", "show", "greet"]).exits(0).says("not set").says("API_KEY");
    let call = ["tool", "call", "greet", "--input", "name=s3cr3t-from-stdin", "--json"];
    let refused = server.run(&call).exits(3).json();
    assert_eq!(refused["error"]["details"]["missing"], json!(["API_KEY"]), "{refused}");
    server.run_with_stdin(&["secret", "set", "API_KEY", "--scope", "tenant"], SECRET).exits(0);
    let called = server.run(&call).exits(0).json();
    assert_eq!(called["output"]["text"], "Hello [redacted:API_KEY]!");
    assert_eq!(called["input"]["name"], "[redacted:API_KEY]");
    assert!(!server.run(&["events", "--json"]).exits(0).out.contains(SECRET));
}

/// A tool that gives back what it is given, and declares a secret.
const ECHO: &str = "---
name: echo_secret
version: 1.0.0
description: Gives back what it is given.
input_schema: {type: object, properties: {text: {type: string}}}
output_schema: {type: object}
secrets: [API_KEY]
execution: {kind: builtin, handler: render_template, arguments: {template: \"{{ text }}\", values: \"$input\"}}
---
";

#[test]
fn a_secret_is_in_no_log_line_and_no_file_however_much_is_logged() {
    let server = Server::start_talkative("log");
    std::fs::write(server.home.path().join("TOOL.md"), ECHO).unwrap();
    server.run(&["tool", "register", "--file", "TOOL.md", "--apply"]).exits(0);
    server.run_with_stdin(&["secret", "set", "API_KEY", "--scope", "tenant"], SECRET).exits(0);
    let given = format!("text=it is {SECRET}, in full");
    let called = server.run(&["tool", "call", "echo_secret", "--input", &given]).exits(0);
    assert!(called.out.contains("[redacted:API_KEY]") && !called.out.contains(SECRET), "{}", called.out);
    // Deny it, fail it, explain it: whatever is said of a call is redacted.
    server.run(&[
        "tool",
        "call",
        "echo_secret",
        "--input-json",
        &json!({"text": 1, "more": SECRET}).to_string(),
    ]);
    server.run(&["audit", "export", "--output", "export.jsonl"]).exits(0);
    let (_, code, home) = server.stop();
    assert_eq!(code, Some(0));
    let mut files = vec![home.path().to_owned()];
    let mut read = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        read += bytes.len();
        let found = memmem::find(&bytes, SECRET.as_bytes()).is_some();
        assert!(!found, "{} holds the secret", path.display());
    }
    assert!(read > 100_000, "the log and the database are among them");
}
