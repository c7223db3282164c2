//! Rows, changes and events as the server's own types (see `0016_ledger_types.sql`): a group is an array of each. With an array for
//! every column, the server would unpack them column by column.

use sqlx::{
    Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, types::PgRecordEncoder},
};
use toolgate_domain::{AgentId, InvocationId, NodeId, Outcome, RunId, StepId, TenantId, ToolId};
use toolgate_store::{NewRow, Transition};

use super::{
    columns::{JsonText, Moment},
    rows::as_bigint,
};
use crate::{codec, log::Line};

pub(super) struct Row<'a>(pub(super) &'a NewRow);

pub(super) struct Changed<'a> {
    pub(super) tenant_id: TenantId,
    pub(super) transition: &'a Transition,
}

pub(super) struct Told<'a> {
    pub(super) tenant_id: TenantId,
    pub(super) line: Line<'a>,
}

macro_rules! named {
    ($($of:ident is $name:literal,)*) => {$(
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
    )*};
}

named! {
    Row is "ledger_row",
    Changed is "ledger_change",
    Told is "ledger_event",
}

fn json<T: serde::Serialize>(value: &T) -> JsonText {
    JsonText(codec::to_json(value))
}

impl Encode<'_, Postgres> for Row<'_> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let NewRow { invocation: i, input, decision, output } = self.0;
        PgRecordEncoder::new(buffer)
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
            .encode(i.is_test)?
            .finish();
        Ok(IsNull::No)
    }
}

impl Encode<'_, Postgres> for Changed<'_> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let (t, nothing) = (self.transition, Outcome::default());
        let outcome = t.outcome.as_ref().unwrap_or(&nothing);
        PgRecordEncoder::new(buffer)
            .encode(t.id.uuid())?
            .encode(self.tenant_id.uuid())?
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
            .encode(t.approved_input.as_ref().map(json))?
            .finish();
        Ok(IsNull::No)
    }
}

impl Encode<'_, Postgres> for Told<'_> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let Line { event, began_at } = &self.line;
        PgRecordEncoder::new(buffer)
            .encode(self.tenant_id.uuid())?
            .encode(event.session_id.uuid())?
            .encode(event.kind.as_str())?
            .encode(event.invocation_id.uuid())?
            .encode(event.data.as_ref().map(json))?
            .encode(Moment(event.created_at))?
            .encode(began_at.map(Moment))?
            .finish();
        Ok(IsNull::No)
    }
}
