//! What to measure, and for how long.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};
use clap::{Parser, Subcommand, ValueEnum};
use serde::Serialize;

use crate::engine::Engine;

#[derive(Parser)]
#[command(name = "toolgate-bench", about = "Measures Toolgate against floors, side by side in one run")]
pub(crate) struct Args {
    /// Short rounds: for a look, not for a number to quote
    #[arg(long)]
    quick: bool,
    /// One part alone
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// One database alone
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// Exit with 1 when a target is missed
    #[arg(long)]
    pub(crate) strict: bool,
    /// The server to measure [default: `toolgate` beside this program]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Another build of the server, to be measured beside it in the same rounds; nothing else is measured then
    #[arg(long, value_name = "FILE")]
    pub(crate) beside: Option<PathBuf>,
    /// Where the results go [default: bench/results; target/bench for a quick or partial run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Option<Hidden>,
}

#[derive(Subcommand)]
pub(crate) enum Hidden {
    /// The bare server that others are compared with
    #[command(hide = true)]
    Echo,
    /// The same for the Model Context Protocol, over HTTP
    #[command(hide = true)]
    Bare,
    /// And over standard input and output
    #[command(hide = true)]
    BareStdio,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The governed call over HTTP, against a bare echo and against the engine's own commit
    Rest,
    /// The ledger, against the engine's own group commit
    Ledger,
    /// The decision, and an agent's list of tools, with many rules and many tools
    Rules,
    /// Scripts in the Python sandbox: warm, cold, and many at once
    Python,
    /// The loop of an agent: what a turn costs, calls side by side, runs that wait
    Agents,
    /// The Model Context Protocol: calls beside a bare server, calls that are handed on, long lists, many sessions
    Mcp,
    /// From nothing to the first answer
    Start,
}

/// How long, how often.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) round: Duration,
    pub(crate) warm_up: Duration,
    pub(crate) quick: bool,
}

impl Args {
    pub(crate) fn runs(&self, part: Part) -> bool {
        self.only.is_none_or(|only| only == part)
    }

    pub(crate) fn engines(&self) -> Vec<Engine> {
        self.engine.map_or_else(|| vec![Engine::Sqlite, Engine::Postgres], |engine| vec![engine])
    }

    pub(crate) fn plan(&self) -> Plan {
        // Many short rounds: the sides meet the same moods of the machine, and a median of many is steadier than one of a few.
        let (rounds, round_ms, warm_up_ms) = if self.quick { (3, 700, 500) } else { (11, 1_000, 1_500) };
        Plan {
            rounds,
            round: Duration::from_millis(round_ms),
            warm_up: Duration::from_millis(warm_up_ms),
            quick: self.quick,
        }
    }

    pub(crate) fn binary(&self) -> anyhow::Result<PathBuf> {
        let path = match &self.binary {
            Some(path) => path.clone(),
            None => std::env::current_exe()
                .context("this program does not know where it is")?
                .with_file_name("toolgate"),
        };
        if !path.is_file() {
            bail!("{} is missing: run `make build` first", path.display());
        }
        // The server runs in a directory of its own.
        path.canonicalize().context("the server cannot be found")
    }

    /// The worker lies beside the server.
    pub(crate) fn sandbox_worker(&self) -> anyhow::Result<PathBuf> {
        let path = self.binary()?.with_file_name("toolgate-sandbox");
        if !path.is_file() {
            bail!("{} is missing: run `make build` first", path.display());
        }
        Ok(path)
    }

    /// A short or partial run does not replace the numbers of a full one.
    pub(crate) fn out(&self) -> PathBuf {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
        match &self.out {
            Some(path) => path.clone(),
            None if self.quick || self.only.is_some() || self.engine.is_some() || self.beside.is_some() => {
                bench.with_file_name("target").join("bench")
            }
            None => bench.join("results"),
        }
    }
}
