//! `tool update`, `delete`, `diff`, `restore` and `try`.

use crate::cli::support::{Server, changed, fixture};

#[test]
fn a_tool_is_changed_compared_deleted_and_restored() {
    let server = Server::start();
    server.register("greet.md");
    server
        .run(&["tool", "update", "greet", "--set", "description=Says hello."])
        .exits(0)
        .says("published greet@1.0.1 (tenant_custom)")
        .says("Says hello.");
    server.run(&["tool", "diff", "greet"]).exits(0).says("greet@1.0.0 → greet@1.0.1").says("description");
    server.run(&["tool", "update", "greet"]).exits(6).says("--set");
    server.run(&["tool", "delete", "greet"]).exits(0).says("deleted greet");
    server.run(&["tool", "call", "greet", "--input", "name=Ada"]).exits(5);
    server.run(&["tool", "list", "--lifecycle", "archived"]).exits(0).says("greet");
    server.run(&["tool", "restore", "greet", "1.0.0"]).exits(0).says("published greet@1.0.2, as 1.0.0 was");
    server.run(&["tool", "call", "greet", "--input", "name=Ada"]).exits(0).says("Hello Ada!");
}

#[test]
fn a_tool_that_ships_is_made_stricter_and_never_looser() {
    let server = Server::start();
    server
        .run(&["tool", "update", "calculate", "--set", "requires_approval=true", "timeout_ms=500"])
        .exits(0)
        .says("changed calculate@1.0.0 (system_override)");
    server
        .run(&["tool", "show", "calculate"])
        .exits(0)
        .says("system_override")
        .says("requires_approval, timeout_ms");
    server.run(&["tool", "call", "calculate", "--input", "expression=1"]).exits(8);
    server
        .run(&["tool", "update", "calculate", "--set-json", "{\"timeout_ms\": 999999}"])
        .exits(6)
        .says("`timeout_ms` can only be made stricter");
    server.run(&["tool", "update", "calculate", "--set", "enabled=false"]).exits(0);
    server.run(&["tool", "settings", "calculate"]).exits(0).says("off");
    server.run(&["tool", "delete", "calculate"]).exits(0);
    server.run(&["tool", "call", "calculate", "--input", "expression=1"]).exits(0);
    server.run(&["tool", "delete", "calculate"]).exits(5).says("changed nothing of it");
}

#[test]
fn a_tool_is_tried_before_and_after_it_is_published() {
    let server = Server::start();
    let file = fixture("greet.md");
    let file = file.to_str().unwrap();
    server.run(&["tool", "try", "--file", file, "--input", "name=Ada"]).exits(0).says("text: Hello Ada!");
    server.run(&["tool", "show", "greet"]).exits(5);
    server
        .run(&["tool", "try", "--file", file, "--input", "name=Ada", "--stream"])
        .exits(0)
        .says("Hello Ada!");
    let writes = changed(
        server.home.path(),
        "greet.md",
        "category: utility",
        "category: utility\negress_class: write",
    );
    server.run(&["tool", "try", "--file", writes.to_str().unwrap(), "--input", "name=Ada"]).exits(8);
    server.register("greet.md");
    server.run(&["tool", "try", "greet", "--input", "name=Bo"]).exits(0).says("text: Hello Bo!");
    server.run(&["tool", "call", "greet", "--input", "name=Cy"]).exits(0);
    server.run(&["tool", "try"]).exits(2);
    let count = |more: &[&str]| {
        let listed = server.run(&[&["invocations", "--json"], more].concat()).exits(0).json();
        listed["items"].as_array().unwrap().len()
    };
    assert_eq!((count(&["--test", "true"]), count(&["--test", "false"]), count(&[])), (4, 1, 5));
}
