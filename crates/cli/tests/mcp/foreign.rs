//! The programs of others that the tests run.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use tokio::process::Command;

fn installed(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp/tests/conformance/node_modules").join(path);
    assert!(path.exists(), "there is no {}: `make test-conformance-tools` installs it", path.display());
    path
}

/// A script of one of the npm packages, with the Node that is installed next to them.
pub(crate) fn node(script: &str) -> Command {
    let mut command = Command::new(installed(".bin/node"));
    command.arg(installed(script)).kill_on_drop(true).env("NO_COLOR", "1");
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
