//! The one way out of the guest: a request in, an answer back. Whatever the guest sends, only the requests below are
//! understood, and each is something that a script may do anyway.

use std::time::Instant;

use serde_json::value::RawValue;
use wasmtime::{Caller, Extern, Linker};

use super::{Random, State, stop::Stop};
use crate::{
    frame,
    protocol::{Call, Failure, FailureKind, Kind, Refusal, Report, Script, Start, Value},
    wasi::{Guest, bytes, put_u32},
};

const ANSWERED: i32 = 0;
const FAULT: i32 = -2;
/// Functions that one script can be given.
const MAX_FUNCTIONS: usize = 1_000;
/// Levels of nesting in a value that leaves: the frame wraps it.
const MAX_DEPTH: usize = frame::MAX_NESTING - 4;

pub(crate) fn add(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.func_wrap("host", "call", call)?;
    Ok(())
}

/// `host::call(ptr, len, out_ptr_ptr, out_len_ptr)`: the answer lies in memory that the guest allocates for it.
fn call(
    mut caller: Caller<'_, State>,
    at: u32,
    length: u32,
    out: u32,
    out_length: u32,
) -> wasmtime::Result<i32> {
    if length as usize > frame::MAX_BYTES {
        return Err(Stop::failed(FailureKind::Result, "the script sends more than fits a frame").into());
    }
    let held_bytes = caller.data().memory.map_or(0, |memory| memory.data_size(&caller));
    let (memory, state) = caller.parts();
    let Ok(request) = bytes(memory, at, length).map(<[u8]>::to_vec) else { return Ok(FAULT) };
    let Ok(request) = String::from_utf8(request) else { return Ok(FAULT) };
    state.ticker.rest();
    let answer = answer(state, &request, held_bytes)?;
    state.ticker.beat();
    let Some(Extern::Func(allocate)) = caller.get_export("host_alloc") else { return Ok(FAULT) };
    let Ok(length) = u32::try_from(answer.len()) else { return Ok(FAULT) };
    let place = allocate.typed::<u32, u32>(&caller)?.call(&mut caller, length)?;
    let (memory, _) = caller.parts();
    let start = place as usize;
    match memory.get_mut(start..start.saturating_add(answer.len())) {
        Some(room) if place != 0 => room.copy_from_slice(answer.as_bytes()),
        _ => return Ok(FAULT),
    }
    let placed = put_u32(memory, out, place).and_then(|()| put_u32(memory, out_length, length));
    Ok(if placed.is_ok() { ANSWERED } else { FAULT })
}

fn answer(state: &mut State, request: &str, held_bytes: usize) -> Result<String, Stop> {
    let unreadable =
        || Stop::failed(FailureKind::Exception, "the script sent the worker what it cannot read");
    if frame::nesting(request.as_bytes()) > frame::MAX_NESTING {
        return Err(Stop::failed(FailureKind::Result, "the value is nested too deeply"));
    }
    // Read in full once, so that only what any parser takes is passed on.
    serde_json::from_str::<serde_json::Value>(request).map_err(|_| unreadable())?;
    let kind: Kind = serde_json::from_str(request).map_err(|_| unreadable())?;
    match (kind.r#type.as_str(), state.has_script) {
        ("ready", false) => script(state, held_bytes),
        ("call", true) => host_call(state, serde_json::from_str(request).map_err(|_| unreadable())?),
        ("done", true) => {
            let done: Value<'_> = serde_json::from_str(request).map_err(|_| unreadable())?;
            finish(state, &done)
        }
        ("checked", true) if state.is_check => {
            tell(&Report::Checked)?;
            Err(Stop::Finished)
        }
        ("error", true) => {
            let failure: Failure = serde_json::from_str(request).map_err(|_| unreadable())?;
            Err(Stop::Failed(Box::new(failure.of_a_guest())))
        }
        _ => Err(unreadable()),
    }
}

