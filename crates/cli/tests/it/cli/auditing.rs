//! `audit`: who changed what, and whether anybody rewrote it.

use std::{path::Path, time::Duration};

use rusqlite::Connection;

use crate::cli::support::{Ran, Server, toolgate};

/// A server with a call and a key made; answers the call's id.
fn story() -> (Server, String) {
    let server = Server::start();
    let call = ["tool", "call", "calculate", "--input", "expression=0.1+0.2", "--json"];
    let envelope = server.run(&call).exits(0).json();
    server.run(&["key", "create", "ci", "--scope", "tools:read"]).exits(0);
    (server, envelope["invocation_id"].as_str().unwrap().to_owned())
}

/// Changes the database as somebody with the file could: triggers off, change, triggers on.
fn tamper(server: &Server, sql: &str) {
    let db = Connection::open(server.data_dir().join("toolgate.db")).unwrap();
    db.busy_timeout(Duration::from_secs(10)).unwrap();
    let mut triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let triggers: Vec<_> = triggers.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap();
    triggers.iter().for_each(|(name, _)| db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    assert!(db.execute(sql, []).unwrap() > 0, "{sql} changes something");
    triggers.iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
}

fn offline(file: &Path, more: &[&str]) -> Ran {
    // A directory without a server's data, and no server's address.
    let nowhere = tempfile::tempdir().unwrap();
    let mut command = toolgate(nowhere.path());
    Ran::of(command.args(["audit", "verify", "--file"]).arg(file).args(more).output().unwrap())
}

#[test]
fn who_changed_what_is_listed() {
    let (server, _) = story();
    server.run(&["audit", "list"]).exits(0).says("key.create").says("AFTER");
    let keys = server.run(&["audit", "list", "--action", "key.", "--all", "--json"]).exits(0).json();
    assert_eq!(keys["items"][0]["after"]["name"], "ci");
    server.run(&["audit", "list", "--target", "nothing"]).exits(0).says("no changes match");
    let narrow = server.run(&["key", "create", "x", "--scope", "tools:read", "--json"]).exits(0).json();
    server.run(&["--key", narrow["key"].as_str().unwrap(), "audit", "list"]).exits(4).says("audit:read");
}

#[test]
fn a_server_that_nobody_touched_is_whole_and_one_that_somebody_did_is_not() {
    let (server, call) = story();
    let found = server.run(&["audit", "verify", "--json"]).exits(0).json();
    assert_eq!((&found["ok"], &found["receipts"]), (&true.into(), &1.into()));
    let key = found["public_key"].as_str().unwrap();
    server.run(&["audit", "verify", "--public-key", key]).exits(0).says("whole:").says("1 receipts");
    let other = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    server.run(&["audit", "verify", "--public-key", other]).exits(10).says("its key was replaced");
    server.run(&["audit", "verify", "--public-key", "abc"]).exits(2).says("64 hexadecimal digits");
    tamper(&server, "UPDATE tool_invocations SET output = '{\"result\":\"1000000\"}'");
    server.run(&["audit", "verify"]).exits(10).says("changed:").says(&call).says("backup");
    let found = server.run(&["audit", "verify", "--json"]).exits(10).json();
    assert_eq!((&found["finding"]["kind"], &found["finding"]["record"]), (&"changed".into(), &call.into()));
}

#[test]
fn an_export_is_verified_without_a_server() {
    let (server, call) = story();
    let key = server.run(&["audit", "verify", "--json"]).exits(0).json()["public_key"].clone();
    server.run(&["audit", "export", "--output", "audit.jsonl"]).exits(0).says("verify it anywhere");
    let file = server.home.path().join("audit.jsonl");
    let printed = server.run(&["audit", "export"]).exits(0).out;
    let (_, _, home) = server.stop();
    assert_eq!(printed.lines().count(), std::fs::read_to_string(&file).unwrap().lines().count());

    offline(&file, &["--public-key", key.as_str().unwrap()]).exits(0).says("whole:");
    offline(&file, &[]).exits(0).says("give --public-key");
    let genuine = std::fs::read_to_string(&file).unwrap();
    let forged = home.path().join("forged.jsonl");
    let receipt = format!("{{\"type\":\"receipt\",\"receipt\":{{\"id\":\"{call}\"");
    let without: Vec<_> = genuine.lines().filter(|line| !line.starts_with(&receipt)).collect();
    std::fs::write(&forged, format!("{}\n", without.join("\n"))).unwrap();
    let found = offline(&forged, &["--json"]).exits(10).json();
    assert_eq!((&found["finding"]["kind"], &found["finding"]["record"]), (&"removed".into(), &call.into()));
    std::fs::write(&forged, &genuine[..genuine.len() / 2]).unwrap();
    offline(&forged, &[]).exits(10).says("truncated:");
    std::fs::write(&forged, "something else\n").unwrap();
    offline(&forged, &[]).exits(10).says("not the header of an export");
    offline(&home.path().join("nothing.jsonl"), &[]).exits(1).says("cannot be read");
}
