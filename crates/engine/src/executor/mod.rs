//! One call, step by step. Each step is a file of its own:
//!
//! 1. **resolve** and **see** (`registry/resolve.rs`): alias, version, lifecycle, visibility;
//! 2. **permit** (`permit.rs` asks `toolgate-policy`) and **validate**: `prepare.rs`;
//! 3. **park** a call that must ask a person: `park.rs`;
//! 4. **limit** (`limits.rs`), **cache** (`cache.rs`; equal calls take `turns.rs`), **secrets**: `admit.rs`. None of them has an effect outside; `secrets.rs` finds a call's secrets and
//!    keeps them out of everything that is said of it;
//! 5. **record** the start, **run**, obey timeout and cancellation: `run.rs`; collect chunks: `chunks.rs`;
//! 6. **check** the output and move what is too big to a blob: `output.rs`;
//! 7. **seal**: the end of the call becomes durable, then the caller is answered: `seal.rs`.
//!
//! Around it: `once.rs` (idempotency keys), `batch.rs`, `cancel.rs` and `whose.rs` (who may cancel), `explain.rs` (what would happen), `finish.rs` (the caller may
//! go; the call ends), `inner.rs` (tools that call tools), `house.rs` and `house_desk.rs` (what a runtime may ask), `let_go.rs` (calls that wait),
//! `suspend.rs` (and go on), `hands.rs` (calls that this process works on), `replay.rs` (what another policy would have decided), `trace.rs` (tells of all this as spans).
//!
//! For agents: `agent_run.rs` (a call that is a run), `toolset.rs` (what it may call), `model_keys.rs` (whose key its model is asked
//! with), `metering.rs` (what models took), `tally.rs` (what a run has done), `agent_action.rs` (a call that is an action),
//! `team_run.rs` (a workflow that an agent runs),
//! `record.rs` (all of a run, for who exports it).

mod admit;
mod agent_action;
mod agent_run;
mod batch;
mod cache;
mod call;
mod cancel;
mod chunks;
mod explain;
mod finish;
mod hands;
mod house;
mod house_desk;
mod inner;
mod invoke;
mod let_go;
mod limits;
mod metering;
mod model_keys;
mod once;
mod output;
mod park;
mod permit;
mod prepare;
mod record;
mod replay;
mod run;
mod seal;
mod secrets;
mod suspend;
mod tally;
mod team_run;
mod toolset;
mod trace;
mod turns;
mod upstream;
mod whose;

pub use agent_run::TurnAllowance;
pub use batch::BatchAnswer;
pub use call::{Answer, Call, CallInput, Parent, Progress, Refused};
pub use cancel::CancelError;
pub(crate) use cancel::InFlight;
pub use explain::Explanation;
pub use finish::Finish;
pub(crate) use hands::{Hand, Hands, Left};
pub use house::House;
pub use house_desk::PendingFilter;
pub use inner::{Inner, Invoker, NOT_MADE};
pub use metering::{Asked, Tokens};
pub(crate) use once::Flights;
pub(crate) use permit::{could_call, may_ever_call};
pub use record::{RecordedBlob, RunRecord};
pub(crate) use secrets::may_be_redacted;
pub(crate) use suspend::is_suspended;
pub(crate) use tally::Tallies;
pub use trace::RunSpan;
pub(crate) use turns::Turns;
