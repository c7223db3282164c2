//! An idempotency key names one call: whoever repeats it gets that call's answer, while it runs and ever after.

use std::sync::Arc;

use dashmap::{DashMap, mapref::entry::Entry as Slot};
use serde_json::{Value, json};
use tokio::sync::watch;
use toolgate_domain::{
    Envelope, ErrorCode, Invocation, TenantId, ToolError,
    json::{canonical_bytes, sha256_hex},
};

use super::{
    Answer, Call, CallInput, Refused, cancel::ANOTHER_PROCESS_PATIENCE, prepare::shown, suspend::is_suspended,
};
use crate::Engine;

type FlightKey = (TenantId, String, String);
type Landing = watch::Receiver<Option<Result<Answer, Refused>>>;

/// Calls under way in this process that carry an idempotency key.
#[derive(Default)]
pub(crate) struct Flights {
    by_key: DashMap<FlightKey, (String, Landing)>,
}

impl Engine {
    pub(super) async fn invoke_once(self: &Arc<Self>, call: Call, key: String) -> Result<Answer, Refused> {
        if key.is_empty() || key.len() > 255 || key.chars().any(char::is_control) {
            let error =
                ToolError::validation("an idempotency key has 1 to 255 characters and no control characters");
            return self
                .invoke_fresh(Call { input: CallInput::Unreadable(error), idempotency_key: None, ..call })
                .await;
        }
        if call.parent.is_none() && key.starts_with("inv_") {
            let error = ToolError::validation(
                "idempotency keys that begin with `inv_` are Toolgate's own: choose another",
            );
            return self
                .invoke_fresh(Call { input: CallInput::Unreadable(error), idempotency_key: None, ..call })
                .await;
        }
        let digest = digest(&call.tool, &call.input);
        let flight = (call.caller.tenant_id, call.caller.principal.to_string(), key.clone());
        let (landing, mut ahead) = {
            match self.flights.by_key.entry(flight.clone()) {
                Slot::Occupied(slot) => (None, Some(slot.get().clone())),
                Slot::Vacant(slot) => {
                    let (sender, receiver) = watch::channel(None);
                    slot.insert((digest.clone(), receiver));
                    (Some(sender), None)
                }
            }
        };
        if let Some((of_other, landing)) = ahead.take() {
            return if of_other == digest { wait(landing).await } else { self.misused(call, &key).await };
        }
        let _listed = Listed { flights: &self.flights, flight };
        let answer = self.first_or_recorded(call, &key).await;
        if let Some(landing) = landing {
            landing.send_replace(Some(answer.clone()));
        }
        answer
    }

    async fn first_or_recorded(self: &Arc<Self>, call: Call, key: &str) -> Result<Answer, Refused> {
        let (tenant, caller) = (call.caller.tenant_id, call.caller.principal.to_string());
        if call.parent.is_some_and(|parent| !parent.replaying) {
            return self.invoke_fresh(call).await;
        }
        for _ in 0..2 {
            if let Some(earlier) = self.stores.invocations.by_idempotency_key(tenant, &caller, key).await? {
                return self.answer_again(call, key, earlier).await;
            }
            match self.invoke_fresh(call.clone()).await {
                // Another process was faster with the same key; its row is there now.
                Err(Refused::Unavailable(_))
                    if self.stores.invocations.by_idempotency_key(tenant, &caller, key).await?.is_some() => {}
                other => return other,
            }
        }
        Err(Refused::Overloaded)
    }

    async fn answer_again(
        self: &Arc<Self>,
        mut call: Call,
        key: &str,
        earlier: Invocation,
    ) -> Result<Answer, Refused> {
        // The record has the names that parameters have now.
        if let CallInput::Value(input) = &call.input
            && let Ok((input, _)) = self.registry.old_names.renamed(&earlier.tool_name, input.clone())
        {
            call.input = CallInput::Value(input);
        }
        if !is_same_call(&call, &earlier) && !self.is_same_once_redacted(&call, &earlier).await? {
            return self.misused(call, key).await;
        }
        if earlier.phase.is_terminal() {
            self.trace_again(&earlier);
            return Ok(done(&earlier));
        }
        if earlier.approval_required() || is_suspended(&earlier) {
            return Ok(Answer::Parked(Box::new(earlier)));
        }
        let ended = tokio::time::timeout(
            ANOTHER_PROCESS_PATIENCE,
            self.until_terminal(earlier.tenant_id, earlier.id),
        )
        .await;
        match ended {
            Ok(Ok(Some(ended))) => Ok(done(&ended)),
            Ok(Err(error)) => Err(error.into()),
            Ok(Ok(None)) | Err(_) => Err(Refused::StillRunning(earlier.id)),
        }
    }

