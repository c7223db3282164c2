//! A parent, as small as it can be.

use std::{
    io::{Read, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
};

use serde_json::{Value, json};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_toolgate-sandbox-cpython");

/// Where `make sandbox-full` installs.
pub(crate) fn installed() -> PathBuf {
    match std::env::var_os("TOOLGATE_SANDBOX_DIR") {
        Some(directory) => directory.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/cpython"),
    }
}

pub(crate) fn limits() -> Value {
    json!({
        "memory_bytes": 64 << 20,
        "cpu_ms": 5_000,
        "wall_ms": 60_000,
        "max_output_bytes": 10_000,
        "max_recursion": 300,
        "max_host_calls": 5,
        "max_result_bytes": 100_000,
    })
}

pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Worker {
    /// One that is ready.
    pub(crate) fn start() -> Self {
        let mut child = Command::new(BINARY)
            .arg("run")
            .arg(installed())
            .env("HOME", "/root")
            .env("SECRET", "hunter2")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut worker = Self { child, input, output };
        assert_eq!(worker.hear(), json!({"type": "ready"}));
        worker
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn say(&mut self, message: &Value) {
        let text = message.to_string();
        self.input.write_all(&u32::try_from(text.len()).unwrap().to_le_bytes()).unwrap();
        self.input.write_all(text.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    pub(crate) fn hear(&mut self) -> Value {
        let mut length = [0; 4];
        self.output.read_exact(&mut length).unwrap();
        let mut text = vec![0; u32::from_le_bytes(length) as usize];
        self.output.read_exact(&mut text).unwrap();
        serde_json::from_str(std::str::from_utf8(&text).unwrap()).unwrap()
    }

    pub(crate) fn ask(&mut self, message: &Value) -> Value {
        self.say(message);
        self.hear()
    }

    /// After its last word a worker ends by itself.
    pub(crate) fn ends(mut self) -> ExitStatus {
        drop(self.input);
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"", "there is a word after the last");
        self.child.wait().unwrap()
    }
}

/// Runs a script to its end.
pub(crate) fn run(code: &str) -> Value {
    run_with(code, json!({}), limits())
}

pub(crate) fn run_with(code: &str, inputs: Value, limits: Value) -> Value {
    let mut worker = Worker::start();
    let end = worker.ask(&json!({"type": "start", "code": code, "inputs": inputs, "limits": limits}));
    assert!(worker.ends().success());
    end
}

/// The value of a script that has one.
pub(crate) fn value(code: &str) -> Value {
    let end = run(code);
    assert_eq!(end["type"], "done", "{end:#}");
    end["value"].clone()
}

/// The report of a script that fails in this way.
pub(crate) fn failure(kind: &str, code: &str) -> Value {
    let end = run(code);
    assert_eq!((&end["type"], &end["kind"]), (&json!("error"), &json!(kind)), "{end:#}");
    end
}
