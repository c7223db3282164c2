//! What a script can do, and how it ends.

use serde_json::json;

use crate::support::{Worker, failure, limits, run, run_with, value};

#[test]
fn the_value_of_a_script_is_that_of_its_last_expression() {
    assert_eq!(value("1+1"), json!(2));
    assert_eq!(value("x = 20\ny = 22\nx + y"), json!(42));
    assert_eq!(value("x = 1"), json!(null));
    assert_eq!(value(""), json!(null));
    assert_eq!(value("{'a': (1, 2.5, None, True), 'b': 'ü'}"), json!({"a": [1, 2.5, null, true], "b": "ü"}));
}

#[test]
fn inputs_are_variables_and_the_dict_input() {
    let inputs = json!({"price": 3, "not a name": 4, "class": 5, "input": 6, "__name__": "x"});
    let end =
        run_with("[price, input['not a name'], input['class'], input['input'], __name__]", inputs, limits());
    assert_eq!(end["value"], json!([3, 4, 5, 6, "__main__"]), "{end:#}");
}

#[test]
fn classes_generators_and_comprehensions_are_those_of_cpython() {
    let code = "
from dataclasses import dataclass

class Shape:
    def area(self): return 0
    @property
    def label(self): return f'{type(self).__name__}:{self.area()}'

@dataclass
class Square(Shape):
    side: int
    def area(self): return super().area() + self.side ** 2

def squares(n):
    for i in range(n):
        received = yield i * i
        del received

match Square(3):
    case Square(side=s): matched = s

[Square(3).label, list(squares(4)), {k: v for k, v in zip('ab', [1, 2])}, matched]";
    assert_eq!(value(code), json!(["Square:9", [0, 1, 4, 9], {"a": 1, "b": 2}, 3]));
}

#[test]
fn the_standard_library_is_there() {
    let code = r#"
import json, re, math, statistics, datetime, decimal, collections, itertools, hashlib, zoneinfo
[
    json.loads('{"a": [1]}')["a"],
    re.sub(r"(\w+)@(\w+)", r"\2 at \1", "me@here"),
    math.comb(5, 2),
    statistics.median([3, 1, 2]),
    datetime.date(2024, 2, 28) + datetime.timedelta(days=2),
    str(decimal.Decimal("0.1") + decimal.Decimal("0.2")),
    collections.Counter("aab").most_common(1),
    list(itertools.accumulate([1, 2, 3])),
    hashlib.sha256(b"").hexdigest()[:8],
    datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset().seconds,
]"#;
    let expected =
        json!([[1], "here at me", 10, 2, "2024-03-01", "0.3", [["a", 2]], [1, 3, 6], "e3b0c442", 7200]);
    assert_eq!(value(code), expected);
}

#[test]
fn numpy_and_pandas_are_there() {
    let mut given = limits();
    given["memory_bytes"] = json!(512 << 20);
    given["cpu_ms"] = json!(60_000);
    given["wall_ms"] = json!(120_000);
    let code = "
import numpy as np, pandas as pd
frame = pd.DataFrame({'k': ['a', 'b', 'a'], 'v': [1, 2, 3]})
[np.arange(4).reshape(2, 2), frame.groupby('k').v.sum().to_dict(), np.float64(0.5)]";
    let end = run_with(code, json!({}), given);
    assert_eq!(end["value"], json!([[[0, 1], [2, 3]], {"a": 4, "b": 2}, 0.5]), "{end:#}");
}

#[test]
fn what_is_printed_comes_with_the_end() {
    let end = run("import sys\nprint('hello', 1)\nprint('oops', file=sys.stderr)\n7");
    assert_eq!(end, json!({"type": "done", "value": 7, "stdout": end["stdout"]}));
    let printed = end["stdout"].as_str().unwrap();
    assert!(printed.contains("hello 1\n") && printed.contains("oops\n"), "{printed}");
    assert_eq!(failure("exception", "print('before')\n1/0")["stdout"], "before\n");
}

#[test]
fn an_exception_has_its_line_its_type_and_the_traceback_of_the_script() {
    let end = failure("exception", "def f(x):\n    return 1 / x\n\nf(0)");
    assert_eq!((&end["line"], &end["exception_type"]), (&json!(2), &json!("ZeroDivisionError")));
    assert_eq!(end["message"], "division by zero");
    let traceback = end["traceback"].as_str().unwrap();
    assert!(
        traceback.starts_with("Traceback (most recent call last):\n  File \"script.py\", line 4"),
        "{traceback}"
    );
    assert!(traceback.contains("return 1 / x"), "{traceback}");
    assert!(traceback.ends_with("ZeroDivisionError: division by zero\n"), "{traceback}");
    assert!(!traceback.contains("_main"), "{traceback}");
}

#[test]
fn an_exception_that_cannot_be_shown_is_one_all_the_same() {
    let code = "class Rude(Exception):\n    def __str__(self): raise KeyError\nraise Rude()";
    assert_eq!(failure("exception", code)["exception_type"], "Rude");
    assert_eq!(failure("exception", "raise ValueError('\\ud800')")["exception_type"], "ValueError");
    assert_eq!(failure("exception", "raise SystemExit(3)")["exception_type"], "SystemExit");
    assert_eq!(failure("exception", "import os\nos._exit(3)")["exception_type"], "SystemExit");
}

#[test]
fn a_syntax_error_has_its_line() {
    let end = failure("syntax", "x = 1\ny = (2,\nz = 3\n");
    assert_eq!((&end["line"], &end["exception_type"]), (&json!(2), &json!("SyntaxError")), "{end:#}");
    failure("syntax", "x = '\0'");
    failure("syntax", "return 1");
}

#[test]
fn a_check_compiles_and_runs_nothing() {
    let check = |code: &str| {
        let mut worker = Worker::start();
        let end = worker.ask(&json!({"type": "check", "code": code}));
        assert!(worker.ends().success());
        end
    };
    assert_eq!(check("print('x')\nwhile True: pass"), json!({"type": "checked"}));
    assert_eq!(check("def")["kind"], "syntax");
}

#[test]
fn a_value_without_a_json_form_is_refused() {
    for code in [
        "object()",
        "float('nan')",
        "2**53",
        "-2**70",
        "[b'x']",
        "{(1, 2): 3}",
        "'\\ud800'",
        "a = []; a.append(a); a",
    ] {
        failure("result", code);
    }
    failure("result", "x = []\nfor _ in range(62): x = [x]\nx");
    failure("result", "'x' * 100_001");
    assert_eq!(value("2**53 - 1"), json!(9_007_199_254_740_991_u64));
}

#[test]
fn a_run_that_is_repeated_takes_the_same_way() {
    let code = "import random, uuid, os\n[random.random(), str(uuid.uuid4()), os.urandom(4).hex(), [*{'a', 'b', 'c'}]]";
    let first = value(code);
    assert_eq!(value(code), first);
    assert_ne!(value(&format!("{code}  # another script")), first);
}

#[test]
fn what_the_parent_must_not_say_ends_the_worker() {
    let mut worker = Worker::start();
    assert_eq!(worker.ask(&json!({"type": "resume", "ok": 1}))["kind"], "protocol");
    assert_eq!(worker.ends().code(), Some(64));
    let mut worker = Worker::start();
    assert_eq!(worker.ask(&json!({"type": "snapshot"}))["kind"], "unsupported");
    assert_eq!(worker.ask(&json!({"type": "start", "code": "1"}))["value"], 1);
}

#[test]
fn a_worker_without_a_parent_ends() {
    assert!(Worker::start().ends().success());
}
