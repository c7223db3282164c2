//! Toolgate itself, as `toolgate serve` on a place of its own.

use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::{
    child::Running,
    engine::Place,
    http::{Connection, request},
    load::Target,
    rows::EXPRESSION,
};

/// A tool of class `read_only`, so that its start is durable before it runs: two commits per call.
pub(crate) const READ_ONLY_TOOL: &str = "bench_read";
pub(crate) const NONE_TOOL: &str = "calculate";

pub(crate) struct Server {
    pub(crate) place: Place,
    pub(crate) running: Running,
    pub(crate) key: String,
}

impl Server {
    pub(crate) async fn start(binary: &Path, place: &Place) -> anyhow::Result<Self> {
        Self::start_with(binary, place, &[]).await
    }

    /// The same with more options.
    pub(crate) async fn start_with(binary: &Path, place: &Place, options: &[&str]) -> anyhow::Result<Self> {
        let directory = place.directory.to_str().context("an odd directory")?;
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--data-dir", directory];
        if let Some(url) = &place.url {
            arguments.extend(["--database-url", url]);
        }
        arguments.extend(options);
        let running = Running::start(binary, &arguments, &place.directory).await?;
        let key = std::fs::read_to_string(place.directory.join("admin.key"))
            .context("the server left no admin.key")?
            .trim()
            .to_owned();
        Ok(Self { place: place.clone(), running, key })
    }

    pub(crate) async fn register_read_only_tool(&self) -> anyhow::Result<()> {
        let definition = json!({
            "name": READ_ONLY_TOOL, "version": "1.0.0",
            "description": "The arithmetic of calculate, recorded as if it read something outside.",
            "egress_class": "read_only",
            "input_schema": {
                "type": "object", "required": ["expression"], "additionalProperties": false,
                "properties": {"expression": {"type": "string", "minLength": 1, "maxLength": 1_000}},
            },
            "output_schema": {
                "type": "object", "required": ["result", "number", "exact"], "additionalProperties": false,
                "properties": {
                    "result": {"type": "string"}, "number": {"type": ["number", "null"]}, "exact": {"type": "boolean"},
                },
            },
            "execution": {"kind": "builtin", "handler": NONE_TOOL},
        });
        self.post("/api/tools", &definition).await.map(drop)
    }

    /// Has something made.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let mut connection = Connection::open(self.running.address).await?;
        let answer = connection.call(&request("POST", path, &self.key, &body.to_string())).await?;
        if !matches!(answer.status, 200 | 201) {
            bail!("POST {path}: {}", answer.text());
        }
        Ok(serde_json::from_str(&answer.text())?)
    }

    /// The call of a tool, ready to be sent.
    pub(crate) fn invoke(&self, tool: &str) -> Target {
        let path = format!("/api/tools/{tool}/invoke");
        Target::new(self.running.address, request("POST", &path, &self.key, &payload()))
    }
}

/// The body of every measured request, to whichever server.
pub(crate) fn payload() -> String {
    json!({ "expression": EXPRESSION }).to_string()
}

/// The same request, to a server that gives it back.
pub(crate) fn echo_target(echo: &Running, like: &Server) -> Target {
    Target::new(echo.address, request("POST", "/echo", &like.key, &payload()))
}
