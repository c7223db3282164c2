//! The binary `toolgate`: it wires everything, and speaks for a person at a terminal.

mod ask;
mod cli;
mod client;
mod commands;
mod config;
mod document;
mod exit;
mod input;
mod judged;
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
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
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
