//! The contract of a built-in tool.

use serde_json::Value;
use toolgate_domain::{Clock, ErrorCode, IdGen, ToolError, ToolSpec};

/// What a built-in may use of the outside.
pub struct BuiltinContext<'a> {
    pub clock: &'a dyn Clock,
    pub ids: &'a dyn IdGen,
    /// Whether the caller has given up; long loops ask now and then.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl BuiltinContext<'_> {
    /// Ends a call whose caller has given up.
    pub(super) fn check_cancelled(&self) -> Result<(), ToolError> {
        if (self.cancelled)() {
            Err(ToolError::new(ErrorCode::Unknown, "the call was cancelled"))
        } else {
            Ok(())
        }
    }
}

/// How a call is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Bounded to well under a millisecond by construction: runs where it stands.
    Inline,
    /// Runs on a thread that may block.
    Blocking,
}

pub trait Builtin: Send + Sync {
    /// The whole definition: schemas, annotations, examples that are run as tests.
    fn spec(&self) -> ToolSpec;

    fn weight(&self, _input: &Value) -> Weight {
        Weight::Inline
    }

    /// `input` has already been validated against the input schema.
    fn call(&self, input: &Value, ctx: &BuiltinContext<'_>) -> Result<Value, ToolError>;
}
