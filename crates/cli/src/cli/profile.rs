//! `toolgate profile …`.

use clap::{Args, Subcommand};
use toolgate_domain::rate::RateLimit;

#[derive(Subcommand, Debug)]
pub(crate) enum ProfileCommand {
    /// Make a profile: a bundle of overrides for assignments, which can only tighten what a tool demands
    #[command(after_help = "\
Examples:
  toolgate profile create careful --requires-approval --quorum 2
  toolgate profile create cheap --cost-limit 0.50 --rate-limit 10/60 --timeout-ms 5000

`toolgate tool assign --tool T --agent A --profile careful` puts it to use.")]
    Create {
        /// 1 to 100 characters
        name: String,
        #[command(flatten)]
        terms: ProfileTerms,
    },
    /// List profiles
    #[command(after_help = "Examples:\n  toolgate profile list\n  toolgate profile list --json")]
    List,
    /// Show one profile
    #[command(after_help = "Examples:\n  toolgate profile show careful")]
    Show {
        /// A name or an id
        profile: String,
    },
    /// Change a profile: what is not named stays as it is
    #[command(after_help = "\
Examples:
  toolgate profile update careful --quorum 3
  toolgate profile update cheap --rate-limit 5/60 --clear cost_limit
  toolgate profile update careful --requires-approval=false --rename gentle")]
    Update {
        /// A name or an id
        profile: String,
        /// A new name
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        #[command(flatten)]
        terms: ProfileTerms,
        /// What the profile no longer sets; repeatable
        #[arg(long, value_delimiter = ',', value_parser = ["approval", "cost_limit", "rate_limit", "timeout_ms"])]
        clear: Vec<String>,
    },
    /// Delete a profile; one that is in use stays
    #[command(after_help = "Examples:\n  toolgate profile delete careful")]
    Delete {
        /// A name or an id
        profile: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ProfileTerms {
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Every call asks a person; false asks no more often than the tool itself
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) requires_approval: Option<bool>,
    #[command(flatten)]
    pub(crate) approval: ApprovalTermsArgs,
    /// The most that an agent may spend with the tool in a day
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) cost_limit: Option<f64>,
    /// Calls in seconds, such as 10/60
    #[arg(long, value_name = "CALLS/SECONDS", value_parser = rate)]
    pub(crate) rate_limit: Option<RateLimit>,
    /// The longest that a call may take
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<u64>,
}

/// How many people must agree, and whether the one who asks may be one of them.
#[derive(Args, Debug)]
pub(crate) struct ApprovalTermsArgs {
    /// How many different people must approve a call that asks
    #[arg(long, value_name = "N")]
    pub(crate) quorum: Option<u32>,
    /// Whether the one who asks may approve
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) allow_self: Option<bool>,
}

fn rate(text: &str) -> Result<RateLimit, String> {
    let read = || {
        let (limit, window_s) = text.split_once('/')?;
        Some(RateLimit {
            limit: limit.trim().parse().ok()?,
            window_s: window_s.trim().trim_end_matches('s').parse().ok()?,
            concurrency: None,
        })
    };
    read().ok_or_else(|| "write CALLS/SECONDS, such as 10/60".to_owned())
}
