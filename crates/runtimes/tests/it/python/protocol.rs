//! A worker that hears nonsense says so and ends. It never goes on.

use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
};

use rstest::rstest;
use serde_json::{Value, json};

use crate::python::common::worker;

struct Raw {
    child: Child,
}

impl Raw {
    /// A worker that has said that it is ready.
    fn start() -> Self {
        let child = Command::new(worker())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut raw = Self { child };
        assert_eq!(raw.hear(), Some(json!({"type": "ready"})));
        raw
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn say(&mut self, message: &Value) {
        self.say_bytes(&frame(message.to_string().as_bytes()));
    }

    /// `None` when the worker has closed its side.
    fn hear(&mut self) -> Option<Value> {
        let output = self.child.stdout.as_mut().unwrap();
        let mut head = [0; 4];
        output.read_exact(&mut head).ok()?;
        let mut body = vec![0; u32::from_le_bytes(head) as usize];
        output.read_exact(&mut body).unwrap();
        Some(toolgate_domain::json::parse(&body, 72).unwrap())
    }

    /// The worker's last word was a complaint, and it has ended by itself.
    fn complains(mut self, says: &str) {
        drop(self.child.stdin.take());
        let complaint = self.hear().unwrap();
        assert_eq!((&complaint["type"], &complaint["kind"]), (&json!("error"), &json!("protocol")));
        let message = complaint["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
        assert_eq!(self.hear(), None);
        assert_eq!(self.child.wait().unwrap().code(), Some(64));
    }
}

fn frame(body: &[u8]) -> Vec<u8> {
    [u32::try_from(body.len()).unwrap().to_le_bytes().as_slice(), body].concat()
}

fn limits() -> Value {
    json!({
        "memory_bytes": 33_554_432, "cpu_ms": 500, "wall_ms": 60_000, "max_output_bytes": 1_000,
        "max_recursion": 50, "max_host_calls": 5, "max_result_bytes": 1_000,
    })
}

fn start(code: &str) -> Value {
    json!({"type": "start", "code": code, "inputs": {}, "functions": ["tool"], "limits": limits()})
}

#[rstest]
#[case::not_json(frame(b"hello"), "not JSON")]
#[case::empty(frame(b""), "not JSON")]
#[case::not_utf8(frame(b"{\"type\":\"\xff\"}"), "not JSON")]
#[case::too_long(u32::MAX.to_le_bytes().to_vec(), "too long")]
#[case::ends_early([1_000_u32.to_le_bytes().as_slice(), b"{}"].concat(), "ends early")]
#[case::too_deep(frame(("[".repeat(100_000) + &"]".repeat(100_000)).as_bytes()), "nests too deeply")]
#[case::no_type(frame(b"{}"), "type")]
#[case::unknown(frame(b"{\"type\":\"shell\"}"), "unknown variant")]
#[case::no_limits(frame(b"{\"type\":\"start\",\"code\":\"1\"}"), "limits")]
#[case::resume_before_start(frame(b"{\"type\":\"resume\",\"ok\":1}"), "no script is running")]
#[case::snapshot_before_start(frame(b"{\"type\":\"snapshot\"}"), "no script is running")]
fn nonsense_ends_the_worker(#[case] bytes: Vec<u8>, #[case] says: &str) {
    let mut raw = Raw::start();
    raw.say_bytes(&bytes);
    raw.complains(says);
}

#[test]
fn garbage_for_a_snapshot_ends_the_worker() {
    for data in ["", "####", "AAAA", "oWFhAQ=="] {
        let mut raw = Raw::start();
        raw.say(&json!({"type": "restore", "data": data, "limits": limits(), "ok": 1}));
        raw.complains("");
    }
}

#[test]
fn a_second_script_is_refused_while_one_is_paused() {
    let mut raw = Raw::start();
    raw.say(&start("tool()"));
    assert_eq!(raw.hear().unwrap()["type"], "host_call");
    raw.say(&start("1"));
    raw.complains("running already");
}

#[test]
fn a_worker_serves_one_script_and_ends() {
    let mut raw = Raw::start();
    raw.say(&start("1 + 1"));
    assert_eq!(raw.hear(), Some(json!({"type": "done", "value": 2, "stdout": ""})));
    assert_eq!(raw.hear(), None);
    assert_eq!(raw.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_worker_whose_parent_hangs_up_ends() {
    let mut raw = Raw::start();
    raw.say(&start("tool()"));
    assert_eq!(raw.hear().unwrap()["seq"], 1);
    drop(raw.child.stdin.take());
    assert_eq!(raw.child.wait().unwrap().code(), Some(0));
}
