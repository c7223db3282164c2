//! What a client keeps for us while its call waits: which call it is. It is signed, and good for one caller, one tool and one input.

use rmcp::{
    ErrorData,
    model::{RequestStateCodec, SealOptions},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, InvocationId,
    json::{canonical_bytes, sha256_hex},
};
use toolgate_engine::Engine;

/// Bytes of a state that is looked at; ours are shorter.
const MAX_STATE_BYTES: usize = 4_096;

/// A call that a client comes back for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) invocation_id: InvocationId,
    /// The round that the client was asked, and the call that asked it.
    pub(super) asked: Option<(InvocationId, u32)>,
    /// How often the client was told to come back.
    pub(super) rounds: u32,
    pub(super) expires_at_ms: i64,
}

impl Kept {
    pub(super) fn of(invocation_id: InvocationId) -> Self {
        Self { invocation_id, asked: None, rounds: 0, expires_at_ms: 0 }
    }
}

/// What a state is good for.
#[derive(Clone, Debug)]
pub(super) struct Binding(String);

impl Binding {
    pub(super) fn new(caller: &Caller, method: &str, name: &str, input: &Value) -> Self {
        let what = json!([caller.tenant_id, caller.principal.to_string(), method, name, input]);
        // Numbers that have no canonical form are refused at the door.
        Self(sha256_hex(&canonical_bytes(&what).unwrap_or_else(|_| what.to_string().into_bytes())))
    }
}

pub(super) fn seal(engine: &Engine, binding: &Binding, kept: Kept) -> Result<String, ErrorData> {
    let lives_ms = i64::try_from(engine.limits().mcp_state_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
    let kept = Kept { expires_at_ms: engine.clock().now().plus_ms(lives_ms).as_millis(), ..kept };
    codec(engine).seal_json_with(&kept, &SealOptions::new().associated_data(binding.0.as_bytes())).map_err(
        |error| {
            tracing::error!(%error, "a call that waits cannot be handed to its client");
            ErrorData::internal_error("the call waits, and its state cannot be written", None)
        },
    )
}

pub(super) fn open(engine: &Engine, binding: &Binding, sealed: &str) -> Result<Kept, ErrorData> {
    let foreign = || {
        let message = "requestState is not one that this call was answered with: repeat the call as it was, with the state \
             as it came, or make a new call without one";
        ErrorData::invalid_params(message, Some(json!({"reason": "foreign_state"})))
    };
    if sealed.len() > MAX_STATE_BYTES {
        return Err(foreign());
    }
    let kept: Kept = codec(engine).open_json_with(sealed, binding.0.as_bytes()).map_err(|_| foreign())?;
    if kept.expires_at_ms <= engine.clock().now().as_millis() {
        let data = json!({"reason": "expired_state", "invocation_id": kept.invocation_id});
        return Err(ErrorData::invalid_params(
            "requestState is too old: ask how the call stands by its id",
            Some(data),
        ));
    }
    Ok(kept)
}

fn codec(engine: &Engine) -> RequestStateCodec {
    // The engine's keys are random and long enough.
    RequestStateCodec::new_unchecked(engine.state_key())
}
