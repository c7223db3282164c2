use async_trait::async_trait;
use bytes::Bytes;
use rusqlite::params;
use toolgate_domain::{Invocation, InvocationId, NodeId, TaskId, TenantId, Timestamp};
use toolgate_store::{StoreError, Suspension, Suspensions};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_time, get_optional_uuid, get_time, query, read_invocation},
};

/// Asked every few seconds: few calls are put away, so they are looked at first, whatever SQLite thinks of the others.
pub(super) const READY: &str = "SELECT i.* FROM suspensions s
    CROSS JOIN tool_invocations i ON i.tenant_id = s.tenant_id AND i.id = s.invocation_id
    WHERE i.status = 'running' AND i.node_id IS NULL
      AND (s.wake_at <= ?1
        OR NOT EXISTS (SELECT 1 FROM tool_invocations c WHERE c.parent_id = i.id
          AND c.tenant_id = i.tenant_id AND c.status IN ('pending', 'approved', 'running'))
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.tenant_id = s.tenant_id AND t.id = s.task_id
          AND (t.name GLOB 'open/*' OR t.name GLOB 'in_progress/*')))
    LIMIT ?2";

#[async_trait]
impl Suspensions for Sqlite {
    async fn suspend(&self, suspension: &Suspension, node: NodeId) -> Result<bool, StoreError> {
        let suspension = suspension.clone();
        let suspended = self
            .writer
            .run(move |connection| {
                let key =
                    (suspension.tenant_id.uuid().into_bytes(), suspension.invocation_id.uuid().into_bytes());
                let let_go = "UPDATE tool_invocations SET node_id = NULL
                     WHERE tenant_id = ?1 AND id = ?2 AND status = 'running' AND node_id = ?3";
                let mut statement = connection.prepare_cached(let_go).map_err(refused)?;
                if statement.execute((key.0, key.1, node.uuid().into_bytes())).map_err(refused)? == 0 {
                    return Ok(false);
                }
                let keep =
                    "INSERT INTO suspensions (tenant_id, invocation_id, task_id, state, created_at, wake_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (tenant_id, invocation_id)
                     DO UPDATE SET task_id = ?3, state = ?4, created_at = ?5, wake_at = ?6";
                connection
                    .prepare_cached(keep)
                    .and_then(|mut statement| {
                        statement.execute(params![
                            key.0,
                            key.1,
                            suspension.task_id.map(|id| id.uuid().into_bytes()),
                            suspension.state.as_deref(),
                            suspension.created_at.as_micros(),
                            suspension.wake_at.map(Timestamp::as_micros),
                        ])
                    })
                    .map_err(refused)?;
                Ok(true)
            })
            .await?;
        Ok(suspended)
    }

    async fn suspension(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Suspension>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM suspensions WHERE tenant_id = ?1 AND invocation_id = ?2";
                let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
                let mut found = query(connection, sql, key, |row| {
                    Ok(Suspension {
                        tenant_id: tenant,
                        invocation_id: id,
                        task_id: get_optional_uuid(row, "task_id")?.map(TaskId::from_uuid),
                        state: row.get::<_, Option<Vec<u8>>>("state").map_err(refused)?.map(Bytes::from),
                        created_at: get_time(row, "created_at")?,
                        wake_at: get_optional_time(row, "wake_at")?,
                    })
                })?;
                Ok(found.pop())
            })
            .await
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers
            .run(move |connection| query(connection, READY, [now.as_micros(), limit], read_invocation))
            .await
    }

    async fn forget_suspension(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        self.writer
            .run(move |connection| {
                let sql = "DELETE FROM suspensions WHERE tenant_id = ?1 AND invocation_id = ?2";
                let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
                connection
                    .prepare_cached(sql)
                    .and_then(|mut statement| statement.execute(key))
                    .map(drop)
                    .map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn children(
        &self,
        tenant: TenantId,
        parent: InvocationId,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tool_invocations WHERE parent_id = ?2 AND tenant_id = ?1 ORDER BY id LIMIT ?3";
                let given = (tenant.uuid().into_bytes(), parent.uuid().into_bytes(), limit);
                query(connection, sql, given, read_invocation)
            })
            .await
    }
}
