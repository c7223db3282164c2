//! What the parent sends.

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Compiles a script and runs nothing.
    Check {
        code: String,
    },
    Start {
        code: String,
        #[serde(default)]
        inputs: Map<String, Value>,
        #[serde(default)]
        functions: Vec<String>,
        limits: Limits,
    },
    Resume {
        #[serde(flatten)]
        answer: Answer,
    },
    Snapshot {},
    Restore {
        data: String,
        limits: Limits,
        #[serde(flatten)]
        answer: Answer,
    },
}

/// How a host call ended.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Ok(Value),
    Error(HostError),
}

#[derive(Deserialize)]
pub(crate) struct HostError {
    #[serde(default)]
    pub(crate) code: Option<String>,
    pub(crate) message: String,
}

/// The bounds of one run.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) memory_bytes: usize,
    pub(crate) cpu_ms: u64,
    pub(crate) wall_ms: u64,
    pub(crate) max_output_bytes: usize,
    pub(crate) max_recursion: usize,
    pub(crate) max_host_calls: u64,
    pub(crate) max_result_bytes: usize,
}
