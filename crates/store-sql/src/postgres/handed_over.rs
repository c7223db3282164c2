//! Entries as the server gets them: rows, changes and events as its own types (see `0016_ledger_types.sql`), of which a group is an
//! array each. With an array for every column, the server would unpack them column by column.

use sqlx::{
    Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, types::PgRecordEncoder},
};
use toolgate_domain::{
    AgentId, AuditEvent, InvocationId, NodeId, Outcome, RunId, StepId, TenantId, ToolId, audit::Item,
    ids::Uuid,
};
use toolgate_store::{BlobRecord, Change, Entry, NewRow, StoreError, Transition};

use super::{
    columns::{JsonText, Moment},
    rows::as_bigint,
};
use crate::{
    codec,
    log::{self, Line},
};

/// Made by whoever records the entry, so that the one who writes has only to put entries together: while it does, the database waits.
pub(super) struct HandedOver {
    pub(super) tenant_id: TenantId,
    /// The invocation that it makes or changes.
    pub(super) invocation: Option<Uuid>,
    pub(super) row: Option<Vec<u8>>,
    pub(super) change: Option<Vec<u8>>,
    pub(super) events: Vec<Vec<u8>>,
    pub(super) items: Vec<Item>,
    pub(super) blobs: Vec<BlobRecord>,
    pub(super) audit: Vec<AuditEvent>,
}

impl HandedOver {
    pub(super) fn of(entry: Entry) -> Result<Self, StoreError> {
        // The writer serves all tenants, so no policy would notice.
        entry.check()?;
        Self::encode(entry).map_err(|error| StoreError::Refused(error.to_string()))
    }

    /// What the server is sent of it, but for the little that has a size of its own.
    pub(super) fn bytes(&self) -> usize {
        let changed = self.row.iter().chain(&self.change).chain(&self.events).map(Vec::len);
        changed.sum()
    }

    fn encode(entry: Entry) -> Result<Self, BoxDynError> {
        let tenant_id = entry.tenant_id;
        let new_row = entry.new_row();
        let (invocation, change) = match &entry.change {
            Some(Change::Insert(row)) => (Some(row.id), None),
            Some(Change::Advance(transition)) => (Some(transition.id), Some(change(tenant_id, transition)?)),
            None => (None, None),
        };
        Ok(Self {
            tenant_id,
            invocation: invocation.map(InvocationId::uuid),
            row: new_row.as_ref().map(row).transpose()?,
            change,
            events: log::lines(&entry.events).map(|line| told(tenant_id, &line)).collect::<Result<_, _>>()?,
            items: entry.items(new_row.as_ref()).collect(),
            blobs: entry.blobs,
            audit: entry.audit,
        })
    }
}

macro_rules! named {
    ($($of:ident is $name:literal,)*) => {$(
        pub(super) struct $of<'a>(pub(super) &'a [u8]);

        impl Type<Postgres> for $of<'_> {
            fn type_info() -> PgTypeInfo {
                PgTypeInfo::with_name($name)
            }
        }

        impl PgHasArrayType for $of<'_> {
            fn array_type_info() -> PgTypeInfo {
                PgTypeInfo::with_name(concat!("_", $name))
            }
        }

        impl Encode<'_, Postgres> for $of<'_> {
            fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
                buffer.extend_from_slice(self.0);
                Ok(IsNull::No)
            }
        }
    )*};
}

named! {
    Row is "ledger_row",
    Changed is "ledger_change",
    Told is "ledger_event",
}

