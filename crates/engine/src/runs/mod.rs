//! Runs of agents, as those who watch them see them. A run is a call of [`RUN_TOOL`], and nothing here keeps a state of its own: what
//! a run is stands in its row, its steps and its session's log.

use toolgate_domain::Invocation;

mod event;
mod of_agent;
mod read;
mod watch;

pub use event::RunEvent;
pub use of_agent::{AgentRunEvents, RunEventFilter};
pub use watch::{RunWatch, Watched};

/// Whether a call is the run of a workflow by an agent: it bears the id of its run.
pub(crate) fn is_team_run(row: &Invocation) -> bool {
    row.run_id.is_some_and(|run| run.uuid() == row.id.uuid())
}

/// The tool whose calls are runs.
pub const RUN_TOOL: &str = "run_agent";
