//! One run of one script: from start, through its host calls, to its end.

use std::time::Duration;

use monty::{FunctionCall, MontyRun, RunProgress};
use monty_types::{
    CallArgs, CompileOptions, ExcType, ExtFunctionResult, MontyException, MontyObject, NameLookupResult,
    OsFunctionCall, OsPolicy, PrintWriter, ResourceLimits, ResourceTracker, SleepMode,
    memory_limit_with_headroom,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    imports, inputs,
    message::{Answer, Limits},
    output::Output,
    report::{Failure, Kind, SCRIPT_NAME},
    values::Export,
};

/// Refused calls to the operating system in one run; each is an exception in the script, and a loop of them ends.
const MAX_REFUSED_CALLS: u64 = 10_000;

/// A script that waits for the answer to a host call.
pub(crate) struct Paused {
    call: RunProgress,
    state: State,
}

/// What a run carries from pause to pause.
struct State {
    limits: Limits,
    output: Output,
    functions: Vec<String>,
    host_calls: u64,
    refused_calls: u64,
}

pub(crate) struct HostCall {
    pub(crate) seq: u64,
    pub(crate) function: String,
    pub(crate) args: Vec<Value>,
    pub(crate) kwargs: Map<String, Value>,
}

#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Step {
    Paused(HostCall, Paused),
    Done { value: Value, stdout: String },
    Failed { failure: Failure, stdout: String },
}

/// Compiles, and finds what the interpreter cannot do, before anything runs.
pub(crate) fn compile(code: String, names: Vec<String>) -> Result<MontyRun, Failure> {
    let run = MontyRun::new(code, SCRIPT_NAME, names, CompileOptions::default())
        .map_err(|e| Failure::compile(&e))?;
    match imports::missing(run.code()) {
        None => Ok(run),
        Some(missing) => Err(Failure::new(
            Kind::Unsupported,
            format!("there is no module `{}` in this runtime", missing.module),
        )
        .at_line(missing.line)),
    }
}

pub(crate) fn start(
    code: String,
    given: &Map<String, Value>,
    functions: Vec<String>,
    limits: Limits,
) -> Step {
    let mut state = State::new(limits, functions, String::new(), Duration::ZERO);
    let (names, values) = inputs::variables(given, &state.functions);
    let run = match compile(code, names) {
        Ok(run) => run.with_os_policy(OsPolicy { sleep: SleepMode::Zero, ..OsPolicy::default() }),
        Err(failure) => return state.fail(failure),
    };
    let tracker = ResourceTracker::new(resource_limits(&limits));
    let progress = run.start(values, tracker, PrintWriter::Callback(&mut state.output));
    state.go_on(progress)
}

impl Paused {
    pub(crate) fn resume(mut self, answer: Answer) -> Step {
        let RunProgress::FunctionCall(call) = self.call else {
            return self.state.fail(Failure::new(Kind::Protocol, "the run is not paused on a host call"));
        };
        let result = match answer {
            Answer::Ok(value) => ExtFunctionResult::Return(inputs::to_python(&value)),
            Answer::Error(error) => {
                let text = match error.code {
                    Some(code) => format!("{code}: {}", error.message),
                    None => error.message,
                };
                ExtFunctionResult::Error(MontyException::new(ExcType::RuntimeError, Some(text)))
            }
        };
        self.state.output.go_on();
        let progress = call.resume(result, PrintWriter::Callback(&mut self.state.output));
        self.state.go_on(progress)
    }

    pub(crate) fn snapshot(&self) -> Result<Vec<u8>, String> {
        let saved = SavedRef {
            call: &self.call,
            stdout: &self.state.output.text,
            functions: &self.state.functions,
            host_calls: self.state.host_calls,
            refused_calls: self.state.refused_calls,
            run_time: self.state.output.run_time(),
        };
        minicbor_serde::to_vec(saved).map_err(|e| e.to_string())
    }

    /// The bytes are the parent's word: it has checked that they are a snapshot of ours, unchanged.
    pub(crate) fn restore(bytes: &[u8], limits: Limits) -> Result<Self, String> {
        let mut saved: Saved = minicbor_serde::from_slice(bytes).map_err(|e| e.to_string())?;
        let RunProgress::FunctionCall(call) = &mut saved.call else {
            return Err("the snapshot is not of a host call".to_owned());
        };
        call.tracker_mut().tighten_limits(&resource_limits(&limits));
        let mut state = State::new(limits, saved.functions, saved.stdout, saved.run_time);
        state.host_calls = saved.host_calls;
        state.refused_calls = saved.refused_calls;
        Ok(Self { call: saved.call, state })
    }
}

#[derive(Serialize)]
struct SavedRef<'a> {
    call: &'a RunProgress,
    stdout: &'a str,
    functions: &'a [String],
    host_calls: u64,
    refused_calls: u64,
    run_time: Duration,
}

#[derive(Deserialize)]
struct Saved {
    call: RunProgress,
    stdout: String,
    functions: Vec<String>,
    host_calls: u64,
    refused_calls: u64,
    run_time: Duration,
}

