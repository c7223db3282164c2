//! Actions of agents: the one entry through which an agent acts on its own.
//!
//! An action is a call of `run_agent_action`, so it has a row and a receipt like every call. It does one thing, as the agent:
//!
//! 1. **who**: may the caller have this agent act;
//! 2. **what** (`deed.rs`): the tool that the action stands for;
//! 3. **terms**: what the agent may do on its own (`actions` of the agent);
//! 4. **day**: a place in the agent's daily quota, which is given back unless the action succeeds;
//! 5. **do**: the call of the tool, through the same door as any other; it may wait for a person;
//! 6. **tell** (`outcome.rs`): one of four results, which is also an audit event.

mod deed;
mod outcome;
mod runtime;
mod spec;

pub use runtime::ActionRuntime;
pub use spec::TOOL as RUN_AGENT_ACTION;
