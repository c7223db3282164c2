//! Runs that are no calls of [`RUN_TOOL`](super::RUN_TOOL): an agent runs a workflow.

use toolgate_domain::Invocation;

/// Whether a call is the run of a workflow by an agent: it bears the id of its run.
pub(crate) fn is_team_run(row: &Invocation) -> bool {
    row.run_id.is_some_and(|run| run.uuid() == row.id.uuid())
}
