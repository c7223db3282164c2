//! The bare server as a program that one talks to through its pipes.

use std::{path::Path, process::Stdio};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use super::wire::{Revision, TOOL};

/// Ended when it is dropped.
pub(super) struct Piped {
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    number: u64,
}

impl Piped {
    pub(super) async fn start(program: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .arg("bare-stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take().context("a program without an input")?;
        let output = BufReader::new(child.stdout.take().context("a program without an output")?);
        let mut piped = Self { _child: child, input, output, line: String::new(), number: 0 };
        let hello = json!({
            "protocolVersion": Revision::Session.version(), "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1.0.0"},
        });
        piped.ask("initialize", hello).await?;
        piped.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await?;
        Ok(piped)
    }

    pub(super) async fn call(&mut self) -> anyhow::Result<()> {
        self.ask("tools/call", json!({"name": TOOL, "arguments": {"text": "abc"}})).await?;
        if !self.line.contains("structuredContent") {
            bail!("another answer: {}", self.line);
        }
        Ok(())
    }

    async fn ask(&mut self, method: &str, params: Value) -> anyhow::Result<()> {
        self.number += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})).await?;
        self.line.clear();
        if self.output.read_line(&mut self.line).await? == 0 {
            bail!("the program ended");
        }
        Ok(())
    }

    async fn say(&mut self, message: &Value) -> anyhow::Result<()> {
        let mut line = message.to_string();
        line.push('\n');
        Ok(self.input.write_all(line.as_bytes()).await?)
    }
}
