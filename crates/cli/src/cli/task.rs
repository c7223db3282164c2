//! `toolgate task …`.

use clap::{Args, Subcommand};

use super::Rows;

#[derive(Subcommand, Debug)]
pub(crate) enum TaskCommand {
    /// List the tasks that tools handed to somebody, newest first
    #[command(after_help = "\
Examples:
  toolgate task list
  toolgate task list --assignee me
  toolgate task list --overdue
  toolgate task list --status completed --json")]
    List(ListTasksArgs),
    /// Show one task
    #[command(after_help = "Examples:\n  toolgate task show tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Show {
        /// The task's id
        id: String,
    },
    /// Say that you work on a task
    #[command(after_help = "Examples:\n  toolgate task start tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Start {
        /// The task's id
        id: String,
    },
    /// Complete a task; the call that waits for it goes on
    #[command(after_help = "\
Examples:
  toolgate task complete tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11
  toolgate task complete tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --result '{\"approved\": true}'
  toolgate task complete tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --result @result.json")]
    Complete {
        /// The task's id
        id: String,
        /// What came of it: JSON, @FILE, or - for stdin
        #[arg(long, value_name = "JSON")]
        result: Option<String>,
    },
    /// Cancel a task; the call that waits for it fails
    #[command(after_help = "\
Examples:
  toolgate task cancel tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --reason \"not needed any more\"")]
    Cancel {
        /// The task's id
        id: String,
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ListTasksArgs {
    /// Without it, those that are not over
    #[arg(long, value_parser = ["open", "in_progress", "completed", "cancelled"])]
    pub(crate) status: Option<String>,
    /// `me`, `nobody`, the id of a user or an agent, or a role
    #[arg(long, value_name = "WHO")]
    pub(crate) assignee: Option<String>,
    /// Only those that should be done by now
    #[arg(long)]
    pub(crate) overdue: bool,
    #[command(flatten)]
    pub(crate) rows: Rows,
}
