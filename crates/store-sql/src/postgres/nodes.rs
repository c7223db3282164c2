use async_trait::async_trait;
use toolgate_domain::{NodeId, Timestamp};
use toolgate_store::{Nodes, StoreError};

use super::{Postgres, columns::Moment, database::refused};

#[async_trait]
impl Nodes for Postgres {
    async fn renew(&self, node: NodeId, expires_at: Timestamp) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO nodes (id, expires_at) VALUES ($1, $2)
             ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at",
        )
        .bind(node.uuid())
        .bind(Moment(expires_at))
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
