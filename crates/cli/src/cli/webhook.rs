//! `toolgate webhook …`.

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum WebhookCommand {
    /// Make a webhook: calls that come to wait for a person are sent to it. Its secret is shown once
    #[command(after_help = "\
Examples:
  toolgate webhook create chat --to https://hooks.example.com/toolgate
  toolgate webhook create here --to http://127.0.0.1:9000/hook

How to verify what it sends: docs/guides/approvals.md.")]
    Create(CreateWebhookArgs),
    /// List webhooks, never their secrets
    #[command(after_help = "Examples:\n  toolgate webhook list\n  toolgate webhook list --json")]
    List,
    /// Delete a webhook: it is sent nothing more, and the links that it was sent lead nowhere
    #[command(after_help = "Examples:\n  toolgate webhook delete whk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Delete {
        /// The webhook's id, as `webhook list` shows it
        id: String,
    },
    /// Send a test letter, once, now; exits with 1 when it is not received
    #[command(after_help = "Examples:\n  toolgate webhook test whk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    Test {
        /// The webhook's id, as `webhook list` shows it
        id: String,
    },
    /// List what was sent to a webhook, newest first, and what became of it
    #[command(
        after_help = "Examples:\n  toolgate webhook deliveries whk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11 --limit 100"
    )]
    Deliveries {
        /// The webhook's id, as `webhook list` shows it
        id: String,
        /// Rows, at most 200 [default: 50]
        #[arg(long, value_name = "N")]
        limit: Option<u64>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct CreateWebhookArgs {
    /// What it is called, 1 to 100 characters
    pub(crate) name: String,
    /// Where letters are sent: https://…, or http:// on the server's own machine
    // Not `--url`, which names the server for every command.
    #[arg(long = "to", id = "to", value_name = "URL")]
    pub(crate) url: String,
}
