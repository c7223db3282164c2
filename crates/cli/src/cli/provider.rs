//! `toolgate provider …`.

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum ProviderCommand {
    /// List the providers of models that the tenant brings
    #[command(after_help = "Examples:\n  toolgate provider list\n  toolgate provider list --json")]
    List,
    /// Show one provider
    #[command(after_help = "Examples:\n  toolgate provider show openai")]
    Show {
        /// A name or an id
        provider: String,
    },
    /// Bring a provider, or change it: what is not named stays as it is
    #[command(after_help = "\
Examples:
  toolgate secret set OPENAI_API_KEY --scope tenant
  toolgate provider set openai --api openai_chat --key-secret OPENAI_API_KEY --model gpt-4o
  toolgate provider set openai --price gpt-4o='{\"input\": 2.5, \"cached_input\": 1.25, \"output\": 10}'

The key is a secret of the caller's, of their workspace's or of the tenant's, and never part of the provider.
A provider stands before one of the installation of the same name.")]
    Set(ProviderArgs),
    /// Remove a provider; agents whose models it served cannot be run any more
    #[command(after_help = "Examples:\n  toolgate provider remove openai")]
    Remove {
        /// A name or an id
        provider: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ProviderArgs {
    /// 1 to 64 letters, digits, `_`, `-` or `.`; agents say `NAME/model`
    pub(crate) name: String,
    /// The format that it speaks
    #[arg(long, value_parser = ["openai_chat", "openai_compatible", "openai_responses", "anthropic", "gemini"])]
    pub(crate) api: Option<String>,
    /// Where it is [default: the provider's own]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The name of the secret that is its key
    #[arg(long, value_name = "NAME")]
    pub(crate) key_secret: Option<String>,
    /// A model that it serves; the first is asked when nobody says which. Repeatable, and replaces the list
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) models: Vec<String>,
    /// What a model costs per million tokens, as NAME=JSON; repeatable
    #[arg(long = "price", value_name = "NAME=JSON")]
    pub(crate) prices: Vec<String>,
    /// Milliseconds of one attempt altogether
    #[arg(long, value_name = "MS")]
    pub(crate) timeout_ms: Option<u64>,
    /// Attempts beyond the first
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_retries: Option<u32>,
}
