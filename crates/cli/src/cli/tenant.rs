//! `toolgate tenant …` and `settings …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What a workspace or a tenant is made of.
#[derive(Args, Debug)]
pub(crate) struct NamedArgs {
    /// Lower-case letters, digits and `-`; unique
    pub(crate) slug: String,
    /// The name that people see [default: the slug]
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TenantCommand {
    /// Make a tenant; its first key is shown once
    #[command(
        after_help = "Examples:\n  toolgate tenant create acme --name \"Acme Ltd\"\n\nOnly with an admin's key of the installation's own tenant, as for every command of this group."
    )]
    Create(NamedArgs),
    /// List tenants
    #[command(after_help = "Examples:\n  toolgate tenant list\n  toolgate tenant list --json")]
    List,
    /// Archive a tenant: nobody of it gets in any more; its ledger stays
    #[command(
        after_help = "Examples:\n  toolgate tenant archive acme --yes\n\nOn a terminal it asks; elsewhere it needs --yes."
    )]
    Archive {
        /// A slug or an id
        tenant: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum SettingsCommand {
    /// Show the tenant's own limits
    #[command(
        after_help = "Examples:\n  toolgate settings show\n  toolgate settings show --json > settings.json"
    )]
    Show,
    /// Replace the tenant's own limits with those of a file
    #[command(after_help = "\
Examples:
  toolgate settings set settings.yaml

A file has any of these keys; one that is absent is no bound, and the bounds of runs lower the server's and never raise them:
  guard: {max_tool_calls: 20, max_iterations: 8, max_budget: 5.0, side_effects: read_only, enabled_tools: [calculate]}
  rate_limit: {limit: 600, window_s: 60}          calls of the whole tenant
  agent_rate_limit: {limit: 60, window_s: 60}     calls of each agent
  user_rate_limit: {limit: 120, window_s: 60}     calls of each person or key
  agent_daily_calls: 500                          calls that each agent makes of its own accord
  budget: {daily: 50.0, monthly: 900.0}
  agent_budget: {daily: 5.0}")]
    Set {
        /// YAML or JSON
        file: PathBuf,
    },
}
