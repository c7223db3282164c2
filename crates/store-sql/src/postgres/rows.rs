//! Invocations and their columns as PostgreSQL keeps them.

use sqlx::{Decode, Row, Type, postgres::PgRow};
use toolgate_domain::{Invocation, Outcome, Timestamp, ids::Uuid};
use toolgate_store::StoreError;

use super::{
    columns::{JsonText, Moment},
    database::refused,
};
use crate::codec;

pub(super) fn get<'r, T>(row: &'r PgRow, column: &str) -> Result<T, StoreError>
where
    T: Decode<'r, sqlx::Postgres> + Type<sqlx::Postgres>,
{
    row.try_get(column).map_err(refused)
}

pub(super) fn get_time(row: &PgRow, column: &str) -> Result<Timestamp, StoreError> {
    Ok(get::<Moment>(row, column)?.0)
}

pub(super) fn get_optional_time(row: &PgRow, column: &str) -> Result<Option<Timestamp>, StoreError> {
    Ok(get::<Option<Moment>>(row, column)?.map(|moment| moment.0))
}

pub(super) fn get_json(row: &PgRow, column: &str) -> Result<String, StoreError> {
    Ok(get::<JsonText>(row, column)?.0)
}

pub(super) fn get_optional_json(row: &PgRow, column: &str) -> Result<Option<String>, StoreError> {
    Ok(get::<Option<JsonText>>(row, column)?.map(|json| json.0))
}

/// A count: negative ones cannot be stored, so they are not expected back.
pub(super) fn get_count(row: &PgRow, column: &str) -> Result<u64, StoreError> {
    Ok(u64::try_from(get::<i64>(row, column)?).unwrap_or(0))
}

pub(super) fn as_bigint(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(super) fn as_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

pub(super) fn read_all<T>(
    rows: &[PgRow],
    read: impl Fn(&PgRow) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.iter().map(read).collect()
}

pub(super) fn read_outcome(row: &PgRow) -> Result<Outcome, StoreError> {
    Ok(Outcome {
        output: get_optional_json(row, "output")?.map(|text| codec::from_json(&text)).transpose()?,
        error: get_optional_json(row, "error")?.map(|text| codec::from_json(&text)).transpose()?,
        cached: get(row, "cached")?,
        truncated: get(row, "truncated")?,
        attachments: codec::list_from_json(get_optional_json(row, "attachments")?)?,
        cost_estimate: get(row, "cost_estimate")?,
    })
}

pub(super) fn read_invocation(row: &PgRow) -> Result<Invocation, StoreError> {
    use toolgate_domain::{AgentId, InvocationId, NodeId, RunId, SessionId, StepId, TenantId, ToolId};
    Ok(Invocation {
        id: InvocationId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get(row, "session_id")?),
        parent_id: get::<Option<Uuid>>(row, "parent_id")?.map(InvocationId::from_uuid),
        run_id: get::<Option<Uuid>>(row, "run_id")?.map(RunId::from_uuid),
        agent_run_step_id: get::<Option<Uuid>>(row, "agent_run_step_id")?.map(StepId::from_uuid),
        agent_id: get::<Option<Uuid>>(row, "agent_id")?.map(AgentId::from_uuid),
        tool_id: get::<Option<Uuid>>(row, "tool_id")?.map(ToolId::from_uuid),
        tool_name: get(row, "tool_name")?,
        tool_version: get(row, "tool_version")?,
        egress_class: codec::egress_class(get(row, "egress_class")?)?,
        call_id: get(row, "call_id")?,
        seq: u64::try_from(get::<i64>(row, "seq")?).map_err(codec::corrupt)?,
        input: codec::from_json(&get_json(row, "input")?)?,
        approved_input: get_optional_json(row, "approved_input")?
            .map(|text| codec::from_json(&text))
            .transpose()?,
        phase: codec::phase(get(row, "status")?, get(row, "approval_status")?)?,
        decision: codec::decision(&get_json(row, "decision")?)?,
        caller: get(row, "caller")?,
        surface: codec::parse(get(row, "surface")?)?,
        is_test: get(row, "is_test")?,
        idempotency_key: get(row, "idempotency_key")?,
        warnings: codec::list_from_json(get_optional_json(row, "warnings")?)?,
        approval_decided_by: get(row, "approval_decided_by")?,
        approval_reason: get(row, "approval_reason")?,
        approval_expires_at: get_optional_time(row, "approval_expires_at")?,
        node_id: get::<Option<Uuid>>(row, "node_id")?.map(NodeId::from_uuid),
        attempt: u32::try_from(get_count(row, "attempt")?).map_err(codec::corrupt)?,
        outcome: read_outcome(row)?,
        created_at: get_time(row, "created_at")?,
        started_at: get_optional_time(row, "started_at")?,
        completed_at: get_optional_time(row, "completed_at")?,
    })
}
