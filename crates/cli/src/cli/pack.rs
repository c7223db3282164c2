//! `toolgate pack …`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum PackCommand {
    /// List the packs that are installed, or those that ship with the server
    #[command(after_help = "Examples:\n  toolgate pack list\n  toolgate pack list --available --json")]
    List {
        /// The packs that ship with the server
        #[arg(long)]
        available: bool,
    },
    /// Install or upgrade a pack: all its tools, or none
    #[command(after_help = "\
Examples:
  toolgate pack install analysis --dry-run         what would change
  toolgate pack install analysis                   a pack that ships with the server
  toolgate pack install ./our-pack                 a folder with a pack.yaml

Tools that are for other tenants are skipped. Tools that a newer version no longer has become deprecated.")]
    Install {
        /// The name of a pack that ships with the server, or a folder with a pack.yaml
        #[arg(value_name = "NAME|DIR")]
        pack: String,
        /// Check everything, print what would change, change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Remove a pack: its tools are blocked, their receipts stay
    #[command(after_help = "Examples:\n  toolgate pack remove analysis")]
    Remove {
        /// The pack's name
        name: String,
    },
    /// Check a pack offline, and run the examples of all its tools
    #[command(after_help = "\
Examples:
  toolgate pack test packs/analysis
  toolgate pack test ./our-pack --json

Exits with 6 when the pack or a definition is not valid, else with 3 when an example fails.")]
    Test {
        /// A folder with a pack.yaml
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}
