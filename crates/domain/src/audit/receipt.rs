use std::{borrow::Cow, cell::RefCell};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Digest, Item, ItemKind};
use crate::{
    call::{ApprovalStatus, Attachment, Invocation, Status, Surface, ToolError},
    decision::Decision,
    hash::sha256,
    ids::{AgentId, InvocationId, RunId, SessionId, StepId, TenantId, ToolId},
    time::Timestamp,
    tool::EgressClass,
};

/// Room that a thread keeps for the next receipt.
const KEPT_BYTES: usize = 16 * 1024;

/// Everything of an ended call that must not change any more. The process that ran it is left out: the end of a call clears it.
///
/// The digest is over this, as compact JSON in the order of the fields, with the keys inside values sorted. Where the JSON of the
/// values (`V`) and of the decision (`D`) has been written already, it is taken as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt<'a, V = Cow<'a, Value>, D = Cow<'a, Decision>> {
    pub id: InvocationId,
    pub tenant_id: TenantId,
    pub session_id: SessionId,
    pub run_id: Option<RunId>,
    pub agent_run_step_id: Option<StepId>,
    pub agent_id: Option<AgentId>,
    pub tool_id: Option<ToolId>,
    pub tool_name: Cow<'a, str>,
    pub tool_version: Cow<'a, str>,
    pub egress_class: EgressClass,
    pub call_id: Cow<'a, str>,
    pub seq: u64,
    pub input: V,
    pub approved_input: Option<Cow<'a, Value>>,
    pub status: Status,
    pub approval_status: ApprovalStatus,
    pub approval_decided_by: Option<Cow<'a, str>>,
    pub approval_reason: Option<Cow<'a, str>>,
    pub approval_expires_at: Option<Timestamp>,
    pub decision: D,
    pub caller: Cow<'a, str>,
    pub surface: Surface,
    pub idempotency_key: Option<Cow<'a, str>>,
    pub warnings: Cow<'a, [String]>,
    pub output: Option<V>,
    pub error: Option<Cow<'a, ToolError>>,
    pub cached: bool,
    pub truncated: bool,
    pub attachments: Cow<'a, [Attachment]>,
    pub cost_estimate: Option<f64>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    /// Written only where there is one, so that the digests of receipts from before there were any stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<InvocationId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_test: bool,
    /// Absent in receipts from before it was part of them: their digests stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

impl<'a> Receipt<'a> {
    pub fn of(row: &'a Invocation) -> Self {
        let output = row.outcome.output.as_ref().map(Cow::Borrowed);
        Self::with(row, Cow::Borrowed(&row.input), Cow::Borrowed(&row.decision), output)
    }

    /// The receipt of a row that a link names by this digest, and its digest. A receipt from before attempts were part of it is read as
    /// it was written; a row that fits the digest in neither form gets the form of today.
    pub fn named_by(row: &'a Invocation, digest: &Digest) -> (Self, Digest) {
        let today = Self::of(row);
        let own = today.digest();
        if own == *digest {
            return (today, own);
        }
        let before = Self { attempt: None, ..Self::of(row) };
        if before.digest() == *digest { (before, *digest) } else { (today, own) }
    }
}

impl<'a, V: Serialize, D: Serialize> Receipt<'a, V, D> {
    /// Of a row, with its input, decision and output as they are given.
    pub fn with(row: &'a Invocation, input: V, decision: D, output: Option<V>) -> Self {
        Self {
            id: row.id,
            tenant_id: row.tenant_id,
            session_id: row.session_id,
            run_id: row.run_id,
            agent_run_step_id: row.agent_run_step_id,
            agent_id: row.agent_id,
            tool_id: row.tool_id,
            tool_name: Cow::Borrowed(&row.tool_name),
            tool_version: Cow::Borrowed(&row.tool_version),
            egress_class: row.egress_class,
            call_id: Cow::Borrowed(&row.call_id),
            seq: row.seq,
            input,
            approved_input: row.approved_input.as_ref().map(Cow::Borrowed),
            status: row.status(),
            approval_status: row.approval_status(),
            approval_decided_by: row.approval_decided_by.as_deref().map(Cow::Borrowed),
            approval_reason: row.approval_reason.as_deref().map(Cow::Borrowed),
            approval_expires_at: row.approval_expires_at,
            decision,
            caller: Cow::Borrowed(&row.caller),
            surface: row.surface,
            idempotency_key: row.idempotency_key.as_deref().map(Cow::Borrowed),
            warnings: Cow::Borrowed(&row.warnings),
            output,
            error: row.outcome.error.as_ref().map(Cow::Borrowed),
            cached: row.outcome.cached,
            truncated: row.outcome.truncated,
            attachments: Cow::Borrowed(&row.outcome.attachments),
            cost_estimate: row.outcome.cost_estimate,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
            parent_id: row.parent_id,
            is_test: row.is_test,
            attempt: Some(row.attempt),
        }
    }

