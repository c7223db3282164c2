//! Escape attempts that every start of the server makes against its sandboxes. One that fails is not offered.

use serde_json::{Value, json};

use super::{Failure, FailureKind, NoHostCalls, Progress, PythonLimits, Sandbox, Script, host};

/// Short, so that a start stays short.
const CPU_MS: u64 = 300;

/// For the attempt that takes all it gets: every start of the server pays for it.
const ENDLESS_CPU_MS: u64 = 50;
const ENDLESS: &str = "while True:\n    pass";

/// Each must end in a failure of the script's own: no value comes out, and the sandbox stays whole.
const ATTEMPTS: &[(&str, &str)] = &[
    ("read a file", "open('/etc/passwd').read()"),
    ("write a file", "open('/tmp/escaped', 'w').write('x')"),
    ("read a file by path", "from pathlib import Path\nPath('/etc/passwd').read_text()"),
    ("list a directory", "import os\nos.listdir('/')"),
    ("read the environment", "import os\nos.environ['PATH']"),
    ("open a socket", "import socket\nsocket.create_connection(('127.0.0.1', 80))"),
    ("start a process", "import subprocess\nsubprocess.run(['id'])"),
    ("start a shell", "import os\nos.system('id')"),
    ("call the C library", "import ctypes\nctypes.CDLL(None).getpid()"),
    ("compute for ever", ENDLESS),
    ("take all memory", "x = []\nwhile True:\n    x.append('x' * 100_000)"),
    ("recurse for ever", "def f():\n    return f()\nf()"),
    ("print for ever", "while True:\n    print('x' * 10_000)"),
    ("call an unknown tool", "toolgate_admin('everything')"),
];

/// The names of the attempts that escaped, each with what happened.
pub async fn self_test(sandbox: &dyn Sandbox) -> Result<(), Vec<String>> {
    let limits = PythonLimits { cpu_ms: CPU_MS, ..PythonLimits::default() };
    let mut escapes = Vec::new();
    for (name, code) in ATTEMPTS {
        let cpu_ms = if *code == ENDLESS { ENDLESS_CPU_MS } else { CPU_MS };
        let outcome = attempt(sandbox, code, &PythonLimits { cpu_ms, ..limits.clone() }).await;
        if !matches!(&outcome, Err(failure) if is_wall(failure.kind)) {
            escapes.push(format!("{}: {name}: {outcome:?}", sandbox.name()));
        }
    }
    let sum = attempt(sandbox, "1 + 1", &limits).await;
    if sum != Ok(json!(2)) {
        escapes.push(format!("{}: 1 + 1 is {sum:?}", sandbox.name()));
    }
    if escapes.is_empty() { Ok(()) } else { Err(escapes) }
}

/// A crash is no wall: something gave way.
fn is_wall(kind: FailureKind) -> bool {
    !matches!(
        kind,
        FailureKind::Crash
            | FailureKind::Protocol
            | FailureKind::Busy
            | FailureKind::Unavailable
            | FailureKind::Wall
    )
}

async fn attempt(sandbox: &dyn Sandbox, code: &str, limits: &PythonLimits) -> Result<Value, Failure> {
    let script = Script { code: code.to_owned(), ..Script::default() };
    match host::run(sandbox, &script, limits, &NoHostCalls).await? {
        Progress::Done { value, .. } => Ok(value),
        Progress::Suspended { .. } => Err(Failure::new(FailureKind::Protocol, "suspended on nothing")),
    }
}
