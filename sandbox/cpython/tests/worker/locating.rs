//! Where a script was when it was stopped.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Worker, limits, run_with};

/// The end of a script with little time, or little of something else.
fn stopped(kind: &str, line: u64, code: &str, changed: &[(&str, u64)]) -> String {
    let mut given = limits();
    for (limit, value) in changed {
        given[*limit] = json!(value);
    }
    let end = run_with(code, json!({}), given);
    assert_eq!((&end["kind"], &end["line"]), (&json!(kind), &json!(line)), "{code}: {end:#}");
    let traceback = end["traceback"].as_str().unwrap();
    assert!(traceback.starts_with("Traceback (most recent call last):\n"), "{traceback}");
    assert!(!traceback.contains("_main"), "{traceback}");
    traceback.to_owned()
}

#[test]
fn a_loop_is_found_in_the_function_that_it_is_in() {
    let code =
        "def größe(n):\n    while True:\n        n += 1; n -= 1\n\ndef outer():\n    größe(0)\n\nouter()";
    let mut given = limits();
    given["cpu_ms"] = json!(200);
    let end = run_with(code, json!({}), given);
    assert_eq!((&end["kind"], &end["exception_type"]), (&json!("cpu"), &json!("TimeoutError")), "{end:#}");
    // The instruction that goes back to the top is the loop's.
    let line = end["line"].as_u64().unwrap();
    assert!((2..=3).contains(&line), "{end:#}");
    let text = if line == 2 { "while True:" } else { "n += 1; n -= 1" };
    let expected = format!(
        "Traceback (most recent call last):\n  \
           File \"script.py\", line 8, in <module>\n    outer()\n  \
           File \"script.py\", line 6, in outer\n    größe(0)\n  \
           File \"script.py\", line {line}, in größe\n    {text}\n\
         TimeoutError: the script computed for more than 200 ms\n"
    );
    assert_eq!(end["traceback"], expected);
}

#[test]
fn one_long_operation_is_found_as_well_as_a_loop() {
    let short = [("cpu_ms", 200)];
    let traceback = stopped("cpu", 3, "def f():\n    pass\n    10 ** 10 ** 9\nf()", &short);
    assert!(traceback.contains("line 3, in f\n    10 ** 10 ** 9\n"), "{traceback}");
    let traceback = stopped("cpu", 2, "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')\n", &short);
    assert!(traceback.contains("line 2, in <module>"), "{traceback}");
    assert!(traceback.contains("/re/__init__.py\", line "), "the library's frames belong to it: {traceback}");
    stopped("cpu", 1, "sorted(range(9), key=lambda x: sum(range(10 ** 12)))", &short);
}

#[test]
fn a_script_that_sleeps_is_found_and_woken_by_the_clock() {
    let began = Instant::now();
    let code = "import time\ndef nap():\n    time.sleep(3600)\nnap()";
    let traceback = stopped("wall", 3, code, &[("wall_ms", 300)]);
    assert!(traceback.contains("line 4, in <module>\n    nap()\n"), "{traceback}");
    assert!(traceback.ends_with("TimeoutError: the script ran for more than 300 ms\n"), "{traceback}");
    assert!(began.elapsed() < Duration::from_secs(30));
    stopped("wall", 1, "while True: pass", &[("wall_ms", 300), ("cpu_ms", 60_000)]);
    let code = "import time\nfor _ in range(1_000):\n    try:\n        time.sleep(0.05)\n    except BaseException:\n        pass";
    stopped("wall", 4, code, &[("wall_ms", 300)]);
}

#[test]
fn the_clock_stands_while_the_parent_answers() {
    let mut given = limits();
    given["wall_ms"] = json!(300);
    let mut worker = Worker::start();
    let start = json!({"type": "start", "code": "add() + 1", "functions": ["add"], "limits": given});
    assert_eq!(worker.ask(&start)["function"], "add");
    // Meanwhile all the time of another script passes.
    stopped("wall", 1, "import time; time.sleep(3600)", &[("wall_ms", 400)]);
    assert_eq!(worker.ask(&json!({"type": "resume", "ok": 1}))["value"], 2);
}

#[test]
fn memory_runs_out_somewhere() {
    let stops = [
        (3, "x = []\nwhile True:\n    x.append('x' * 100_000)"),
        (2, "def f():\n    return bytes(2_000_000_000)\nf()"),
        (5, "def f():\n    x = {}\n    while True:\n        n = len(x)\n        x[n] = [n]\nf()"),
        // Not even the traceback has room any more.
        (3, "x = None\nwhile True:\n    x = (x,)"),
        (2, "def f():\n    raise MemoryError\nf()"),
        (
            6,
            "try:\n    bytes(2_000_000_000)\nexcept MemoryError:\n    x = []\nwhile True:\n    x.append(bytes(99_999))",
        ),
    ];
    for (line, code) in stops {
        let traceback = stopped("memory", line, code, &[("memory_bytes", 24 << 20)]);
        let text = code.lines().nth(usize::try_from(line - 1).unwrap()).unwrap().trim();
        assert!(traceback.contains(&format!(", line {line}, in ")), "{traceback}");
        assert!(traceback.contains(text) && traceback.contains("MemoryError"), "{traceback}");
    }
}

#[test]
fn every_other_stop_has_its_place_too() {
    let code = "def f():\n    while True: print('x' * 9_000)\nf()";
    let traceback = stopped("output", 2, code, &[]);
    assert!(traceback.contains("line 3, in <module>"), "{traceback}");
    stopped("exception", 2, "import os\nos._exit(3)", &[]);
    let code = "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n):\n    return f(n + 1)\nf(0)";
    let traceback = stopped("recursion", 4, code, &[("memory_bytes", 512 << 20)]);
    assert!(traceback.contains("more times]"), "{traceback}");
    assert!(traceback.len() < 20_000);
}

/// A script that changes what it is made of: it loses its traceback, or a part of it, and nothing else happens.
#[test]
fn a_script_that_lies_about_itself_is_stopped_like_any_other() {
    let with = |change: &str| {
        format!("def f():\n    while True: pass\nf.__code__ = f.__code__.replace({change})\nf()")
    };
    for change in [
        "co_linetable=b'\\xf0' + b'\\xff' * 1_000_000",
        "co_linetable=b''",
        "co_linetable=bytes(range(256)) * 100",
        "co_firstlineno=2 ** 31 - 1",
        "co_name='\\ud800' * 1_000_000",
        "co_filename='/etc/passwd'",
        "co_filename='script.py\\0', co_name='\\n'",
    ] {
        let mut given = limits();
        given["cpu_ms"] = json!(200);
        let began = Instant::now();
        let end = run_with(&with(change), json!({}), given);
        assert_eq!(end["kind"], "cpu", "{change}: {end:#}");
        let traceback = end["traceback"].as_str().unwrap();
        assert!(traceback.contains("script.py\", line 4, in <module>"), "{change}: {traceback}");
        assert!(traceback.len() < 20_000, "{change}");
        assert!(began.elapsed() < Duration::from_secs(30), "{change}");
    }
    let hidden = "import types\nexec(compile('while True: pass', 'elsewhere', 'exec'))";
    assert!(stopped("cpu", 2, hidden, &[("cpu_ms", 200)]).contains("File \"elsewhere\", line 1"));
    let nowhere = run_with("1", json!({}), limits());
    assert_eq!(nowhere["traceback"], Value::Null, "what ends well has none");
}
