//! `toolgate secret …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::config::ServeArgs;

#[derive(Subcommand, Debug)]
pub(crate) enum SecretCommand {
    /// Set a secret, or give it a new value; the value comes from stdin or a hidden prompt
    #[command(after_help = "\
Examples:
  toolgate secret set GITHUB_TOKEN                        asks for the value
  toolgate secret set GITHUB_TOKEN --scope tenant < token.txt
  pass show github | toolgate secret set GITHUB_TOKEN --scope workspace --workspace platform

One line end at the end of stdin is not part of the value. A run takes a secret from the person who calls, else from their
workspace, else from the tenant.")]
    Set(SecretArgs),
    /// List secrets: names, scopes, revisions and last use, never values
    #[command(after_help = "Examples:\n  toolgate secret list\n  toolgate secret list --json")]
    List,
    /// Give a secret that is there a new value, from stdin or a hidden prompt
    #[command(after_help = "Examples:\n  toolgate secret rotate GITHUB_TOKEN --scope tenant < token.txt")]
    Rotate(SecretArgs),
    /// Delete a secret from one scope
    #[command(after_help = "Examples:\n  toolgate secret delete GITHUB_TOKEN --scope tenant")]
    Delete(SecretArgs),
    /// Put every tenant's key under a new master key, with the server stopped
    #[command(after_help = "\
Examples:
  (umask 077; openssl rand -base64 32 > new.key)
  toolgate secret rekey --new-key-file new.key --data-dir /var/lib/toolgate
  toolgate secret rekey --new-key-file new.key --secrets-key-file old.key --database-url postgres://…

Stop every process first: they have the old key. Each tenant is one transaction, and what is done is skipped, so the command can
be repeated after it was broken off. Where the old key is DIR/secrets.key, the new one takes its place, and the old one stays
beside it under its id. Takes the settings of `serve`.")]
    Rekey(Box<RekeyArgs>),
}

#[derive(Args, Debug)]
pub(crate) struct SecretArgs {
    /// The name that tools declare
    pub(crate) name: String,
    /// Whose it is [default: user]
    #[arg(long, value_parser = ["user", "workspace", "tenant"])]
    pub(crate) scope: Option<String>,
    /// The workspace, by id or slug
    #[arg(long, value_name = "WORKSPACE")]
    pub(crate) workspace: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct RekeyArgs {
    /// The new master key: 32 bytes as hex or base64
    #[arg(long, value_name = "FILE")]
    pub(crate) new_key_file: PathBuf,
    /// Give each tenant a new key of its own as well, and seal its secrets anew
    #[arg(long)]
    pub(crate) fresh_tenant_keys: bool,
    #[command(flatten)]
    pub(crate) settings: ServeArgs,
}
