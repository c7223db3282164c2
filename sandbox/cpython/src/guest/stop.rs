//! How a guest ends.

use wasmtime::Trap;

use crate::protocol::{Failure, FailureKind};

/// Raised through the engine by a function of the host.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The script's end was reported.
    Finished,
    Failed(Box<Failure>),
    /// The interpreter ended itself.
    Exit(i32),
    /// Nobody is there any more.
    ParentGone,
    /// The parent said what it must not.
    Broken(String),
}

impl Stop {
    pub(crate) fn failed(kind: FailureKind, message: impl Into<String>) -> Self {
        Self::Failed(Box::new(Failure::new(kind, message)))
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Stop {}

/// What a trap says to the one who wrote the script. `starved` is a guest that was refused memory before.
pub(crate) fn failure(trap: &wasmtime::Error, starved: bool) -> Failure {
    match trap.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => {
            Failure::new(FailureKind::Recursion, "the script recursed too deeply for the interpreter's stack")
        }
        Some(Trap::AllocationTooLarge) => Failure::new(FailureKind::Memory, "the script used up its memory"),
        _ if starved => Failure::new(FailureKind::Memory, "the script used up its memory"),
        Some(trap) => Failure::new(FailureKind::Exception, format!("the interpreter crashed: {trap}")),
        None => Failure::new(FailureKind::Exception, "the interpreter crashed"),
    }
}
