//! The work of a judgement is counted and bounded. CEL itself has no cost limit, and a loop over an input inside a loop
//! over an input would otherwise be a way to stop the server.

use std::sync::atomic::{AtomicU64, Ordering};

use super::limits::MAX_WORK;

/// What one evaluation of a piece of an expression costs, known when it is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Nodes of the expression.
    pub nodes: u64,
    /// Places that may pass over the whole input.
    pub passes: u64,
    /// Places that may pass over the current item of the innermost loop.
    pub item_passes: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.passes += other.passes;
        self.item_passes += other.item_passes;
    }
}

const NODES_PER_UNIT: u64 = 10;
const BYTES_PER_UNIT: u64 = 1_024;
/// Not an identifier of CEL, so no author can write it.
const TICK: &str = "@work:";

/// The name of the variable whose lookup charges for one turn of a loop. The evaluator offers no hook, but it asks for
/// every variable by name.
pub(super) fn tick(per_turn: Cost) -> String {
    format!("{TICK}{}:{}", per_turn.nodes, per_turn.passes)
}

pub(super) fn parse_tick(variable: &str) -> Option<Cost> {
    let (nodes, passes) = variable.strip_prefix(TICK)?.split_once(':')?;
    Some(Cost { nodes: nodes.parse().ok()?, passes: passes.parse().ok()?, item_passes: 0 })
}

/// What is left of [`MAX_WORK`]. Atomic because the evaluator wants its variables to be shareable between threads.
pub(super) struct Meter(AtomicU64);

impl Meter {
    pub fn full() -> Self {
        Self(AtomicU64::new(MAX_WORK))
    }

    /// Whether the work may be done. Once it may not, nothing more may.
    pub fn charge(&self, cost: Cost, input_bytes: u64) -> bool {
        let units =
            1 + cost.nodes / NODES_PER_UNIT + cost.passes.saturating_mul(1 + input_bytes / BYTES_PER_UNIT);
        let left = self.0.load(Ordering::Relaxed).saturating_sub(units);
        self.0.store(left, Ordering::Relaxed);
        left > 0
    }

    pub fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}
