//! `tool test`: offline, without a server.

use crate::cli::support::{Ran, changed, fixture, toolgate};

fn test(args: &[&str]) -> Ran {
    let empty = tempfile::tempdir().unwrap();
    let files = args.iter().map(|arg| if arg.starts_with('-') { (*arg).into() } else { fixture(arg) });
    let ran = Ran::of(toolgate(empty.path()).args(["tool", "test"]).args(files).output().unwrap());
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0, "nothing is left behind");
    ran
}

#[test]
fn a_definition_that_keeps_its_promises_passes() {
    test(&["greet.md"]).exits(0).says("ok").says("passed Ada").says("2 passed, 0 failed");
    let report = test(&["greet.md", "--json"]).exits(0).json();
    assert_eq!(report["files"][0]["tool"], "greet@1.0.0");
    assert_eq!((&report["passed"], &report["failed"]), (&2.into(), &0.into()));
}

#[test]
fn an_example_that_does_not_hold_fails_with_the_difference() {
    let ran = test(&["wrong_example.md"]).exits(3).says("failed Ada: the output differs");
    ran.says("-   \"text\": \"Goodbye Ada!\"")
        .says("+   \"text\": \"Hello Ada!\"")
        .says("1 passed, 1 failed");
}

#[test]
fn a_definition_that_cannot_be_registered_is_not_valid() {
    test(&["unknown_key.md"]).exits(6).says("did you mean `description`?");
    test(&["http.md"]).exits(6).says("scheme, host and port are literal");
    let report = test(&["greet.md", "unknown_key.md", "wrong_example.md", "--json"]).exits(6).json();
    assert_eq!((&report["invalid"], &report["failed"], &report["passed"]), (&1.into(), &1.into(), &3.into()));
    test(&["no_such_file.md"]).exits(1).says("cannot be read");
}

#[test]
fn examples_that_would_wait_for_a_person_are_not_run() {
    let ran = test(&["writes.md"]).exits(0).says("not run Ada: waits for approval");
    ran.says("1 passed, 0 failed, 1 not run");
}

#[test]
fn neither_a_rate_limit_nor_a_tenant_stands_in_the_way() {
    let directory = tempfile::tempdir().unwrap();
    let limited = "category: utility\nrate_limit: {limit: 1, window_s: 3600}\ntenant_slugs: [acme]\nvisibility: internal";
    let path = changed(directory.path(), "greet.md", "category: utility", limited);
    let output = toolgate(directory.path()).args(["tool", "test"]).arg(path).output().unwrap();
    Ran::of(output).exits(0).says("2 passed");
}
