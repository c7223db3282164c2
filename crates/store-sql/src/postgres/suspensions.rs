use async_trait::async_trait;
use bytes::Bytes;
use toolgate_domain::{Invocation, InvocationId, NodeId, TaskId, TenantId, Timestamp, ids::Uuid};
use toolgate_store::{StoreError, Suspension, Suspensions};

use super::{
    Postgres,
    columns::Moment,
    database::refused,
    rows::{as_limit, get, get_optional_time, get_time, read_all, read_invocation},
};

#[async_trait]
impl Suspensions for Postgres {
    async fn suspend(&self, suspension: &Suspension, node: NodeId) -> Result<bool, StoreError> {
        let mut transaction = self.change_of(suspension.tenant_id).await?;
        let suspended = sqlx::query(
            "WITH let_go AS (
                 UPDATE tool_invocations SET node_id = NULL
                 WHERE tenant_id = $1 AND id = $2 AND status = 'running' AND node_id = $3
                 RETURNING tenant_id, id
             )
             INSERT INTO suspensions (tenant_id, invocation_id, task_id, state, created_at, wake_at)
             SELECT tenant_id, id, $4, $5, $6, $7 FROM let_go
             ON CONFLICT (tenant_id, invocation_id)
             DO UPDATE SET task_id = $4, state = $5, created_at = $6, wake_at = $7",
        )
        .bind(suspension.tenant_id.uuid())
        .bind(suspension.invocation_id.uuid())
        .bind(node.uuid())
        .bind(suspension.task_id.map(TaskId::uuid))
        .bind(suspension.state.as_deref())
        .bind(Moment(suspension.created_at))
        .bind(suspension.wake_at.map(Moment))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)?;
        Ok(suspended.rows_affected() == 1)
    }

    async fn suspension(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Suspension>, StoreError> {
        let found = sqlx::query("SELECT * FROM suspensions WHERE tenant_id = $1 AND invocation_id = $2")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        let Some(row) = found else { return Ok(None) };
        Ok(Some(Suspension {
            tenant_id: tenant,
            invocation_id: id,
            task_id: get::<Option<Uuid>>(&row, "task_id")?.map(TaskId::from_uuid),
            state: get::<Option<Vec<u8>>>(&row, "state")?.map(Bytes::from),
            created_at: get_time(&row, "created_at")?,
            wake_at: get_optional_time(&row, "wake_at")?,
        }))
    }

    async fn ready(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        let ready = sqlx::query_as("SELECT * FROM toolgate_ready($1, $2)")
            .bind(Moment(now))
            .bind(as_limit(limit))
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        self.read_due(ready).await
    }

    async fn forget_suspension(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        let mut transaction = self.change_of(tenant).await?;
        sqlx::query("DELETE FROM suspensions WHERE tenant_id = $1 AND invocation_id = $2")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }

    async fn children(
        &self,
        tenant: TenantId,
        parent: InvocationId,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM tool_invocations WHERE parent_id = $2 AND tenant_id = $1 ORDER BY id LIMIT $3",
        )
        .bind(tenant.uuid())
        .bind(parent.uuid())
        .bind(as_limit(limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_invocation)
    }
}
