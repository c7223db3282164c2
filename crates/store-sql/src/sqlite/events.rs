use async_trait::async_trait;
use rusqlite::{Row, params};
use toolgate_domain::{Event, InvocationId, SessionId, TenantId};
use toolgate_store::{EventFilter, Events, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_optional_time, get_text, get_time, get_uuid, query, read_outcome},
};
use crate::{
    codec,
    log::{self, Told},
};

const COLUMNS: &str = "e.id, e.tenant_id, e.session_id, e.type, e.invocation_id, e.data, e.created_at, e.began_at, i.tool_name,
    i.tool_version, i.call_id, i.input, i.output, i.error, i.cached, i.truncated, i.attachments, i.cost_estimate
    FROM session_events e JOIN tool_invocations i ON i.tenant_id = e.tenant_id AND i.id = e.invocation_id";

#[async_trait]
impl Events for Sqlite {
    async fn list(&self, tenant: TenantId, filter: &EventFilter) -> Result<Vec<Event>, StoreError> {
        let filter = filter.clone();
        self.readers
            .run(move |connection| {
                let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
                let tenant = tenant.uuid();
                let rows = match filter.session_id {
                    Some(session) => query(
                        connection,
                        &format!("SELECT {COLUMNS} WHERE e.session_id = ?4 AND e.tenant_id = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3"),
                        params![tenant.as_bytes(), filter.after, limit, session.uuid().into_bytes()],
                        read_event,
                    ),
                    None => query(
                        connection,
                        &format!("SELECT {COLUMNS} WHERE e.tenant_id = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3"),
                        params![tenant.as_bytes(), filter.after, limit],
                        read_event,
                    ),
                }?;
                log::events(rows, filter.after, filter.limit)
            })
            .await
    }

    async fn newest(&self, tenant: TenantId) -> Result<i64, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT coalesce(max(id), 0) FROM session_events WHERE tenant_id = ?1";
                connection.query_row(sql, [tenant.uuid().into_bytes()], |row| row.get(0)).map_err(refused)
            })
            .await
    }
}

fn read_event(row: &Row<'_>) -> Result<Told, StoreError> {
    Ok(Told {
        id: row.get("id").map_err(refused)?,
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get_uuid(row, "session_id")?),
        kind: codec::event_kind(&get_text(row, "type")?)?,
        invocation_id: InvocationId::from_uuid(get_uuid(row, "invocation_id")?),
        created_at: get_time(row, "created_at")?,
        began_at: get_optional_time(row, "began_at")?,
        tool_name: get_text(row, "tool_name")?,
        tool_version: get_text(row, "tool_version")?,
        call_id: get_text(row, "call_id")?,
        input: get_text(row, "input")?,
        outcome: read_outcome(row)?,
        chunk: get_optional_text(row, "data")?,
    })
}
