//! The binary `toolgate`: it wires everything, and speaks for a person at a terminal.

mod ask;
mod cli;
mod client;
mod commands;
mod config;
mod data_dir;
mod document;
mod exit;
mod input;
mod judged;
mod key_file;
mod lookup;
mod master_key;
mod models;
mod oauth;
mod open_files;
mod output;
mod python;
mod render;
mod telemetry;
mod upstreams;
mod when;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // Calls are made of many small pieces, and this allocator hands them out faster than the system's. It is `malloc` itself, for Rust
    // as for SQLite; named here, so that it is linked. As Rust's global allocator it would take its slower way, that of aligned pieces.
    let _ = mimalloc::MiMalloc.version();
    let cli = cli::Cli::parse();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(workers) = workers(&cli) {
        runtime.worker_threads(workers);
    }
    let runtime = match runtime.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::report(&anyhow::Error::new(error)),
    };
    let result = runtime.block_on(commands::run(cli));
    // A blocked thread must not keep the process: what was acknowledged is durable already.
    runtime.shutdown_background();
    match result {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}

/// Threads that take turns with the server's tasks. One processor is left to what works beside them: the ledger of the embedded database,
/// a PostgreSQL next door, sandboxes. A worker more would take it away in the middle of a commit, and workers wake each other for every
/// call: on two processors one worker answers a tenth more calls than two do.
///
/// `None`: as many as there are processors, or as `TOKIO_WORKER_THREADS` says.
fn workers(cli: &cli::Cli) -> Option<usize> {
    let serves = matches!(cli.command, cli::Command::Serve(_));
    if !serves || std::env::var_os("TOKIO_WORKER_THREADS").is_some() {
        return None;
    }
    std::thread::available_parallelism().ok().map(|processors| processors.get().saturating_sub(1).max(1))
}
