//! "What would happen if": the same resolve, see, permit and validate as a call, and then nothing.

use toolgate_domain::{Decision, ToolError, Verdict};

use super::{Call, Refused, prepare::Preparation};
use crate::Engine;

/// What a call would meet at the door, now.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// `name@version`; absent when the caller sees no such tool.
    pub tool: Option<String>,
    pub decision: Decision,
    /// Why the call could not run, whoever agreed: there is no such tool, or the input is not valid.
    pub error: Option<ToolError>,
    pub warnings: Vec<String>,
}

impl Explanation {
    /// Whether the call would run at once.
    pub fn would_run(&self) -> bool {
        self.error.is_none() && self.decision.verdict == Verdict::Allow
    }
}

impl Engine {
    /// Judges a call without making it. Nothing is recorded, limited, cached or run.
    pub async fn explain(&self, call: Call) -> Result<Explanation, Refused> {
        let (prepared, error) = match self.prepare(call, false).await? {
            Preparation::Ready(prepared, _) => {
                let lacking = prepared.secrets.unresolved.clone();
                (prepared, lacking)
            }
            Preparation::Refused(prepared, error) | Preparation::Unknown(prepared, error) => {
                (prepared, Some(error))
            }
        };
        let row = prepared.invocation;
        let tool = prepared.known_tool.then(|| format!("{}@{}", row.tool_name, row.tool_version));
        Ok(Explanation { tool, decision: row.decision, error, warnings: row.warnings })
    }
}