impl State {
    fn new(limits: Limits, functions: Vec<String>, stdout: String, run_time: Duration) -> Self {
        let hard = memory_limit_with_headroom(resource_limits(&limits).max_memory, false);
        // Only fails where another allocator is installed, and ours is, above `main`.
        let _ = monty_alloc::set_hard_limit(hard);
        Self {
            limits,
            output: Output::new(stdout, run_time, limits),
            functions,
            host_calls: 0,
            refused_calls: 0,
        }
    }

    fn fail(self, failure: Failure) -> Step {
        Step::Failed { failure, stdout: self.output.text }
    }

    /// Goes on until the script ends or asks for something that only the parent can give.
    fn go_on(mut self, first: Result<RunProgress, MontyException>) -> Step {
        let mut progress = first;
        loop {
            if let Some(kind) = self.output.stopped() {
                let reason = self.output.reason(kind);
                return self.fail(match &progress {
                    Err(exception) if exception.message() == Some(&reason) => {
                        Failure::exception(kind, exception)
                    }
                    _ => Failure::new(kind, reason),
                });
            }
            let print = PrintWriter::Callback(&mut self.output);
            progress = match progress {
                Ok(RunProgress::Complete(value)) => return self.finish(&value),
                Err(exception) => return self.raise(&exception),
                Ok(RunProgress::NameLookup(lookup)) => lookup.resume(NameLookupResult::Undefined, print),
                Ok(RunProgress::OsCall(call)) => {
                    self.refused_calls += 1;
                    if self.refused_calls > MAX_REFUSED_CALLS {
                        return self.fail(Failure::new(Kind::HostCalls, "too many refused calls"));
                    }
                    let refusal = refuse(&call.function_call);
                    call.resume(refusal, print)
                }
                Ok(RunProgress::ResolveFutures(futures)) => {
                    let message = "the script awaits something that never comes".to_owned();
                    futures.abort(MontyException::new(ExcType::RuntimeError, Some(message)), print)
                }
                Ok(RunProgress::FunctionCall(call)) => match self.host_call(&call) {
                    Err(failure) => return self.fail(failure),
                    Ok(Err(exception)) => call.resume(exception, PrintWriter::Callback(&mut self.output)),
                    Ok(Ok(host_call)) => {
                        self.output.pause();
                        return Step::Paused(
                            host_call,
                            Paused { call: RunProgress::FunctionCall(call), state: self },
                        );
                    }
                },
            };
        }
    }

    /// The outer error ends the run; the inner one is raised where the script calls.
    fn host_call(&mut self, call: &FunctionCall) -> Result<Result<HostCall, MontyException>, Failure> {
        self.host_calls += 1;
        if self.host_calls > self.limits.max_host_calls {
            let message = format!("the script called tools more than {} times", self.limits.max_host_calls);
            return Err(Failure::new(Kind::HostCalls, message));
        }
        let raise = |kind, message| Ok(Err(MontyException::new(kind, Some(message))));
        if call.object_id.is_some() || !self.functions.contains(&call.function_name) {
            return raise(ExcType::NameError, format!("name '{}' is not defined", call.function_name));
        }
        match arguments(&call.args, self.limits.max_result_bytes) {
            Err(message) => raise(ExcType::TypeError, format!("{}(): {message}", call.function_name)),
            Ok((args, kwargs)) => {
                Ok(Ok(HostCall { seq: self.host_calls, function: call.function_name.clone(), args, kwargs }))
            }
        }
    }

    fn finish(self, value: &MontyObject) -> Step {
        match Export::new(self.limits.max_result_bytes).value(value.as_ref()) {
            Ok(value) => Step::Done { value, stdout: self.output.text },
            Err(message) => self.fail(Failure::new(Kind::Result, message)),
        }
    }

    fn raise(self, exception: &MontyException) -> Step {
        let kind = match exception.exc_type() {
            ExcType::MemoryError => Kind::Memory,
            ExcType::RecursionError => Kind::Recursion,
            _ => Kind::Exception,
        };
        self.fail(Failure::exception(kind, exception))
    }
}

/// The interpreter's own limits stand a little above ours: they catch what never reaches `Output::poll_flush`. Its limit
/// of time is not set: it counts what passes, and `alarm` counts what is computed.
fn resource_limits(limits: &Limits) -> ResourceLimits {
    const MEMORY_MARGIN_BYTES: usize = 4 * 1024 * 1024;
    ResourceLimits::default()
        .max_memory(limits.memory_bytes.saturating_add(MEMORY_MARGIN_BYTES))
        .max_recursion_depth(limits.max_recursion)
}

fn refuse(call: &OsFunctionCall) -> ExtFunctionResult {
    match call {
        OsFunctionCall::Import(module) => ExtFunctionResult::NotFound(module.clone()),
        other => ExtFunctionResult::Error(MontyException::new(
            ExcType::PermissionError,
            Some(format!("the sandbox has no files, network or environment: {}", other.name())),
        )),
    }
}

fn arguments(given: &CallArgs, max_bytes: usize) -> Result<(Vec<Value>, Map<String, Value>), String> {
    let mut export = Export::new(max_bytes);
    let args = given.args().map(|value| export.value(value)).collect::<Result<_, _>>()?;
    let kwargs = given
        .kwargs()
        .map(|(key, value)| Ok((export.key(key)?, export.value(value)?)))
        .collect::<Result<_, String>>()?;
    Ok((args, kwargs))
}
