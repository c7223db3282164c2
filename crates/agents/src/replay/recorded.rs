//! Tools that answer what they answered, each call in its place.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{
    EgressClass, ErrorCode, Tool, ToolError, Verdict, call::ApprovalStatus, json::canonical_bytes,
};
use toolgate_engine::{Halt, Output, RunContext, Runtime};

use super::{Difference, LiveTools};
use crate::bundle::CallRecord;

pub(super) const KIND: &str = "recorded";

pub(super) struct Recorded {
    calls: BTreeMap<u64, CallRecord>,
    live: Option<Arc<dyn LiveTools>>,
    /// What live tools answered otherwise, by place.
    parted: Mutex<BTreeMap<u64, Difference>>,
}

impl Recorded {
    pub(super) fn new(calls: &[CallRecord], live: Option<Arc<dyn LiveTools>>) -> Self {
        let calls = calls.iter().map(|call| (call.place, call.clone())).collect();
        Self { calls, live, parted: Mutex::default() }
    }

    /// What live tools answered otherwise, in the order of the calls.
    pub(super) fn parted(&self) -> Vec<Difference> {
        self.parted.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Makes the call for real, where it ran then and changes nothing, and holds the answer against the record.
    async fn ask_now(&self, call: &CallRecord) {
        let (Some(live), Some(then)) = (&self.live, &call.envelope) else { return };
        let ran = call.decision.verdict != Verdict::Deny && call.approval.status != ApprovalStatus::Rejected;
        // Arguments that could not be read have left no input to call with.
        if !ran || call.egress_class == EgressClass::Write || then.input.is_null() {
            return;
        }
        let at = named(call);
        let found = match live.call(&call.tool_id(), then.input.clone()).await {
            Ok(now) => {
                let outcome = |output: &Option<Value>, error: &Option<ToolError>| json!({"output": output, "error": error});
                Difference::of(
                    &at,
                    "",
                    &outcome(&then.output, &then.error),
                    &outcome(&now.output, &now.error),
                )
            }
            Err(error) => Some(Difference::new(at, "/error", json!(then.error), json!(error))),
        };
        if let Some(found) = found {
            self.parted.lock().unwrap_or_else(PoisonError::into_inner).insert(call.place, found);
        }
    }
}

#[async_trait]
impl Runtime for Recorded {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let Some(call) = self.calls.get(&context.seq).filter(|call| is_it(call, &tool, &input)) else {
            let message =
                format!("the record has no such call of {} in place {}", tool.spec.id(), context.seq);
            return Err(gap("not_in_record", message).into());
        };
        self.ask_now(call).await;
        match &call.envelope {
            None => Err(gap("unfinished", "the record ends before this call does".to_owned()).into()),
            Some(envelope) => match &envelope.error {
                Some(error) => Err(error.clone().into()),
                None => Ok(envelope.output.clone().unwrap_or_default().into()),
            },
        }
    }
}

/// How a call is named to people.
pub(super) fn named(call: &CallRecord) -> String {
    format!("turn {}, call {} ({})", call.turn, call.place, call.tool_id())
}

fn is_it(call: &CallRecord, tool: &Tool, input: &Value) -> bool {
    let same_input = || canonical_bytes(&call.input).ok() == canonical_bytes(input).ok();
    call.tool_id() == tool.spec.id() && same_input()
}

fn gap(reason: &str, message: String) -> ToolError {
    ToolError::new(ErrorCode::Unknown, message).with_details(json!({"reason": reason}))
}
