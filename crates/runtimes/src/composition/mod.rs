//! Tools made of tools: ordered steps with mapped inputs, parallel groups, conditions, and a policy for errors per step.
//!
//! **plan** (`plan.rs`) reads the block and says where it is wrong; **run** (`run.rs`) makes the calls, each at a place of its own, so
//! that a run that begins again after it waited is answered from the record; **state** (`state.rs`) is what the steps left so far.

mod plan;
mod run;
mod runtime;
mod state;

pub use runtime::CompositionRuntime;
