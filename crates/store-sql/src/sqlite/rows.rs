//! Ids, moments and invocations as SQLite keeps them.

use rusqlite::{Connection, Row, Statement, params};
use serde_json::value::RawValue;
use toolgate_domain::{Invocation, Outcome, Timestamp, ids::Uuid};
use toolgate_store::{NewRow, StoreError};

use super::database::refused;
use crate::codec;

pub(super) fn get_uuid(row: &Row<'_>, column: &str) -> Result<Uuid, StoreError> {
    Ok(Uuid::from_bytes(row.get(column).map_err(refused)?))
}

pub(super) fn get_optional_uuid(row: &Row<'_>, column: &str) -> Result<Option<Uuid>, StoreError> {
    Ok(row.get::<_, Option<[u8; 16]>>(column).map_err(refused)?.map(Uuid::from_bytes))
}

pub(super) fn get_time(row: &Row<'_>, column: &str) -> Result<Timestamp, StoreError> {
    Ok(Timestamp::from_micros(row.get(column).map_err(refused)?))
}

pub(super) fn get_optional_time(row: &Row<'_>, column: &str) -> Result<Option<Timestamp>, StoreError> {
    Ok(row.get::<_, Option<i64>>(column).map_err(refused)?.map(Timestamp::from_micros))
}

pub(super) fn get_text(row: &Row<'_>, column: &str) -> Result<String, StoreError> {
    row.get(column).map_err(refused)
}

pub(super) fn get_optional_text(row: &Row<'_>, column: &str) -> Result<Option<String>, StoreError> {
    row.get(column).map_err(refused)
}

/// Reads all rows of a query with a mapper that speaks the store's errors.
pub(super) fn query<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(refused)?;
    let mut rows = statement.query(parameters).map_err(refused)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(refused)? {
        found.push(read(row)?);
    }
    Ok(found)
}

pub(super) fn read_outcome(row: &Row<'_>) -> Result<Outcome, StoreError> {
    Ok(Outcome {
        output: get_optional_text(row, "output")?.map(|text| codec::from_json(&text)).transpose()?,
        error: get_optional_text(row, "error")?.map(|text| codec::from_json(&text)).transpose()?,
        cached: row.get("cached").map_err(refused)?,
        truncated: row.get("truncated").map_err(refused)?,
        attachments: codec::list_from_json(get_optional_text(row, "attachments")?)?,
        cost_estimate: row.get("cost_estimate").map_err(refused)?,
    })
}

pub(super) fn read_invocation(row: &Row<'_>) -> Result<Invocation, StoreError> {
    use toolgate_domain::{AgentId, InvocationId, NodeId, RunId, SessionId, StepId, TenantId, ToolId};
    Ok(Invocation {
        id: InvocationId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get_uuid(row, "session_id")?),
        parent_id: get_optional_uuid(row, "parent_id")?.map(InvocationId::from_uuid),
        run_id: get_optional_uuid(row, "run_id")?.map(RunId::from_uuid),
        agent_run_step_id: get_optional_uuid(row, "agent_run_step_id")?.map(StepId::from_uuid),
        agent_id: get_optional_uuid(row, "agent_id")?.map(AgentId::from_uuid),
        tool_id: get_optional_uuid(row, "tool_id")?.map(ToolId::from_uuid),
        tool_name: get_text(row, "tool_name")?,
        tool_version: get_text(row, "tool_version")?,
        egress_class: codec::egress_class(&get_text(row, "egress_class")?)?,
        call_id: get_text(row, "call_id")?,
        seq: u64::try_from(row.get::<_, i64>("seq").map_err(refused)?).map_err(codec::corrupt)?,
        input: codec::from_json(&get_text(row, "input")?)?,
        approved_input: get_optional_text(row, "approved_input")?
            .map(|text| codec::from_json(&text))
            .transpose()?,
        phase: codec::phase(&get_text(row, "status")?, &get_text(row, "approval_status")?)?,
        decision: codec::decision(&get_text(row, "decision")?)?,
        caller: get_text(row, "caller")?,
        surface: codec::parse(&get_text(row, "surface")?)?,
        is_test: row.get("is_test").map_err(refused)?,
        idempotency_key: get_optional_text(row, "idempotency_key")?,
        warnings: codec::list_from_json(get_optional_text(row, "warnings")?)?,
        approval_decided_by: get_optional_text(row, "approval_decided_by")?,
        approval_reason: get_optional_text(row, "approval_reason")?,
        approval_expires_at: get_optional_time(row, "approval_expires_at")?,
        node_id: get_optional_uuid(row, "node_id")?.map(NodeId::from_uuid),
        attempt: row.get("attempt").map_err(refused)?,
        outcome: read_outcome(row)?,
        created_at: get_time(row, "created_at")?,
        started_at: get_optional_time(row, "started_at")?,
        completed_at: get_optional_time(row, "completed_at")?,
    })
}

/// What refuses the row does so before it is written: nothing must be kept to undo it.
pub(super) const INSERT_INVOCATION: &str = "
    INSERT OR FAIL INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name,
        tool_version, egress_class, call_id, seq, input, status, approval_status, approval_decided_by,
        approval_reason, decision, caller, surface, idempotency_key, warnings, node_id, attempt, output, error,
        cached, truncated, attachments, cost_estimate, created_at, started_at, completed_at,
        approval_expires_at, parent_id, is_test)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
        ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36)
    ON CONFLICT DO NOTHING";

/// Inserts the row; `false` when its id or its idempotency key is taken.
pub(super) fn insert_invocation(statement: &mut Statement<'_>, new: &NewRow<'_>) -> Result<bool, StoreError> {
    let row = new.invocation;
    let inserted = statement
        .execute(params![
            row.id.uuid().into_bytes(),
            row.tenant_id.uuid().into_bytes(),
            row.session_id.uuid().into_bytes(),
            row.run_id.map(|id| id.uuid().into_bytes()),
            row.agent_run_step_id.map(|id| id.uuid().into_bytes()),
            row.agent_id.map(|id| id.uuid().into_bytes()),
            row.tool_id.map(|id| id.uuid().into_bytes()),
            row.tool_name,
            row.tool_version,
            row.egress_class.as_str(),
            row.call_id,
            i64::try_from(row.seq).unwrap_or(i64::MAX),
            new.input.get(),
            row.status().as_str(),
            row.approval_status().as_str(),
            row.approval_decided_by,
            row.approval_reason,
            new.decision.get(),
            row.caller,
            row.surface.as_str(),
            row.idempotency_key,
            codec::list_to_json(&row.warnings),
            row.node_id.map(|id| id.uuid().into_bytes()),
            row.attempt,
            new.output.as_deref().map(RawValue::get),
            row.outcome.error.as_ref().map(codec::to_json),
            row.outcome.cached,
            row.outcome.truncated,
            codec::list_to_json(&row.outcome.attachments),
            row.outcome.cost_estimate,
            row.created_at.as_micros(),
            row.started_at.map(Timestamp::as_micros),
            row.completed_at.map(Timestamp::as_micros),
            row.approval_expires_at.map(Timestamp::as_micros),
            row.parent_id.map(|id| id.uuid().into_bytes()),
            row.is_test,
        ])
        .map_err(refused)?;
    Ok(inserted == 1)
}
