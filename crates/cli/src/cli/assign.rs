//! `toolgate tool assign|revoke|settings`.

use clap::Args;

use super::profile::ApprovalTermsArgs;

#[derive(Args, Debug)]
pub(crate) struct AssignArgs {
    /// The tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    /// A handle or an id
    #[arg(long)]
    pub(crate) agent: String,
    /// A profile's name or id, which tightens what the tool demands
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// The agent is told of the tool, and refused
    #[arg(long)]
    pub(crate) deny: bool,
}

#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The tool's name
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    /// A handle or an id
    #[arg(long)]
    pub(crate) agent: String,
}

#[derive(Args, Debug)]
pub(crate) struct ToolSettingsArgs {
    /// The tool's name: every version of it
    pub(crate) name: String,
    /// Switch it on: a system tool is there only then
    #[arg(long, group = "switch")]
    pub(crate) enable: bool,
    /// Switch it off
    #[arg(long, group = "switch")]
    pub(crate) disable: bool,
    /// Take the switch back: as the tool itself says
    #[arg(long, group = "switch")]
    pub(crate) default: bool,
    #[command(flatten)]
    pub(crate) approval: ApprovalTermsArgs,
}
