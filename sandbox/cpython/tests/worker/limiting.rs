//! Scripts that want too much.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Worker, failure, limits, run, run_with, value};

#[test]
fn a_loop_without_an_end_is_stopped() {
    let mut given = limits();
    given["cpu_ms"] = json!(300);
    for code in [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')",
        "10 ** 10 ** 9",
        "sum(range(10 ** 12))",
    ] {
        let began = Instant::now();
        let end = run_with(code, json!({}), given.clone());
        assert_eq!(end["kind"], "cpu", "{code}: {end:#}");
        assert!(began.elapsed() < Duration::from_secs(30), "{code}");
    }
}

#[test]
fn memory_ends() {
    for code in [
        "x = 'x' * (1 << 30)",
        "x = []\nwhile True: x.append(bytearray(1 << 20))",
        "x = [0]\nwhile True: x += x",
        "x = bytes(2_000_000_000)",
    ] {
        failure("memory", code);
    }
    assert_eq!(
        value("try:\n    bytearray(1 << 30)\nexcept MemoryError:\n    x = 'caught'\nx"),
        json!("caught")
    );
    assert_eq!(value("len(bytearray(32 << 20))"), json!(32 << 20));
}

#[test]
fn recursion_ends() {
    failure("recursion", "def f(): return f()\nf()");
    // Whoever lifts the interpreter's own limit meets the engine's stack.
    let end = run(
        "import sys\nsys.setrecursionlimit(10 ** 9)\nclass A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
    );
    assert_eq!(end["kind"], "recursion", "{end:#}");
    let end = run("x = []\nfor _ in range(100_000): x = [x]\nrepr(x)");
    assert_eq!(end["kind"], "recursion", "{end:#}");
    assert_eq!(run(&format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)))["type"], "error");
}

#[test]
fn a_flood_of_output_is_cut() {
    let end = failure("output", "while True: print('x' * 99)");
    assert_eq!(end["stdout"].as_str().unwrap().len(), 10_000);
    let end = failure("output", "import os\nos.write(1, b'y' * 20_000)");
    assert_eq!(end["stdout"].as_str().unwrap().len(), 10_000);
}

#[test]
fn a_sleeping_script_does_not_outlive_its_parent() {
    let mut worker = Worker::start();
    let code = "import time\nadd()\nwhile True: time.sleep(3600)";
    let start = json!({"type": "start", "code": code, "functions": ["add"], "limits": limits()});
    assert_eq!(worker.ask(&start)["function"], "add");
    worker.say(&json!({"type": "resume", "ok": null}));
    assert!(worker.ends().success());
    let code = "import time\nbegan = time.monotonic()\ntime.sleep(0.05)\ntime.monotonic() - began >= 0.05";
    assert_eq!(value(code), json!(true));
}
