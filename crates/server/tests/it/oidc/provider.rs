//! node-oidc-provider, started for one test.

use std::{path::Path, process::Stdio};

use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

pub struct RealProvider {
    pub issuer: String,
    // Its standard input is ours: the provider ends with the test, however the test ends.
    _child: Child,
    // It goes on talking, and does not survive that nobody listens.
    _lines: Lines<BufReader<ChildStdout>>,
}

impl RealProvider {
    pub async fn start(arguments: &[&str]) -> Self {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/tests/oidc-provider");
        assert!(
            home.join("node_modules").exists(),
            "the test provider is not installed: run `make test-provider` (`make test` does)"
        );
        let mut child = Command::new("node")
            .arg("provider.mjs")
            .args(arguments)
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("node can be started: scripts/ensure node");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let issuer = lines.next_line().await.unwrap().expect("the provider says where it listens");
        Self { issuer, _child: child, _lines: lines }
    }
}
