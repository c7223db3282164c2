//! The programs of others that the tests run.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use tokio::process::Command;

/// Next to what npm installs, so that Node finds it from there.
pub(crate) fn place(path: &str) -> PathBuf {
    at(&format!("crates/mcp/tests/conformance/{path}"))
}

fn at(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    assert!(path.exists(), "there is no {}: `make test-conformance-tools` installs it", path.display());
    path
}

/// A script, with the Node that is installed next to the packages.
pub(crate) fn node(script: &str) -> Command {
    let mut command = Command::new(place("node_modules/.bin/node"));
    command.arg(place(script)).env("NO_COLOR", "1");
    alone(command)
}

/// A script, with the Python that has the packages.
pub(crate) fn python(script: &str) -> Command {
    let mut command = Command::new(at("target/mcp-env/bin/python"));
    command.arg(place(script));
    alone(command)
}

/// Nothing of this process's settings reaches it, and it does not outlive the test.
pub(crate) fn alone(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TOOLGATE_")) {
        command.env_remove(name);
    }
    command.kill_on_drop(true);
    command
}

/// All that it printed, when it did not end well.
#[track_caller]
pub(crate) fn ends_well(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
