//! Measures Toolgate against floors on the same machine, side by side in one run: see the README beside this crate.

mod agents;
mod args;
mod beside;
mod child;
mod echo;
mod engine;
mod floor;
mod http;
mod ledger;
mod load;
mod machine;
mod mcp;
mod one_caller;
mod output;
mod plot;
mod python;
mod report;
mod rest;
mod results;
mod rows;
mod rules;
mod server;
mod start;
mod stats;
mod store;

use std::process::ExitCode;

use anyhow::Context;
use args::{Args, Hidden, Part};
use clap::Parser;
use engine::Databases;
use report::Report;

fn main() -> ExitCode {
    let args = Args::parse();
    let run = || -> anyhow::Result<ExitCode> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        if let Some(served) = &args.command {
            runtime.enable_all().build()?.block_on(serve(served))?;
            return Ok(ExitCode::SUCCESS);
        }
        // All callers on one thread: whoever is measured shall have the processors.
        runtime.worker_threads(1).enable_all().build()?.block_on(measure(&args))
    };
    run().unwrap_or_else(|error| {
        output::complain(&error);
        ExitCode::FAILURE
    })
}

/// One of those that are compared with.
async fn serve(served: &Hidden) -> anyhow::Result<()> {
    match served {
        Hidden::Echo => echo::serve().await,
        Hidden::Bare => mcp::bare::serve().await,
        Hidden::BareStdio => mcp::bare::serve_stdio().await,
    }
}

async fn measure(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir().context("a directory for the databases cannot be made")?;
    let databases = Databases::new(directory.path(), args.engines()).await?;
    let plan = args.plan();
    let mut report = Report::new(machine::Facts::gather(directory.path()), &plan);
    if let Some(other) = &args.beside {
        let other = other.canonicalize().context("the other build cannot be found")?;
        beside::measure(&args.binary()?, &other, &databases, &plan, &mut report).await?;
        databases.drop_all().await?;
        output::print(&report, &results::write(&report, &args.out())?);
        return Ok(ExitCode::SUCCESS);
    }
    if args.runs(Part::Rest) {
        let servers = rest::Servers::start(&args.binary()?, &databases).await?;
        rest::throughput(&servers, &plan, &mut report).await?;
        one_caller::latency(&servers, &databases, &plan, &mut report).await?;
        servers.stop().await?;
    }
    if args.runs(Part::Ledger) {
        ledger::measure(&databases, &plan, &mut report).await?;
    }
    if args.runs(Part::Rules) {
        rules::measure(&plan, &mut report).await?;
    }
    if args.runs(Part::Python) {
        python::measure(&args.sandbox_worker()?, &plan, &mut report).await?;
    }
    if args.runs(Part::Agents) {
        agents::measure(&plan, &mut report).await?;
    }
    if args.runs(Part::Mcp) {
        mcp::measure(&args.binary()?, &databases, &plan, &mut report).await?;
    }
    if args.runs(Part::Start) {
        start::measure(&args.binary()?, &databases, &mut report).await?;
    }
    databases.drop_all().await?;
    let written = results::write(&report, &args.out())?;
    output::print(&report, &written);
    let missed = args.strict && report.misses() > 0;
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