/// The interpreter is warm; the next word is the parent's.
fn script(state: &mut State, held_bytes: usize) -> Result<String, Stop> {
    tell(&Report::Ready)?;
    let (kind, text) = hear(&["start", "check"])?;
    let start: Start = serde_json::from_str(&text).map_err(|error| Stop::Broken(error.to_string()))?;
    if start.functions.len() > MAX_FUNCTIONS {
        return Err(Stop::Broken("a script gets too many functions".to_owned()));
    }
    let inputs = start.inputs.as_deref().map_or("{}", RawValue::get);
    state.random = match &start.seed {
        Some(seed) => Random::new(&[seed.as_bytes()]),
        None => Random::new(&[start.code.as_bytes(), inputs.as_bytes()]),
    };
    state.has_script = true;
    state.is_check = kind == "check";
    state.allowance.begin(held_bytes, &start.limits);
    state.limits = start.limits.bounded();
    state.functions = start.functions;
    state.code = start.code;
    let inputs = serde_json::from_str(inputs).map_err(|error| Stop::Broken(error.to_string()))?;
    let script = Script {
        code: &state.code,
        inputs,
        functions: &state.functions,
        max_recursion: state.limits.max_recursion,
        check: state.is_check,
    };
    serde_json::to_string(&script).map_err(|error| Stop::Broken(error.to_string()))
}

fn host_call(state: &mut State, call: Call<'_>) -> Result<String, Stop> {
    if !state.functions.contains(&call.function) {
        return refusal("there is no such function");
    }
    let length = call.args.get().len() + call.kwargs.get().len();
    if length > state.limits.max_result_bytes {
        return refusal("the arguments are too large");
    }
    if let Some(why) = [call.args, call.kwargs].into_iter().find_map(unportable) {
        return refusal(why);
    }
    if state.host_calls >= state.limits.max_host_calls {
        let message = format!("the script made more than {} calls", state.limits.max_host_calls);
        return Err(Stop::failed(FailureKind::HostCalls, message));
    }
    state.host_calls += 1;
    let (function, args, kwargs) = (call.function.as_str(), call.args, call.kwargs);
    tell(&Report::HostCall { seq: state.host_calls, function, args, kwargs })?;
    let asked = Instant::now();
    let (_, answer) = hear(&["resume"])?;
    state.allowance.pardon(asked.elapsed());
    Ok(answer)
}

fn refusal(why: &str) -> Result<String, Stop> {
    serde_json::to_string(&Refusal { refused: why }).map_err(|error| Stop::Broken(error.to_string()))
}

/// Why a value cannot leave, where it cannot.
fn unportable(value: &RawValue) -> Option<&'static str> {
    if frame::nesting(value.get().as_bytes()) > MAX_DEPTH {
        Some("the value is nested too deeply")
    } else if frame::has_wide_integer(value.get().as_bytes()) {
        Some("an integer beyond 2^53-1 has no JSON form that all readers agree on; use str(n)")
    } else {
        None
    }
}

fn finish(state: &State, done: &Value<'_>) -> Result<String, Stop> {
    let (length, max) = (done.value.get().len(), state.limits.max_result_bytes);
    if length > max {
        let message = format!("the value is {length} bytes as JSON, and may be {max}");
        return Err(Stop::failed(FailureKind::Result, message));
    }
    if let Some(why) = unportable(done.value) {
        return Err(Stop::failed(FailureKind::Result, why));
    }
    tell(&Report::Done { value: done.value, stdout: &state.printed() })?;
    Err(Stop::Finished)
}

/// A message of the parent, of a type that is due. A request for a snapshot is refused, and changes nothing.
fn hear(due: &[&str]) -> Result<(String, String), Stop> {
    loop {
        let text = frame::read(&mut std::io::stdin().lock())
            .map_err(|error| Stop::Broken(error.to_string()))?
            .ok_or(Stop::ParentGone)?;
        let Kind { r#type: kind } =
            serde_json::from_str(&text).map_err(|error| Stop::Broken(error.to_string()))?;
        if due.contains(&kind.as_str()) {
            return Ok((kind, text));
        }
        if kind != "snapshot" && kind != "restore" {
            return Err(Stop::Broken(format!("{kind} is not due, {} is", due.join(" or "))));
        }
        let message = "this runtime keeps no snapshots: repeat the run with its recorded answers";
        tell(&Report::Error(Failure::new(FailureKind::Unsupported, message)))?;
    }
}

fn tell(report: &Report<'_>) -> Result<(), Stop> {
    frame::write(&mut std::io::stdout().lock(), report).map_err(|error| Stop::Broken(error.to_string()))
}
