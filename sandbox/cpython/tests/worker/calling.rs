//! Functions that the parent answers.

use serde_json::{Value, json};

use crate::support::{Worker, limits};

fn begin(code: &str) -> (Worker, Value) {
    let mut worker = Worker::start();
    let functions = json!(["add", "fetch_page"]);
    let start =
        json!({"type": "start", "code": code, "inputs": {}, "functions": functions, "limits": limits()});
    let first = worker.ask(&start);
    (worker, first)
}

#[test]
fn a_call_pauses_the_script_until_it_is_answered() {
    let (mut worker, call) =
        begin("print('one')\na = add(1, 2, by={'k': [None]})\nb = add(a['sum'], 4)\n[a, b]");
    let args = json!([1, 2]);
    let expected = json!({"type": "host_call", "seq": 1, "function": "add", "args": args, "kwargs": {"by": {"k": [null]}}});
    assert_eq!(call, expected);
    let call = worker.ask(&json!({"type": "resume", "ok": {"sum": 3}}));
    assert_eq!((&call["seq"], &call["args"]), (&json!(2), &json!([3, 4])));
    let end = worker.ask(&json!({"type": "resume", "ok": null}));
    assert_eq!(end, json!({"type": "done", "value": [{"sum": 3}, null], "stdout": "one\n"}));
    assert!(worker.ends().success());
}

#[test]
fn a_failed_call_is_an_exception_that_a_script_can_catch() {
    let code = "try:\n    fetch_page('x')\nexcept RuntimeError as e:\n    caught = [str(e), e.code, type(e).__name__]\ncaught";
    let error =
        json!({"type": "resume", "error": {"type": "ToolError", "message": "too slow", "code": "TIMEOUT"}});
    let (mut worker, _) = begin(code);
    let end = worker.ask(&error);
    assert_eq!(end["value"], json!(["TIMEOUT: too slow", "TIMEOUT", "ToolError"]));

    let (mut worker, _) = begin("x = 1\nfetch_page('x')");
    let end = worker.ask(&error);
    assert_eq!((&end["kind"], &end["line"]), (&json!("exception"), &json!(2)), "{end:#}");
    assert_eq!(end["message"], "TIMEOUT: too slow");
}

#[test]
fn arguments_that_have_no_json_form_do_not_leave() {
    for argument in ["object()", "2**60", "float('inf')", "'x' * 200_000"] {
        let code = format!("try:\n    add({argument})\nexcept TypeError as e:\n    said = str(e)\nsaid");
        let (_, end) = begin(&code);
        assert!(end["value"].as_str().unwrap().starts_with("add(): "), "{end:#}");
    }
}

#[test]
fn there_are_only_so_many_calls() {
    let (mut worker, _) = begin("for i in range(10):\n    add(i)");
    let answer = json!({"type": "resume", "ok": 0});
    for seq in 2..=5 {
        assert_eq!(worker.ask(&answer)["seq"], json!(seq));
    }
    assert_eq!(worker.ask(&answer)["kind"], "host_calls");
}

#[test]
fn a_paused_script_has_no_snapshot_and_goes_on() {
    let (mut worker, _) = begin("add(1) + 1");
    assert_eq!(worker.ask(&json!({"type": "snapshot"}))["kind"], "unsupported");
    assert_eq!(worker.ask(&json!({"type": "resume", "ok": 1}))["value"], 2);
}

#[test]
fn a_script_that_speaks_through_the_door_itself_gets_no_further_than_one_that_does_not() {
    let door = "import _host, json\nask = lambda **m: json.loads(_host.call(json.dumps(m).encode()))\n";
    let forged = |code: &str| begin(&format!("{door}{code}")).1;
    let call = forged("ask(op='call', function='add', args=[1], kwargs={})");
    assert_eq!((&call["type"], &call["seq"]), (&json!("host_call"), &json!(1)));
    let refused = forged("ask(op='call', function='rm', args=[], kwargs={})");
    assert_eq!(refused["value"], json!({"refused": "there is no such function"}));
    assert_eq!(forged("ask(op='done', value=5)")["value"], 5);
    for broken in [
        "ask(op='ready')",
        "ask(op='launch')",
        "ask(op='done')",
        "ask(op='checked')",
        "_host.call(b'{')",
        "_host.call(b'{\"op\":\"done\",\"value\":\"\\\\ud800\"}')",
        "_host.call(b'[' * 100_000)",
        "_host.call(b'x' * (9 << 20))",
    ] {
        let end = forged(broken);
        assert_eq!(end["type"], "error", "{broken}: {end:#}");
    }
    let long = forged("ask(op='error', kind='protocol', message='x' * 1_000_000)");
    assert_eq!((&long["kind"], long["message"].as_str().unwrap().len()), (&json!("exception"), 65_536));
    assert_eq!(forged("_host.call(b'\\xff')")["exception_type"], "OSError");
}
