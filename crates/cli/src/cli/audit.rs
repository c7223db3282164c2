//! `toolgate audit …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use toolgate_engine::PublicKey;

#[derive(Subcommand, Debug)]
pub(crate) enum AuditCommand {
    /// List who changed what, newest first
    #[command(after_help = "\
Examples:
  toolgate audit list
  toolgate audit list --action key. --all --json
  toolgate audit list --actor key_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11")]
    List(ListAuditArgs),
    /// Check that no receipt and no audit event was changed, removed or inserted
    ///
    /// Of a server; or, with --file, of an export, without any server. Names the first record that is not as it was.
    #[command(after_help = "\
Examples:
  toolgate audit verify
  toolgate audit verify --file audit.jsonl --public-key d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a

Exits with 10 when something was tampered with. Without --public-key an export is held against the key that it names itself,
which its writer chose.")]
    Verify(VerifyAuditArgs),
    /// Write the chain and everything it vouches for as JSON lines, to be verified elsewhere
    #[command(after_help = "\
Examples:
  toolgate audit export --output audit.jsonl
  toolgate audit export | gzip > audit.jsonl.gz")]
    Export {
        /// Write to this file, which appears when it is whole [default: stdout]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ListAuditArgs {
    /// What was done, or how it begins, such as `key.`
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,
    /// Who did it: an id, or `system`
    #[arg(long, value_name = "ID")]
    pub(crate) actor: Option<String>,
    /// The id or name of what it was done to
    #[arg(long, value_name = "ID")]
    pub(crate) target: Option<String>,
    /// Rows in a page, at most 200 [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Every page, not only the first
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyAuditArgs {
    /// An export; no server is asked
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The server's public key, as you know it from elsewhere
    #[arg(long, value_name = "HEX")]
    pub(crate) public_key: Option<PublicKey>,
}
