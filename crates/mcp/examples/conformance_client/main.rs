//! The program that the official conformance suite starts as "the client": it drives the product's own client code.
//!
//! The suite gives the address of its server as the last argument, and in the environment the scenario, its context (JSON) and
//! the revision of the protocol.

mod answers;
mod loopback;
mod person;
mod scenario;

use std::{env, process::ExitCode};

use scenario::Scenario;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(scenario) = Scenario::from_env(env::args().next_back()) else {
        return failed("the address of the server is the last argument");
    };
    match scenario.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&format!("{error:#}")),
    }
}

#[expect(clippy::print_stderr, reason = "the suite shows what the client prints")]
fn failed(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}
