//! `toolgate chat`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  toolgate chat researcher                               a line is a message; Ctrl-D ends it
  toolgate chat researcher --message \"hello\"             say one thing
  toolgate chat --thread thr_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11

A tool that asks a person makes the answer wait; `toolgate approve ID`, by somebody who may, lets it go on.")]
pub(crate) struct ChatArgs {
    /// The agent, by handle or id
    #[arg(required_unless_present = "thread", conflicts_with = "thread")]
    pub(crate) agent: Option<String>,
    /// Go on with this thread
    #[arg(long, value_name = "ID")]
    pub(crate) thread: Option<String>,
    /// Say this, print the answer, and end
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) message: Option<String>,
    /// The title of a new thread
    #[arg(long, value_name = "TEXT", conflicts_with = "thread")]
    pub(crate) title: Option<String>,
}
