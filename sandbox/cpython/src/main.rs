//! The full Python sandbox: CPython on WASI, in a WebAssembly engine, in a locked-down process.
//!
//! `compile` turns the pinned wheel into native code once. `check` says whether that code is still what was compiled.
//! `run` is the worker: it speaks the process protocol of the sandboxes on stdin and stdout.

mod compile;
mod engine;
mod frame;
mod guest;
mod lockdown;
mod manifest;
mod protocol;
mod stack;
mod wasi;
mod worker;

use std::{io::Write, path::Path, process::ExitCode};

const USAGE: &str = "\
usage: toolgate-sandbox-cpython compile WHEEL DIR   compile the interpreter into DIR
       toolgate-sandbox-cpython check DIR           verify what was compiled, and show its stamp
       toolgate-sandbox-cpython run DIR [STAMP]     be a worker, on stdin and stdout";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["compile", wheel, directory] => {
            compile::compile(Path::new(wheel), Path::new(directory)).map(|()| ExitCode::SUCCESS)
        }
        ["check", directory] => manifest::check(Path::new(directory)).map(|()| ExitCode::SUCCESS),
        ["run", directory] => worker::run(Path::new(directory), None),
        ["run", directory, stamp] => worker::run(Path::new(directory), Some(stamp)),
        _ => {
            complain(USAGE);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// When nobody reads stderr, there is nobody to tell.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
