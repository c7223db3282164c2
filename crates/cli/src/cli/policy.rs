//! `toolgate policy …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::tool::InputArgs;

#[derive(Subcommand, Debug)]
pub(crate) enum PolicyCommand {
    /// Check a policy file offline: compile every rule and try the examples it carries
    #[command(after_help = "\
Examples:
  toolgate policy check policy.yaml
  toolgate policy check policy.json --json

A policy is a list of rules; each has an id, an optional `tools`, `agents`, `egress` and a CEL expression `when`, a verdict
(allow, ask or deny), a `because` for the person who meets it, and examples that must and must not match. Exits with 6 when a
rule or an example is not as it should be.")]
    Check {
        /// YAML or JSON
        file: PathBuf,
    },
    /// Tell what would happen if this key made this call now: the decision, and the rules that lead to it
    #[command(after_help = "\
Examples:
  toolgate policy explain calculate --input expression='1+1'
  toolgate policy explain fetch_page --agent researcher --input url=https://example.com
  toolgate policy explain push_release@^1 --json")]
    Explain(ExplainArgs),
    /// List the versions of the policy, newest first; the first is in force
    #[command(
        after_help = "Examples:\n  toolgate policy list\n  toolgate policy list --json    with the rules"
    )]
    List,
    /// Put a policy in force, in place of the one before
    #[command(after_help = "\
Examples:
  toolgate policy replay policy.yaml    what would change
  toolgate policy put policy.yaml

The file is checked first, as `policy check` does; a policy that is not as it should be changes nothing and exits with 6.")]
    Put {
        /// YAML or JSON
        file: PathBuf,
    },
    /// Judge the calls that were made by another policy: every decision that would change. Nothing is called
    #[command(after_help = "\
Examples:
  toolgate policy replay policy.yaml
  toolgate policy replay policy.yaml --last 10000 --json")]
    Replay {
        /// YAML or JSON
        file: PathBuf,
        /// How many of the newest calls are judged, 1 to 10000 [default: 1000]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
        last: Option<u64>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) what: InputArgs,
    /// What if this agent called: a handle or an id. The key needs agents:read
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
}
