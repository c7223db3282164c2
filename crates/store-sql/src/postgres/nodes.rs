use async_trait::async_trait;
use toolgate_domain::{NodeId, Timestamp};
use toolgate_store::{Nodes, StoreError};

use super::{Postgres, database::refused};

#[async_trait]
impl Nodes for Postgres {
    async fn renew(&self, node: NodeId, _now: Timestamp, lease_ms: i64) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO nodes (id, expires_at) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
             ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at",
        )
        .bind(node.uuid())
        .bind(lease_ms)
        .execute(&self.pool)
        .await
        .map(drop)
        .map_err(refused)
    }

    async fn retire(&self, node: NodeId) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM nodes WHERE id = $1")
            .bind(node.uuid())
            .execute(&self.pool)
            .await
            .map(drop)
            .map_err(refused)
    }
}
