//! The run of an agent: a governed call that asks a model, calls the tools it asks for, and goes on until it answers.
//!
//! A run is a call of `run_agent`, so the door gives it what every call has: a row before anything happens, a deadline, an end by
//! somebody's wish, a wait that holds no process, a new beginning after a crash. What the run adds:
//!
//! 1. **begin** (`begin.rs`): what it was given (message, model, tools with their versions) is its first step;
//! 2. **guard**: may it ask once more (`Invoker::may_go_on`);
//! 3. **ask** (`ask.rs`): the model's answer is a step before anything that it asks for is done; what it says streams out in pieces of
//!    a bounded size (`pieces.rs`), and what it took is counted with the step (`meter.rs`);
//! 4. **call** (`call.rs`): what the model means by its calls (`wish.rs`), then all of them at once, each in its place, so that none is
//!    made twice. Searches among the tools (`search.rs`) are steps as well;
//! 5. **learn** (`course.rs`): what they answered goes into the conversation, and it goes on with 2.
//!
//! Around it: the steps themselves (`log.rs`), the tools that the agent has (`toolset.rs`), what is told to whoever watches (`tell.rs`)
//! and to the trace (`trace.rs`), and the receipts among the outputs (`receipts.rs`).
//!
//! A run that begins again reads its steps instead of asking, and its calls are answered from the record.

mod ask;
mod begin;
mod call;
mod course;
mod log;
mod meter;
mod models;
mod pieces;
mod receipts;
mod runtime;
mod search;
mod spec;
mod tell;
mod toolset;
mod trace;
mod wish;

pub use ask::KeptTurn;
pub use begin::{Begin, GivenTool};
pub use models::{Models, Opened};
pub use runtime::AgentRuntime;
pub use search::KeptSearch;
