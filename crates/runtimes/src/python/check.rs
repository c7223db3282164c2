//! Asks a worker of its own whether code compiles. It blocks, for a bounded time: a save is rare.

use std::{sync::mpsc, thread, time::Duration};

use serde_json::json;

use super::{Failure, FailureKind, wire, worker::WorkerProgram};

/// Milliseconds for a start and a compilation.
const PATIENCE_MS: u64 = 5_000;

pub(super) fn check(program: &WorkerProgram, code: &str) -> Result<(), Failure> {
    let unavailable =
        |why: String| Failure::new(FailureKind::Unavailable, format!("no sandbox worker: {why}"));
    let mut child = program.command().spawn().map_err(|e| unavailable(e.to_string()))?;
    let (Some(mut input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(unavailable("it has no pipes".to_owned()));
    };
    let message = json!({"type": "check", "code": code});
    let (tell, told) = mpsc::sync_channel(1);
    let exchange = thread::spawn(move || {
        let answer = wire::receive_blocking(&mut output)
            .and_then(|_ready| wire::send_blocking(&mut input, &message))
            .and_then(|()| wire::receive_blocking(&mut output));
        // Nobody listens any more when the time is up.
        let _ = tell.send(answer);
    });
    let answer = told.recv_timeout(Duration::from_millis(PATIENCE_MS));
    // Ends the exchange too: its pipes close. Both calls fail only for a process that has ended by itself.
    let _ = child.kill();
    let _ = child.wait();
    let _ = exchange.join();
    match answer {
        Ok(Ok(answer)) if answer["type"] == "checked" => Ok(()),
        Ok(Ok(answer)) if answer["type"] == "error" => Err(Failure::from_wire(&answer)),
        Ok(Ok(_)) => Err(Failure::new(FailureKind::Protocol, "the sandbox worker spoke out of turn")),
        Ok(Err(error)) => {
            Err(Failure::new(FailureKind::Crash, format!("the code broke the compiler: {error}")))
        }
        Err(_) => Err(Failure::new(FailureKind::Wall, "the code takes too long to compile")),
    }
}
