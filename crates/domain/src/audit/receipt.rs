use std::{borrow::Cow, cell::RefCell};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Digest, Item, ItemKind};
use crate::{
    call::{ApprovalStatus, Attachment, Invocation, Status, Surface, ToolError},
    decision::Decision,
    ids::{AgentId, InvocationId, RunId, SessionId, StepId, TenantId, ToolId},
    time::Timestamp,
    tool::EgressClass,
};

/// Room that a thread keeps for the next receipt.
const KEPT_BYTES: usize = 16 * 1024;

/// Everything of an ended call that must not change any more. What says only where it ran (the process, the attempt) is left out.
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
}

impl<'a> Receipt<'a> {
    pub fn of(row: &'a Invocation) -> Self {
        let output = row.outcome.output.as_ref().map(Cow::Borrowed);
        Self::with(row, Cow::Borrowed(&row.input), Cow::Borrowed(&row.decision), output)
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
        }
    }

    pub fn digest(&self) -> Digest {
        thread_local! {
            // Hashing whole is faster than hashing piece by piece, and the room for it is used again.
            static ENCODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        ENCODED.with_borrow_mut(|encoded| {
            encoded.clear();
            // A receipt always encodes: its keys are strings and its numbers finite.
            let _ = serde_json::to_writer(&mut *encoded, self);
            let digest = Sha256::digest(&*encoded).into();
            // One large receipt does not occupy its room for good.
            encoded.shrink_to(KEPT_BYTES);
            digest
        })
    }

    pub fn item(&self) -> Item {
        Item { kind: ItemKind::Receipt, id: self.id.uuid(), digest: self.digest() }
    }
}
