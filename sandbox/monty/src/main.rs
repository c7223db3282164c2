//! `toolgate-sandbox`: reads one Python script from stdin, runs it, answers on stdout. See `sandbox/PROTOCOL.md`.
//!
//! The process locks itself down before it says `ready`: no files, no network, no other processes, no environment.
//! It runs one script and ends. The parent takes a fresh one for the next, mostly from a nursery (`nursery.rs`).

mod alarm;
mod filter;
mod frame;
mod imports;
mod inputs;
mod lockdown;
mod message;
mod nursery;
mod output;
mod probe;
mod report;
mod script;
mod serve;
mod values;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

fn main() -> ExitCode {
    // A panic ends the process at once: the parent reports a crash, and nothing goes on from a broken state.
    std::panic::set_hook(Box::new(|_| std::process::abort()));
    let ceilings = match lockdown::Ceilings::from_args(std::env::args().skip(1)) {
        Ok(ceilings) => ceilings,
        Err(message) => {
            eprintln!("toolgate-sandbox: {message}");
            return ExitCode::from(serve::EXIT_PROTOCOL);
        }
    };
    serve(&ceilings).unwrap_or_else(|message| {
        eprintln!("toolgate-sandbox: {message}");
        ExitCode::from(serve::EXIT_LOCKDOWN)
    })
}

fn serve(ceilings: &lockdown::Ceilings) -> Result<ExitCode, String> {
    if ceilings.is_nursery {
        return nursery::run(ceilings);
    }
    lockdown::withdraw()?;
    serve::locked_down(ceilings, &filter::Filters::compile()?)
}