/// A record with room for this many bytes.
fn record(
    bytes: usize,
    fields: impl FnOnce(&mut PgRecordEncoder<'_>) -> Result<(), BoxDynError>,
) -> Result<Vec<u8>, BoxDynError> {
    let mut buffer = PgArgumentBuffer::default();
    buffer.reserve(bytes);
    let mut record = PgRecordEncoder::new(&mut buffer);
    fields(&mut record)?;
    record.finish();
    Ok(std::mem::take(&mut *buffer))
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> JsonText {
    JsonText(codec::to_json(value))
}

fn row(new: &NewRow<'_>) -> Result<Vec<u8>, BoxDynError> {
    let NewRow { invocation: i, input, decision, output } = new;
    record(1024, |record| {
        record
            .encode(i.id.uuid())?
            .encode(i.tenant_id.uuid())?
            .encode(i.session_id.uuid())?
            .encode(i.run_id.map(RunId::uuid))?
            .encode(i.agent_run_step_id.map(StepId::uuid))?
            .encode(i.agent_id.map(AgentId::uuid))?
            .encode(i.tool_id.map(ToolId::uuid))?
            .encode(i.tool_name.as_str())?
            .encode(i.tool_version.as_str())?
            .encode(i.egress_class.as_str())?
            .encode(i.call_id.as_str())?
            .encode(as_bigint(i.seq))?
            .encode(JsonText(input.get()))?
            .encode(i.status().as_str())?
            .encode(i.approval_status().as_str())?
            .encode(i.approval_decided_by.as_deref())?
            .encode(i.approval_reason.as_deref())?
            .encode(JsonText(decision.get()))?
            .encode(i.caller.as_str())?
            .encode(i.surface.as_str())?
            .encode(i.idempotency_key.as_deref())?
            .encode(codec::list_to_json(&i.warnings).map(JsonText))?
            .encode(i.node_id.map(NodeId::uuid))?
            .encode(i64::from(i.attempt))?
            .encode(output.as_deref().map(|output| JsonText(output.get())))?
            .encode(i.outcome.error.as_ref().map(json))?
            .encode(i.outcome.cached)?
            .encode(i.outcome.truncated)?
            .encode(codec::list_to_json(&i.outcome.attachments).map(JsonText))?
            .encode(i.outcome.cost_estimate)?
            .encode(Moment(i.created_at))?
            .encode(i.started_at.map(Moment))?
            .encode(i.completed_at.map(Moment))?
            .encode(i.approval_expires_at.map(Moment))?
            .encode(i.parent_id.map(InvocationId::uuid))?
            .encode(i.is_test)?;
        Ok(())
    })
}

fn change(tenant_id: TenantId, t: &Transition) -> Result<Vec<u8>, BoxDynError> {
    let nothing = Outcome::default();
    let outcome = t.outcome.as_ref().unwrap_or(&nothing);
    record(512, |record| {
        record
            .encode(t.id.uuid())?
            .encode(tenant_id.uuid())?
            .encode(t.to.status().as_str())?
            .encode(t.to.approval_status().as_str())?
            .encode(t.from.status().as_str())?
            .encode(t.from.approval_status().as_str())?
            .encode(t.node_id.map(NodeId::uuid))?
            .encode(t.started_at.map(Moment))?
            .encode(t.completed_at.map(Moment))?
            .encode(outcome.output.as_ref().map(json))?
            .encode(outcome.error.as_ref().map(json))?
            .encode(outcome.cached)?
            .encode(outcome.truncated)?
            .encode(codec::list_to_json(&outcome.attachments).map(JsonText))?
            .encode(outcome.cost_estimate)?
            .encode(t.decided_by.as_deref())?
            .encode(t.reason.as_deref())?
            .encode(t.approved_input.as_ref().map(json))?;
        Ok(())
    })
}

fn told(tenant_id: TenantId, line: &Line<'_>) -> Result<Vec<u8>, BoxDynError> {
    let Line { event, began_at } = line;
    record(256, |record| {
        record
            .encode(tenant_id.uuid())?
            .encode(event.session_id.uuid())?
            .encode(event.kind.as_str())?
            .encode(event.invocation_id.uuid())?
            .encode(event.data.as_ref().map(json))?
            .encode(Moment(event.created_at))?
            .encode(began_at.map(Moment))?;
        Ok(())
    })
}
