use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{Event, InvocationId, SessionId, TenantId};
use toolgate_store::{EventFilter, Events, StoreError};

use super::{
    Postgres,
    database::refused,
    rows::{as_limit, get, get_json, get_optional_json, get_optional_time, get_time, read_all, read_outcome},
};
use crate::{
    codec,
    log::{self, Told},
};

macro_rules! select_events {
    ($($condition:literal)*) => {
        concat!(
            "SELECT e.id, e.tenant_id, e.session_id, e.type, e.invocation_id, e.data, e.created_at, e.began_at, i.tool_name,
                 i.tool_version, i.call_id, i.input, i.output, i.error, i.cached, i.truncated, i.attachments,
                 i.cost_estimate
             FROM session_events e JOIN tool_invocations i ON i.tenant_id = e.tenant_id AND i.id = e.invocation_id
             WHERE e.tenant_id = $1 AND e.id > $2 ", $($condition,)* " ORDER BY e.id LIMIT $3"
        )
    };
}

#[async_trait]
impl Events for Postgres {
    async fn list(&self, tenant: TenantId, filter: &EventFilter) -> Result<Vec<Event>, StoreError> {
        let query = match filter.session_id {
            Some(_) => sqlx::query(select_events!("AND e.session_id = $4")),
            None => sqlx::query(select_events!()),
        }
        .bind(tenant.uuid())
        .bind(filter.after)
        .bind(as_limit(filter.limit));
        let query = match filter.session_id {
            Some(session) => query.bind(session.uuid()),
            None => query,
        };
        let rows = query.fetch_all(&mut *self.of(tenant).await?).await.map_err(refused)?;
        log::events(read_all(&rows, read_event)?, filter.after, filter.limit)
    }

    async fn newest(&self, tenant: TenantId) -> Result<i64, StoreError> {
        sqlx::query_scalar("SELECT coalesce(max(id), 0) FROM session_events WHERE tenant_id = $1")
            .bind(tenant.uuid())
            .fetch_one(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)
    }
}

fn read_event(row: &PgRow) -> Result<Told, StoreError> {
    Ok(Told {
        id: get(row, "id")?,
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get(row, "session_id")?),
        kind: codec::event_kind(get(row, "type")?)?,
        invocation_id: InvocationId::from_uuid(get(row, "invocation_id")?),
        created_at: get_time(row, "created_at")?,
        began_at: get_optional_time(row, "began_at")?,
        tool_name: get(row, "tool_name")?,
        tool_version: get(row, "tool_version")?,
        call_id: get(row, "call_id")?,
        input: get_json(row, "input")?,
        outcome: read_outcome(row)?,
        chunk: get_optional_json(row, "data")?,
    })
}
