//! Speaks the protocol: one script, then the end.

use std::{
    io::{self, StdinLock, StdoutLock},
    process::ExitCode,
};

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::{
    alarm,
    filter::Filters,
    frame::{self, Incoming},
    lockdown::{self, Ceilings},
    message::{Limits, Request},
    probe,
    report::{Failure, Kind},
    script::{self, Paused, Step},
};

/// The parent broke the protocol. Running out of memory is 65 (the allocator's own code).
pub(crate) const EXIT_PROTOCOL: u8 = 64;
/// The process could not be locked down, and ran nothing.
pub(crate) const EXIT_LOCKDOWN: u8 = 70;

struct Wire {
    input: StdinLock<'static>,
    output: StdoutLock<'static>,
}

/// Runs a script of our own, so that the first real one finds the interpreter's tables built and its pages in memory.
pub(crate) fn warm_up() {
    let limits = Limits {
        memory_bytes: 16 * 1024 * 1024,
        cpu_ms: 1_000,
        wall_ms: 60_000,
        max_output_bytes: 100,
        max_recursion: 10,
        max_host_calls: 0,
        max_result_bytes: 1_000,
    };
    let inputs = serde_json::Map::from_iter([("n".to_owned(), json!(1))]);
    let code = "def f(x):\n    return [x + 1, {'a': str(x)}]\nf(n)";
    let _ = script::start(code.to_owned(), &inputs, vec!["tool".to_owned()], limits);
    alarm::clear();
}

/// Locks the process down, and serves one script.
pub(crate) fn locked_down(ceilings: &Ceilings, filters: &Filters) -> Result<ExitCode, String> {
    lockdown::engage(ceilings, filters)?;
    if let Some(name) = &ceilings.probe {
        return Ok(probe::run(name));
    }
    // In the fork of a warm process as well: it gets its own copy of each page when it first touches it.
    warm_up();
    Ok(run())
}

fn run() -> ExitCode {
    // Marks what the idle process weighs: a run pays only for what it adds.
    let _ = monty_alloc::set_hard_limit(None);
    let mut wire = Wire { input: io::stdin().lock(), output: io::stdout().lock() };
    match serve(&mut wire) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fault::Pipe) => ExitCode::from(EXIT_PROTOCOL),
        Err(Fault::Protocol(message)) => {
            let _ = frame::write(&mut wire.output, &Failure::new(Kind::Protocol, message).into_message(""));
            ExitCode::from(EXIT_PROTOCOL)
        }
    }
}

enum Fault {
    Pipe,
    Protocol(String),
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Pipe
    }
}

/// How one request is answered: a last word, or a script that waits.
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
enum Next {
    End(Value),
    Wait(Value, Paused),
}

fn serve(wire: &mut Wire) -> Result<(), Fault> {
    frame::write(&mut wire.output, &json!({"type": "ready"}))?;
    let Some(request) = receive(wire)? else { return Ok(()) };
    let mut next = match request {
        Request::Check { code } => Next::End(match script::compile(code, Vec::new()) {
            Ok(_) => json!({"type": "checked"}),
            Err(failure) => failure.into_message(""),
        }),
        Request::Start { code, inputs, functions, limits } => {
            told(script::start(code, &inputs, functions, limits))
        }
        Request::Restore { data, limits, answer } => {
            let bytes = BASE64.decode(data.as_bytes()).map_err(|e| Fault::Protocol(e.to_string()))?;
            told(Paused::restore(&bytes, limits).map_err(Fault::Protocol)?.resume(answer))
        }
        Request::Resume { .. } | Request::Snapshot {} => {
            return Err(Fault::Protocol("no script is running".to_owned()));
        }
    };
    loop {
        let paused = match next {
            Next::End(message) => return Ok(frame::write(&mut wire.output, &message)?),
            Next::Wait(message, paused) => {
                frame::write(&mut wire.output, &message)?;
                paused
            }
        };
        next = loop {
            let Some(request) = receive(wire)? else { return Ok(()) };
            match request {
                Request::Resume { answer } => break told(paused.resume(answer)),
                Request::Snapshot {} => {
                    let data = BASE64.encode(&paused.snapshot().map_err(Fault::Protocol)?);
                    frame::write(&mut wire.output, &json!({"type": "snapshot", "data": data}))?;
                }
                _ => return Err(Fault::Protocol("a script is running already".to_owned())),
            }
        };
    }
}

fn told(step: Step) -> Next {
    match step {
        Step::Done { value, stdout } => Next::End(json!({"type": "done", "value": value, "stdout": stdout})),
        Step::Failed { failure, stdout } => Next::End(failure.into_message(&stdout)),
        Step::Paused(call, paused) => {
            let message = json!({
                "type": "host_call",
                "seq": call.seq,
                "function": call.function,
                "args": call.args,
                "kwargs": call.kwargs,
            });
            Next::Wait(message, paused)
        }
    }
}

fn receive(wire: &mut Wire) -> Result<Option<Request>, Fault> {
    match frame::read(&mut wire.input)? {
        Incoming::End => Ok(None),
        Incoming::Broken(why) => Err(Fault::Protocol(why.to_owned())),
        Incoming::Message(message) => {
            serde_json::from_value(message).map(Some).map_err(|e| Fault::Protocol(e.to_string()))
        }
    }
}
