//! `tool register` and the life of what it registers.

use crate::cli::support::{Server, changed, fixture};

#[test]
fn a_dry_run_changes_nothing_and_apply_publishes_once() {
    let server = Server::start();
    let file = fixture("greet.md");
    let register =
        |more: &[&str]| server.run(&[&["tool", "register", "--file", file.to_str().unwrap()], more].concat());

    register(&[]).exits(0).says("would publish greet@1.0.0").says("--apply");
    server.run(&["tool", "show", "greet"]).exits(5);
    register(&["--apply"]).exits(0).says("published greet@1.0.0");
    server.run(&["tool", "call", "greet", "--input", "name=Ada"]).exits(0).says("text: Hello Ada!");
    register(&["--apply"]).exits(0).says("no change");
    let answer = register(&["--json"]).exits(0).json();
    assert_eq!((&answer["created"], &answer["dry_run"]), (&false.into(), &true.into()));
}

#[test]
fn what_callers_rely_on_needs_a_new_version_and_the_rest_may_change() {
    let server = Server::start();
    server.register("greet.md");
    let home = server.home.path();
    let apply = |path: &std::path::Path| {
        server.run(&["tool", "register", "--apply", "--file", path.to_str().unwrap()])
    };

    let schema = changed(home, "greet.md", "minLength: 1", "minLength: 2");
    apply(&schema).exits(9).says("input_schema").says("publish a new version");
    let described = changed(home, "greet.md", "Greets a person by name.", "Greets someone.");
    server
        .run(&["tool", "register", "--file", described.to_str().unwrap()])
        .exits(0)
        .says("would change greet@1.0.0")
        .says("Greets someone.");
    apply(&described).exits(0).says("changed greet@1.0.0");
    let newer = changed(home, "greet.md", "version: 1.0.0", "version: 1.1.0");
    apply(&newer).exits(0).says("published greet@1.1.0");
    server.run(&["tool", "versions", "greet"]).exits(0).says("1.1.0").says("1.0.0");
    let versions = server.run(&["tool", "versions", "greet", "--json"]).exits(0).json();
    assert_eq!(versions["items"].as_array().unwrap().len(), 2);
}

#[test]
fn a_definition_that_cannot_work_is_refused_with_the_reason() {
    let server = Server::start();
    let register =
        |name: &str| server.run(&["tool", "register", "--apply", "--file", fixture(name).to_str().unwrap()]);
    register("unknown_key.md").exits(6).says("did you mean `description`?");
    register("http.md").exits(6).says("scheme, host and port are literal");
    register("no_such_file.md").exits(1).says("cannot be read");
    let taken = changed(server.home.path(), "greet.md", "name: greet", "name: calculate");
    server
        .run(&["tool", "register", "--apply", "--file", taken.to_str().unwrap()])
        .exits(9)
        .says("belongs to Toolgate");
}

#[test]
fn a_definition_may_be_json() {
    let server = Server::start();
    server.register("greet.md");
    let shown = server.run(&["tool", "show", "greet", "--json"]).exits(0).json();
    let mut definition = shown.as_object().unwrap().clone();
    for key in ["id", "origin", "kind", "lifecycle", "created_at", "updated_at"] {
        definition.remove(key);
    }
    definition["name"] = "hail".into();
    let path = server.home.path().join("hail.json");
    std::fs::write(&path, serde_json::to_string(&definition).unwrap()).unwrap();
    server
        .run(&["tool", "register", "--apply", "--file", path.to_str().unwrap()])
        .exits(0)
        .says("published hail@1.0.0");
    server.run(&["tool", "call", "hail", "--input", "name=Bo"]).exits(0).says("Hello Bo!");
}

#[test]
fn a_tool_is_deprecated_blocked_and_active_again() {
    let server = Server::start();
    server.register("greet.md");
    let call = || server.run(&["tool", "call", "greet", "--input", "name=Ada"]);
    server.run(&["tool", "deprecate", "greet@1.0.0"]).exits(0).says("greet@1.0.0 is deprecated");
    call().exits(0).says("warning: greet@1.0.0 is deprecated");
    server.run(&["tool", "list", "--lifecycle", "deprecated"]).exits(0).says("greet");
    server.run(&["tool", "block", "greet"]).exits(0).says("is blocked");
    call().exits(4).says("POLICY_DENIED");
    server.run(&["tool", "call", "greet"]).exits(4);
    server.run(&["tool", "activate", "greet"]).exits(0);
    assert!(!call().exits(0).err.contains("warning"));
    server
        .run(&["tool", "alias", "greet", "--alias", "say_hello", "--remove-by", "90d"])
        .exits(0)
        .says("say_hello calls greet");
    server.run(&["tool", "call", "say_hello", "--input", "name=Ada"]).exits(0).says("is an alias of `greet`");
    server.run(&["tool", "list", "--search", "greet", "--origin", "tenant_custom"]).exits(0).says("greet");
    let writing = ["tool", "list", "--egress-class", "write", "--origin", "tenant_custom"];
    server.run(&writing).exits(0).says("no tools match");
}
