//! Runs of agents, as those who watch them see them. A run is a call of [`RUN_TOOL`], and nothing here keeps a state of its own: what
//! a run is stands in its row, its steps and its session's log.

mod event;
mod of_agent;
mod read;
mod team_run;
mod watch;

pub use event::RunEvent;
pub(crate) use of_agent::is_of;
pub use of_agent::{AgentRunEvents, RunEventFilter};
pub(crate) use team_run::is_team_run;
pub use watch::{RunWatch, Watched};

/// The tool whose calls are runs.
pub const RUN_TOOL: &str = "run_agent";