    pub fn digest(&self) -> Digest {
        thread_local! {
            // Hashing whole is faster than hashing piece by piece, and the room for it is used again.
            static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        ENCODED.with_borrow_mut(|encoded| {
            encoded.clear();
            self.write(encoded);
            let digest = sha256(encoded);
            // One large receipt does not occupy its room for good.
            encoded.shrink_to(KEPT_BYTES);
            digest
        })
    }

    /// The same bytes as `Serialize` makes. That would look at every letter of thirty names for one to escape.
    fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        macro_rules! put {
            ($name:ident) => {
                out.extend_from_slice(concat!(",\"", stringify!($name), "\":").as_bytes());
                // Values always encode: their keys are strings and their numbers finite.
                let _ = serde_json::to_writer(&mut *out, $name);
            };
        }
        macro_rules! put_all {
            ($($always:ident)*; $($where_set:ident)*) => {
                // All of them by name: a field that is added cannot be forgotten here.
                let Self { $($always,)* $($where_set,)* } = self;
                $(put!($always);)*
            };
        }
        put_all!(id tenant_id session_id run_id agent_run_step_id agent_id tool_id tool_name tool_version egress_class
            call_id seq input approved_input status approval_status approval_decided_by approval_reason
            approval_expires_at decision caller surface idempotency_key warnings output error cached truncated
            attachments cost_estimate created_at started_at completed_at; parent_id is_test attempt);
        if parent_id.is_some() {
            put!(parent_id);
        }
        if *is_test {
            put!(is_test);
        }
        if attempt.is_some() {
            put!(attempt);
        }
        out[start] = b'{';
        out.push(b'}');
    }

    pub fn item(&self) -> Item {
        Item { kind: ItemKind::Receipt, id: self.id.uuid(), digest: self.digest() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(receipt: &Value) {
        let receipt: Receipt<'_> = serde_json::from_value(receipt.clone()).unwrap();
        let mut written = Vec::new();
        receipt.write(&mut written);
        assert_eq!(str::from_utf8(&written).unwrap(), serde_json::to_string(&receipt).unwrap());
    }

    #[test]
    fn a_receipt_is_written_as_it_is_serialised() {
        let id = "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
        let bare = json!({
            "id": id, "tenant_id": id, "session_id": id, "tool_name": "hash \"text\"", "tool_version": "1.0.0",
            "egress_class": "none", "call_id": "", "seq": 7, "input": {"b": [1.5, null], "a": "\n"}, "status": "completed",
            "approval_status": "not_required", "decision": {"verdict": "allow", "evidence": []}, "caller": "key_1",
            "surface": "rest", "warnings": [], "cached": false, "truncated": false, "attachments": [],
            "created_at": "2026-11-17T19:53:00Z",
        });
        check(&bare);
        let mut full = bare;
        let more = json!({
            "run_id": id, "agent_run_step_id": id, "agent_id": id, "tool_id": id, "approved_input": {"c": {}},
            "approval_decided_by": "usr_1", "approval_reason": "ja\u{e9}", "approval_expires_at": "2026-11-17T19:53:00.5Z",
            "idempotency_key": "k", "warnings": ["old"], "output": "\u{1}", "error": ToolError::validation("no"),
            "cached": true, "truncated": true, "attachments": [{"kind": "blob", "url": "/api/blobs/b"}], "cost_estimate": 0.1,
            "started_at": "2026-11-17T19:53:00.000001Z", "completed_at": "2026-11-17T19:53:59.999999Z", "parent_id": id,
            "is_test": true, "attempt": 2,
        });
        full.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check(&full);
    }
}
