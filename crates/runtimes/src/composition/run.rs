//! The calls of a composition, one entry after the other.

use std::time::Duration;

use futures::{FutureExt, StreamExt, stream};
use serde_json::{Value, json};
use toolgate_domain::{Envelope, ErrorCode, ToolError};
use toolgate_engine::{Halt, Inner, Output, RunContext, Waiting};

use super::{
    plan::{MAX_RETRIES, MAX_STEPS, Plan, Step},
    state::{Left, State},
};

/// Steps of a group that run at a time.
const MAX_AT_ONCE: usize = 8;
const FIRST_PAUSE_MS: u64 = 200;
const MAX_PAUSE_MS: u64 = 10_000;

pub(super) async fn run(plan: &Plan, input: &Value, context: &RunContext) -> Result<Output, Halt> {
    let mut state = State::new(input);
    for entry in &plan.steps {
        let mut calls = Vec::new();
        for step in entry.steps() {
            calls.push(perform(step, state.input_of(step).await?, context).boxed());
        }
        let ended: Vec<_> = stream::iter(calls).buffered(MAX_AT_ONCE).collect().await;
        let mut waits = false;
        for (step, performed) in entry.steps().iter().zip(ended) {
            match performed? {
                Some(left) => state.note(step, left)?,
                None => waits = true,
            }
        }
        if waits {
            return Err(Halt::Waiting(Waiting::default()));
        }
    }
    Ok(Output::from(state.answer(plan)))
}

/// Makes the call of one step; nothing when it waits.
async fn perform(step: &Step, input: Option<Value>, context: &RunContext) -> Result<Option<Left>, ToolError> {
    let Some(input) = input else {
        return Ok(Some(Left::Skipped));
    };
    let mut attempt = 0;
    loop {
        let envelope = match context.invoker.call(place(step, attempt), &step.tool, input.clone()).await? {
            Inner::Waiting(_) => return Ok(None),
            Inner::Done(envelope) => envelope,
        };
        let Some(error) = error_of(&envelope) else {
            return Ok(Some(Left::Completed(envelope)));
        };
        if attempt >= step.retries || !is_passing(error.code) {
            return Ok(Some(Left::Failed(envelope, error)));
        }
        tokio::time::sleep(pause(&error, attempt)).await;
        attempt += 1;
    }
}

/// Every attempt of every step has a place of its own, so that all runs agree which call is which. First attempts stand first: who
/// bounds the calls of a call bounds steps by it.
fn place(step: &Step, attempt: u64) -> u64 {
    match attempt {
        0 => step.index,
        again => MAX_STEPS as u64 + step.index * MAX_RETRIES + again - 1,
    }
}

/// Why a step cannot be counted as done.
fn error_of(envelope: &Envelope) -> Option<ToolError> {
    if envelope.truncated && envelope.error.is_none() {
        let message = "the output is too big to be passed on: let the tool answer less";
        return Some(
            ToolError::new(ErrorCode::ProviderError, message).with_details(json!({"reason": "truncated"})),
        );
    }
    envelope.error.clone()
}

/// Whether the same call may go better in a moment.
fn is_passing(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Timeout | ErrorCode::RateLimit | ErrorCode::ProviderError | ErrorCode::NetworkError
    )
}

fn pause(error: &ToolError, attempt: u64) -> Duration {
    let asked_ms = error.retry_after_s.map_or(0, |s| s.saturating_mul(1_000));
    let own_ms = FIRST_PAUSE_MS << attempt;
    Duration::from_millis(asked_ms.max(own_ms).min(MAX_PAUSE_MS))
}
