//! `events`.

use std::{
    io::BufReader,
    process::{Child, ChildStdout, Stdio},
};

use serde_json::Value;

use crate::cli::support::{Server, read_line};

pub(crate) struct Follower {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Follower {
    /// Comes back once the stream is open.
    pub(crate) fn start(server: &Server, args: &[&str]) -> Self {
        let mut child = server
            .command(&[&["events", "--follow"], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut notes = BufReader::new(child.stderr.take().unwrap());
        assert!(read_line(&mut notes).contains("following"));
        // The notes are read on, so that the child never waits for room.
        std::thread::spawn(move || std::io::copy(&mut notes, &mut std::io::sink()));
        Self { child, lines }
    }

    pub(crate) fn event(&mut self) -> Value {
        serde_json::from_str(&read_line(&mut self.lines)).unwrap()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn call(server: &Server, expression: &str) -> Value {
    server
        .run(&["tool", "call", "calculate", "--input", &format!("expression={expression}"), "--json"])
        .exits(0)
        .json()
}

#[test]
fn the_log_is_listed_by_session_and_by_number() {
    let server = Server::start();
    let first = call(&server, "1");
    call(&server, "2");
    let all = server.run(&["events", "--json"]).exits(0).json();
    let types: Vec<_> =
        all["items"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["tool.started", "tool.completed", "tool.started", "tool.completed"]);
    let after = all["items"][1]["id"].to_string();
    let rest = server.run(&["events", "--after", &after, "--limit", "1", "--json"]).exits(0).json();
    assert_eq!(rest["items"], serde_json::json!([all["items"][2]]));
    let session = first["session_id"].as_str().unwrap();
    server
        .run(&["events", "--session", session])
        .exits(0)
        .says("tool.completed")
        .says("calculate@1.0.0")
        .says("\"result\":\"1\"");
    assert_eq!(server.run(&["events", "--session", session]).out.lines().count(), 2);
}

#[test]
fn a_follower_sees_what_comes() {
    let server = Server::start();
    call(&server, "1");
    let mut follower = Follower::start(&server, &["--json"]);
    let made = call(&server, "2");
    let (started, completed) = (follower.event(), follower.event());
    assert_eq!(started["type"], "tool.started");
    assert_eq!(completed["type"], "tool.completed");
    assert_eq!(completed["invocation_id"], made["invocation_id"]);
    let mut human = Follower::start(&server, &["--after", "0"]);
    assert!(read_line(&mut human.lines).contains("tool.started"));
}

#[test]
fn a_follower_goes_on_where_a_broken_connection_left_it() {
    let server = Server::start();
    let mut follower = Follower::start(&server, &["--json"]);
    call(&server, "1");
    let (_, last) = (follower.event(), follower.event());
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let (_, _, home) = server.stop();
    let server = Server::start_in(home, &address);
    let made = call(&server, "2");
    let (started, completed) = (follower.event(), follower.event());
    assert!(started["id"].as_i64() > last["id"].as_i64());
    assert_eq!(completed["invocation_id"], made["invocation_id"]);
}
