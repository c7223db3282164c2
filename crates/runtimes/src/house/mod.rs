//! Tools that work on Toolgate's own data: agents and what they may call, runs of workflows, approvals, receipts.
//!
//! Nothing outside is touched, so their egress class is `none`; a person's call needs the scope that the same request needs over REST,
//! an agent's call is governed by its assignment and its permission. An agent that wants to change agents needs a person's yes to
//! each call, and never changes itself. Who may do what stands in `who.rs`, the codes of refusals in `refusal.rs`.

mod agent_tools;
mod agents;
mod approvals;
mod calls;
mod definition;
mod input;
mod names;
mod refusal;
mod runs;
mod runtime;
mod search;
mod who;

pub use names::old_names;
pub use runtime::HouseRuntime;