    /// The earlier row may have had a secret redacted from its input.
    async fn is_same_once_redacted(&self, call: &Call, earlier: &Invocation) -> Result<bool, Refused> {
        let Some(input) = self.as_recorded(call, earlier).await? else {
            return Ok(false);
        };
        Ok(is_same_call(&Call { input: CallInput::Value(input), ..call.clone() }, earlier))
    }

    /// The same key for another call is a mistake worth recording, under no key.
    async fn misused(self: &Arc<Self>, call: Call, key: &str) -> Result<Answer, Refused> {
        let error = ToolError::new(
            ErrorCode::ValidationError,
            "this idempotency key was used for another call: use a new one",
        )
        .with_details(json!({"idempotency_key": key}));
        self.invoke_fresh(Call { input: CallInput::Unreadable(error), idempotency_key: None, ..call }).await
    }
}

/// Takes the flight off the list, even when it crashes.
struct Listed<'a> {
    flights: &'a Flights,
    flight: FlightKey,
}

impl Drop for Listed<'_> {
    fn drop(&mut self) {
        self.flights.by_key.remove(&self.flight);
    }
}

async fn wait(mut landing: Landing) -> Result<Answer, Refused> {
    match landing.wait_for(Option::is_some).await {
        Ok(answer) => answer.clone().unwrap_or(Err(Refused::Overloaded)),
        Err(_) => Err(Refused::Unavailable("the call with this key broke off".to_owned())),
    }
}

fn done(invocation: &Invocation) -> Answer {
    let envelope: Option<Envelope> = invocation.envelope();
    match envelope {
        Some(envelope) if invocation.tool_id.is_none() => Answer::Unknown(Box::new(envelope)),
        Some(envelope) => Answer::Done(Box::new(envelope)),
        None => Answer::Parked(Box::new(invocation.clone())),
    }
}

fn digest(tool: &str, input: &CallInput) -> String {
    let input = match input {
        CallInput::Value(value) => value.clone(),
        CallInput::Unreadable(error) => json!(error),
    };
    canonical_bytes(&json!([name_of(tool), input])).map(|bytes| sha256_hex(&bytes)).unwrap_or_default()
}

/// Whether all that was asked stands in what was recorded.
fn holds(recorded: &Value, asked: &Value) -> bool {
    let same = |a: &Value, b: &Value| canonical_bytes(a).ok() == canonical_bytes(b).ok();
    match (recorded, asked) {
        (Value::Object(recorded), Value::Object(asked)) => {
            asked.iter().all(|(key, value)| recorded.get(key).is_some_and(|there| same(there, value)))
        }
        (recorded, asked) => same(recorded, asked),
    }
}

/// A version or a range is a way to name the same call.
fn name_of(reference: &str) -> &str {
    reference.split('@').next().unwrap_or_default()
}

fn is_same_call(call: &Call, earlier: &Invocation) -> bool {
    let name = name_of(&call.tool);
    let input = match &call.input {
        CallInput::Value(value) => value,
        CallInput::Unreadable(_) => &Value::Null,
    };
    // A place is its own proof; what the tenant filled in then may be something else now.
    let same_input = match call.parent {
        Some(_) => holds(&earlier.input, input),
        None => canonical_bytes(input).ok() == canonical_bytes(&earlier.input).ok(),
    };
    // An alias resolves to another name; the warnings of the earlier call tell that it did.
    let same_name = earlier.tool_name == name
        || (earlier.tool_id.is_none() && earlier.tool_name == shown(&call.tool))
        || earlier.warnings.iter().any(|w| w.starts_with(&format!("`{name}` is an alias")));
    same_input && same_name
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(json!({"to": "a", "from": "x"}), json!({"to": "a"}), true)]
    #[case(json!({"to": "a"}), json!({"to": "b"}), false)]
    #[case(json!({"to": "a"}), json!({"to": "a", "cc": "b"}), false)]
    #[case(json!({"n": 1.0}), json!({"n": 1}), true)]
    #[case(Value::Null, json!({}), false)]
    fn what_was_recorded_holds_what_was_asked_and_perhaps_more(
        #[case] recorded: Value,
        #[case] asked: Value,
        #[case] is_held: bool,
    ) {
        assert_eq!(holds(&recorded, &asked), is_held);
    }
}
